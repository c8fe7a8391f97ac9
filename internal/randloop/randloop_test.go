package randloop

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/lanewise/lanewise/vir/plan"
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

// Smaller versions of a function are treated as it is.
func TestSharesOfFunctions(t *testing.T) {
	for _, c := range []struct {
		name         string
		other, third bool
	}{{"f0", false, false}, {"f1", true, true}, {"f4", false, true}, {"f1732", false, true}, {"f1732_8", false, true}, {"f9_13", true, false}, {"main", false, false}} {
		r := &plan.Region{Func: c.name}
		if other, third := EveryOther(r), EveryThird(r); other != c.other || third != c.third {
			t.Errorf("%s: %v and %v, want %v and %v", c.name, other, third, c.other, c.third)
		}
	}
}

func TestSelfless(t *testing.T) {
	for in, want := range map[string]string{
		"\tx[3] = x[3]\n":                "\t_ = x[3]\n",
		"x[i+1].a = uint8(x[i+1].a)\n":   "_ = uint8(x[i+1].a)\n",
		"x = math.Abs(x)\nfor i := 0; {": "x = math.Abs(x)\nfor i := 0; {",
		"a, b = swap(a, b)\n":            "a, b = swap(a, b)\n",
		"x[1] = x[2]\nx[1] = y + (x[1])": "x[1] = x[2]\nx[1] = y + (x[1])",
	} {
		if got := selfless(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestWithoutZeros(t *testing.T) {
	in := "func f(x []int, s int) (w res, n int) {\n\tx[3] -= w.f0\n\tx[0] += n\n\tn -= x[1]\n\tx[1] |= s\n\tx[2] += w.f1 + s\n\treturn\n}\n"
	want := "func f(x []int, s int) (w res, n int) {\n\tx[3] = w.f0\n\tx[0] = n\n\tn -= x[1]\n\tx[1] |= s\n\tx[2] += w.f1 + s\n\treturn\n}\n"
	if got := withoutZeros(in); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestUsingVariables(t *testing.T) {
	in := "\tfor i := range 3 {\n\t\tfor j, e := range x {\n\t\t\ty[j]++\n\t\t}\n\t}\n\tfor i := range x {\n\t\tx[i]++\n\t}\n"
	want := "\tfor i := range 3 {\n\t\t_ = i\n\t\tfor j, e := range x {\n\t\t\t_ = e\n\t\t\ty[j]++\n\t\t}\n\t}\n\tfor i := range x {\n\t\tx[i]++\n\t}\n"
	if got := usingVariables(in); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
