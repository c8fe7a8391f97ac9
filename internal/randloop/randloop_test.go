package randloop

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

func TestSourceIsValidGo(t *testing.T) {
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	bad := 0
	for seed := range uint64(15) {
		source := func() string { return Source("p", seed, 60, seed%2 == 1) }
		if seed%3 == 2 {
			source = func() string { return StraightSource("p", seed, 100) }
		}
		src := source()
		if src != source() {
			t.Fatalf("seed %d: text differs between two runs", seed)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		conf := types.Config{Importer: imp, Error: func(err error) { bad++; t.Log(err) }}
		conf.Check("p", fset, []*ast.File{f}, nil)
	}
	if bad > 0 {
		t.Errorf("%d type errors", bad)
	}
}
