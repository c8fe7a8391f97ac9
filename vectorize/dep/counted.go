package dep

import (
	"cmp"
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// counted decides about two families, at least one of which goes up when a condition
// holds. In n iterations it reaches over no more than n elements, which must be apart
// from the other family, or lie behind what it reads:
//
//	for i := range x { if c { x[k] = x[i]; k++ } }     k <= i
//
// With S the address of the stores in the current state, R the lowest one of the
// loads, size the bytes stored, step >= size the bytes by which the loads move, and
// S <= R: in iteration t the stores are below S + t*size + size, and the loads of a
// later iteration at R + (t+1)*step or above. So a store changes nothing that is read
// later. Loads of the same iteration must come first.
//
//	for i := range x { if x[i] != x[i-1] { x[k] = x[i]; k++ } }
//
// If a whole element is stored that was loaded at L + t*step, S <= L will do, with R one element
// below L at the least: either the store is to the element that it has been loaded from, and
// changes nothing, or it is below that, where no later iteration reads.
func (r *Result) counted(g, h *family) {
	if h.lead.Kind == Counted {
		g, h = h, g
	}
	same := g.first.Param == h.first.Param
	switch {
	case h.lead.Kind == Linear && r.follows(g, h):
		store, loads := g.span(true), h.span(true)
		o := plan.Overlap{A: store, B: loads, Disjoint: true, Follows: true}
		if same {
			o = plan.Overlap{A: store, B: loads, Lo: math.MinInt64, Hi: -g.copies(h)}
		}
		r.addTest(o)
	case same && h.lead.Kind != Counted:
		r.limitPair(g, h, 1)
	default:
		r.disjoint(g, h)
	}
}

// copies is how many bytes what g, a store, has loaded from lies above the lowest loads of h, of the same memory; 0 where it is more
// than one element, or g stores something else.
func (g *family) copies(h *family) int64 {
	store, size := g.members[0], g.members[0].size
	whole := func(a *Access) bool { return a.Inst.Scale == size && a.Inst.Disp%size == 0 }
	lowest := slices.MinFunc(h.members, func(a, b member) int { return cmp.Compare(a.rel, b.rel) }).rel
	for _, m := range h.members {
		if m.Inst == store.Inst.Stored() && m.size == size && m.rel-lowest == size && h.first.Step%size == 0 && whole(m.Access) && whole(store.Access) {
			return size
		}
	}
	return 0
}

// follows reports whether all of g are stores that may follow the loads of h.
func (r *Result) follows(g, h *family) bool {
	last := slices.MaxFunc(h.members, func(a, b member) int { return a.index - b.index })
	first := slices.MinFunc(g.members, func(a, b member) int { return a.index - b.index })
	allStores := !slices.ContainsFunc(g.members, func(m member) bool { return !m.stores })
	return len(g.members) == 1 && allStores && !h.stores() && h.first.Step >= g.first.Step && last.index < first.index
}

// pairs reports whether stores a and b of a counter that goes up once or twice leave no
// gap: the first, which it tells, in every iteration, and the second behind it where the
// counter goes up twice. All of both lie side by side in the order of the program, so
// that they may be stored together.
func (lead *Access) pairs(a, b *Access) (first *Access, ok bool) {
	if !lead.Count.Both || !a.Store || !b.Store || lead.Scale != lead.Stream.Size {
		return nil, false
	}
	d, known := scev.Diff(b.Stream.Off, a.Stream.Off)
	if d < 0 {
		a, b, d = b, a, -d
	}
	return a, known && d == lead.Scale && !a.Inst.Masked && b.Inst.Masked
}

// Pair is the store that is made together with store a, of a counter that goes up once
// or twice in an iteration, and which of the two comes first; nil when there is none.
func (r *Result) Pair(a *Access) (other, first *Access) {
	for i := range r.Accesses {
		b := &r.Accesses[i]
		if b == a || b.Kind != Counted || a.Kind != Counted || !movesWith(a, b) {
			continue
		}
		if other != nil {
			return nil, nil // three of them
		}
		other = b
	}
	if other == nil {
		return nil, nil
	}
	first, ok := a.pairs(a, other)
	if !ok {
		return nil, nil
	}
	return other, first
}
