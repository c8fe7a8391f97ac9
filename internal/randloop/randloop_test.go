package randloop

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

func TestFunctionsAreValidGo(t *testing.T) {
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	bad := 0
	for seed := range uint64(10) {
		for _, c := range Classes {
			source := func() string { return Source("p", c.Functions(seed, 50)) }
			src := source()
			if src != source() {
				t.Fatalf("%s, seed %d: text differs between two runs", c.Name, seed)
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			conf := types.Config{Importer: imp, Error: func(err error) { bad++; t.Logf("%s, seed %d: %v", c.Name, seed, err) }}
			conf.Check("p", fset, []*ast.File{f}, nil)
		}
	}
	if bad > 0 {
		t.Errorf("%d type errors", bad)
	}
}

// Functions have the features that the class knows, and all of those are drawn.
func TestFeatures(t *testing.T) {
	for _, c := range Classes {
		seen := make(map[string]bool)
		for _, f := range c.Functions(1, Enough) {
			for _, name := range f.Features {
				seen[name] = true
			}
		}
		known := make(map[string]bool)
		for _, name := range c.features() {
			known[name] = true
			if !seen[name] {
				t.Errorf("%s: no function with %s", c.Name, name)
			}
		}
		for name := range seen {
			if !known[name] {
				t.Errorf("%s: nobody would miss %s", c.Name, name)
			}
		}
	}
}
