package twin

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestGolden prints the twins of every case, compares them with testdata, and
// type-checks them with the user's source, as both builds see them.
func TestGolden(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBuilder(t, c.src)
			c.build(b)
			amd64, generic, err := File(b.pkg, b.ks, b.options())
			if err != nil {
				t.Fatal(err)
			}
			tests, err := Tests(b.pkg, b.ks, b.options())
			if err != nil {
				t.Fatal(err)
			}
			compare(t, c.name, amd64, generic, tests)
			typeCheck(t, c.src, string(amd64), string(tests))
			typeCheck(t, c.src, string(generic))
			again, _, err := File(b.pkg, b.ks, b.options())
			if err != nil || !bytes.Equal(again, amd64) {
				t.Errorf("the second run printed something else (%v)", err)
			}
		})
	}
}

func compare(t *testing.T, name string, amd64, generic, tests []byte) {
	t.Helper()
	got := "-- vec_amd64.go --\n" + string(amd64) + "-- vec_generic.go --\n" + string(generic) + "-- vec_test.go --\n" + string(tests)
	path := filepath.Join("testdata", name+".txtar")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("go test ./frontend/twin -run TestGolden/%s -update\n(-want +got)\n%s", name, d)
	}
}

func typeCheck(t *testing.T, srcs ...string) {
	t.Helper()
	var files []*ast.File
	for i, src := range srcs {
		f, err := parser.ParseFile(fset, []string{"p.go", "vec.go", "vec_test.go"}[i], src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: testImporter{}, IgnoreFuncBodies: false, Error: func(err error) { t.Error(err) }}
	conf.Check("example.com/p", fset, files, nil)
}
