package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Accesses that lie apart, under one condition, are done by a loop over the lanes for which it holds: counts and sums by key,
// and stores by index.
//
//	if v > limit { count[key[i]]++ }
//
// Each lane does them in the order of the program, as the loop as written does.

// activeRuns is the condition of cycles that are done so, nil for others: all that they do is under it, and nobody else asks for
// what they load.
func (l *loop) activeRuns(all []*serial) *vir.Value {
	mask := all[0].nodes[0].Mask()
	for _, s := range all {
		for _, v := range s.nodes {
			if v.Mask() != mask || !s.alone[v] || !l.knownIndex(v) {
				return nil
			}
		}
		for v := range s.values {
			if !s.alone[v] {
				return nil
			}
		}
	}
	if mask == nil || !l.inLanes(mask) {
		return nil
	}
	return mask
}

// countsActive reports whether there are cycles and all of them are done so.
func (l *loop) countsActive() bool {
	all := l.eachSerial()
	return len(all) > 0 && !slices.ContainsFunc(all, func(s *serial) bool { return !s.byIndex(l) || l.activeRuns([]*serial{s}) == nil })
}

// someWork is the instructions of an iteration of the loop as written for branches on data, and for what is behind them where as many
// iterations do it as lanes are taken to be active.
func (l *loop) someWork() float64 {
	sure, n := l.inAnyCase(), 0.0
	for _, v := range l.insts {
		if !sure[v] || v.Masked {
			n += instructions(v)
		}
	}
	return branchesExtra*l.branches() + activeShare*n
}

// storesActive are the stores that are done together with the one at position i of the schedule: itself, and those that follow under the
// same condition.
func (l *loop) storesActive(i int) (all []*vir.Value) {
	for _, v := range l.sched[i:] {
		if !l.storedActive(v) || len(all) > 0 && v.Mask() != all[0].Mask() {
			break
		}
		all = append(all, v)
	}
	return all
}

// storedActive reports whether v is a store by index under a condition that lanes have, and belongs to nothing else.
func (l *loop) storedActive(v *vir.Value) bool {
	if !v.Op.IsStore() || !v.Masked || l.isNest() || l.serials[v] != nil || l.groups[v] != nil || l.updateOf(v) != nil {
		return false
	}
	return l.dp.Access(v).Kind == dep.Indexed && l.inLanes(v.Mask()) && l.knownIndex(v)
}

// knownIndex reports whether the index of v follows from its iteration alone: lanes of what iterations hand on take longer than
// the loop as written.
func (l *loop) knownIndex(v *vir.Value) bool {
	return edit.Known(l.dp.Access(v).Index, func(x *vir.Value) edit.Verdict {
		switch {
		case x.Op == vir.OpPhi && !l.ramp(x):
			return edit.Unknown
		case x.Op == vir.OpPhi || x.Op.IsLoad():
			return edit.Given
		}
		return edit.Computed
	})
}

// accessActive does nodes, accesses under condition mask, and what is computed between them, which is inside.
func (w *widener) accessActive(nodes []*vir.Value, mask *vir.Value, inside func(*vir.Value) bool) {
	a := &activeLane{widener: w, inside: inside, when: &occasion{mask, always, never}, vectors: make(map[*vir.Value]*vir.Value)}
	for _, v := range nodes {
		if v.Op.IsStore() {
			a.prepare(v.Stored())
		}
		of, _ := w.e.l.indexedBy(w.e.l.dp.Access(v))
		a.prepare(of)
	}
	w.overActive(w.value(mask), nil, func(at *vir.Value, _ []*vir.Value) []*vir.Value {
		a.at, a.now = at, make(map[*vir.Value]*vir.Value)
		for _, v := range nodes {
			w.b.Pos = v.Pos
			if to := a.address(w.e.l.dp.Access(v)); v.Op.IsStore() {
				w.b.Store(vir.OpStore, w.scalarOf(a.value(v.Stored())), to, nil)
			} else {
				a.now[v] = w.b.Load(vir.OpLoad, v.Type, to, nil)
			}
		}
		return nil
	})
}

// storeByIndex does stores under one condition.
func (w *widener) storeByIndex(stores []*vir.Value) []*vir.Value {
	for _, v := range stores {
		w.loadOld(w.e.l.dp.Access(v))
	}
	w.accessActive(stores, stores[0].Mask(), func(*vir.Value) bool { return false })
	return stores
}

// indexedBy is what the index of a is in lanes, and the operation that makes 64 bits of it, if it is narrower.
func (l *loop) indexedBy(a *dep.Access) (of *vir.Value, extend vir.Op) {
	if l.narrowIndex(a) {
		return a.Index.Args[0], a.Index.Op
	}
	return a.Index, vir.OpInvalid
}

// address is that of access x in the lane.
func (a *activeLane) address(x *dep.Access) vir.Addr {
	of, extend := a.e.l.indexedBy(x)
	index := a.value(of)
	if extend != vir.OpInvalid {
		index = a.b.Op(extend, vir.Scalar(vir.I64), index)
	}
	ad := a.e.address(x)
	return vir.Addr{Base: ad.base, Index: index, Scale: x.Scale, Disp: ad.disp}
}

// nodesOf are the accesses of cycles in the order of the program.
func (l *loop) nodesOf(all []*serial) (nodes []*vir.Value) {
	for _, s := range all {
		nodes = append(nodes, s.nodes...)
	}
	slices.SortFunc(nodes, func(x, y *vir.Value) int { return slices.Index(l.sched, x) - slices.Index(l.sched, y) })
	return nodes
}
