package jump

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Comparisons of the counter that only the last iterations make otherwise, or none:
//
//	if x+1 < len(row) && row[x+1] == c { n++ }      if row[x+1] == c { n++ }
//
// The caller does those iterations.

// mostLast is how many of the last iterations may be left to the caller.
const mostLast = 8

// Ends is r, without loops inside, as it is before its last iterations, and the bounds on which that rests, if it has
// any; nil where no comparison makes them special, nor is decided by where the counter starts and ends.
func Ends(r *plan.Region) (*plan.Region, []plan.Bound) {
	if r.Once || !slices.ContainsFunc(r.Fn.Blocks[2:], comparesIntegers) || len(loops.Find(r.Fn).All) != 1 {
		return nil, nil
	}
	c := *r
	c.Fn = r.Fn.Clone()
	sc := scev.New(&c)
	trip, _, err := sc.Trip()
	if err != nil || trip.Step != 1 || trip.Unsigned || trip.Cond != plan.Less && trip.Cond != plan.LessEq {
		return nil, nil
	}
	e := &ender{region: &c, sc: sc, trip: trip}
	for _, b := range c.Fn.Blocks[2:] {
		for _, v := range b.Insts {
			if isComparison(v) {
				e.compare(v)
			}
		}
	}
	if !e.decided {
		return nil, nil
	}
	edit.Fold(c.Fn)
	return &c, e.bounds
}

func comparesIntegers(b *vir.Block) bool { return slices.ContainsFunc(b.Insts, isComparison) }

// isComparison reports whether v compares numbers that counters may be.
func isComparison(v *vir.Value) bool {
	return v.Op.Info().Rule == vir.RuleIntCmp && v.Args[0].Type == vir.Scalar(vir.I64)
}

type ender struct {
	region  *plan.Region
	sc      *scev.Info
	trip    plan.Trip
	bounds  []plan.Bound
	decided bool
}

// compare decides v if the last iterations find out otherwise than all before, or nothing else is found out.
func (e *ender) compare(v *vir.Value) {
	for i, x := range v.Args {
		limit, ok := e.sc.Invariant(v.Args[1-i])
		a, ok2 := e.sc.Affine(x)
		if !ok || !ok2 || a.Step != 1 || len(a.Wrap) > 0 {
			continue
		}
		holds, end, ok := scev.Below(v, i, limit)
		if !ok {
			return
		}
		equal := v.Op == vir.OpIcmpEq || v.Op == vir.OpIcmpNe
		if first, ok := e.first(a); ok && end.Op == plan.ExprConst && (first > end.Const || first == end.Const && !equal) {
			e.decide(v, holds == equal) // behind the one number that compares equal both ways are alike again
			return
		}
		last, whole, ok := e.last(a.Start, end)
		if !ok || last > mostLast {
			return
		}
		if !whole { // sums may wrap around
			e.bounds = append(e.bounds, plan.Bound{Start: a.Start, Step: 1, Lo: plan.Const(math.MinInt64), Hi: end, Ends: last > 0})
		}
		e.decide(v, holds)
		return
	}
}

// first is what a begins with, as far as it is known and of a usual size.
func (e *ender) first(a scev.Affine) (int64, bool) {
	first, ok := e.region.Begin(a.Start)
	return first, ok && -scev.Farthest < first && first < scev.Farthest
}

func (e *ender) decide(v *vir.Value, holds bool) {
	v.Op, v.Args, v.Bits = vir.OpConst, nil, []uint64{0}
	if holds {
		v.Bits[0] = 1
	}
	e.decided = true
}

// last is how many iterations there are from the one on in which a number that starts with start is end, none if less
// than 1. It is the whole loop condition if that says that the number is less than end.
func (e *ender) last(start, end *plan.Expr) (n int64, whole, ok bool) {
	ahead, ok := scev.Diff(start, e.trip.Start)
	left, ok2 := scev.Diff(e.trip.Limit, end)
	whole = ahead == 0 && left == 0 && e.trip.Cond == plan.Less
	if e.trip.Cond == plan.LessEq {
		left++
	}
	return ahead + left, whole, ok && ok2
}
