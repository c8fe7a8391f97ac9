package reduce

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/internal/randloop"
)

// divides reports whether a file has a division under a condition.
func divides(text string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0)
	if err != nil {
		return false
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.IfStmt); ok {
			ast.Inspect(s.Body, func(n ast.Node) bool {
				if x, ok := n.(*ast.BinaryExpr); ok && x.Op == token.QUO {
					found = true
				}
				return true
			})
		}
		return true
	})
	return found
}

// keeping is a property of each file by itself; it counts calls.
func keeping(calls *int, has func(string) bool) func(context.Context, []string) ([]bool, error) {
	return func(_ context.Context, files []string) (kept []bool, err error) {
		*calls++
		for _, f := range files {
			kept = append(kept, has(f))
		}
		return kept, nil
	}
}

const long = `package p

import (
	"math"
	"math/bits"
)

type rec struct {
	a, b int16
	c    [4]uint8
}

var _ = bits.Len

func helper(a, b float64) float64 {
	return math.Sqrt(a) + b
}

//vec:func F simdlen(8) reassoc
func f(x []int16, y []float64, r *rec, n int, on bool) (s float64, best int16) {
	if len(y) < n {
		return
	}
	t := x[0] + 3
	for i := 0; i+3 < n; i += 2 {
		v := y[i]
		w := v * 2
		if w > 3 && on {
			x[i] += int16(helper(w, v)) * (r.a - 7)
			if on {
				best = max(best, (x[i+1]+r.b)/(t*5))
			} else {
				best--
			}
		} else if x[i] > 3 {
			best++
		}
		switch x[i] & 3 {
		case 0:
			s += w
		default:
			s -= float64(r.c[i&3])
		}
	}
	return s + 1, best
}
`

func TestDivisionUnderCondition(t *testing.T) {
	calls := 0
	has := func(text string) bool { return divides(text) && strings.Contains(text, "//vec:func F") }
	got, err := Source(context.Background(), long, Options{Keeps: keeping(&calls, has), Batch: 8, Calls: 1000})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d calls:\n%s", calls, got)
	if !has(got) {
		t.Errorf("the property is lost")
	}
	if n := words(got); n > 26 {
		t.Errorf("%d words are left", n)
	}
	for _, gone := range []string{"import", "rec", "simdlen", "switch", "for", "x[i", "helper"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q is still there", gone)
		}
	}
}

// Random functions are reduced to what they are to have.
func TestRandomFunctions(t *testing.T) {
	small := 0
	for seed := range uint64(90) {
		c := randloop.Classes[seed%3]
		text := randloop.Source("p", c.Functions(seed, 2))
		if !divides(text) {
			continue
		}
		small++
		calls := 0
		got, err := Source(context.Background(), text, Options{Keeps: keeping(&calls, divides), Calls: 1000})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if n := words(got); !divides(got) || n > 45 {
			t.Errorf("seed %d: %d words after %d calls\n%s", seed, n, calls, got)
		}
	}
	if small < 2 {
		t.Errorf("only %d functions had the property", small)
	}
}

// Reduction ends with what it has when calls are used up, and tells when there is nothing to reduce.
func TestLimits(t *testing.T) {
	calls := 0
	got, err := Source(context.Background(), long, Options{Keeps: keeping(&calls, divides), Calls: 3})
	if err != nil || calls > 6 || !divides(got) || len(got) >= len(long) {
		t.Errorf("%d calls, error %v:\n%s", calls, err, got)
	}
	never := func(string) bool { return false }
	if _, err := Source(context.Background(), long, Options{Keeps: keeping(&calls, never)}); err == nil {
		t.Error("no error for a file without the property")
	}
	if _, err := Source(context.Background(), "package p\nvar x int = y", Options{Keeps: keeping(&calls, divides)}); err == nil {
		t.Error("no error for a file that is not valid")
	}
}

// Each kind of edit is found, and gives a valid file.
func TestEdits(t *testing.T) {
	checker := newChecker()
	base, ok := checker.clean(long)
	if !ok {
		t.Fatal("not valid")
	}
	all := make(map[string]bool)
	for _, e := range checker.edits(base) {
		if text, ok := checker.clean(e.apply(base)); ok {
			all[text] = true
		}
	}
	for _, c := range []struct{ old, new string }{
		{"simdlen(8) reassoc", "reassoc"},
		{"for i := 0; i+3 < n; i += 2 {", "for i := range n {"},
		{"w > 3 && on", "on"},
		{"w > 3 && on", "true"},
		{"(x[i+1]+r.b)", "r.b"},
		{"if len(y) < n {", "{"},
		{"best--", ""},
		{"+=", "="},
	} {
		if !strings.Contains(base, c.old) {
			t.Fatalf("no %q in\n%s", c.old, base)
		}
		want, ok := checker.clean(strings.Replace(base, c.old, c.new, 1))
		if !ok {
			t.Fatalf("%q for %q is not valid", c.new, c.old)
		}
		if !all[want] {
			t.Errorf("no edit from %q to %q", c.old, c.new)
		}
	}
}
