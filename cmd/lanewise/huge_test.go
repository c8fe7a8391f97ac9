package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lanewise/lanewise/internal/tree"
)

// TestHugeFunctions generates for one loop of very many operations and for one
// function of very many loops: slow code in here shows as minutes.
func TestHugeFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	root, err := tree.Root()
	if err != nil {
		t.Fatal(err)
	}
	var src strings.Builder
	src.WriteString("package m\n\n//vec:func Long\nfunc long(x, y []float32, a float32) {\n\tfor i := range x {\n\t\tv := y[i]\n")
	for k := range 1500 {
		fmt.Fprintf(&src, "\t\tv = v*a + %d.5\n", k)
	}
	src.WriteString("\t\tx[i] = v\n\t}\n}\n\n//vec:func Many\nfunc many(x []int32, a int32) {\n")
	for k := range 100 {
		fmt.Fprintf(&src, "\tfor i := range x {\n\t\tx[i] += a ^ %d\n\t}\n", k)
	}
	src.WriteString("}\n")
	dir := t.TempDir()
	if err := writeModule(root, dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "m.go"), []byte(src.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	var out, errs strings.Builder
	start := time.Now()
	if code := run(context.Background(), []string{"-n"}, &out, &errs); code != exitOK {
		t.Fatalf("exit code %d\n%.2000s", code, errs.String())
	}
	if strings.Contains(errs.String(), "internal:") {
		t.Errorf("remarks: %.2000s", errs.String())
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("took %v", d)
	} else {
		t.Logf("%v, %d bytes", d, out.Len())
	}
}
