// Package estimate tells how long a function of vir takes, as far as its instructions
// say: what keeps the units of the machine busy, and what waits for what. Straight-line
// code with long chains of dependent operations takes as long as the chain, with lanes
// or without.
//
// The package knows vir and costs. It must not know regions or kernels.
package estimate

import (
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// Costs tells what a value costs, readers being the number of its users.
type Costs func(v *vir.Value, readers int) target.Cost

// window is the number of instructions that a machine looks at at once. Chains in code
// that is shorter overlap with what comes before and behind it.
const window = 192

// manyTurns is how often loops are taken to turn of which that is not known.
const manyTurns = 32

// forwarding is the latency from a store to a load of the same bytes, in cycles.
const forwarding = 5

// Cycles is the time of one run of f, whose outermost loop turns once if it is said to.
// Other loops whose number of turns is not constant are
// taken to turn 32 times: what is compared must have the same loops.
func Cycles(f *vir.Func, costs Costs, once bool) float64 {
	return of(f, costs, once).cycles()
}

// A run is what is known of one run of a function.
type run struct {
	f      *vir.Func
	costs  Costs
	once   bool // the outermost loop turns once
	uses   map[*vir.Value][]*vir.Value
	forest *loops.Forest
	order  []*vir.Block

	busy    float64 // cycles in which units work
	insts   float64 // instructions done
	ready   map[*vir.Value]float64
	stored  map[string]float64 // when what is at an address is ready
	latency float64            // until everything is done
}

func of(f *vir.Func, costs Costs, once bool) *run {
	r := &run{f: f, costs: costs, once: once, uses: f.Uses(), forest: loops.Find(f), order: loops.RPO(f),
		ready: make(map[*vir.Value]float64), stored: make(map[string]float64)}
	r.blocks(nil)
	for _, b := range r.order {
		r.count(b)
	}
	return r
}

func (r *run) cycles() float64 {
	return max(r.busy, r.latency*(1-window/max(window, r.insts)))
}

// count adds what block b keeps busy in all its turns.
func (r *run) count(b *vir.Block) {
	n := 1.0
	for l := r.forest.Of(b); l != nil; l = l.Parent {
		n *= r.turns(l)
	}
	for _, v := range b.Insts {
		if c := r.costs(v, len(r.uses[v])).Throughput; c > 0 {
			r.busy += n * c
			r.insts += n
		}
	}
}

// samples is the number of turns of a loop that are followed one by one.
const samples = 5

// blocks follows what waits for what through the blocks of loop l, or of the function,
// once.
func (r *run) blocks(l *loops.Loop) {
	for _, b := range r.order {
		inner := r.forest.Of(b)
		switch {
		case inner == l:
			r.block(b)
		case inner != nil && inner.Parent == l && inner.Header == b:
			r.loop(inner)
		}
	}
}

// loop follows some turns, and takes the others to be like the last of them.
func (r *run) loop(l *loops.Loop) {
	n := r.turns(l)
	last := 0.0
	for k := 0.0; k < n && k < samples; k++ {
		last = r.latency
		r.blocks(l)
		r.next(l)
	}
	if n > samples {
		r.later((n - samples) * (r.latency - last))
	}
}

// later moves everything that is known by so many cycles.
func (r *run) later(cycles float64) {
	r.latency += cycles
	for v := range r.ready {
		r.ready[v] += cycles
	}
	for k := range r.stored {
		r.stored[k] += cycles
	}
}

// next gives the variables of l what they have in the next turn.
func (r *run) next(l *loops.Loop) {
	phis := l.Header.Phis()
	times := make([]float64, len(phis))
	for i, v := range phis {
		for k, p := range l.Header.Preds {
			if l.Contains(p) {
				times[i] = max(times[i], r.ready[v.Args[k]])
			}
		}
	}
	for i, v := range phis {
		r.ready[v] = times[i]
	}
}

// block follows the values of b.
func (r *run) block(b *vir.Block) {
	for _, v := range b.Insts {
		if v.Op == vir.OpPhi && r.forest.Of(b) != nil && r.forest.Of(b).Header == b {
			if _, known := r.ready[v]; known {
				continue
			}
		}
		at := 0.0
		for _, a := range v.Args {
			at = max(at, r.ready[a])
		}
		if v.Op.IsLoad() {
			if t, ok := r.stored[alias.FormOf(alias.Of(v)).Key()]; ok {
				at = max(at, t+forwarding-r.costs(v, 1).Latency)
			}
		}
		at += r.costs(v, len(r.uses[v])).Latency
		if v.Op.IsStore() {
			r.stored[alias.FormOf(alias.Of(v)).Key()] = r.ready[v.Stored()]
		}
		r.ready[v] = at
		r.latency = max(r.latency, at)
	}
}

// turns is how often loop l turns, manyTurns if that is not a small constant known from its
// counter.
func (r *run) turns(l *loops.Loop) float64 {
	if r.once && l.Parent == nil {
		return 1
	}
	for _, x := range l.Exits {
		c := x.From.Term()
		if c.Op != vir.OpBr {
			continue
		}
		if n, ok := counted(l, c.Args[0]); ok {
			return max(n, 1)
		}
	}
	return manyTurns
}

// counted is the number of turns for which condition c of loop l holds: a comparison of
// a counter with a constant.
func counted(l *loops.Loop, c *vir.Value) (float64, bool) {
	if c.Op != vir.OpIcmpSlt && c.Op != vir.OpIcmpUlt && c.Op != vir.OpIcmpNe {
		return 0, false
	}
	limit, ok := c.Args[1].ConstInt()
	counter := c.Args[0]
	if counter.Op == vir.OpAdd { // behind the body
		counter = counter.Args[0]
	}
	if !ok || counter.Op != vir.OpPhi || counter.Block != l.Header {
		return 0, false
	}
	var first, step int64
	for k, p := range l.Header.Preds {
		a := counter.Args[k]
		if !l.Contains(p) {
			if first, ok = a.ConstInt(); !ok {
				return 0, false
			}
		} else if a.Op != vir.OpAdd || a.Args[0] != counter {
			return 0, false
		} else if step, ok = a.Args[1].ConstInt(); !ok || step == 0 {
			return 0, false
		}
	}
	return float64((limit - first) / step), true
}
