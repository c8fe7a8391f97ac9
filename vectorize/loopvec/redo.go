package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Nests leave the last iterations, fewer than the smallest block has, to scalar code. Where iterations only store what
// they compute from other memory, they may be done once more, so that the last block begins earlier:
//
//	blocks of 8, 13 iterations:   0 1 2 3 4 5 6 7
//	                                        5 6 7 8 9 10 11 12
//
// A block that cannot be done must not have stored anything, since scalar code goes on behind what has been done before:
// stores come behind all loops.

// redo is the number of iterations of the smallest block of c, if the last iterations may be done again, and what has to
// be tested for that; 0 where they may not. Kernels that leave none over, which may be versions beside some that do, can
// do as many as their largest block has.
func (l *loop) redo(c *candidate) (lanes int64, apart []plan.Overlap) {
	lanes = int64(c.stages[len(c.stages)-1].lanes)
	if c.kernel.Rest {
		lanes = min(c.kernel.Block, c.kernel.Min)
	}
	if !l.isNest() && !c.kernel.Rest || l.storesMidway() || l.u.Peel > 0 || lanes < 2 || lanes > c.kernel.Min || !l.carriesCounters() {
		return 0, nil
	}
	for i := range l.dp.Accesses {
		if b := &l.dp.Accesses[i]; b.Store && l.loopsBehind(b.Inst) {
			return 0, nil
		}
		for k := range l.dp.Accesses {
			a, b := &l.dp.Accesses[k], &l.dp.Accesses[i]
			if a.Store || !b.Store {
				continue
			}
			more, ok := l.dp.Moved(a, b, int(lanes))
			if !ok {
				return 0, nil
			}
			apart = append(apart, more...)
		}
	}
	return lanes, dep.Merged(apart)
}

// carriesCounters reports whether nothing but counters goes on from iteration to iteration, and none is left early.
func (l *loop) carriesCounters() bool {
	for _, s := range l.states {
		if s.red != nil || s.held || s.last || s.count != nil || s.kind != scev.Main && s.kind != scev.Induction && !s.moves {
			return false
		}
	}
	for _, v := range l.insts {
		if v.Op == vir.OpExit {
			return false
		}
	}
	return len(l.serials) == 0 && l.order == nil
}
