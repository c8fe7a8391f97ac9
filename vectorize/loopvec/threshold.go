package loopvec

import (
	"math"

	"github.com/lanewise/lanewise/vir"
)

// What a call of a kernel costs beside its blocks, in cycles, fitted to the
// examples with a threshold of 1 at lengths up to 31, on Zen 5. Calls follow each
// other as in a loop of the caller, so that latencies count little.
const (
	callCycles    = 4.5  // call, entry, return
	stageCycles   = 0.6  // the test whether a stage has a block to do
	argCycles     = 0.5  // to store and to load it
	apartCycles   = 1.5  // a test for overlap
	phaseCycles   = 20.0 // a division, and the table
	partialCycles = 3.0  // the question whether all was done, and a flag or two
	resultCycles  = 2.0  // reductions: accumulators at the start, result at the end
	foldPart      = 0.15 // of the latency of folding lanes
	shortRun      = 0.5  // of the throughput of stages that run once or twice
	countCycles   = 6.0  // counters are handed back and forth
)

// fewest is the smallest threshold: below, a call is never worth it, whatever
// the costs say.
const (
	fewest = 8
	most   = 256 // and the largest
)

// threshold is the fewest iterations from which on the kernel is not slower than
// the scalar loop. A kernel with stores under masks has branches of its own, and with
// counters or sums in order its time does not depend on the data: it must not be slower on
// data that the scalar loop predicts well either.
func (l *loop) threshold(c *candidate) int64 {
	scalar := l.scalarShort()
	run := shortRun
	if l.counts() {
		run = 1 // a block waits for the one before
	}
	if l.storesUnderMask() || l.counts() || l.order != nil {
		scalar -= branchCycles * float64(l.branches())
	}
	var costs []float64
	for i := range c.stages {
		costs = append(costs, run*l.blockCost(c.stageBlocks(i)))
	}
	fixed := l.fixedCost(c)
	n := most
	for n > fewest && fixed+c.cycles(n-1, costs, scalar) <= float64(n-1)*scalar {
		n--
	}
	if l.order != nil && l.scalarCost() < orderClose*c.cost {
		n = min(2*n, most)
	}
	return int64(n)
}

// storesUnderMask reports whether the kernel has branches for stores.
func (l *loop) storesUnderMask() bool {
	for _, a := range l.dp.Accesses {
		if a.Store && a.Inst.Masked && !l.blends[a.Inst] {
			return true
		}
	}
	return false
}

// fixedCost is what a call costs whatever the number of iterations.
func (l *loop) fixedCost(c *candidate) float64 {
	k := c.kernel
	cost := callCycles + stageCycles*float64(len(c.stages)) + argCycles*float64(len(k.Args)) + apartCycles*float64(len(k.Overlaps))
	cost += phaseCycles * float64(len(l.phases()))
	if l.counts() {
		cost += countCycles
	}
	if k.Partial {
		cost += partialCycles
	}
	if l.order != nil {
		cost += orderStart
	}
	if l.reductions()+len(l.held) > 0 {
		cost += resultCycles + foldPart*l.foldLatency(c)
	}
	return cost
}

// cycles is the time of n iterations, by the stages that do them.
func (c *candidate) cycles(n int, costs []float64, scalar float64) float64 {
	sum := 0.0
	for i, s := range c.stages {
		for n >= s.lanes {
			sum += costs[i]
			n -= s.lanes
			if !s.loop {
				break
			}
		}
	}
	return sum + float64(n)*scalar
}

// foldLatency is what folding a register of lanes to one takes.
func (l *loop) foldLatency(c *candidate) float64 {
	chain := 0.0
	for _, s := range l.states {
		if s.red != nil {
			t := vir.Vec(s.red.lane, c.vf)
			chain = max(chain, l.vectorChain(s.red, c.vf)+l.target.Cost(vir.OpSubvec, t).Latency)
		}
	}
	for _, h := range l.held {
		switch h.(type) {
		case *inOrder, *serial:
			continue // which is one value already
		}
		chain = max(chain, 2*h.chain(l, c.vf))
	}
	return chain * math.Log2(float64(c.vf))
}
