package boolean_test

import (
	"testing"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

// Each line of the function is a pair: its operands relate as the wants say.
func TestRelations(t *testing.T) {
	const src = `func @f(%x i32, %y i32, %f f64, %g f64, %p bool, %q bool, %r bool) (bool) {
entry:
	%c2 = const i32 2
	%c3 = const i32 3
	%lt = icmp.slt bool %x, %y
	%gt = icmp.slt bool %y, %x
	%le = icmp.sle bool %x, %y
	%ult = icmp.ult bool %x, %y
	%eq = icmp.eq bool %x, %y
	%is2 = icmp.eq bool %x, %c2
	%is3 = icmp.eq bool %x, %c3
	%flt = fcmp.lt bool %f, %g
	%fge = fcmp.le bool %g, %f
	%fne = fcmp.ne bool %f, %g
	%np = not bool %p
	%nq = not bool %q
	%pq = and bool %p, %q
	%pnq = and bool %p, %nq
	%npr = and bool %np, %r
	%nr = not bool %r
	%npnr = and bool %np, %nr
	%rest = or bool %pnq, %npr
	%rest2 = or bool %rest, %npnr
	%x1 = xor bool %p, %q
	%three = or bool %lt, %gt
	ret %lt
}
`
	f, err := parse.Func(src)
	if err != nil {
		t.Fatal(err)
	}
	values := make(map[string]*vir.Value)
	for v := range f.Values {
		values[v.Name] = v
	}
	for _, p := range f.Params {
		values[p.Name] = p
	}
	tests := []struct {
		x, y                          string
		implies, disjoint, exhaustive bool
	}{
		{"lt", "gt", false, true, false},
		{"lt", "le", true, false, false},
		{"gt", "le", false, true, true},
		{"eq", "le", true, false, false},
		{"three", "eq", false, true, true},
		{"lt", "ult", false, false, false},
		{"is2", "is3", false, true, false},
		{"flt", "fge", false, true, false}, // NaN is neither
		{"flt", "fne", true, false, false},
		{"pq", "pnq", false, true, false},
		{"pq", "p", true, false, false},
		{"pq", "rest2", false, true, true},
		{"x1", "pq", false, true, false},
		{"pnq", "x1", true, false, false},
		{"p", "q", false, false, false},
	}
	for _, c := range tests {
		x, y := values[c.x], values[c.y]
		if got := boolean.Implies(x, y); got != c.implies {
			t.Errorf("%s implies %s: %t", c.x, c.y, got)
		}
		if got := boolean.Disjoint(x, y); got != c.disjoint {
			t.Errorf("%s and %s disjoint: %t", c.x, c.y, got)
		}
		if got := boolean.Exhaustive(x, y); got != c.exhaustive {
			t.Errorf("%s or %s always: %t", c.x, c.y, got)
		}
	}
}
