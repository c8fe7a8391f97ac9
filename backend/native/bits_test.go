package native_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vir"
)

// withoutLowest is x & (x op c) on scalars, lane by lane.
func withoutLowest(op vir.Op, c int64, swapped bool) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		out := a[0]
		for l := range a[0].Type.Lanes {
			x := b.Extract(a[0], l)
			less := b.Same(op, x, b.Int(x.Type, c))
			if swapped {
				x, less = less, x
			}
			out = b.Insert(out, b.Same(vir.OpAnd, x, less), l)
		}
		return out
	}
}

// TestLowestBit clears the lowest bit of integers, and runs near misses.
func TestLowestBit(t *testing.T) {
	cases := []struct {
		op      vir.Op
		c       int64
		swapped bool
		one     bool // is one instruction
	}{
		{vir.OpSub, 1, false, true}, {vir.OpAdd, -1, false, true}, {vir.OpSub, 1, true, true},
		{vir.OpSub, 2, false, false}, {vir.OpAdd, 1, false, false}, {vir.OpSub, -1, true, false},
	}
	s := newSuite(t)
	name := func(i int, e vir.Elem) string { return fmt.Sprintf("lowest_%d_%s", i, e) }
	for i, c := range cases {
		for _, e := range intElems {
			a, b := pairs(e)
			s.lanewise(name(i, e), 4, []stream{a, b}, e, withoutLowest(c.op, c.c, c.swapped))
		}
	}
	p := s.run()
	for i, c := range cases {
		for _, e := range intElems {
			_, body, _ := strings.Cut(string(p.Asm), "·"+name(i, e)+"(SB)")
			body, _, _ = strings.Cut(body, "RET")
			if strings.Contains(body, "BLSR") != c.one {
				t.Errorf("%s: one instruction is %t in%s", name(i, e), c.one, body)
			}
		}
	}
}
