// Package mathlib has functions of package math in a form that vectorizes: the same
// operations in the same order, with choices in the place of branches, so that the bits are
// those that math gives on amd64. Where math has assembly the order is that of the assembly,
// elsewhere that of its Go source, in which the origin of each algorithm is told.
//
// The frontend inlines these bodies for calls of math. They are ordinary Go, so that they
// can be compared with math as they stand. It knows nothing of the frontend.
package mathlib

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
)

// Path is that of this package.
const Path = "github.com/lanewise/lanewise/frontend/mathlib"

// Float32 ends the names of functions of float32s, for the clause approx.
const Float32 = "32"

//go:embed exp.go log.go trig.go hyper.go power.go pow.go erf.go approx.go parts.go
var source embed.FS

// Parse reads the functions.
func Parse(fset *token.FileSet) ([]*ast.File, error) {
	entries, err := source.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, e := range entries {
		text, err := source.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, path.Join("mathlib", e.Name()), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}
