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
	store := onlyStore(dp)
	if store == nil || store.Index == nil || !l.countsBy(store, sc) {
		return
	}
	dom := loops.DomTree(l.Region.Fn)
	var s *slot
	for i := range dp.Accesses {
		a := &dp.Accesses[i]
		if !isLast(a, store) || !dom.Dominates(a.Inst.Block, plan.Latch(l.Region.Fn)) {
			continue
		}
		if s != nil {
			s.accesses = append(s.accesses, a.Inst)
			continue
		}
		k := plan.Param(l.Region.State[slices.Index(a.Index.Block.Phis(), a.Index)].Param)
		bounds, ok := before(l.Region.Fn, a.Inst, dom, sc, func(index *vir.Value) (scev.Affine, bool) {
			if index == a.Inst.Index() { // that it holds where a call begins is enough
				return from(index, a.Index, k)
			}
			return sc.Affine(index)
		})
		if !ok {
			return
		}
		at := a.Stream
		at.Off = scev.Simplify(plan.Add(at.Off, plan.Mul(k, plan.Const(a.Scale))))
		s = &slot{at: at, typ: a.Inst.Access(), accesses: []*vir.Value{a.Inst}, stores: []*vir.Value{store.Inst}, along: true}
		l.slots = append(l.slots, s)
		l.Bounds = append(l.Bounds, bounds...)
	}
}

// onlyStore is the store of a loop that has one, nil for others.
func onlyStore(dp *dep.Result) (store *dep.Access) {
	for i := range dp.Accesses {
		a := &dp.Accesses[i]
		switch {
		case !a.Store:
		case store != nil:
			return nil
		default:
			store = a
		}
	}
	return store
}

// countsBy reports whether the subscript of store a is a variable of the loop that goes up by one in the iterations
// that do a, and in no others.
func (l *Loop) countsBy(a *dep.Access, sc *scev.Info) bool {
	f, k := l.Region.Fn, a.Index
	if k.Op != vir.OpPhi || k.Block != f.Blocks[1] || a.Scale != a.Stream.Size || k.Type != vir.Scalar(vir.I64) {
		return false
	}
	stored := sc.Loops().Of(k.Block).Body().Reach([]*vir.Block{a.Inst.Block}, func(*vir.Block) bool { return false })
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
			if x == k && slices.Contains(stored, v.Block.Preds[i]) || x != k && !counts(x) {
				return false
			}
		}
		return true
	}
	return counts(k.Args[k.Block.PredIndex(plan.Latch(f))])
}

// isLast reports whether a loads the element in front of that which store stores next.
func isLast(a, store *dep.Access) bool {
	if a.Store || a.Index != store.Index || a.Scale != store.Scale || a.Stream.Param != store.Stream.Param || a.Inst.Access() != store.Inst.Access() {
		return false
	}
	d, ok := scev.Diff(store.Stream.Off, a.Stream.Off)
	return ok && d == a.Scale
}

// from is what index, variable phi or a constant more, is where phi is k.
func from(index, phi *vir.Value, k *plan.Expr) (x scev.Affine, ok bool) {
	c := int64(0)
	if index != phi {
		if index.Op != vir.OpAdd && index.Op != vir.OpSub {
			return x, false
		}
		if index, c, ok = scev.ConstantTerm(index); !ok {
			return x, false
		}
	}
	x.Start = scev.Simplify(plan.Add(k, plan.Const(c)))
	return x, index == phi
}
