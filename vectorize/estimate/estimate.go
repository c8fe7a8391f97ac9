// Package estimate tells how long a function of vir takes, as far as its instructions
// say: what keeps the units of the machine busy, and what waits for what. Straight-line
// code with long chains of dependent operations takes as long as the chain, with lanes
// or without.
//
// The package knows vir and costs. It must not know regions or kernels.
package estimate

import (
	"maps"
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// Costs tells what a value costs, readers being the number of its users.
type Costs func(v *vir.Value, readers int) target.Cost

// laneLatency is the least latency of an operation on lanes of integers: 1 on Zen 4 and
// Intel's cores, 2 on Zen 5.
const laneLatency = 2

// Turns is how often loops are taken to turn of which that is not known.
const Turns = 32

// forwarding is the latency from a store to a load of the same bytes, in cycles.
const forwarding = 5

// A Time is what one run of a function takes, in cycles.
type Time struct {
	Busy    float64 // of units, if one instruction after the other took its reciprocal throughput
	Latency float64 // until the last result is there
}

// Shares of a time that are seen. Different units work at the same time, and the end of
// one run overlaps with the beginning of what follows. Measured with the examples on Zen
// 5, where they lie between 0.5 and 0.9.
const (
	busyShare    = 0.65
	latencyShare = 0.5
	// In a loop what an iteration leaves to the next one has nothing to overlap with.
	carriedShare = 0.8
)

// Cycles is the time that is seen.
func (t Time) Cycles() float64 { return max(busyShare*t.Busy, latencyShare*t.Latency) }

// Loop is the time that is seen when it is that of a loop which turns often, with so many
// cycles of work besides.
func (t Time) Loop(besides float64) float64 {
	return max(busyShare*t.Busy+besides, carriedShare*t.Latency)
}

// Of is the time of f, whose outermost loop turns once if it is said to. Other loops
// whose number of turns is not constant are taken to turn Turns times: what is compared must
// have the same loops.
func Of(f *vir.Func, costs Costs, once bool) Time {
	r := &run{f: f, costs: costs, once: once, uses: f.Uses(), forest: loops.Find(f), order: loops.RPO(f),
		ready: make(map[*vir.Value]float64), stored: make(map[string]cell)}
	r.blocks(nil)
	for _, b := range r.order {
		r.count(b)
	}
	return r.time
}

// Weights is how often blocks of f run.
func Weights(f *vir.Func) func(b *vir.Block) float64 {
	r := &run{forest: loops.Find(f)}
	return r.times
}

// A run is what is known of one run of a function.
type run struct {
	f      *vir.Func
	costs  Costs
	once   bool // the outermost loop turns once
	uses   map[*vir.Value][]*vir.Value
	forest *loops.Forest
	order  []*vir.Block

	time   Time
	ready  map[*vir.Value]float64
	stored map[string]cell // by address
}

// times is how often block b runs.
func (r *run) times(b *vir.Block) float64 {
	n := 1.0
	for l := r.forest.Of(b); l != nil; l = l.Parent {
		n *= r.turns(l)
	}
	return n
}

// count adds what block b keeps busy in all its turns. Nobody loads twice what nothing
// may have changed in between.
func (r *run) count(b *vir.Block) {
	n := r.times(b)
	var known memory
	for _, v := range b.Insts {
		if known.has(v) {
			continue
		}
		if c := r.costs(v, len(r.uses[v])).Throughput; c > 0 {
			r.time.Busy += n * c
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
		last = r.time.Latency
		r.blocks(l)
		r.next(l)
	}
	if n > samples {
		r.later((n - samples) * (r.time.Latency - last))
	}
}

// later moves everything that is known by so many cycles.
func (r *run) later(cycles float64) {
	r.time.Latency += cycles
	for v := range r.ready {
		r.ready[v] += cycles
	}
	for k, c := range r.stored {
		c.ready += cycles
		r.stored[k] = c
	}
}

// A cell is what was stored at an address.
type cell struct {
	at    alias.Form
	ready float64 // when
}

// next gives the variables of l what they have in the next turn. Addresses that change
// from turn to turn are others then.
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
	maps.DeleteFunc(r.stored, func(_ string, c cell) bool {
		return c.at.Uses(func(v *vir.Value) bool { return v.Block != nil && l.Contains(v.Block) })
	})
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
			if c, ok := r.stored[alias.FormOf(alias.Of(v)).Key()]; ok {
				at = max(at, c.ready+forwarding-r.costs(v, 1).Latency)
			}
		}
		at += r.delay(v)
		if v.Op.IsStore() {
			at := alias.FormOf(alias.Of(v))
			r.stored[at.Key()] = cell{at, r.ready[v.Stored()]}
		}
		r.ready[v] = at
		r.time.Latency = max(r.time.Latency, at)
	}
}

// delay is the latency of v.
func (r *run) delay(v *vir.Value) float64 {
	c := r.costs(v, len(r.uses[v])).Latency
	if v.Type.IsVector() && v.Type.Elem.IsInt() && 0 < c && c < laneLatency {
		return laneLatency
	}
	return c
}

// memory is the accesses of which it is known what they load.
type memory []*vir.Value

// has reports whether it is known what v loads, and notes what v accesses.
func (m *memory) has(v *vir.Value) bool {
	if !v.Op.IsLoad() && !v.Op.IsStore() {
		return false
	}
	same := func(w *vir.Value) bool { return alias.Compare(v, w) == alias.Equal && v.Access() == w.Access() }
	if v.Op.IsLoad() && slices.ContainsFunc(*m, same) {
		return true
	}
	if v.Op.IsStore() {
		*m = slices.DeleteFunc(*m, func(w *vir.Value) bool { return alias.Compare(v, w) != alias.Disjoint })
	}
	*m = append(*m, v)
	return false
}

// turns is how often loop l turns, Turns if that is not a small constant known from its
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
	return Turns
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
