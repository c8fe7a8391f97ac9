package dep

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// runsAway decides about loads that move faster than stores in the same direction,
// upwards, and come first in the program: a[i] = a[2*i]. With S the address of the
// stores in the current state, at step s, R that of the loads, at step r > s, r no less
// than the bytes stored, and S <= R: in iteration t the stores end at or below
//
//	S + t*s + r <= R + (t+1)*r
//
// where the loads of the next iteration begin. So a store changes nothing that is read
// later.
func (p pair) runsAway() (plan.Overlap, bool) {
	store, load := p.g, p.h
	if !store.stores() {
		store, load = load, store
	}
	if load.stores() || store.first.Step <= 0 || p.res.drift(store.first, load.first) || load.first.Step <= store.first.Step {
		return plan.Overlap{}, false
	}
	params := p.res.region.Fn.Params
	if params[store.first.Param].Param.ElemSize != params[load.first.Param].Param.ElemSize {
		return plan.Overlap{}, false // nobody has such memory in common
	}
	for _, s := range store.members {
		for _, l := range load.members {
			if !s.stores || l.index > s.index || l.Program > s.Program {
				return plan.Overlap{}, false
			}
		}
	}
	a, b := store.span(true), load.span(true)
	if load.first.Step < a.Size {
		return plan.Overlap{}, false
	}
	if d, known := scev.Diff(b.Off, a.Off); known && a.Param == b.Param {
		return plan.Overlap{A: a, B: b, Lo: math.MinInt64}, d >= 0
	}
	return plan.Overlap{A: a, B: b, Disjoint: true, Follows: true}, true
}

// loadFirst reports whether one of a and b is a load that must come before the other,
// because it runs away from it.
func (r *Result) loadFirst(a, b *Access) bool {
	for _, p := range r.ordered {
		if p.g.has(a) && p.h.has(b) || p.g.has(b) && p.h.has(a) {
			return true
		}
	}
	return false
}

func (f *family) has(a *Access) bool {
	return slices.ContainsFunc(f.members, func(m member) bool { return m.Access == a })
}
