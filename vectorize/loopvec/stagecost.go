package loopvec

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A stageCost is the time of a block of a stage, and by how much a block delays the one that follows.
type stageCost struct{ block, delay float64 }

// stageCosts are those of calls of few iterations.
func (l *loop) stageCosts(c *candidate) (costs []stageCost) {
	run := shortRun
	if l.counts() {
		run = waitingRun // a block waits for the one before
	}
	wait := l.waits()
	for i, s := range c.stages {
		blocks := c.stageBlocks(i)
		cost := stageCost{block: max(run*(l.blockCost(blocks)+l.maskCost(blocks)), l.unlapped(blocks))}
		if wait > 0 && int64(s.lanes)*wait < smallRegister {
			cost.delay = waitCycles
			if s.loop { // blocks of which each waits for the one before
				cost.delay = max(waitCycles, l.longest(blocks)+waitCycles-cost.block)
			}
		}
		costs = append(costs, cost)
	}
	return costs
}

// cycles is the time of n iterations, by the stages that do them.
func (c *candidate) cycles(n int, costs []stageCost, scalar float64) float64 {
	sum, delay := 0.0, 0.0
	for i, s := range c.stages {
		switch {
		case s.seeks > n:
			continue
		case s.seeks > 0:
			blocks := (n + s.lanes - 1) / s.lanes
			return float64(blocks) * costs[i].block
		}
		for n >= s.lanes || s.rest && n > 0 {
			sum += costs[i].block + delay
			delay = costs[i].delay
			n = max(n-s.lanes, 0)
			if !s.loop {
				break
			}
		}
	}
	return sum + float64(n)*scalar
}

// past is the number of stages that a shortcut leads past.
func (c *candidate) past() int {
	k := slices.IndexFunc(c.kernel.Fn.Blocks, func(b *vir.Block) bool { return b.Name == fewBlock })
	if k < 0 {
		return 0
	}
	to := c.kernel.Fn.Blocks[k].Succs[0].Name
	return slices.IndexFunc(c.stages, func(s stage) bool { return to == fmt.Sprintf("tail%d", s.lanes) })
}

// asked is how many tests of stages few iterations meet, with that of the shortcut.
func (c *candidate) asked() int { return len(c.stages) - max(0, c.past()-2) }

// foldBlocks are the blocks that fold what is kept in lanes when there are too few
// iterations for the main loop and those that a shortcut leads past.
func (c *candidate) foldBlocks() []*vir.Block {
	var out []*vir.Block
	for i := len(c.stages) - 1; i >= 0; i-- {
		if s := c.stages[i]; s.seeks > 0 {
			return c.soughtBlocks(s)
		}
	}
	past := c.past()
	for i, s := range c.stages {
		if i < past {
			continue
		}
		tail, done := fmt.Sprintf("tail%d", s.lanes), fmt.Sprintf("%s%d", s.behind(), s.lanes)
		for _, b := range c.kernel.Fn.Blocks {
			if b.Name == tail || i > 0 && b.Name == done {
				out = append(out, b)
			}
		}
	}
	return out
}

// foldLatency is what folding a register of lanes of accumulators to one takes. Whatever
// else is held takes more work than that, see [candidate.foldBlocks].
func (l *loop) foldLatency(c *candidate) float64 {
	chain := 0.0
	for _, s := range l.states {
		if s.red != nil {
			t := vir.Vec(s.red.lane, c.vf)
			chain = max(chain, l.vectorChain(s.red, c.vf)+l.target.Cost(vir.OpSubvec, t).Latency)
		}
	}
	return chain * math.Log2(float64(c.vf))
}

// longest is the time of blocks in which each operation waits for its operands.
func (l *loop) longest(blocks []*vir.Block) float64 {
	last, ready := 0.0, make(map[*vir.Value]float64)
	for _, b := range blocks {
		for _, v := range b.Insts {
			if v.Op == vir.OpPhi {
				continue
			}
			at := 0.0
			for _, a := range v.Args {
				at = max(at, ready[a])
			}
			ready[v] = at + l.target.CostValue(v).Latency
			last = max(last, ready[v])
		}
	}
	return last
}

// waits is the size of elements that the loop stores under masks and loads beside, 0 for none. Such a store is one of 16
// bytes at least to the processor, and a load from among them has to wait until memory holds what is stored: nobody can
// hand it on. Without mask registers there are masked stores of 4 and 8 bytes only.
func (l *loop) waits() int64 {
	for _, a := range l.dp.Accesses {
		size := a.Stream.Size
		if !a.Store || !a.Inst.Masked || l.blends[a.Inst] || size > maskedElement || size < maskedElement && !l.target.EVEX {
			continue
		}
		for _, b := range l.dp.Accesses {
			if !b.Store && b.Inst.Addr().Base == a.Inst.Addr().Base {
				return size
			}
		}
	}
	return 0
}

// A store under a mask is of elements of so many bytes at least where there are no mask registers, and of whole small
// registers.
const maskedElement, smallRegister = 4, 16
