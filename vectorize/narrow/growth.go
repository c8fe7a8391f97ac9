package narrow

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A variable of a loop inside stays in a range where no turn adds much to it and there are not many turns:
//
//	if c { n++ }                       n fits 31 bits in the first 1<<31 - 2 turns
//	if c { last = n + 1; n++ }         so does last, which is set to n

// enoughTurns is how often a loop has to be able to turn before a sum leaves its range; the kernel does not run
// for more.
const enoughTurns = 1 << 20

// growth is where v begins, and what a turn may add to it: to itself, or where it is set to other variables of its loop, where any
// of them begins, and what a turn adds to any. It is nothing where that is not known.
func (n *narrower) growth(v *variable, all []*variable) (start, d ranges.Range) {
	if len(v.phi.Args) != 2 {
		return start, d
	}
	latch := v.phi.Block.PredIndex(v.loop.Latches[0])
	start = n.ranges.Of(v.phi.Args[1-latch])
	if own, ok := n.step(v.phi.Args[latch], func(x *vir.Value) bool { return x == v.phi }); ok {
		return start, own
	}
	in := func(x *vir.Value) bool { return v.isBeside(x, all) }
	for _, phi := range v.phi.Block.Phis() {
		if !in(phi) {
			continue
		}
		more, ok := n.step(phi.Args[latch], in)
		if !ok {
			return start, ranges.Range{}
		}
		d = ranges.Range{SLo: min(d.SLo, more.SLo), SHi: max(d.SHi, more.SHi)}
		first := n.ranges.Of(phi.Args[1-latch])
		start.SLo, start.SHi = min(start.SLo, first.SLo), max(start.SHi, first.SHi)
	}
	return start, d
}

// isBeside reports whether x is a variable of v's loop that is in a range, too.
func (v *variable) isBeside(x *vir.Value, all []*variable) bool {
	return slices.ContainsFunc(all, func(u *variable) bool { return u.phi == x && u.loop == v.loop && u.form < modulo })
}

// grows reports whether v stays in its range because its loop does not turn often enough: the largest of the variables that are set
// to each other grows by no more than what a turn adds to one of them.
func (n *narrower) grows(sc *scev.Info, v *variable, all []*variable, w int) bool {
	start, d := n.growth(v, all)
	if d == (ranges.Range{}) {
		return false
	}
	lo, hi := v.in(w)
	if start.SLo < lo || start.SHi > hi {
		return false
	}
	turns := int64(1) << 62
	if d.SHi > 0 {
		turns = min(turns, (hi-start.SHi)/d.SHi)
	}
	if d.SLo < 0 {
		turns = min(turns, (start.SLo-lo)/-max(d.SLo, -1<<62))
	}
	last := sc.Last(v.loop)
	switch {
	case last == nil:
		return false
	case last.Op == plan.ExprConst:
		return last.Const < turns
	case turns < enoughTurns:
		return false
	}
	v.growth = &plan.Bound{Start: last, Lo: plan.Const(-1 << 62), Hi: plan.Const(turns)}
	return true
}

// step is the range of what is added to variables, where v is what becomes of one of them.
func (n *narrower) step(v *vir.Value, isVariable func(*vir.Value) bool) (r ranges.Range, ok bool) {
	if isVariable(v) {
		return ranges.Range{}, true
	}
	switch v.Op {
	case vir.OpAdd:
		for i, x := range v.Args {
			if d, ok := n.step(x, isVariable); ok {
				return exactSum(d, n.ranges.Of(v.Args[1-i]), 1)
			}
		}
	case vir.OpSub:
		if d, ok := n.step(v.Args[0], isVariable); ok {
			return exactSum(d, n.ranges.Of(v.Args[1]), -1)
		}
	case vir.OpSelect:
		x, ok := n.step(v.Args[1], isVariable)
		y, ok2 := n.step(v.Args[2], isVariable)
		return ranges.Range{SLo: min(x.SLo, y.SLo), SHi: max(x.SHi, y.SHi)}, ok && ok2
	}
	return r, false
}

// exactSum is x + sign*y as signed numbers, if that is small.
func exactSum(x, y ranges.Range, sign int64) (ranges.Range, bool) {
	if !y.FitsS(32) {
		return ranges.Range{}, false
	}
	lo, hi := sign*y.SLo, sign*y.SHi
	sum := ranges.Range{SLo: x.SLo + min(lo, hi), SHi: x.SHi + max(lo, hi)}
	return sum, sum.FitsS(48)
}
