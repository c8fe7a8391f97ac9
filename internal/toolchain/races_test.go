package toolchain

import (
	"strings"
	"testing"
)

// A build with the race detector sees what twins read and write, and no more than that.
func TestRacesAreSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library with the race detector")
	}
	needs(t, "gcc")
	dir := common(t)
	mustRun(t, dir, nil, "go", "build", "-race", "-o", "races.exe", "./races")
	for what, race := range map[string]bool{
		"write to what is read":      true,
		"write to what is written":   true,
		"read of what is written":    true,
		"write to an index":          true,
		"write to what is summed up": true,
		"read of what is read":       false,
		"behind it":                  false,
		"halves":                     false,
	} {
		out, err := run(dir, nil, "./races.exe", what)
		if !strings.HasSuffix(out, "done\n") && !strings.Contains(out, "\ndone\n") {
			t.Errorf("%s: %v\n%s", what, err, out)
		}
		if seen := strings.Contains(out, "WARNING: DATA RACE") && err != nil; seen != race {
			t.Errorf("%s: race reported: %v, want %v\n%s", what, seen, race, out)
		}
	}
}
