package simplify

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// besideQuotient is what is left of x by c where the quotient is wanted as well: x - x/c*c, which saves the second
// division. Counters stay as they are, since their remainders are known to come back.
func (r *rewriter) besideQuotient(v *vir.Value) *vir.Value {
	op := vir.OpSdiv
	if v.Op == vir.OpUrem {
		op = vir.OpUdiv
	}
	x, c := v.Args[0], v.Args[1]
	if counts(x) || !r.hasQuotient(op, x, c) {
		return nil
	}
	q := r.same(op, x, c)
	return r.same(vir.OpSub, x, r.same(vir.OpMul, q, c))
}

// hasQuotient reports whether the block divides x by constant c, before or behind.
func (r *rewriter) hasQuotient(op vir.Op, x, c *vir.Value) bool {
	if r.t.values[keyOf(&vir.Value{Op: op, Type: x.Type, Args: []*vir.Value{x, c}})] != nil {
		return true
	}
	return slices.ContainsFunc(r.old, func(w *vir.Value) bool {
		if w.Op != op || r.now(w.Args[0]) != x {
			return false
		}
		d, ok := w.Args[1].IsConst()
		return ok && isBits(c, d)
	})
}

// now is what stands for v.
func (r *rewriter) now(v *vir.Value) *vir.Value {
	for r.repl[v] != nil {
		v = r.repl[v]
	}
	return v
}

// counts reports whether x is a counter of a loop, but for what is added to it.
func counts(x *vir.Value) bool {
	for {
		switch x.Op {
		case vir.OpPhi:
			return slices.ContainsFunc(x.Args, func(next *vir.Value) bool {
				return (next.Op == vir.OpAdd || next.Op == vir.OpSub) && slices.Contains(next.Args, x)
			})
		case vir.OpAdd, vir.OpSub, vir.OpTrunc, vir.OpZext, vir.OpSext:
			if len(x.Args) == 2 && counts(x.Args[1]) {
				return true
			}
			x = x.Args[0]
		default:
			return false
		}
	}
}
