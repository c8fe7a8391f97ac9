package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// What a call of a kernel costs beside its blocks, in cycles, fitted to the
// examples with a threshold of 1 at lengths up to 31, on Zen 5. Calls follow each
// other as in a loop of the caller, so that latencies count little. What a call takes has
// become less since, as twins and the tests of stages have; those two were fitted to the
// menus of libraries at 4 to 15 elements, on a Cascade Lake server. That of the call itself is what it
// takes beyond the entry into the scalar loop. It and that of results were fitted to the same on
// Zen 5, with AVX2 and AVX-512, which gave 1.0 for the call; on Sapphire Rapids -2.0 was best, since there a loop of few iterations
// takes more. What lies between costs neither of them more than half a nanosecond.
const (
	callCycles    = -1.0 // call, entry, return
	stageCycles   = 0.5  // the test whether a stage has a block to do
	argCycles     = 0.5  // to store and to load it
	apartCycles   = 1.5  // a test for overlap
	extentCycles  = 20.0 // one of extents that may be anything
	stretchCycles = 6.0  // to look for another stretch
	withinCycles  = 2.0  // a test of how long it is
	stretches     = 1.5  // that are looked for at least: the first iteration often ends one
	boundCycles   = 2.0  // how far a subscript in a row of a matrix is in range
	phaseCycles   = 20.0 // a division, and the table
	divisorCycles = 15.0 // its reciprocal
	periodPart    = 0.4  // of the throughput of what is made of a period before the loop
	partialCycles = 3.0  // the question whether all was done, and a flag or two
	resultCycles  = 0.5  // reductions: accumulators at the start, result at the end
	foldPart      = 0.15 // of the latency of folding lanes
	foldRun       = 0.2  // of the throughput of doing that
	shortRun      = 0.5  // of the throughput of stages that run once or twice
	waitingRun    = 0.7  // the same of blocks that wait for each other
	runCycles     = 6.0  // a run of iterations more, on Zen 4
	countCycles   = 6.0  // counters are handed back and forth
	aheadCycles   = 45.0 // that the processor looks ahead
	passAhead     = 65.0 // the same where nothing waits but what passes through memory, on Zen 4
	waitCycles    = 13.0 // a load of what a masked store beside it might have stored
)

// fewest is the smallest threshold: below, a call is never worth it, whatever
// the costs say. How often inner loops run is a guess.
const (
	fewest     = 4
	fewestNest = 8
	most       = 256 // and the largest
)

// threshold is the fewest iterations from which on the kernel is not slower than
// the scalar loop, on data that the scalar loop predicts well, too: nothing promises that
// branches are predicted badly, and in short runs that come again they are not.
func (l *loop) threshold(c *candidate) int64 {
	scalar := l.scalarRun()
	if l.isNest() && !l.storesUnderMask() && !l.counts() && l.order == nil {
		scalar.work += branchCycles * l.branches() // those of inner loops are learned less easily
	}
	fixed, costs := l.fixedCost(c), l.stageCosts(c)
	n, least := most, fewest
	if l.isNest() {
		least = fewestNest
	}
	for n > least && fixed+c.cycles(n-1, costs, scalar.work) <= scalar.cycles(n-1) {
		n--
	}
	if l.scalarCost() < orderClose*c.cost {
		switch {
		case l.order != nil:
			n = min(2*n, most)
		case l.countsActive():
			n = min(4*n, most)
		}
	}
	return int64(n)
}

// unlapped is the time of what is done one after the other in blocks, and beside which the rest goes
// on: divisions and roots of floats, gathers and scatters. Divisions of integers are many operations,
// and those under conditions are not counted in the scalar loop either.
func (l *loop) unlapped(blocks []*vir.Block) float64 {
	total := 0.0
	for _, b := range blocks {
		for _, v := range b.Insts {
			divides := v.Op == vir.OpFdiv || v.Op == vir.OpFsqrt
			switch {
			case divides && l.branches() == 0 && v.Type.Size() <= smallRegister:
				total += l.target.Cost(v.Op, v.Type.Lane()).Throughput // about that of a scalar
			case divides && l.branches() == 0 || v.Op == vir.OpGather || v.Op == vir.OpScatter:
				total += l.target.CostValue(v).Throughput
			}
		}
	}
	return total
}

// A scalarRun is what the time of a few iterations of the scalar loop is made of, in cycles per
// iteration.
type scalarRun struct {
	work    float64
	chain   float64 // what they wait for each other
	passing float64 // see loop.passing
}

func (l *loop) scalarRun() scalarRun {
	r := scalarRun{work: l.scalarShort(), passing: l.passing()}
	for _, s := range l.states {
		if s.red != nil {
			r.chain = max(r.chain, l.scalarChain(s.red))
		}
	}
	return r
}

