package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// reloads is the time by which blocks of lanes follow each other because one needs what another has stored
// shortly before, and the processor cannot hand it on: what is loaded comes from two stores, or from one of another form.
func (l *loop) reloads(c *candidate) float64 {
	if l.isNest() || len(l.serials) > 0 {
		return 0
	}
	lanes, most := int64(c.stages[0].lanes), 0.0
	for _, s := range l.dp.Accesses {
		for _, a := range l.dp.Accesses {
			later, ok := l.readsLater(s, a)
			if !ok || later == 0 || later >= reloadBlocks*lanes || later%lanes == 0 && l.groups[s.Inst] == nil || !l.comesRound(s, a) {
				continue
			}
			most = max(most, (l.longest(c.stageBlocks(0))+reloadCycles)/float64(max(1, later/lanes)))
		}
	}
	return most
}

// reloadBlocks is the number of blocks after which memory holds what was stored, reloadCycles what a load waits that comes
// earlier, measured on Sapphire Rapids with recurrences of distances up to 17.
const (
	reloadBlocks = 8
	reloadCycles = 20
)

// readsLater is the number of iterations after which load a reads what s stores, if there is one.
func (l *loop) readsLater(s, a dep.Access) (iterations int64, ok bool) {
	step := s.Stream.Step
	if !s.Store || a.Store || s.Stream.Param != a.Stream.Param || a.Stream.Step != step || step == 0 {
		return 0, false
	}
	d, ok := scev.Diff(s.Stream.Off, a.Stream.Off)
	return d / step, ok && d%step == 0 && d/step >= 0
}

// comesRound reports whether what s stores depends on what a loads, in the same iteration or by way of memory in later ones.
func (l *loop) comesRound(s, a dep.Access) bool {
	seen := make(map[*vir.Value]bool) // loads
	var from func(a dep.Access) bool
	from = func(a dep.Access) bool {
		if seen[a.Inst] {
			return false
		}
		seen[a.Inst] = true
		for _, t := range l.dp.Accesses {
			if !t.Store || !dependsOn(t.Inst, a.Inst) {
				continue
			}
			if t.Inst == s.Inst {
				return true
			}
			for _, next := range l.dp.Accesses {
				if _, ok := l.readsLater(t, next); ok && from(next) {
					return true
				}
			}
		}
		return false
	}
	return from(a)
}

// dependsOn reports whether x is computed from load v within an iteration.
func dependsOn(x, v *vir.Value) bool {
	seen := make(map[*vir.Value]bool)
	var visit func(x *vir.Value) bool
	visit = func(x *vir.Value) bool {
		if x == v {
			return true
		}
		if seen[x] || x.Op == vir.OpPhi {
			return false
		}
		seen[x] = true
		for _, a := range x.Args {
			if visit(a) {
				return true
			}
		}
		return false
	}
	return visit(x)
}
