package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// reloads is the time by which blocks of lanes follow each other because one needs what another has stored
// shortly before, and the processor cannot hand it on: what is loaded comes from two stores, or from one of another form.
func (l *loop) reloads(c *candidate) float64 {
	if l.isNest() || len(l.serials) > 0 {
		return 0
	}
	lanes, between := int64(c.stages[0].lanes), int64(reloadBlocks)
	for _, s := range l.dp.Accesses {
		for _, a := range l.dp.Accesses {
			later, ok := l.readsLater(s, a)
			if !ok || later == 0 || later >= reloadBlocks*lanes || later%lanes == 0 && l.groups[s.Inst] == nil || !l.comesRound(s, a) {
				continue
			}
			between = min(between, max(1, later/lanes))
		}
	}
	if between == reloadBlocks {
		return 0
	}
	return (l.longest(c.stageBlocks(0)) + reloadCycles) / float64(between)
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
	return !edit.Known(x, func(y *vir.Value) edit.Verdict {
		switch {
		case y == v:
			return edit.Unknown
		case y.Op == vir.OpPhi:
			return edit.Given
		}
		return edit.Computed
	})
}

// meetsAgain reports whether calls load what the one before has just stored, as a loop around does all again: some fields of
// structs, which are stored one by one and loaded with the others in whole registers.
func (l *loop) meetsAgain() bool {
	for _, s := range l.dp.Accesses {
		step := max(s.Stream.Step, -s.Stream.Step)
		if !s.Store || !slices.Contains(l.u.Region.Stays, s.Stream.Param) || l.storedBeside(s) >= step {
			continue
		}
		for _, a := range l.dp.Accesses {
			later, ok := l.readsLater(s, a)
			if g := l.groups[a.Inst]; ok && later == 0 && g != nil && len(g.members) > 1 {
				return true
			}
		}
	}
	return false
}

// movesUntilLeft reports whether the loop moves elements by a few places until it is left, in the same memory for each turn of the loop around,
// as insertion sort does: vectors of one turn come from two of the one before, which are still being stored unless there are hundreds of them.
// Insertion sort of 256 elements took 1.8 times as long on Zen 4 as the loop as written.
func (l *loop) movesUntilLeft() bool {
	if !l.mayBeLeft() {
		return false
	}
	for _, s := range l.dp.Accesses {
		if !s.Store || !slices.Contains(l.u.Region.Stays, s.Stream.Param) {
			continue
		}
		for _, a := range l.dp.Accesses {
			step := s.Stream.Step
			d, ok := scev.Diff(s.Stream.Off, a.Stream.Off)
			if !a.Store && a.Stream.Param == s.Stream.Param && a.Stream.Step == step && step != 0 && ok && d != 0 && max(d, -d) < fewPlaces*max(step, -step) {
				return true
			}
		}
	}
	return false
}

// fewPlaces is what fewer of are less than a register of lanes.
const fewPlaces = 4

// storedBeside is how many bytes an iteration stores to where s does, from s to what the next one has in its place.
func (l *loop) storedBeside(s dep.Access) (bytes int64) {
	for _, t := range l.dp.Accesses {
		if t.Store && t.Stream.Param == s.Stream.Param && t.Stream.Step == s.Stream.Step {
			bytes += t.Stream.Size
		}
	}
	return bytes
}
