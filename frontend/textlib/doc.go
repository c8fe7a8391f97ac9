// Package textlib has functions of the packages unicode and unicode/utf8 for ASCII, in which text mostly is: comparisons in
// the place of tables. Other runes are handed over to scalar code, which calls the functions themselves. Of package strings it has
// functions that look for something in a short constant text: comparisons, too.
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

// Covers reports whether functions of a package with that name are those that are here, if there are any.
func Covers(path, name string) bool {
	switch path {
	case "unicode", "unicode/utf8":
		return true
	case "strings":
		return name == "IndexByte" || name == "IndexRune" || name == "ContainsRune"
	}
	return false
}

//go:embed ascii.go search.go
var source embed.FS

// Parse reads the functions.
func Parse(fset *token.FileSet) ([]*ast.File, error) {
	var files []*ast.File
	for _, name := range []string{"ascii.go", "search.go"} {
		text, err := source.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, "textlib/"+name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}
