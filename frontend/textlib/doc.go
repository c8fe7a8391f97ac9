// Package textlib has functions of the packages unicode and unicode/utf8 for ASCII, in which text mostly is: comparisons in
// the place of tables. Other runes are handed over to scalar code, which calls the functions themselves.
//
// The frontend inlines these bodies. They are ordinary Go, so that they can be compared with the originals as they stand. It knows
// nothing of the frontend.
package textlib

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
)

// Path is that of this package.
const Path = "github.com/lanewise/lanewise/frontend/textlib"

// Covers reports whether a package is one of those whose functions are here.
func Covers(path string) bool { return path == "unicode" || path == "unicode/utf8" }

//go:embed ascii.go
var source embed.FS

// Parse reads the functions.
func Parse(fset *token.FileSet) (*ast.File, error) {
	text, err := source.ReadFile("ascii.go")
	if err != nil {
		return nil, err
	}
	return parser.ParseFile(fset, "textlib/ascii.go", text, parser.SkipObjectResolution)
}
