package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
)

// reloads is the time by which blocks of lanes follow each other because one loads what another has stored
// shortly before, and the processor cannot hand it on: what is loaded comes from two stores, or from one of another form.
func (l *loop) reloads(c *candidate) float64 {
	if l.isNest() || len(l.serials) > 0 {
		return 0
	}
	lanes, most := int64(c.stages[0].lanes), 0.0
	for _, s := range l.dp.Accesses {
		for _, a := range l.dp.Accesses {
			later, ok := l.readsLater(s, a)
			if !ok || later >= reloadBlocks*lanes || later%lanes == 0 && l.groups[s.Inst] == nil {
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

// readsLater is the number of iterations, more than 0, after which load a reads what s stores, if there is one.
func (l *loop) readsLater(s, a dep.Access) (iterations int64, ok bool) {
	step := s.Stream.Step
	if !s.Store || a.Store || s.Stream.Param != a.Stream.Param || a.Stream.Step != step || step == 0 {
		return 0, false
	}
	d, ok := scev.Diff(s.Stream.Off, a.Stream.Off)
	return d / step, ok && d%step == 0 && d/step > 0
}
