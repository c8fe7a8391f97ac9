package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Reductions of several variables in turn: iteration t adds to variable t modulo n
// (pass.Unit.Turns). Every block begins at a multiple of n and has a multiple of n lanes,
// so that lanes l, l+n, l+2n, ... are one variable's; accumulators are folded down to n
// lanes, and no further.

// copies is the number that divides the iterations of a call.
func (l *loop) copies() int { return max(l.u.Copies, 1) }

// end is the number of lanes that accumulators have behind the last stage.
func (l *loop) end() int {
	if len(l.u.Turns) > 0 {
		return l.copies()
	}
	return 1
}

// turnRules refuses what is no sum of several variables.
func (l *loop) turnRules() error {
	for _, i := range l.u.Turns {
		r := l.states[i].red
		if r == nil || len(l.serials)+len(l.heldPhis()) > 0 || slices.ContainsFunc(l.states, noSum) {
			return pass.Refuse("reroll:Turns", l.states[i].next, "%s and the variables beside it are no sums", name(l.states[i].phi))
		}
		r.start = false
	}
	return nil
}

func noSum(s state) bool { return s.red != nil && (s.red.op == vir.OpSelect || s.red.line != nil) }

// inTurns reports whether r is of several variables, and those behind the first.
func (l *loop) inTurns(r *reduction) (more []*vir.Value, ok bool) {
	for _, i := range l.u.Turns {
		if l.states[i].red == r {
			for _, s := range l.states[i+1 : i+l.copies()] {
				more = append(more, s.phi)
			}
			return more, true
		}
	}
	return nil, false
}

// others are the variables of all reductions but the first of each, in order.
func (l *loop) others() (phis []*vir.Value) {
	for _, s := range l.states {
		if s.red != nil {
			more, _ := l.inTurns(s.red)
			phis = append(phis, more...)
		}
	}
	return phis
}

// otherResults are those of l.others, out of the accumulators.
func (e *emitter) otherResults(b *vir.Builder, accs []*vir.Value) (results []*vir.Value) {
	for i, r := range e.reds {
		more, _ := e.l.inTurns(r)
		for k, phi := range more {
			results = append(results, e.result(b, r, accs[i], k+1, phi))
		}
	}
	return results
}

// result is what lane k of an accumulator makes of variable phi.
func (e *emitter) result(b *vir.Builder, r *reduction, acc *vir.Value, k int, phi *vir.Value) *vir.Value {
	x := b.Extract(acc, k)
	first := e.value(e.l.initial(phi))
	if x.Type != first.Type {
		x = r.extend(b, x, first.Type.Elem)
	}
	if !r.start && !e.l.leads(r) {
		x = b.Op(r.op, x.Type, first, x)
	}
	return x
}

// folded are the accumulators, those that are of one variable in one lane.
func (e *emitter) folded(b *vir.Builder, accs []*vir.Value) []*vir.Value {
	accs = slices.Clone(accs)
	for i, r := range e.reds {
		if _, ok := e.l.inTurns(r); ok {
			continue
		}
		for n := accs[i].Type.Lanes / 2; n >= 1; n /= 2 {
			accs[i] = r.combine(b, b.Subvec(accs[i], 0, n), b.Subvec(accs[i], n, n))
		}
	}
	return accs
}
