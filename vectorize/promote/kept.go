package promote

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// What has been kept last lies behind the counter by which it has been stored:
//
//	for i := 1; i < n; i++ {           last := x[k-1]
//		if x[i] != x[k-1] {            for i := 1; i < n; i++ {
//			x[k] = x[i]                	if x[i] != last {
//			k++                        		last = x[i]
//		}                              		x[k] = last
//	}                                  		k++
//	                                   	}
//	                                   }
//
// It stays as it is as long as the counter does.

// findKept finds such elements, which every iteration loads, in loops that store nothing else.
func (l *Loop) findKept(dp *dep.Result, sc *scev.Info) {
	dom := loops.DomTree(l.Region.Fn)
	var store *dep.Access
	for i := range dp.Accesses {
		if a := &dp.Accesses[i]; a.Store && store != nil {
			return
		} else if a.Store {
			store = a
		}
	}
	if store == nil || store.Index == nil || !l.countsBy(store) {
		return
	}
	var s *slot
	for i := range dp.Accesses {
		a := &dp.Accesses[i]
		if !isLast(a, store) || !dom.Dominates(a.Inst.Block, latch(l.Region.Fn)) {
			continue
		}
		if s != nil {
			s.accesses = append(s.accesses, a.Inst)
			continue
		}
		at := a.Stream
		k := plan.Param(l.Region.State[slices.Index(store.Index.Block.Phis(), store.Index)].Param)
		at.Off = scev.Simplify(plan.Add(at.Off, plan.Mul(k, plan.Const(a.Scale))))
		bounds, ok := l.beforeKept(a, k, dom, sc)
		if !ok {
			return
		}
		l.Bounds = append(l.Bounds, bounds...)
		s = &slot{at: at, typ: a.Inst.Access(), accesses: []*vir.Value{a.Inst}, stores: []*vir.Value{store.Inst}, along: true}
		l.slots = append(l.slots, s)
	}
}

// countsBy reports whether the subscript of store a is a variable of the loop that goes up by one in the iterations
// that do a, and in no others.
func (l *Loop) countsBy(a *dep.Access) bool {
	f, k := l.Region.Fn, a.Index
	if k.Op != vir.OpPhi || k.Block != f.Blocks[1] || a.Scale != a.Stream.Size || k.Type != vir.Scalar(vir.I64) {
		return false
	}
	stored := behindBlock(a.Inst.Block, f.Blocks[1])
	seen := make(map[*vir.Value]bool)
	var counts func(v *vir.Value) bool
	counts = func(v *vir.Value) bool {
		if v.Op == vir.OpAdd && v.Args[0] == k && v.Block == a.Inst.Block {
			c, ok := v.Args[1].ConstInt()
			return ok && c == 1
		}
		if v.Op != vir.OpPhi || v == k || seen[v] {
			return v.Op == vir.OpPhi && v != k
		}
		seen[v] = true
		for i, x := range v.Args {
			if x == k && stored[v.Block.Preds[i]] || x != k && !counts(x) {
				return false
			}
		}
		return true
	}
	return counts(k.Args[k.Block.PredIndex(latch(f))])
}

// behindBlock is b and the blocks of the loop that an iteration may get to from there.
func behindBlock(b, header *vir.Block) map[*vir.Block]bool {
	reached := make(map[*vir.Block]bool)
	var visit func(b *vir.Block)
	visit = func(b *vir.Block) {
		if b != header && !reached[b] {
			reached[b] = true
			for _, to := range b.Succs {
				visit(to)
			}
		}
	}
	visit(b)
	return reached
}

// isLast reports whether a loads the element in front of that which store stores next.
func isLast(a, store *dep.Access) bool {
	if a.Store || a.Index != store.Index || a.Scale != store.Scale || a.Stream.Param != store.Stream.Param || a.Inst.Access() != store.Inst.Access() {
		return false
	}
	d, ok := scev.Diff(store.Stream.Off, a.Stream.Off)
	return ok && d == a.Scale
}

// beforeKept are the bounds that stand for the subscripts that each iteration checks before load a, of which that of a
// itself has to hold where a call begins.
func (l *Loop) beforeKept(a *dep.Access, k *plan.Expr, dom *loops.Dom, sc *scev.Info) (bounds []plan.Bound, ok bool) {
	for c := range l.Region.Fn.Values {
		if c.Op != vir.OpCheckIndex || !first(c, a.Inst, dom) {
			continue
		}
		n, ok := sc.Invariant(c.Args[1])
		if !ok {
			return nil, false
		}
		if c.Args[0] == a.Inst.Index() {
			from, known := behind(c.Args[0], a.Index)
			if !known {
				return nil, false
			}
			bounds = append(bounds, plan.Bound{Start: scev.Simplify(plan.Add(k, plan.Const(from))), Lo: plan.Const(0), Hi: n})
			continue
		}
		x, ok := sc.Affine(c.Args[0])
		if !ok || len(x.Wrap) > 0 {
			return nil, false
		}
		bounds = append(bounds, plan.Bound{Start: x.Start, Step: x.Step, Lo: plan.Const(0), Hi: n})
	}
	return bounds, true
}

// behind is how far v is behind k.
func behind(v, k *vir.Value) (int64, bool) {
	if v == k {
		return 0, true
	}
	if len(v.Args) != 2 || v.Args[0] != k {
		return 0, false
	}
	c, ok := v.Args[1].ConstInt()
	switch v.Op {
	case vir.OpSub:
		return -c, ok
	case vir.OpAdd:
		return c, ok
	}
	return 0, false
}
