package narrow

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A counter of an inner loop is the same in all lanes, and cut to any width for nothing.
type counter struct {
	most *plan.Bound // while this holds, it is a positive number of 32 bits; nil where it always is
	sure bool        // it is that, if most holds
	held bool        // most has been asked for
}

// counts takes in that phi counts through l.
func (n *narrower) counts(sc *scev.Info, l *loops.Loop, phi *vir.Value) {
	if n.turns[phi] != nil {
		return
	}
	c := &counter{}
	n.turns[phi] = c
	of, start, step := sc.Inner(phi)
	last := sc.Last(l)
	if of != l || last == nil || step <= 0 || step > largestStep {
		return
	}
	first, ok := start.ConstInt()
	if !ok || first < 0 || first > 1<<30 {
		return
	}
	turns := (1<<31-1-first)/step - 1
	if last.Op == plan.ExprConst {
		c.sure = last.Const < turns
		return
	}
	c.sure = turns >= enoughTurns/2
	c.most = &plan.Bound{Start: last, Lo: plan.Const(-1 << 62), Hi: plan.Const(turns)}
}

// countersIn are those that the range of v relies on.
func (n *narrower) countersIn(v *variable) (all []*counter) {
	if v.form == modulo {
		return nil
	}
	seen := make(map[*vir.Value]bool)
	var visit func(x *vir.Value)
	visit = func(x *vir.Value) {
		if seen[x] {
			return
		}
		seen[x] = true
		if c := n.turns[x]; c != nil {
			all = append(all, c)
		}
		if x == v.phi || x.Op != vir.OpPhi && !x.Op.IsLoad() {
			for _, a := range x.Args {
				visit(a)
			}
		}
	}
	visit(v.phi)
	return all
}
