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
// The stores stay, of which each way through an iteration has one. A kernel loads what the first iteration of
// a call loads, or would load under a condition. So what is checked before must be known of all iterations of a
// call: such subscripts become bounds.

// findAlong finds the elements that go along and that nothing else touches.
func (l *Loop) findAlong(dp *dep.Result, sc *scev.Info) {
	dom := loops.DomTree(l.Region.Fn)
	for i := range dp.Accesses {
		a := &dp.Accesses[i]
		if a.Store || !along(a) {
			continue
		}
		if s := l.known(a.Stream, a.Inst.Access()); s != nil {
			s.accesses = append(s.accesses, a.Inst)
			continue
		}
		bounds, ok := before(l.Region.Fn, a.Inst, dom, sc, sc.Affine)
		if !ok || !dom.Dominates(a.Inst.Block, plan.Latch(l.Region.Fn)) && l.leavesOut(a.Inst.Block, bounds, dom, sc) {
			continue
		}
		s := &slot{at: a.Stream, typ: a.Inst.Access(), accesses: []*vir.Value{a.Inst}, along: true}
		for k := range dp.Accesses {
			b := &dp.Accesses[k]
			if d, ok := distance(a.Stream, b); ok && b.Store && d == a.Stream.Step && b.Inst.Access() == s.typ {
				s.stores = append(s.stores, b.Inst)
			}
		}
		if everyWay(l.Region.Fn, s.stores) && l.alongApart(s, dp) {
			l.slots = append(l.slots, s)
			l.Bounds = append(l.Bounds, bounds...)
		}
	}
}

// everyWay reports whether there is one of stores on each way through an iteration.
func everyWay(f *vir.Func, stores []*vir.Value) bool {
	has := func(b *vir.Block) bool {
		return slices.ContainsFunc(stores, func(v *vir.Value) bool { return v.Block == b })
	}
	seen := make(map[*vir.Block]bool)
	var without func(b *vir.Block) bool // whether there is a way to b that has none
	without = func(b *vir.Block) bool {
		if seen[b] || has(b) {
			return false
		}
		seen[b] = true
		return b == f.Blocks[1] || slices.ContainsFunc(b.Preds, without)
	}
	return !without(plan.Latch(f))
}

// leavesOut reports whether bounds that are asked for in b alone keep iterations from a kernel that do not get
// there: where the counter decides on that, or the first iteration cannot.
func (l *Loop) leavesOut(b *vir.Block, bounds []plan.Bound, dom *loops.Dom, sc *scev.Info) bool {
	counts := func(v *vir.Value) bool {
		x, ok := sc.Affine(v)
		return ok && (x.Step != 0 || len(x.Wrap) > 0)
	}
	for b := dom.Idom(b); b != nil && b != l.Region.Fn.Blocks[1]; b = dom.Idom(b) {
		if t := b.Term(); t.Op == vir.OpBr && slices.ContainsFunc(t.Args[0].Args, counts) {
			return true
		}
	}
	return slices.ContainsFunc(bounds, func(x plan.Bound) bool {
		start, known := l.Region.Begin(x.Start)
		return known && start < 0
	})
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
