package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// A load of what the iteration k before has stored, behind that store in the block:
//
//	store %v, [x + t*4]          v0 v1 v2 v3 v4 v5 v6 v7
//	load [x + t*4 - 4]           m  v0 v1 v2 v3 v4 v5 v6
//
// Its lanes are at hand, but for the first k, which the block before has stored.
// Memory would do as well, but not soon: a processor passes on what has just been
// stored only where one store has all that is loaded. Where the store is under a mask,
// memory is loaded before it, and the lanes that are stored replace what was there.

// forwarded is the lanes of load a from those of such a store; nil when there is none.
func (w *widener) forwarded(a *dep.Access) *vir.Value {
	s, k := w.e.l.storedBefore(a)
	v := a.Inst
	n := min(w.lanes, w.e.l.target.Lanes(v.Type.Elem))
	switch {
	case s == nil || k >= n:
		return nil
	case s.Inst.Masked:
		old := w.old[a.Inst]
		if old == nil {
			return nil
		}
		none := w.b.Const(vir.Mask(n), 0)
		stored := w.shiftedBy(w.value(s.Inst.Mask()), none, k)
		x := w.shiftedBy(w.value(s.Inst.Stored()), w.b.Op(vir.OpPoison, vir.Vec(v.Type.Elem, n)), k)
		return w.b.Op(vir.OpBlend, old.Type, stored, x, old)
	case k > 1 && (k&(k-1) != 0 || w.e.l.isStrided(a)):
		return nil
	}
	return w.shiftedBy(w.value(s.Inst.Stored()), w.firstOnes(a, k, n), k)
}

// shiftedBy is x moved up by k lanes, behind the last k ones of before, which has k or more.
func (w *widener) shiftedBy(x, before *vir.Value, k int) *vir.Value {
	n := before.Type.Lanes
	at := movedUp(n, k)
	var parts []*vir.Value
	for p := range w.lanes / n {
		this, moved := w.piece(x, p, n), before
		if k < n {
			moved = w.b.Shuffle(this.Type, at, before, this)
		}
		parts = append(parts, moved)
		before = this
	}
	return w.concat(parts)
}

// loadOld loads what loads behind masked store s need of the time before it.
func (w *widener) loadOld(s *dep.Access) {
	l := w.e.l
	if !s.Inst.Masked || w.lanes == 1 {
		return
	}
	for _, v := range l.sched[slices.Index(l.sched, s.Inst):] {
		a := l.dp.Access(v)
		if a == nil || a.Store || l.groups[v] != nil || l.isStrided(a) || !l.demand[v] {
			continue
		}
		if from, _ := l.storedBefore(a); from != s {
			continue
		}
		op, ad := vir.OpLoadUnit, w.e.address(a)
		if ad.reverse {
			op = vir.OpLoadReverse
		}
		w.old[v] = w.b.Load(op, vir.Vec(v.Type.Elem, w.lanes), w.at(ad), nil)
	}
}

// firstOnes is the first k lanes of load a, as the last ones of n.
func (w *widener) firstOnes(a *dep.Access, k, n int) *vir.Value {
	v, ad := a.Inst, w.e.address(a)
	if k == 1 {
		return w.b.Op(vir.OpBroadcast, vir.Vec(v.Type.Elem, n), w.b.Load(vir.OpLoad, v.Type, w.at(ad), nil))
	}
	op := vir.OpLoadUnit
	if ad.reverse {
		op = vir.OpLoadReverse
	}
	x := w.b.Load(op, vir.Vec(v.Type.Elem, k), w.at(ad), nil)
	at := make([]int, n)
	for j := range at {
		at[j] = j - (n - k)
		if at[j] < 0 {
			at[j] = -1
		}
	}
	return w.b.Shuffle(vir.Vec(v.Type.Elem, n), at, x, nil)
}

// storedBefore is the store that a block makes before load a of what iterations from k
// on load, by the iterations k before; nil when it is not known which one that is.
func (l *loop) storedBefore(a *dep.Access) (s *dep.Access, k int) {
	if l.isNest() || l.serials[a.Inst] != nil || a.Kind != dep.Linear || a.Stream.Step == 0 {
		return nil, 0
	}
	at := slices.Index(l.sched, a.Inst)
	for i := at - 1; i >= 0; i-- {
		s := l.dp.Access(l.sched[i])
		if s == nil || !s.Store || l.dp.Apart(s, a, maxLanes) {
			continue
		}
		d, ok := scev.Diff(s.Stream.Off, a.Stream.Off)
		step := a.Stream.Step
		if !ok || s.Kind != dep.Linear || s.Stream.Param != a.Stream.Param || s.Stream.Step != step || l.groups[s.Inst] != nil ||
			s.Inst.Stored().Type != a.Inst.Type || d%step != 0 || d/step < 1 || d/step >= maxLanes || step < s.Stream.Size && -step < s.Stream.Size {
			return nil, 0
		}
		if l.alsoStored(s, a) {
			return nil, 0
		}
		return s, int(d / step)
	}
	return nil, 0
}

// alsoStored reports whether another store of the cycle that s is in may store what a
// loads: its lanes take turns with those of s, and who comes last is not told by the order
// of the block.
func (l *loop) alsoStored(s, a *dep.Access) bool {
	cycle := l.serials[s.Inst]
	return cycle != nil && slices.ContainsFunc(l.sched, func(v *vir.Value) bool {
		o := l.dp.Access(v)
		return v != s.Inst && l.serials[v] == cycle && o != nil && o.Store && !l.dp.Apart(o, a, maxLanes)
	})
}
