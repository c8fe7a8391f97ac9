package mathlib

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"testing"
)

// packageMath is package math as the compiler for amd64 sees it.
func packageMath(t *testing.T) (fset *token.FileSet, syntax []*ast.File, others []string) {
	t.Helper()
	context := build.Default
	context.GOARCH, context.GOOS = "amd64", "linux"
	p, err := context.Import("math", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	fset = token.NewFileSet()
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		syntax = append(syntax, f)
	}
	for _, name := range p.SFiles {
		others = append(others, filepath.Join(p.Dir, name))
	}
	return fset, syntax, others
}

// TestOrigins fails for functions that this version of Go has in another way: TestLikeMath
// tells whether they still give the same bits.
func TestOrigins(t *testing.T) {
	fset, syntax, others := packageMath(t)
	for name, o := range origins {
		if !Known(name, fset, syntax, others) {
			t.Errorf("%s: the text of math in %s has the sum %s, not %s", name, runtime.Version(), o.text(fset, syntax, others), o.sum)
		}
	}
}

// TestOriginsAreWhole looks for each declaration and file in package math.
func TestOriginsAreWhole(t *testing.T) {
	_, syntax, others := packageMath(t)
	for name, o := range origins {
		for _, d := range o.decls {
			found := false
			for _, f := range syntax {
				for _, x := range f.Decls {
					found = found || declares(x, []string{d})
				}
			}
			if !found {
				t.Errorf("%s: no declaration of %s", name, d)
			}
		}
		for _, f := range o.files {
			found := false
			for _, other := range others {
				found = found || filepath.Base(other) == f
			}
			if !found {
				t.Errorf("%s: no file %s", name, f)
			}
		}
	}
}
