package promote

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// An element that goes along with the iterations is stored by each of them and loaded by the
// next one, at the same address:
//
//	for i := 1; i < n; i++ {        last := x[0]
//		x[i] += x[i-1]              for i := 1; i < n; i++ {
//	}                               	last += x[i]
//	                                	x[i] = last
//	                                }
//
// The stores stay. A kernel loads what the first iteration of a call loads. So all iterations must
// get there, and what they check before must be known of all of a call's: such subscripts
// become bounds.

// findAlong finds the elements that go along and that nothing else touches.
func (l *Loop) findAlong(dp *dep.Result, sc *scev.Info) {
	dom := loops.DomTree(l.Region.Fn)
	always := func(v *vir.Value) bool { return dom.Dominates(v.Block, latch(l.Region.Fn)) }
	for i := range dp.Accesses {
		a := &dp.Accesses[i]
		if a.Store || !along(a) || !always(a.Inst) {
			continue
		}
		if s := l.known(a.Stream, a.Inst.Access()); s != nil {
			s.accesses = append(s.accesses, a.Inst)
			continue
		}
		bounds, ok := before(l.Region.Fn, a.Inst, dom, sc, sc.Affine)
		if !ok {
			continue
		}
		s := &slot{at: a.Stream, typ: a.Inst.Access(), accesses: []*vir.Value{a.Inst}, along: true}
		for k := range dp.Accesses {
			b := &dp.Accesses[k]
			if d, ok := distance(a.Stream, b); ok && b.Store && d == a.Stream.Step && b.Inst.Access() == s.typ {
				s.stores = append(s.stores, b.Inst)
			}
		}
		if slices.ContainsFunc(s.stores, always) && l.alongApart(s, dp) {
			l.slots = append(l.slots, s)
			l.Bounds = append(l.Bounds, bounds...)
		}
	}
}

// before are the bounds that stand for the subscripts that each iteration checks before load v, which affine
// knows; false if one is no bound.
func before(f *vir.Func, v *vir.Value, dom *loops.Dom, sc *scev.Info, affine func(index *vir.Value) (scev.Affine, bool)) (bounds []plan.Bound, ok bool) {
	for c := range f.Values {
		if c.Op != vir.OpCheckIndex || !first(c, v, dom) {
			continue
		}
		x, ok := affine(c.Args[0])
		n, ok2 := sc.Invariant(c.Args[1])
		if !ok || !ok2 || len(x.Wrap) > 0 {
			return nil, false
		}
		bounds = append(bounds, plan.Bound{Start: x.Start, Step: x.Step, Lo: plan.Const(0), Hi: n})
	}
	return bounds, true
}

// first reports whether v has always been executed where w is.
func first(v, w *vir.Value, dom *loops.Dom) bool {
	if v.Block == w.Block {
		return slices.Index(v.Block.Insts, v) < slices.Index(v.Block.Insts, w)
	}
	return dom.Dominates(v.Block, w.Block)
}

// along reports whether a goes the same way in each iteration.
func along(a *dep.Access) bool {
	return a.Kind == dep.Linear && a.Stream.Step != 0 && a.Stream.Extent == nil && len(a.Wrap) == 0
}

// distance is how far in memory b lies behind s in every iteration, if that is known.
func distance(s plan.Stream, b *dep.Access) (bytes int64, ok bool) {
	if !along(b) || b.Stream.Param != s.Param || b.Stream.Step != s.Step {
		return 0, false
	}
	return scev.Diff(b.Stream.Off, s.Off)
}

// alongApart makes the tests that nobody stores to s between its store and the loads of the next
// iteration, and reports whether that can be tested.
func (l *Loop) alongApart(s *slot, dp *dep.Result) bool {
	both := s.at // where it is loaded, and stored
	both.Size += max(both.Step, -both.Step)
	if both.Step < 0 {
		both.Off = plan.Add(both.Off, plan.Const(both.Step))
	}
	var tests []plan.Overlap
	for k := range dp.Accesses {
		a := &dp.Accesses[k]
		if !a.Store || slices.Contains(s.stores, a.Inst) {
			continue
		}
		if d, ok := distance(s.at, a); ok {
			if meets(d, a.Stream.Size, s.at.Size) || meets(d-s.at.Step, a.Stream.Size, s.at.Size) {
				return false
			}
			continue
		}
		b, ok := dp.Around(a)
		if !ok || b.Param == s.at.Param {
			return false
		}
		tests = append(tests, plan.Overlap{A: both, B: b, Disjoint: true})
	}
	for _, o := range tests {
		l.test(o)
	}
	return true
}
