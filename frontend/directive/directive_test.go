package directive_test

import (
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lanewise/lanewise/frontend/directive"
	"github.com/lanewise/lanewise/vir/plan"
)

// text is a normal form of a directive that shows all of it.
func text(d *directive.Directive) string {
	s := []string{d.Kind.String()}
	if d.Name != "" {
		name := d.Name
		for i, t := range d.TypeArgs {
			name += map[bool]string{true: "[", false: ", "}[i == 0] + types.ExprString(t)
		}
		if d.TypeArgs != nil {
			name += "]"
		}
		s = append(s, name)
	}
	if d.Clauses != (plan.Clauses{}) {
		s = append(s, strings.TrimPrefix(cmp.Diff(plan.Clauses{}, d.Clauses), ""))
	}
	return strings.Join(s, " ")
}

func TestNamesAndTypes(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"//vec:func Axpy", "//vec:func Axpy"},
		{"//vec:func  Axpy\t", "//vec:func Axpy"},
		{"//vec:func F[float32]", "//vec:func F[float32]"},
		{"//vec:func F[ []T , map[K] V ]", "//vec:func F[[]T, map[K]V]"},
		{"//vec:func Größe[pkg.T]\r", "//vec:func Größe[pkg.T]"},
		{"//vec:loop", "//vec:loop"},
		{"//vec:scalar", "//vec:scalar"},
	} {
		d, err := directive.Parse(tt.in)
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
		} else if got := text(d); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestClauses(t *testing.T) {
	all := plan.Clauses{Reassoc: true, Contract: true, Independent: true, Exclusive: true, Require: true, Simdlen: 8, Unroll: 3}
	for _, tt := range []struct {
		in   string
		want plan.Clauses
	}{
		{"//vec:func F reassoc contract independent exclusive require simdlen(8) unroll( 3 )", all},
		{"//vec:loop reassoc\tunroll(2)", plan.Clauses{Reassoc: true, Unroll: 2}},
	} {
		d, err := directive.Parse(tt.in)
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
		} else if diff := cmp.Diff(tt.want, d.Clauses); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.in, diff)
		}
	}
	merged := directive.Merge(plan.Clauses{Reassoc: true, Unroll: 2, Simdlen: 4}, plan.Clauses{Exclusive: true, Unroll: 1})
	if want := (plan.Clauses{Reassoc: true, Exclusive: true, Unroll: 1, Simdlen: 4}); merged != want {
		t.Errorf("merged to %+v, want %+v", merged, want)
	}
}

func TestErrorsSayWhatWasMeant(t *testing.T) {
	for _, tt := range []struct{ in, at, want string }{
		{"//vec:fun Axpy", "fun", "unknown directive //vec:fun; did you mean //vec:func?"},
		{"//vec:functor", "functor", "unknown directive //vec:functor; did you mean //vec:func?"},
		{"//vec:", "", "unknown directive //vec:"},
		{"//vec:pragma once", "pragma", "unknown directive //vec:pragma"},
		{"//vec:func", "", "//vec:func needs the name of the twin"},
		{"//vec:func 3d", "3d", `"3d" is no name for a twin`},
		{"//vec:func _", "_", `"_" is no name for a twin`},
		{"//vec:func range", "range", `"range" is no name for a twin`},
		{"//vec:func A-b", "-b", `unexpected "-b" behind the twin`},
		{"//vec:func A[int", "[int", `"[int" is no list of types`},
		{"//vec:func A[] reassoc", "[]", `"[]" is no list of types`},
		{"//vec:func A reasoc", "reasoc", `unknown clause "reasoc"; did you mean reassoc?`},
		{"//vec:func A Contract", "Contract", `unknown clause "Contract"; did you mean contract?`},
		{"//vec:func A fast", "fast", `unknown clause "fast"`},
		{"//vec:func A reassoc reassoc", "reassoc", "clause reassoc is given twice"},
		{"//vec:func A reassoc,contract", ",contract", `unexpected ",contract" behind the clause`},
		{"//vec:func A reassoc(1)", "(1)", `unexpected "(1)" behind the clause`},
		{"//vec:loop simdlen", "", "simdlen needs a number, as in simdlen(4)"},
		{"//vec:loop simdlen(x)", "x)", `simdlen needs a number from 1 to 1024, not "x"`},
		{"//vec:loop simdlen()", ")", `simdlen needs a number from 1 to 1024, not ""`},
		{"//vec:loop simdlen(6)", "simdlen(6)", "simdlen must be a power of two, not 6"},
		{"//vec:loop unroll(0)", "0)", `unroll needs a number from 1 to 64, not "0"`},
		{"//vec:loop unroll(-1)", "-1)", `unroll needs a number from 1 to 64, not "-1"`},
		{"//vec:loop unroll(99999999999999999999)", "9999", `unroll needs a number from 1 to 64, not "99999999999999999999"`},
		{"//vec:scalar please", "please", "//vec:scalar takes no clauses"},
	} {
		_, err := directive.Parse(tt.in)
		if err == nil || err.Msg != tt.want {
			t.Errorf("%s: got %v, want %s", tt.in, err, tt.want)
		} else if !strings.HasPrefix(tt.in[err.Offset:], tt.at) || (tt.at == "" && err.Offset != len(tt.in)) {
			t.Errorf("%s: error at %q, want %q", tt.in, tt.in[err.Offset:], tt.at)
		}
	}
}

// FuzzParse finds inputs that break the parser or whose errors point nowhere.
func FuzzParse(f *testing.F) {
	f.Add("func F[[]int, T] reassoc simdlen(8)")
	f.Add("loop unroll( 3 ) require")
	f.Add("func F[a](")
	f.Fuzz(func(t *testing.T, s string) {
		in := directive.Prefix + s
		d, err := directive.Parse(in)
		if (d == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", in, d, err)
		}
		if err != nil {
			if err.Offset < len(directive.Prefix) || err.Offset > len(in) || err.Msg == "" {
				t.Fatalf("%q: offset %d of %d, message %q", in, err.Offset, len(in), err.Msg)
			}
			return
		}
		if d.Kind == directive.Func && d.Name == "" {
			t.Fatalf("%q: accepted without a name", in)
		}
		if c := d.Clauses; c.Simdlen&(c.Simdlen-1) != 0 || c.Unroll < 0 || c.Unroll > 64 {
			t.Fatalf("%q: accepted %+v", in, c)
		}
	})
}
