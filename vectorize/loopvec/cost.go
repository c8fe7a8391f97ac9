package loopvec

import (
	"math"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Widths of the machine that the tables of the target do not tell.
const (
	issue      = 5.0 // operations per cycle
	callCycles = 9.0 // a call with the tests around it
	clock      = 3.0 // cycles per ns, pessimistic
)

// scalarCost is cycles per iteration of the scalar loop. The processor overlaps
// iterations, so it is bound by throughput or by the chains between iterations.
func (l *loop) scalarCost() float64 {
	total, n := 0.0, 2.0 // compare and branch of the loop
	for _, v := range l.body.Insts {
		total += l.target.CostValue(v).Throughput
		if v.Op != vir.OpConst && v.Op != vir.OpIter {
			n++
		}
	}
	chain := 1.0
	for _, s := range l.states {
		if s.red != nil {
			chain = math.Max(chain, l.scalarChain(s.red))
		}
	}
	// Throughputs of unlike operations overlap.
	return math.Max(math.Max(total*0.6, n/issue), chain)
}

func (l *loop) scalarChain(r *reduction) float64 {
	t := vir.Scalar(r.phi.Type.Elem)
	if r.op == vir.OpSelect {
		return 1.5 // a predicted branch, mostly
	}
	return l.target.Cost(r.op, t).Latency
}

// vectorCost is cycles per iteration of the main loop of c.
func (l *loop) vectorCost(c *candidate) float64 {
	lanes := c.stages[0].lanes
	total, n := 0.0, 0.0
	vectors := 0
	for _, b := range mainLoop(c.kernel) {
		for _, v := range b.Insts {
			if v.Op == vir.OpConst || v.Op == vir.OpPhi {
				continue
			}
			total += l.target.CostValue(v).Throughput
			n += math.Max(1, float64(l.target.Parts(dataType(v))))
			if v.Op.IsStore() {
				vectors++
			}
		}
	}
	chain := 0.0
	for _, s := range l.states {
		if s.red != nil {
			chain = math.Max(chain, l.vectorChain(s.red, lanes))
		}
	}
	cycles := math.Max(math.Max(total*0.6, n/issue), math.Max(chain, 1))
	cycles += l.spill(c) * 1.0
	return cycles / float64(lanes)
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
	return l.target.Cost(r.op, t).Latency
}

// spill estimates how many registers too many the main loop needs: accumulators,
// values that stay, and one block at work.
func (l *loop) spill(c *candidate) float64 {
	regs := 0
	for _, s := range l.states {
		if s.red != nil {
			regs += l.target.Parts(vir.Vec(s.red.main, c.stages[0].lanes))
		}
	}
	for _, v := range c.kernel.Fn.Entry().Insts {
		if v.Op == vir.OpBroadcast {
			regs++
		}
	}
	regs += l.pressure(c)
	return math.Max(0, float64(regs-l.target.VectorRegs))
}

// pressure is the largest number of registers that values of the main loop take
// at one time, when it is done part by part.
func (l *loop) pressure(c *candidate) int {
	most := 0
	for _, b := range mainLoop(c.kernel) {
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

// mainLoop is the blocks of the first stage.
func mainLoop(k *plan.Kernel) []*vir.Block {
	var out []*vir.Block
	in := false
	for _, b := range k.Fn.Blocks {
		if len(b.Phis()) > 0 && !in && len(out) == 0 {
			in = true
		}
		if in {
			out = append(out, b)
			if t := b.Term(); t.Op == vir.OpBr && t.Block.Succs[0] == out[0] {
				return out
			}
		}
	}
	return out
}

// finish fills in what the caller needs besides the code.
func (l *loop) finish(c *candidate) {
	k := c.kernel
	k.Block = int64(c.stages[0].lanes)
	k.Min = l.threshold(c)
	k.Strip = l.strip(c)
	k.Overlaps = l.dp.Overlaps(c.stages[0].lanes)
}

// threshold is the fewest iterations at which the kernel is certainly not slower
// than the scalar loop.
func (l *loop) threshold(c *candidate) int64 {
	last := c.stages[len(c.stages)-1].lanes
	scalar := l.scalarCost()
	overhead := callCycles + float64(len(c.stages)+len(l.bounds)+len(l.dp.Overlaps(c.vf*c.uf)))
	overhead += l.foldCycles(c)
	for n := int64(last); n < 4*int64(c.vf); n++ {
		rest := float64(n % int64(last))
		steps := float64(n/int64(c.vf)) + float64(len(c.stages))/2
		if float64(n)*scalar >= overhead+steps*c.cost*float64(c.vf)+rest*scalar {
			return max(n, int64(min(c.vf, 8)))
		}
	}
	return 4 * int64(c.vf)
}

// foldCycles is the latency of folding a register of lanes to one.
func (l *loop) foldCycles(c *candidate) float64 {
	chain := 0.0
	for _, s := range l.states {
		if s.red != nil {
			t := vir.Vec(s.red.lane, c.vf)
			chain = math.Max(chain, l.vectorChain(s.red, c.vf)+l.target.Cost(vir.OpSubvec, t).Latency/2)
		}
	}
	return chain * math.Log2(float64(c.vf)) / 2 // overlaps with the scalar code behind
}

// strip is the number of iterations that take about 50 µs when everything comes
// from memory, a power of two.
func (l *loop) strip(c *candidate) int64 {
	bytes := 0.0
	for _, a := range l.dp.Accesses {
		bytes += float64(a.Stream.Size)
	}
	ns := 2*c.cost/clock + bytes/4
	strip := int64(maxStrip)
	for _, s := range l.states {
		for s.red != nil && s.red.strip > 0 && strip > s.red.strip {
			strip /= 2
		}
	}
	for strip > int64(c.stages[0].lanes) && float64(strip)*ns > 50_000 {
		strip /= 2
	}
	return strip
}
