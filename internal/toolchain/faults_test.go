//go:build unix

package toolchain

import (
	"strings"
	"testing"
)

// Behind a fault in a kernel, which its caller may turn into a panic, the stack below may
// grow as behind any other panic.
func TestFaultsInKernels(t *testing.T) {
	dir := common(t)
	mustRun(t, dir, nil, "go", "build", "-o", "faults.exe", "./faults")
	out, err := run(dir, nil, "./faults.exe")
	if err != nil || !strings.HasSuffix(out, "done\n") || strings.Contains(out, "no fault") || strings.Count(out, " true") != 3 {
		t.Errorf("%v\n%s", err, out)
	}
}
