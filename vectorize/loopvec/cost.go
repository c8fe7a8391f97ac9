package loopvec

import (
	"math"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// What the tables of the target do not tell, fitted to measurements of small
// kernels on Zen 4 and 5.
const (
	issue = 6.0 // vector operations per cycle

	// How much of an operation's throughput remains among unlike ones: nothing runs
	// beside an access lane by lane, whereas shuffles fill what loads and stores leave.
	// From the grid of memory forms in folder bench, on Zen 5.
	overlap         = 0.55
	shuffleOverlap  = 0.35
	laneOverlap     = 0.2  // lanes extracted for stores, or inserted
	scalarStore     = 0.85 // stores of such lanes
	indexedOverlap  = 0.65 // gathers and scatters
	scalarExtension = 0.2  // most are part of a load; the table knows what lanes cost
	spillCycles     = 1.5  // a value too many: a store and a load or two

	accumulatorCycles = 0.5 // to make one

	registerBytes = 32 // a value of registers is put together and taken apart for nothing
)

// vectorCost is cycles per iteration of the main loop of c.
func (l *loop) vectorCost(c *candidate) float64 {
	lanes := c.stages[0].lanes
	chain := max(1.0, l.chains(true), l.reloads(c))
	for _, s := range l.states {
		if s.red != nil {
			chain = math.Max(chain, l.vectorChain(s.red, lanes))
		}
	}
	for _, h := range l.held {
		chain = math.Max(chain, h.chain(l, lanes))
	}
	work := l.blockCost(c.stageBlocks(0))
	if l.sumsInZMM() {
		work /= 2
	}
	if l.order != nil {
		work += l.order.overhead(lanes)
	}
	switch {
	case len(l.serials) == 0:
	case l.isNest():
		chain = math.Max(chain, l.nestSerialChain(lanes))
	default: // the first lane passes through memory; what waits for that need not wait for the cache
		chain = math.Max(chain, l.serialChain(0, false)*float64(lanes)+passCycles)
		work += l.spill(c) + farScalar*l.farAccesses()*float64(lanes) + l.serialBranchCost(lanes)
		return math.Max(work, chain) / float64(lanes)
	}
	cycles := math.Max(work, chain)
	cycles += l.spill(c)
	return cycles/float64(lanes) + farLanes*l.farAccesses()
}

// usualTrips are iterations that calls do: what a main loop saves counts as often.
const usualTrips = 1000

// aroundCost is the cycles per iteration of calls of usual length that accumulators take in front
// of the main loop of lanes and behind it, where they are made and folded.
func (l *loop) aroundCost(lanes int) float64 {
	cycles := 0.0
	for _, s := range l.states {
		if s.red == nil || s.red.main == vir.Bool {
			continue
		}
		t, op := vir.Vec(s.red.main, lanes), l.kept(s.red.op)
		once := accumulatorCycles*float64(l.target.Parts(t)) + l.target.Cost(op, t).Throughput
		if op != s.red.op { // with NaNs apart
			once *= 2
		}
		cycles += once
	}
	if l.sumsInZMM() {
		cycles /= 2
	}
	return cycles / usualTrips
}

// blockCost is the cycles of executing blocks once, bound by throughput.
func (l *loop) blockCost(blocks []*vir.Block) float64 {
	total, n := 0.0, 0.0
	for _, b := range blocks {
		weight := l.weight(b)
		for _, v := range b.Insts {
			if free(v) {
				continue
			}
			total += weight * l.target.CostValue(v).Throughput * l.remains(v)
			n += weight * math.Max(1, float64(l.target.Parts(dataType(v))))
		}
	}
	return math.Max(total, n/issue)
}

// remains is the part of the throughput of v that does not overlap with others.
func (l *loop) remains(v *vir.Value) float64 {
	switch v.Op {
	case vir.OpSext, vir.OpZext:
		if !v.Type.IsVector() {
			return scalarExtension
		}
	case vir.OpShuffle, vir.OpConcat, vir.OpSubvec:
		return shuffleOverlap
	case vir.OpExtract, vir.OpInsert:
		return laneOverlap
	case vir.OpScatter:
		if v.Masked && !l.isNest() {
			return 1 // a loop over the lanes that conditions on data leave: its end is predicted badly
		}
		return indexedOverlap
	case vir.OpGather:
		return indexedOverlap
	case vir.OpStore:
		return scalarStore
	}
	return overlap
}

// InnerTrips is how often an inner loop is taken to run in the costs of a nest.
const InnerTrips = 16

// innerWeight is how often a block inside so many inner loops runs.
func innerWeight(depth int) float64 { return math.Pow(InnerTrips, float64(depth)) }

// weight is how often block b of a kernel runs in a block of iterations.
func (l *loop) weight(b *vir.Block) float64 {
	w := innerWeight(l.depths[b])
	if share, ok := l.shares[b]; ok {
		w *= share
	}
	return w
}

// share is the part of the turns of an inner loop in which block b of the region runs, where strips of
// several turns and their rest are loops of their own.
func (l *loop) share(b *vir.Block) float64 {
	head := l.head(b)
	if turns := l.u.Strips[head]; turns > 0 {
		return 1 / float64(turns)
	}
	if turns := l.u.Rests[head]; turns > 0 {
		return float64(turns-1) / 2 / InnerTrips
	}
	return 1
}

// free reports whether v takes no instruction of its own: a part of a register
// whose lanes are all equal, a mask as the integer that it is.
func free(v *vir.Value) bool {
	switch v.Op {
	case vir.OpConst, vir.OpPhi:
		return true
	case vir.OpSubvec:
		return v.Args[0].Op == vir.OpBroadcast || v.Type.Size()%registerBytes == 0
	case vir.OpConcat:
		return v.Args[0].Type.Size()%registerBytes == 0
	case vir.OpSext:
		return v.Args[0].Type.IsMask()
	}
	return false
}

// dataType is the type that decides how many registers v works on.
func dataType(v *vir.Value) vir.Type {
	t := v.Type
	for _, a := range v.Args {
		if a.Type.Size() > t.Size() && a.Type.IsVector() {
			t = a.Type
		}
	}
	return t
}

func (l *loop) vectorChain(r *reduction, lanes int) float64 {
	t := vir.Vec(r.main, lanes)
	if t.Elem == vir.Bool {
		return 1
	}
	if r.op == vir.OpSelect {
		return l.target.Cost(vir.OpFadd, t).Latency
	}
	chain := l.target.Cost(l.kept(r.op), t).Latency
	if r.line != nil {
		chain += l.target.Cost(vir.OpMul, t).Latency
	}
	return chain
}

// kept is what pass extremes makes of the operation of a reduction.
func (l *loop) kept(op vir.Op) vir.Op {
	switch {
	case l.target.EVEX && op == vir.OpFmin:
		return vir.OpFminNnan
	case l.target.EVEX && op == vir.OpFmax:
		return vir.OpFmaxNnan
	}
	return op
}

// spill estimates the cycles that registers too many cost in the main loop:
// accumulators, values that stay, and one block at work.
func (l *loop) spill(c *candidate) float64 {
	regs := 0
	for _, s := range l.states {
		if s.red != nil {
			regs += l.target.Parts(vir.Vec(s.red.main, c.stages[0].lanes))
		}
	}
	entry := c.kernel.Fn.Entry()
	uses := c.kernel.Fn.Uses()
	for _, v := range entry.Insts {
		if v.Op == vir.OpBroadcast && slices.ContainsFunc(uses[v], func(u *vir.Value) bool { return u.Block != entry }) {
			regs++
		}
	}
	if l.sumsInZMM() {
		regs = (regs + 1) / 2
	}
	regs += l.heldRegisters(c.stages[0].lanes)
	regs += l.pressure(c)
	return spillCycles * math.Max(0, float64(regs-l.target.VectorRegs))
}

// pressure is the largest number of registers that values of the main loop take
// at one time, when it is done part by part.
func (l *loop) pressure(c *candidate) int {
	most := 0
	for _, b := range c.stageBlocks(0) {
		last := make(map[*vir.Value]int)
		for i, v := range b.Insts {
			for _, a := range v.Args {
				last[a] = i
			}
		}
		live := 0
		for i, v := range b.Insts {
			if v.Op == vir.OpPhi || v.Op == vir.OpConst {
				continue
			}
			seen := map[*vir.Value]bool{}
			for _, a := range v.Args {
				if !seen[a] && last[a] == i && a.Block == b && a.Type.IsVector() && a.Op != vir.OpPhi && a.Op != vir.OpConst {
					live -= l.parts(a, c)
				}
				seen[a] = true
			}
			if v.Type.IsVector() && last[v] > i {
				live += l.parts(v, c)
			}
			most = max(most, live)
		}
	}
	return most
}

// parts is the number of registers of v when a block is done in UF parts.
func (l *loop) parts(v *vir.Value, c *candidate) int {
	return max(1, l.target.Parts(v.Type)/c.uf)
}

// stageBlocks are the blocks of stage i that run once per block of iterations.
func (c *candidate) stageBlocks(i int) []*vir.Block {
	name := c.stages[i].name()
	var out []*vir.Block
	for _, b := range c.kernel.Fn.Blocks {
		if b.Name == name || strings.HasPrefix(b.Name, name+".") {
			out = append(out, b)
		}
	}
	return out
}

// entryBlocks are the blocks before the main loop.
func (c *candidate) entryBlocks() []*vir.Block {
	bs := c.kernel.Fn.Blocks
	return bs[:max(slices.Index(bs, c.stageBlocks(0)[0]), 0)]
}

// finish fills in what the caller needs besides the code.
func (l *loop) finish(c *candidate) {
	k := c.kernel
	k.Block = int64(c.stages[0].lanes)
	moves, _ := l.moveTests(c.stages[0].lanes)
	if l.isNest() && !l.storesMidway() {
		again, _ := l.repeatTests(c.stages[0].lanes)
		moves = append(moves, again...)
	}
	k.Overlaps = dep.Merged(append(l.dp.Overlaps(c.stages[0].lanes, narrowest(c.stages)), moves...))
	k.Min = max(l.threshold(c), l.nestSerialMin(), l.serialMin(c), l.togetherMin()) + l.u.Peel
	k.Peel = l.u.Peel
	if k.First = l.first(c); k.First > k.Peel {
		k.Min += k.First - k.Peel
		k.Again = k.Peel == 0 && !l.storesSomething()
	}
	if slices.ContainsFunc(l.insts, l.waitsForFirst) {
		k.Again, k.Pause = false, firstIterations // calls go on with what is set there
	}
	if t, ok := l.firstTogether(); ok {
		k.Inner, k.InnerMin = &t, 12
	} else if t, ok := l.longTurns(); ok {
		k.Inner, k.InnerMin = &t, leastTurns
	}
	if b, ok := l.conflicts(k.Block); ok {
		k.Bounds = append(slices.Clip(k.Bounds), b)
	}
	k.Strip = l.strip(c)
	end := c.stages[len(c.stages)-1]
	k.Rest = end.rest || end.lanes <= l.copies()
	k.Complete = !k.Partial && k.Rest
	k.Redo, k.RedoApart = l.redo(c)
}

// strip is the number of iterations of one call, a power of two, when everything comes
// from memory.
func (l *loop) strip(c *candidate) int64 {
	ns := 2 * c.cost / pass.Clock
	for _, a := range l.dp.Accesses {
		scattered := a.Kind == dep.Symbolic || a.Kind == dep.Indexed
		ns += pass.Transfer(max(a.Stream.Size, a.Stream.Step, -a.Stream.Step), scattered)
	}
	strip := int64(maxStrip)
	for _, s := range l.states {
		for s.red != nil && s.red.strip > 0 && strip > s.red.strip {
			strip /= 2
		}
	}
	for _, h := range l.held {
		for n := h.limit(c.stages[0].lanes); n > 0 && strip > n; {
			strip /= 2
		}
	}
	return l.u.Strip(ns, int64(c.stages[0].lanes), strip)
}
