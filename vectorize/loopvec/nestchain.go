package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// An inner loop that reads what its last iteration has stored waits for that: for the
// way through the store buffer and for what is computed in between. That is more than
// the work itself takes mostly, and the reason why rows side by side pay even where
// their elements are far apart:
//
//	for j := range a {
//		for i := 1; i < len(a[j]); i++ {
//			a[j][i] = a[j][i-1]*a[j][i-1] + b[j][i]
//
// On Zen 5 an iteration of that loop takes 12 to 13 cycles, and 8 rows side by side, with
// loads and stores lane by lane, take 60.
const (
	forwarding = 5.0  // from a store to a load of the same place
	dealing    = 45.0 // to put registers together of single elements, and take them apart
)

// chains is the cycles that inner loops take for nothing but what is stored and loaded
// again, with lanes or without.
func (l *loop) chains(lanes bool) float64 {
	total := 0.0
	if !l.storesMidway() {
		return total
	}
	for _, f := range l.nest.stores.loops {
		if len(f.Children) == 0 {
			total += innerWeight(f.Depth-1) * l.memoryChain(f, lanes)
		}
	}
	return total
}

// leastTurns is how many iterations a loop must have for its lanes to be worth it, where
// they are put together of single elements. In shorter ones the processor begins with
// the next iteration around the loop before it has to wait.
const leastTurns = 32

// asksForTurns reports whether that holds for f.
func (l *loop) asksForTurns(f *loops.Loop) bool {
	spread := func(v *vir.Value) bool {
		return v.Op.IsStore() && f.Contains(v.Block) && l.localAddress(v) && l.innerForm(v).oneByOne()
	}
	return len(f.Children) == 0 && slices.ContainsFunc(l.insts, spread)
}

// longTurns is the count of a loop that has to have leastTurns iterations, where callers can tell: they need not try.
func (l *loop) longTurns() (t plan.Trip, ok bool) {
	if !l.storesMidway() {
		return t, false
	}
	for _, f := range l.nest.stores.loops {
		c, counts := l.sc.InnerCount(f)
		if !counts || l.turnsDiffer(f) || !l.asksForTurns(f) {
			continue
		}
		start, known := l.sc.Invariant(c.Start)
		limit, known2 := l.sc.Invariant(c.Limit)
		if known && known2 {
			return plan.Trip{Cond: c.Cond, Start: start, Limit: limit, Step: c.Step}, true
		}
	}
	return t, false
}

// memoryChain is the cycles per iteration of f.
func (l *loop) memoryChain(f *loops.Loop, lanes bool) float64 {
	longest := 0.0
	for _, s := range l.insts {
		for _, x := range l.insts {
			if !s.Op.IsStore() || !x.Op.IsLoad() || !f.Contains(s.Block) || !f.Contains(x.Block) {
				continue
			}
			n := l.iterationsApart(f, s, x)
			way, ok := l.way(f, x, s.Stored(), 0)
			if n <= 0 || !ok {
				continue
			}
			way += forwarding
			if lanes && l.innerForm(s).oneByOne() && l.localAddress(s) {
				way += dealing
			}
			longest = max(longest, way/float64(n))
		}
	}
	return longest
}

// iterationsApart is how many iterations of f later load x reads what store s has
// stored, in the same iteration of the loops around; 0 for never or not known.
func (l *loop) iterationsApart(f *loops.Loop, s, x *vir.Value) int64 {
	a, ok := l.sc.NestedAddress(s)
	b, ok2 := l.sc.NestedAddress(x)
	if !ok || !ok2 || s.Base() != x.Base() || len(a.Terms) != len(b.Terms) {
		return 0
	}
	differs := func(t scev.Term) bool {
		d, ok := scev.Diff(t.Step, b.Step(t.Loop))
		return !ok || d != 0
	}
	if slices.ContainsFunc(a.Terms, differs) {
		return 0
	}
	step := a.Step(f)
	if step.IsConst(0) {
		if d, ok := scev.Diff(a.Start, b.Start); ok && d == 0 {
			return 1
		}
		return 0
	}
	// b + n*step is a.
	n, c, ok := scev.Multiple(scev.Simplify(plan.Sub(a.Start, b.Start)), step)
	switch {
	case step.Op == plan.ExprConst:
		d, ok := scev.Diff(a.Start, b.Start)
		if !ok || d%step.Const != 0 {
			return 0
		}
		return d / step.Const
	case !ok || c != 0:
		return 0
	}
	return n
}

// way is the latency from load x to v, values of one iteration of f; not ok when v does
// not depend on x.
func (l *loop) way(f *loops.Loop, x, v *vir.Value, depth int) (cycles float64, ok bool) {
	if v == x {
		return 0, true
	}
	if depth > 32 || v.Op == vir.OpPhi || v.Block == nil || !f.Contains(v.Block) {
		return 0, false
	}
	for _, a := range v.Args {
		if c, found := l.way(f, x, a, depth+1); found {
			cycles, ok = max(cycles, c), true
		}
	}
	return cycles + l.latency(v), ok
}
