package filetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Scratch makes a folder below testdata of the package, so that what is generated there is
// part of the module and imports what it needs; wildcards of the go command do not see it.
// It is removed behind the test, unless it is kept.
func Scratch(t testing.TB, keep bool) string {
	t.Helper()
	parent, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(parent, 0o777); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(parent, "run")
	if err != nil {
		t.Fatal(err)
	}
	if !keep {
		t.Cleanup(func() {
			os.RemoveAll(dir)
			os.Remove(parent) // only when empty
		})
	}
	return dir
}
