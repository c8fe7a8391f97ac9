package boolean_test

import (
	"testing"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

// named are the values and parameters of function src by name.
func named(t *testing.T, src string) map[string]*vir.Value {
	t.Helper()
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
	return values
}

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
	values := named(t, src)
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

// Parts of conditions, as chains of and and or that are longer than tables.
func TestChains(t *testing.T) {
	const src = `func @f(%c i8) (bool) {
entry:
	%k0 = const i8 10
	%k1 = const i8 11
	%k2 = const i8 12
	%k3 = const i8 13
	%k4 = const i8 14
	%k5 = const i8 15
	%k6 = const i8 16
	%e0 = icmp.eq bool %c, %k0
	%e1 = icmp.eq bool %c, %k1
	%e2 = icmp.eq bool %c, %k2
	%e3 = icmp.eq bool %c, %k3
	%e4 = icmp.ult bool %c, %k4
	%e5 = icmp.eq bool %c, %k5
	%e6 = icmp.eq bool %c, %k6
	%n0 = icmp.ne bool %c, %k0
	%n1 = not bool %e1
	%n2 = icmp.ne bool %c, %k2
	%n3 = icmp.ne bool %c, %k3
	%n4 = icmp.ule bool %k4, %c
	%n5 = not bool %e5
	%n6 = icmp.ne bool %c, %k6
	%o1 = or bool %e0, %e1
	%o2 = or bool %o1, %e2
	%o3 = or bool %e3, %o2
	%o4 = or bool %o3, %e4
	%o5 = or bool %o4, %e5
	%any = or bool %e6, %o5
	%a1 = and bool %n1, %n0
	%a2 = and bool %a1, %n2
	%a3 = and bool %a2, %n3
	%a4 = and bool %n4, %a3
	%a5 = and bool %a4, %n5
	%none = and bool %a5, %n6
	%mixed = and bool %a5, %e6
	%left = and bool %n0, %n2
	%right = and bool %n2, %n1
	%some = not bool %none
	ret %any
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
	tests := []struct {
		x, y              string
		equal, complement bool
	}{
		{"any", "none", false, true},
		{"none", "any", false, true},
		{"any", "some", true, false},
		{"some", "none", false, true},
		{"any", "mixed", false, false},
		{"any", "o5", false, false},
		{"o5", "none", false, false},
		{"none", "none", true, false},
		{"o1", "left", false, false},
		{"o1", "right", false, false},
	}
	for _, c := range tests {
		x, y := values[c.x], values[c.y]
		if got := boolean.Equal(x, y); got != c.equal {
			t.Errorf("%s equals %s: %t", c.x, c.y, got)
		}
		if got := boolean.Complements(x, y); got != c.complement {
			t.Errorf("%s and %s complements: %t", c.x, c.y, got)
		}
	}
}

// TestCovered: the first operand holds only where one of the others does.
func TestCovered(t *testing.T) {
	values := named(t, `func @f(%x i32, %y i32, %p bool, %q bool, %r bool) (bool) {
entry:
	%lt = icmp.slt bool %x, %y
	%eq = icmp.eq bool %x, %y
	%le = icmp.sle bool %x, %y
	%nq = not bool %q
	%nr = not bool %r
	%pq = and bool %p, %q
	%pnq = and bool %p, %nq
	%pnqr = and bool %pnq, %r
	%pnqnr = and bool %pnq, %nr
	ret %lt
}
`)
	tests := []struct {
		x    string
		xs   []string
		want bool
	}{
		{"p", []string{"pq", "pnq"}, true},
		{"p", []string{"pq", "pnqr", "pnqnr"}, true},
		{"p", []string{"pq", "pnqr"}, false},
		{"pnq", []string{"pq", "pnqr", "pnqnr"}, true},
		{"p", []string{"q"}, false},
		{"pq", []string{"q"}, true},
		{"le", []string{"lt", "eq"}, true},
		{"le", []string{"lt"}, false},
	}
	for _, tt := range tests {
		var xs []*vir.Value
		for _, n := range tt.xs {
			xs = append(xs, values[n])
		}
		if got := boolean.Covered(values[tt.x], xs...); got != tt.want {
			t.Errorf("Covered(%s, %v) = %v, want %v", tt.x, tt.xs, got, tt.want)
		}
	}
}
