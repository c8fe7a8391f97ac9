package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// Where memory is accessed under mask registers, the iterations that do not fill a register
// of lanes are one more block, with the lanes behind the last one masked off:
//
//	rest8:  %rest = and i64 %n, 7
//	        %m    = prefix bool8 %rest
//	        %x    = load.unit f32x8 [...], %m
//	        store.unit f32x8 ..., [...], %m
//
// Elsewhere a ladder of blocks with 4, 2 and 1 lanes does them.

// rests reports whether a masked block can do the rest of the iterations: it computes lanes
// that there are no iterations for, of which nothing may be seen. Those have zeros for what is
// loaded, and no values of the loop to go by.
func (l *loop) rests() bool {
	if !l.target.EVEX || l.isNest() || l.partial && !l.searches() || l.stopsAtExits() || l.counts() || l.order != nil || l.copies() > 1 {
		return false
	}
	if len(l.heldPhis())+len(l.carries)+len(l.scans)+len(l.series)+len(l.serials)+len(l.members)+len(l.lastsOf())+len(l.phases())+len(l.dp.Splits) > 0 {
		return false
	}
	for _, s := range l.states {
		if s.red != nil && s.red.line != nil {
			return false
		}
	}
	return !slices.ContainsFunc(l.bounded(), func(b bool) bool { return b }) && !slices.ContainsFunc(l.sched, func(v *vir.Value) bool { return !l.restsAt(v) })
}

// updates reports whether the loop loads elements that it stores, of 4 or 8 bytes, or of any size in rows, which may be short.
// What a masked store of those has written is not handed on to loads, not even to loads of what the mask left out: the next call for the
// same elements, or for the ones behind them, may wait for ten times as long as the ladder takes.
func (l *loop) updates() bool {
	return slices.ContainsFunc(l.dp.Accesses, func(s dep.Access) bool {
		return s.Store && (s.Stream.Size >= 4 || l.u.Whole) && slices.ContainsFunc(l.dp.Accesses, func(a dep.Access) bool {
			d, ok := scev.Diff(s.Stream.Off, a.Stream.Off)
			return !a.Store && a.Stream.Param == s.Stream.Param && a.Stream.Step == s.Stream.Step && ok && d == 0
		})
	})
}

// bounded are the bounds that kernels are told of.
func (l *loop) bounded() (conditional []bool) {
	for _, b := range l.bounds {
		conditional = append(conditional, b.Conditional)
	}
	return conditional
}

// accessesNeighbours reports whether restsAt holds for all accesses to memory.
func (l *loop) accessesNeighbours() bool {
	return !slices.ContainsFunc(l.sched, func(v *vir.Value) bool { return l.dp.Access(v) != nil && !l.restsAt(v) })
}

// restsAt reports whether v is an access to neighbours in memory, or a load of what is
// the same for all lanes, or ends a search.
func (l *loop) restsAt(v *vir.Value) bool {
	if v.Op == vir.OpExit {
		return !v.Masked && l.searches()
	}
	a := l.dp.Access(v)
	if a == nil || l.groups[v] != nil {
		return false
	}
	if a.Uniform() {
		return !a.Store
	}
	if _, ok := l.repeats(a); ok || l.isRotated(a) || l.turns(a) || l.tableLanes(a) > 0 || l.isStrided(a) {
		return false
	}
	if a.Kind == dep.Indexed || a.Kind == dep.Periodic || a.Kind == dep.Counted {
		return false
	}
	if a.Store {
		return true
	}
	if a.Stream.Step < 0 {
		// Slices often begin where a page does. Lanes below it, though off, take as long as a fault if nobody has
		// touched the page there.
		return false
	}
	s, _ := l.storedBefore(a)
	return s == nil
}

// remaining is the number of iterations behind t, less than stage i, a masked block, has
// lanes: the low bits of the result.
func (e *emitter) remaining(b *vir.Builder, i int, t *vir.Value) *vir.Value {
	if i == 1 || e.halves(i-1) {
		return e.count
	}
	return b.Op(vir.OpSub, t.Type, e.count, t)
}

// lowBits are the bits of x below n, a power of two.
func lowBits(b *vir.Builder, x *vir.Value, n int) *vir.Value {
	return b.Op(vir.OpAnd, x.Type, x, b.Int(x.Type, int64(n-1)))
}

// masked is mask, nil for all lanes, without the lanes behind the last iteration.
func (w *widener) masked(mask *vir.Value) *vir.Value {
	switch {
	case w.rest == nil:
		return mask
	case mask == nil:
		return w.rest
	}
	return w.b.Op(vir.OpAnd, mask.Type, mask, w.rest)
}

// kept is next, accumulators of r behind this block, or old in lanes behind the last iteration.
func (w *widener) kept(r *reduction, next, old *vir.Value) *vir.Value {
	if w.rest == nil || r.sums() {
		return next
	}
	return w.b.Op(vir.OpBlend, next.Type, w.rest, next, old)
}

// sums reports whether items that are 0 change nothing.
func (r *reduction) sums() bool { return r.op == vir.OpAdd && r.unit == 0 }

// added is item x, of lanes of r, with zeros behind the last iteration where r sums up: sums stay
// what they are to the backend, which has instructions for several lanes of narrow items.
func (w *widener) added(r *reduction, x *vir.Value) *vir.Value {
	switch {
	case w.rest == nil || !r.sums() || w.e.l.zeroAtZeros(r.x, make(map[*vir.Value]bool)):
		return x
	case x.Type.IsMask():
		return w.b.Op(vir.OpAnd, x.Type, x, w.rest)
	}
	return w.b.Op(vir.OpBlend, x.Type, w.rest, x, w.b.Int(x.Type, 0))
}

// orZero is what was loaded, with zeros behind the last iteration if something sums up.
func (w *widener) orZero(x *vir.Value) *vir.Value {
	if w.rest == nil || !slices.ContainsFunc(w.e.reds, (*reduction).sums) {
		return x
	}
	return w.b.Op(vir.OpBlend, x.Type, w.rest, x, w.b.Int(x.Type, 0))
}

// zeroAtZeros reports whether v has no bits set if nothing has that is loaded in lanes.
func (l *loop) zeroAtZeros(v *vir.Value, seen map[*vir.Value]bool) (is bool) {
	if is, ok := seen[v]; ok {
		return is
	}
	defer func() { seen[v] = is }()
	zero := func(x *vir.Value) bool { return l.zeroAtZeros(x, seen) }
	switch v.Op {
	case vir.OpConst:
		return v.Bits[0] == 0
	case vir.OpMul, vir.OpAnd:
		return slices.ContainsFunc(v.Args, zero)
	case vir.OpAdd, vir.OpSub, vir.OpOr, vir.OpXor, vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax:
		return zero(v.Args[0]) && zero(v.Args[1])
	case vir.OpSext, vir.OpZext, vir.OpTrunc, vir.OpShl, vir.OpLshr, vir.OpAshr, vir.OpNeg, vir.OpPopcnt:
		return zero(v.Args[0])
	case vir.OpSelect:
		return zero(v.Args[1]) && zero(v.Args[2])
	}
	if !v.Op.IsLoad() {
		return false
	}
	a := l.dp.Access(v)
	return a != nil && !a.Uniform() && l.restsAt(v)
}
