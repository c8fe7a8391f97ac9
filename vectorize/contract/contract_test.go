package contract

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/plan"
)

// Each form is the fused operation that it stands for, in every bit.
func TestForms(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       func(x, y, z float64) float64
	}{
		{"sum", "%p = fmul f64 %x, %y\n\t%r = fadd f64 %p, %z", func(x, y, z float64) float64 { return math.FMA(x, y, z) }},
		{"sum, the other way round", "%p = fmul f64 %x, %y\n\t%r = fadd f64 %z, %p", func(x, y, z float64) float64 { return math.FMA(x, y, z) }},
		{"less", "%p = fmul f64 %x, %y\n\t%r = fsub f64 %p, %z", func(x, y, z float64) float64 { return math.FMA(x, y, -z) }},
		{"from", "%p = fmul f64 %x, %y\n\t%r = fsub f64 %z, %p", func(x, y, z float64) float64 { return math.FMA(-x, y, z) }},
		{"a product of its own", "%p = fmul f64 %x, %y\n\t%s = fadd f64 %p, %z\n\t%r = fmul f64 %s, %p", func(x, y, z float64) float64 { return math.FMA(x, y, z) * (x * y) }},
		{"no product", "%p = fadd f64 %x, %y\n\t%r = fadd f64 %p, %z", func(x, y, z float64) float64 { return x + y + z }},
		{"a product from before", "%p = fmul f64 %x, %y\n\tjmp next\nnext:\n\t%r = fadd f64 %p, %z", func(x, y, z float64) float64 { return float64(x*y) + z }},
	} {
		f := function(t, tt.body)
		contracted(t, f, true)
		r := rand.New(rand.NewPCG(1, 1))
		for range 1000 {
			x, y, z := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
			got, err := interp.Run(f, nil, []interp.Value{interp.Float64(x), interp.Float64(y), interp.Float64(z)})
			if err != nil {
				t.Fatal(tt.name, err)
			}
			if want := tt.want(x, y, z); got[0].Bits[0] != math.Float64bits(want) {
				t.Fatalf("%s: %v for %v, %v, %v, want %v\n%s", tt.name, math.Float64frombits(got[0].Bits[0]), x, y, z, want, f)
			}
		}
	}
}

// Nothing is fused without the clause, and no product is left that nobody needs.
func TestClause(t *testing.T) {
	const body = "%p = fmul f64 %x, %y\n\t%r = fadd f64 %p, %z"
	f := function(t, body)
	contracted(t, f, false)
	if n := len(f.Entry().Insts); n != 3 {
		t.Errorf("%d instructions without the clause, want 3", n)
	}
	contracted(t, f, true)
	if n := len(f.Entry().Insts); n != 2 {
		t.Errorf("%d instructions with the clause, want 2", n)
	}
}

func function(t *testing.T, body string) *vir.Func {
	t.Helper()
	f, err := parse.Func("func @f(%x f64, %y f64, %z f64) (f64) {\nentry:\n\t" + body + "\n\tret %r\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func contracted(t *testing.T, f *vir.Func, allowed bool) {
	t.Helper()
	r := &plan.Region{Fn: f, Clauses: plan.Clauses{Contract: allowed}}
	u := pass.NewUnit(r, target.AVX2(), pass.Limit{Pass: "none"})
	u.Kernel = &plan.Kernel{Fn: f}
	if err := Run(u); err != nil {
		t.Fatal(err)
	}
}
