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

// Write writes a file, in folders that need not be there yet.
func Write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
