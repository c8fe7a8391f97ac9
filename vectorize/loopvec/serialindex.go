package loopvec

import (
	"maps"
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Cycles through memory by indexes that may be anything: counts, sums by key.
//
//	y := (77*r[i] + 150*g[i] + 29*b[i]) >> 8     in lanes
//	count[y]++                                   lane by lane: load, add, store
//
// No lane knows which one before it has stored what it loads, so that all of it goes through memory, in the order of
// the program. What is done under conditions stands behind branches, as in the loop as written. Of several cycles each is done in
// one lane before any is in the next one: a processor takes counts of one table that come right behind each other for counts of
// the same element, and loses more by that where they are not than the loop takes.

// byIndex reports whether s is such a cycle.
func (s *serial) byIndex(l *loop) bool {
	return len(s.nodes) > 0 && !l.isNest() && l.dp.Access(s.nodes[0]).Kind == dep.Indexed
}

// computes reports whether v is a value or an access of s.
func (s *serial) computes(v *vir.Value) bool { return s.values[v] || slices.Contains(s.nodes, v) }

// onlyInside are the values of s that nothing else uses.
func (s *serial) onlyInside(l *loop) map[*vir.Value]bool {
	inside := make(map[*vir.Value]bool)
	for v, users := range l.region.Fn.Uses() {
		if s.computes(v) && !slices.ContainsFunc(users, func(u *vir.Value) bool { return !s.computes(u) }) {
			inside[v] = true
		}
	}
	for _, v := range s.nodes {
		if v.Op.IsStore() {
			inside[v] = true
		}
	}
	return inside
}

// single reports whether scalars are all that there is of v.
func (l *loop) single(v *vir.Value) bool {
	s := l.members[v]
	if s == nil {
		s = l.serials[v]
	}
	return s != nil && s.alone[v]
}

// A run is accesses of a cycle, one behind the other, that are done under one condition.
type run []*vir.Value

func (s *serial) runs() (all []run) {
	for _, v := range s.nodes {
		if k := len(all) - 1; k >= 0 && all[k][0].Mask() == v.Mask() {
			all[k] = append(all[k], v)
		} else {
			all = append(all, run{v})
		}
	}
	return all
}

// maySerializeByIndex reports whether indexes and conditions are known in lanes before s is done, what it loads under a
// condition is used under the same one only, and no variable goes round with it.
func (s *serial) maySerializeByIndex(l *loop) bool {
	for v := range s.values {
		if !s.alone[v] && !s.fromRun(v, nil) {
			return false
		}
	}
	for _, r := range s.runs() {
		for _, v := range r {
			if v.Masked && !s.alone[v] || v.Op.IsStore() && !s.fromRun(v.Stored(), r) {
				return false
			}
			if slices.ContainsFunc(l.indexOperands(l.dp.Access(v)), s.computes) {
				return false
			}
		}
	}
	return len(s.vars) == 0
}

// fromRun reports whether of the loads of s under conditions v is computed from those of r alone, from none where that is nil.
func (s *serial) fromRun(v *vir.Value, r run) bool {
	return edit.Known(v, func(v *vir.Value) edit.Verdict {
		switch {
		case v.Op.IsLoad() && v.Masked && slices.Contains(s.nodes, v) && !slices.Contains(r, v):
			return edit.Unknown
		case v.Op.IsLoad(), !s.values[v]:
			return edit.Given
		}
		return edit.Computed
	})
}

// byIndexFrom are the cycles by index that stand at position i of the schedule and right behind, and need nothing of
// each other.
func (l *loop) byIndexFrom(i int) (all []*serial) {
	for _, v := range l.sched[i:] {
		s := l.serials[v]
		if s == nil || !s.byIndex(l) || slices.ContainsFunc(all, func(t *serial) bool { return t != s && s.needs(l, t) }) {
			break
		}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// inputs are the values in lanes that s starts from.
func (s *serial) inputs(l *loop) (all []*vir.Value) {
	for _, v := range s.nodes {
		all = append(all, l.indexOperands(l.dp.Access(v))...)
	}
	for v := range l.region.Fn.Values {
		if !s.computes(v) {
			continue
		}
		for _, x := range v.Args {
			if !s.computes(x) && l.members[x] == nil && l.inLanes(x) && l.demand[x] {
				all = append(all, x)
			}
		}
	}
	return all
}

// needs reports whether s starts from something that t computes.
func (s *serial) needs(l *loop, t *serial) bool {
	free := func(v *vir.Value) edit.Verdict {
		switch {
		case t.computes(v):
			return edit.Unknown
		case v.Op == vir.OpPhi, v.Op.IsLoad():
			return edit.Given
		}
		return edit.Computed
	}
	return slices.ContainsFunc(s.inputs(l), func(v *vir.Value) bool { return !edit.Known(v, free) })
}

// serialByIndex writes the accesses of cycles by index.
func (w *widener) serialByIndex(all []*serial) {
	w.flush()
	w.serials = all
	if mask := w.e.l.activeRuns(all); mask != nil {
		w.accessActive(w.e.l.nodesOf(all), mask, func(v *vir.Value) bool {
			return slices.ContainsFunc(all, func(s *serial) bool { return s.computes(v) })
		})
		return
	}
	var runs []run
	for _, s := range all {
		w.prepare(s)
		runs = append(runs, s.runs()...)
	}
	for j := range w.lanes {
		for _, r := range runs {
			do := func() {
				for _, v := range r {
					w.accessByIndex(v, j)
				}
			}
			if mask := r[0].Mask(); mask == nil {
				do()
			} else {
				w.onlyIf(w.activeIn(mask, j), func() {
					w.e.l.shares[w.b.Cur] = oftenDone
					known := maps.Clone(w.singles)
					do()
					w.singles = known // nothing behind the branch may use the others
				})
			}
		}
	}
}

// prepare computes in lanes what s needs, in front of all branches.
func (w *widener) prepare(s *serial) {
	l := w.e.l
	for _, x := range s.inputs(l) {
		w.value(x)
	}
	for _, v := range s.nodes {
		if a := l.dp.Access(v); l.narrowIndex(a) && w.indexInMemory(a) == nil && l.inLanes(a.Index.Args[0]) {
			w.extended(a.Index, vir.I16)
		}
	}
}

// accessByIndex is load or store v in lane j.
func (w *widener) accessByIndex(v *vir.Value, j int) {
	a := w.e.l.dp.Access(v)
	ad := w.e.address(a)
	at := vir.Addr{Base: ad.base, Index: w.indexOf(a, j), Scale: a.Scale, Disp: ad.disp}
	if v.Op.IsLoad() {
		w.singles[laneKey{v, j}] = w.b.Load(vir.OpLoad, v.Type, at, nil)
		return
	}
	w.b.Store(vir.OpStore, w.single(v.Stored(), j), at, nil)
}

// indexInMemory is the load of the index of access a of a cycle, nil for none, which each lane may do once more: it has been done
// for all lanes, and what has been stored since is of lanes before, which do not store what the load of a later one reads. Some
// processors (Zen 4) take several times as long for an index that comes out of a vector register.
func (w *widener) indexInMemory(a *dep.Access) *dep.Access {
	from := w.e.l.indexLoadedBefore(a, w.serials[0].nodes[0])
	if from == nil || w.vec[from.Inst] == nil {
		return nil
	}
	return from
}

// indexOf is the index of access a in lane j.
func (w *widener) indexOf(a *dep.Access, j int) *vir.Value {
	l, key := w.e.l, laneKey{a.Index, j}
	if w.singles[key] != nil {
		return w.singles[key]
	}
	narrow, of := l.narrowIndex(a), a.Index
	if narrow {
		of = a.Index.Args[0]
	}
	var x *vir.Value
	switch from := w.indexInMemory(a); {
	case from != nil:
		at := w.at(w.e.address(from))
		at.Disp += int64(j) * from.Stream.Step
		x = w.b.Load(vir.OpLoad, of.Type, at, nil) // nearer than the lane of a register
	case narrow && l.inLanes(of):
		x = w.b.Extract(w.extended(a.Index, vir.I16), j) // bytes take an instruction more each
	default:
		x = w.single(of, j)
	}
	if narrow {
		x = w.b.Op(a.Index.Op, vir.Scalar(vir.I64), x)
	}
	w.singles[key] = x
	return x
}

// activeIn is lane j of mask v as a condition.
func (w *widener) activeIn(v *vir.Value, j int) *vir.Value {
	if !w.e.l.inLanes(v) {
		return w.scalar(v)
	}
	i64, from := vir.Scalar(vir.I64), j&^(mostShared-1)
	key := laneKey{v, from}
	if w.words[key] == nil {
		w.words[key] = w.laneBits(w.value(v), from, min(w.lanes, mostShared))
	}
	bit := w.b.Op(vir.OpAnd, i64, w.words[key], w.b.Int(i64, 1<<(j-from)))
	return w.b.Cmp(vir.OpIcmpNe, bit, w.b.Int(i64, 0))
}

// oftenDone is how often something under a condition is done.
const oftenDone = 0.5

// serialBranchCost is the cycles of branches to what cycles by index do under conditions in a block.
func (l *loop) serialBranchCost(lanes int) (cost float64) {
	for _, s := range l.eachSerial() {
		switch {
		case !s.byIndex(l):
		case l.activeRuns([]*serial{s}) != nil:
			cost += activeEnd
		default:
			for _, r := range s.runs() {
				if r[0].Masked {
					cost += branchCycles * float64(lanes)
				}
			}
		}
	}
	return cost
}
