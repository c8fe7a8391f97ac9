package lanewise_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

// The shapes in testdata/design are designs on paper, written before the code
// that produces them. They must at least stay well-formed.
func TestDesignShapesAreWellFormed(t *testing.T) {
	files, err := filepath.Glob("testdata/design/*.txtar")
	if err != nil || len(files) < 3 {
		t.Fatalf("want the design files, have %v, %v", files, err)
	}
	for _, path := range files {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			name := filepath.Base(path) + "/" + f.Name
			if strings.HasSuffix(f.Name, ".go") {
				if _, err := parser.ParseFile(token.NewFileSet(), name, f.Data, parser.SkipObjectResolution); err != nil {
					t.Error(err)
				}
				continue
			}
			fn, err := parse.Func(string(f.Data))
			if err == nil {
				err = verify.Func(fn)
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
