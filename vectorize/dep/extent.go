package dep

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// bounded reports whether a stays in a part of its memory that is known before the loop.
func (a *Access) bounded() bool { return a.Kind != Indexed }

// tested reports whether a and b, which do not move together, must be disjoint in all iterations, which a
// test asks for. Where two of one parameter move by one step, they may interleave.
func tested(a, b *Access) bool {
	if a.Stream.Param != b.Stream.Param {
		return true
	}
	return a.bounded() && b.bounded() && !(a.Kind == Symbolic && b.Kind == Symbolic && sameStep(a, b))
}

// disjoint makes the test that two families have no byte in common, in any
// iterations.
func (r *Result) disjoint(g, h *family) {
	a, ok := r.extent(g, h.stores())
	b, ok2 := r.extent(h, g.stores())
	if !ok || !ok2 {
		r.limitPair(g, h, 1)
		return
	}
	r.addTest(plan.Overlap{A: a, B: b, Disjoint: true})
}

// extent is a stream around the members that matter: all of them against a
// family that stores, else the stores. Where an index may be anything, that is
// all memory of the parameter.
func (r *Result) extent(f *family, all bool) (plan.Stream, bool) {
	switch f.lead.Kind {
	case Linear, Counted:
		return f.span(all), true
	case Symbolic:
		s := f.span(all)
		s.Stride = f.lead.Step
		return s, true
	case Periodic:
		s := f.span(all)
		around := *f.lead
		around.Stream = s
		return around.around(), true
	}
	return r.sc.Whole(f.first.Param)
}

// addTest adds a test that does not depend on the number of lanes, once.
func (r *Result) addTest(o plan.Overlap) {
	if !o.Disjoint && r.drift(o.A, o.B) && r.Refusal == nil {
		r.Refusal = &scev.Refusal{Pos: r.region.Pos, ID: "dep:Order", Msg: "the distance between accesses to one memory changes at runes of several bytes"}
	}
	if !slices.ContainsFunc(r.fixed, func(p plan.Overlap) bool {
		return o.Disjoint == p.Disjoint && o.Follows == p.Follows && o.Lo == p.Lo && o.Hi == p.Hi && o.A.Same(&p.A) && o.B.Same(&p.B)
	}) {
		r.fixed = append(r.fixed, o)
	}
}

// Accesses finds the accesses of r without asking what they mean to each other; nil when
// some are not understood.
func Accesses(r *plan.Region, sc *scev.Info) *Result {
	res := &Result{region: r, sc: sc}
	if res.findAccesses(sc); res.Refusal != nil {
		return nil
	}
	return res
}

// Around is a stream around what a touches, in any iterations; false when that may be
// anywhere.
func (r *Result) Around(a *Access) (plan.Stream, bool) {
	f := familiesOf([]Access{*a})[0]
	return r.extent(f, true)
}