// cycles is the time of n iterations. What they wait for each other overlaps with the code around
// the loop as far as the processor looks ahead.
func (r scalarRun) cycles(n int) float64 {
	k := float64(n)
	return max(k*r.work, k*r.chain-aheadCycles, k*r.passing-passAhead)
}

// firstIterations are done by the scalar code in loops that may be left, or that have to find a first item: if every other element
// makes them stop, as random ones often do, one in sixteen gets further. Where a kernel starts with as
// much as that of many more, such as tables in registers, up to mostFirst are done before.
const (
	firstIterations = 4
	mostFirst       = 32
	usualStart      = 12.0 // cycles of the entry and of one block, which four iterations make up for
)

// first is the number of iterations to do before the first call.
func (l *loop) first(c *candidate) int64 {
	switch {
	case slices.ContainsFunc(l.insts, l.waitsForFirst):
		return firstIterations
	case l.isNest() || !l.mayBeLeft():
		return 0
	}
	start := l.blockCost([]*vir.Block{c.kernel.Fn.Entry()}) + l.blockCost(c.stageBlocks(0))
	return min(max(firstIterations, int64((start-usualStart)/l.scalarCost())), mostFirst)
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
	cost := callCycles + stageCycles*float64(c.asked()) + argCycles*float64(len(k.Args)) + l.testCycles(k)
	cost += phaseCycles*float64(len(l.phases())) + divisorCycles*float64(divisors(k.Fn))
	if l.counts() {
		cost += countCycles
	}
	if k.Partial {
		cost += partialCycles
	}
	if k.Resumes {
		cost += runCycles * float64(len(l.dp.Splits))
	}
	if l.order != nil {
		cost += orderStart
	}
	if l.meetsAgain() {
		cost += reloadCycles
	}
	if len(l.periodics) > 0 {
		entry := l.blockCost(c.entryBlocks())
		cost += max(periodPart*entry, entry-aheadCycles)
	}
	if l.reductions()+len(l.heldPhis()) > 0 {
		folds := c.foldBlocks()
		cost += resultCycles + max(foldPart*l.foldLatency(c), foldRun*(l.blockCost(folds)+l.maskCost(folds)))
	}
	return cost
}

// testCycles is what is asked before the call.
func (l *loop) testCycles(k *plan.Kernel) float64 {
	cost := 0.0
	for _, o := range k.Overlaps {
		if o.Strided() {
			cost += extentCycles
		} else {
			cost += apartCycles
		}
	}
	if k.Recurs() {
		cost += stretches * (stretchCycles + withinCycles*float64(len(k.Bounds)))
	}
	for _, b := range k.Bounds {
		if multiplies(b.Start) {
			cost += boundCycles
		}
	}
	return cost
}

// multiplies reports whether x has a product of what is not known before: the place of a row.
func multiplies(x *plan.Expr) bool {
	return x.Has(func(x *plan.Expr) bool {
		return x.Op == plan.ExprMul && x.X.Op != plan.ExprConst && x.Y.Op != plan.ExprConst
	})
}

// divisors is the number of integers that are the same in all lanes and that f divides by.
func divisors(f *vir.Func) int {
	seen := make(map[*vir.Value]bool)
	for v := range f.Values {
		if edit.Divides(v.Op) && v.Type.IsVector() {
			if d := v.Args[1].Splat(); d != nil {
				seen[d] = true
			}
		}
	}
	return len(seen)
}

// maskCost is the cycles for masks that are made as wide, or narrow, as what they
// choose between.
func (l *loop) maskCost(blocks []*vir.Block) float64 {
	type width struct {
		mask  *vir.Value
		bytes int
	}
	cost, seen := 0.0, make(map[width]bool)
	for _, b := range blocks {
		for _, v := range b.Insts {
			if v.Op != vir.OpBlend && v.Op != vir.OpAnd && v.Op != vir.OpOr || !v.Type.IsVector() && !v.Type.IsMask() {
				continue
			}
			wide := natural(v, inNoLanes)
			for _, m := range v.Args {
				have := natural(m, inNoLanes)
				if w := (width{m, wide.Size()}); m.Type.IsMask() && have != vir.Void && have.Size() != wide.Size() && !seen[w] {
					seen[w] = true
					cost += float64(l.target.Parts(vir.Vec(wide, m.Type.Lanes)))
				}
			}
		}
	}
	return cost
}

// inNoLanes holds for nothing: masks of the last block are made of a count, which takes time, too.
func inNoLanes(*vir.Value) bool { return false }
