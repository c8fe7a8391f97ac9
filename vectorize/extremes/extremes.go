// Package extremes makes reductions by Go's min and max of floats what takes fewer instructions
// in a loop, which has to know NaNs and the signs of zeros. Where minima are cheaper than maxima,
// the largest element is the smallest one of the others' negatives:
//
//	m1 = fmax m, x          ->   m1 = fmin m, -x      ... -m1
//
// Where operations on numbers are cheaper, and the choice of a NaN is one instruction, a second
// variable has the NaN that has come by, and the first one leaves NaNs out:
//
//	m  = phi m0, m1              m  = phi m0, m1
//	                             n  = phi m0, n1
//	m1 = fmax m, x          ->   m1 = fmax.nnan m, x
//	                             n1 = x where that is NaN, else n
//	... m1                       ... n1 where that is NaN, else m1
//
// From the first NaN on n is NaN, and m poison, which nobody looks at. Blocks behind the loop that
// go on with m do with both variables.
//
// It knows vir, loops and pass.
package extremes

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Run works on the kernel.
func Run(u *pass.Unit) error {
	f := u.Kernel.Fn
	forest := loops.Find(f)
	chains := find(f, forest)
	for _, op := range []vir.Op{vir.OpFmin, vir.OpFmax} {
		if op == vir.OpFmin && !u.Target.EVEX {
			continue // cheap enough
		}
		of := slices.DeleteFunc(slices.Clone(chains), func(c *chain) bool { return c.ops[0].Op != op || !u.Count() })
		if len(of) == 0 {
			continue
		}
		w := newWeb(f, op, of, forest)
		if u.Target.EVEX { // with a choice of NaNs in one instruction
			w.keep(newPairs(w))
		} else { // minima are cheaper
			w.keep(negatives{w})
		}
	}
	return nil
}

// find are the chains of f's loops.
func find(f *vir.Func, forest *loops.Forest) (chains []*chain) {
	uses := f.Uses()
	for _, l := range forest.All {
		if !leftOnce(l) {
			continue
		}
		for _, m := range l.Header.Phis() {
			if !m.Type.IsVector() || !m.Type.Elem.IsFloat() {
				continue
			}
			if c := chainOf(uses, l, m); c != nil {
				chains = append(chains, c)
			}
		}
	}
	return chains
}

// leftOnce reports whether l has one way in, one way back and one way out, to a block that
// nobody else gets to.
func leftOnce(l *loops.Loop) bool {
	return len(l.Header.Preds) == 2 && len(l.Latches) == 1 && len(l.Exits) == 1 && len(l.Exits[0].To.Preds) == 1
}

// A chain is a variable with the operations of an iteration that make its next value.
type chain struct {
	loop *loops.Loop
	phi  *vir.Value
	ops  []*vir.Value // in order
}

// chainOf follows m through its operations, nil if there is anything else in its chain.
func chainOf(uses map[*vir.Value][]*vir.Value, l *loops.Loop, m *vir.Value) *chain {
	c := &chain{loop: l, phi: m}
	latch := l.Header.PredIndex(l.Latches[0])
	for v := m; ; {
		next := inside(uses[v], l)
		if len(next) != 1 {
			return nil
		}
		op := next[0]
		if op == m && m.Args[latch] == v && len(c.ops) > 0 {
			return c
		}
		if op.Op != vir.OpFmin && op.Op != vir.OpFmax || op.Args[0] == op.Args[1] || len(c.ops) > 0 && op.Op != c.ops[0].Op {
			return nil
		}
		c.ops = append(c.ops, op)
		v = op
	}
}

// inside are the uses in l.
func inside(uses []*vir.Value, l *loops.Loop) (in []*vir.Value) {
	for _, u := range uses {
		if l.Contains(u.Block) {
			in = append(in, u)
		}
	}
	return in
}
