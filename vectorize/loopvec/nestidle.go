package loopvec

import (
	"math"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Lanes that have left an inner loop wait for the last one. What that costs is known
// when the data is: so the kernel keeps an account. One in lookEvery times that it
// comes to the head of such a loop it looks how many lanes are still in, adds what
// the scalar loop would have taken for them, and takes off what the block takes:
//
//	head:    %fuel' = sub %fuel, 1
//	         br (%fuel' & 63 = 0), look, on
//	on:      ...
//
//	look:    credit += scalar * count(%active) - block      behind everything else
//	         br (credit < debt), idle, rich
//	rich:    ...; jmp on
//	idle:    first word of the state = plan.Idle            end of the call
//
// The credit stays in the caller's memory from call to call. It is limited, so that a
// long good run does not pay for a long bad one.
//
// The scalar loop takes less per turn when turns are few: the processor begins with the
// next iteration before one is through, unless that has more turns than it sees ahead.
// So what a lane is worth depends on how long the block has been at it.
//
// Where estimates are bad, the original shall win rather than the kernel: it takes its
// branches without fault, and the kernel a bit longer than it should.
const (
	lookEvery = 64
	mostDebt  = 2.0  // in looks at a block without lanes
	mostRich  = 16.0 // as well
	idleUnit  = 8.0  // of the account, per cycle

	scalarFault = 0.8  // of the estimate for the scalar loop
	blockFault  = 1.15 // of that for a block
	seenAhead   = 224  // instructions that a processor has in flight
)

// lookFuel is the fuel that a kernel spends from one look at its account to the next.
func (e *emitter) lookFuel() int64 {
	if e.l.u.Brief {
		return 4
	}
	return lookEvery
}

// creditAt is where the account is in the caller's memory, behind the first word.
const creditAt = 8

// A lookCost is what is not known before the kernel is written: what one time through
// an inner loop takes.
type lookCost struct {
	head, on    *vir.Block // in the region, and where the loop goes on in the kernel
	lanes       int
	lane, block turnConst
	least, most *vir.Value // of the account
}

// A turnConst is the cost of a turn of a loop as constants of the kernel: in runs of
// up to so many turns, and in longer ones.
type turnConst struct{ short, ahead, long *vir.Value }

// A turnCost is that in cycles.
type turnCost struct{ short, ahead, long float64 }

// waiters is the phi of the loop with the given head which tells what lanes are still
// in; nil when all leave together.
func (e *emitter) waiters(head *vir.Block) *vir.Value {
	l := e.l
	f := l.nest.forest.Of(head)
	for _, phi := range head.Phis() {
		if phi.Type.Elem != vir.Bool || !l.demand[phi] || l.uniform(phi) || len(head.Preds) != 2 {
			continue
		}
		for k, p := range head.Preds {
			if f.Contains(p) && e.decides(f, phi.Args[k]) {
				return phi
			}
		}
	}
	return nil
}

// decides reports whether loop f goes on while c holds for some lane.
func (e *emitter) decides(f *loops.Loop, c *vir.Value) bool {
	for _, b := range f.Blocks {
		if t := b.Term(); t.Op == vir.OpBr && t.Args[0] == c && e.l.nest.forest.Of(b) == f && !e.l.uniform(c) {
			return true
		}
	}
	return false
}

// keepsAccount reports whether lanes may wait for others.
func (e *emitter) keepsAccount() bool {
	for _, b := range e.l.blocks {
		if f := e.l.nest.forest.Of(b); f != nil && f.Header == b && f.Depth > 1 && e.waiters(b) != nil {
			return true
		}
	}
	return false
}

// look asks every so often whether the lanes of the loop are worth it, and whether
// there is fuel left.
func (n *nestWriter) look(head *vir.Block, active *vir.Value) {
	e, i64 := n.e, n.fuel.Type
	look, on := n.split(), n.split()
	rest := n.b.Op(vir.OpAnd, i64, n.fuel, n.b.Int(i64, e.lookFuel()-1))
	n.b.Br(n.b.Cmp(vir.OpIcmpEq, rest, n.b.Int(i64, 0)), look, on)

	from := len(e.f.Blocks)
	e.place(n.b, look)
	unknown := func() *vir.Value { return n.b.Int(i64, 0) }
	turn := func() turnConst { return turnConst{unknown(), unknown(), unknown()} }
	c := lookCost{head: head, on: on, lanes: n.lanes, lane: turn(), block: turn(), least: unknown(), most: unknown()}
	e.looks = append(e.looks, c)
	turns := n.b.Op(vir.OpSub, i64, n.tank, n.fuel)
	now := func(c turnConst) *vir.Value {
		return n.b.Op(vir.OpSelect, i64, n.b.Cmp(vir.OpIcmpSlt, c.ahead, turns), c.long, c.short)
	}
	credit := vir.Addr{Base: e.state, Disp: creditAt}
	x := n.b.Load(vir.OpLoad, i64, credit, nil)
	x = n.b.Op(vir.OpAdd, i64, x, n.b.Op(vir.OpMul, i64, n.b.Op(vir.OpCount, i64, n.vec[active]), now(c.lane)))
	x = n.b.Op(vir.OpSub, i64, x, now(c.block))
	x = n.b.Op(vir.OpSmin, i64, x, c.most)
	n.b.Store(vir.OpStore, x, credit, nil)
	idle, rich := n.split(), n.split()
	n.b.Br(n.b.Cmp(vir.OpIcmpSlt, x, c.least), idle, rich)
	e.place(n.b, idle)
	n.b.Store(vir.OpStore, n.b.Int(i64, 0), credit, nil)
	n.b.Store(vir.OpStore, n.b.Int(i64, plan.Idle), vir.Addr{Base: e.state}, nil)
	n.stop(n.fuel)
	e.place(n.b, rich)
	n.spent(head)
	n.b.Jmp(on)
	for _, b := range e.f.Blocks[from:] {
		e.rare = append(e.rare, b)
		delete(e.depths, b)
	}
	e.place(n.b, on)
}

// sinkRare moves what seldom runs out of the way of loops.
func (e *emitter) sinkRare() {
	rare := make(map[*vir.Block]bool)
	for _, b := range e.rare {
		rare[b] = true
	}
	kept := e.f.Blocks[:0:0]
	for _, b := range e.f.Blocks {
		if !rare[b] {
			kept = append(kept, b)
		}
	}
	e.f.Blocks = append(kept, e.rare...)
}

// setLooks fills in what the looks count with.
func (e *emitter) setLooks() {
	if len(e.looks) == 0 {
		return
	}
	forest := loops.Find(e.f)
	rare := make(map[*vir.Block]bool)
	for _, b := range e.rare {
		rare[b] = true
	}
	for _, c := range e.looks {
		var blocks []*vir.Block
		for _, b := range forest.Of(c.on).Blocks {
			if forest.Of(b) == forest.Of(c.on) && !rare[b] {
				blocks = append(blocks, b)
			}
		}
		block, lane := e.l.vectorTurn(blocks).times(blockFault), e.l.scalarTurn(c.head).times(scalarFault)
		// With all lanes in, the kernel is what has been chosen.
		lane.short = max(lane.short, block.short/float64(c.lanes))
		lane.long = max(lane.long, block.long/float64(c.lanes), lane.short)
		lane.set(c.lane)
		block.set(c.block)
		setConst(c.least, -mostDebt*idleUnit*block.long)
		setConst(c.most, mostRich*idleUnit*block.long)
	}
}

func (t turnCost) times(f float64) turnCost { return turnCost{t.short * f, t.ahead, t.long * f} }

func (t turnCost) set(c turnConst) {
	setConst(c.short, idleUnit*t.short)
	setConst(c.ahead, t.ahead)
	setConst(c.long, idleUnit*t.long)
}

func setConst(v *vir.Value, x float64) { v.Bits = []uint64{uint64(int64(math.Round(x)))} }

// scalarTurn is a turn of the inner loop with the given head in the scalar code, leaving
// out loops inside of it. Branches are taken to be predicted.
func (l *loop) scalarTurn(head *vir.Block) turnCost {
	f, n, total, slow := l.nest.forest.Of(head), 0.0, 0.0, 0.0
	var blocks []*vir.Block
	for _, b := range f.Blocks {
		if l.nest.forest.Of(b) != f {
			continue
		}
		blocks = append(blocks, b)
		for _, v := range b.Insts {
			n += instructions(v)
			t := l.throughput(v)
			total += t
			if t > 1 {
				slow += t
			}
		}
	}
	short := max(1, n/scalarIssue, total*longOverlap, slow)
	long := max(short, l.chain(blocks, func(v *vir.Value) []*vir.Value {
		if v.Op == vir.OpSelect {
			return v.Args[1:] // a branch
		}
		return v.Args
	}))
	return turnCost{short, seenAhead / max(n, 1), long}
}

// vectorTurn is a turn of the blocks of an inner loop of the kernel.
func (l *loop) vectorTurn(blocks []*vir.Block) turnCost {
	short, n := 0.0, 0.0
	for _, b := range blocks {
		short += l.blockCost([]*vir.Block{b}) / l.weight(b)
		for _, v := range b.Insts {
			if !free(v) {
				n += max(1, float64(l.target.Parts(dataType(v))))
			}
		}
	}
	return turnCost{short, seenAhead / max(n, 1), max(short, l.chain(blocks, func(v *vir.Value) []*vir.Value { return v.Args }))}
}

// chain is the cycles from one iteration of a loop of the given blocks to the next,
// bound by the latency of what its phis depend on.
func (l *loop) chain(blocks []*vir.Block, reads func(*vir.Value) []*vir.Value) float64 {
	const rounds = 8
	inside := make(map[*vir.Block]bool)
	for _, b := range blocks {
		inside[b] = true
	}
	ready := make(map[*vir.Value]float64)
	longest := func(of []*vir.Value) float64 {
		t := 0.0
		for _, a := range of {
			t = max(t, ready[a])
		}
		return t
	}
	round := func() float64 {
		next, last := make(map[*vir.Value]float64), 0.0
		for _, b := range blocks {
			for _, v := range b.Insts {
				switch {
				case v.Op.Info().Term, v.Op == vir.OpConst:
				case v.Op == vir.OpPhi:
					for k, p := range v.Block.Preds {
						if inside[p] {
							next[v] = max(next[v], ready[v.Args[k]])
						}
					}
				default:
					next[v] = -1
				}
			}
		}
		for v, t := range next {
			if v.Op == vir.OpPhi {
				ready[v] = t
				last = max(last, t)
			}
		}
		for _, b := range blocks {
			for _, v := range b.Insts {
				if _, ok := next[v]; !ok || v.Op == vir.OpPhi {
					continue
				}
				ready[v] = longest(reads(v)) + l.latency(v)
			}
		}
		return last
	}
	var half float64
	for k := range rounds + 1 {
		t := round()
		if k == rounds/2 {
			half = t
		}
		if k == rounds {
			return (t - half) / (rounds / 2)
		}
	}
	return 0
}

// latency is that of v in a chain, where branches are predicted.
func (l *loop) latency(v *vir.Value) float64 {
	switch {
	case free(v), v.Op.IsStore(), v.Op.IsCheck(), v.Op == vir.OpSelect:
		return 0
	case !v.Type.IsVector() && v.Type.Elem.IsInt() && len(v.Args) > 0:
		return l.scalarLatency(v)
	}
	return l.target.CostValue(v).Latency
}

// What the compiler makes of operations with constants.
const (
	shiftLatency  = 1.0
	extendLatency = 1.0
	divideLatency = 5.0 // a multiplication and a shift
)

func (l *loop) scalarLatency(v *vir.Value) float64 {
	last := v.Args[len(v.Args)-1]
	switch {
	case v.Op == vir.OpTrunc:
		return 0
	case v.Op == vir.OpSext, v.Op == vir.OpZext:
		return extendLatency
	case last.Op != vir.OpConst: // see below
	case v.Op == vir.OpMul:
		return 2 * shiftLatency // small ones are additions
	case vir.OpShl <= v.Op && v.Op <= vir.OpRotl:
		return shiftLatency
	case vir.OpSdiv <= v.Op && v.Op <= vir.OpUrem:
		return divideLatency
	}
	return l.target.CostValue(v).Latency
}
