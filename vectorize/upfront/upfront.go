// Package upfront asks conditions by which a loop ends, and which are known before it, in front of the loop:
//
//	for i := 0; i < n && k > 0; i += k {         bound: 1 <= k
//		...                              ==>     for i := 0; i < n; i += k {
//	}                                                ...
//
// Where the bound does not hold the kernel does nothing, and the loop as written ends at once.
//
// Requires: a region as the frontend makes it, where such a condition is an exit of the body.
//
// Not handled: conditions that are no comparison of integers, and that two numbers differ, which bounds do not express; exits
// that some iterations do not come to.
package upfront

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Split is r without these exits, and the bounds that must hold before the loop; nil when there are none.
func Split(r *plan.Region) (*plan.Region, []plan.Bound) {
	if !slices.ContainsFunc(slices.Collect(r.Fn.Values), func(v *vir.Value) bool { return v.Op == vir.OpExit }) {
		return nil, nil
	}
	c := *r
	c.Fn = r.Fn.Clone()
	sc := scev.New(&c)
	dom, latch := loops.DomTree(c.Fn), plan.Latch(c.Fn)
	var bounds []plan.Bound
	for _, b := range c.Fn.Blocks {
		if !dom.Dominates(b, latch) {
			continue
		}
		for i := len(b.Insts) - 1; i >= 0; i-- {
			v := b.Insts[i]
			if v.Op != vir.OpExit || v.Masked {
				continue
			}
			if more, ok := holds(sc, v.Args[0], false); ok {
				bounds = append(bounds, more...)
				v.Remove()
			}
		}
	}
	if bounds == nil {
		return nil, nil
	}
	return &c, bounds
}

// holds are the bounds for condition v to have that outcome.
func holds(sc *scev.Info, v *vir.Value, outcome bool) ([]plan.Bound, bool) {
	switch {
	case v.Op == vir.OpNot:
		return holds(sc, v.Args[0], !outcome)
	case v.Op == vir.OpAnd && outcome, v.Op == vir.OpOr && !outcome:
		x, ok := holds(sc, v.Args[0], outcome)
		y, ok2 := holds(sc, v.Args[1], outcome)
		return append(x, y...), ok && ok2
	case v.Op.Info().Rule != vir.RuleIntCmp:
		return nil, false
	}
	x, ok := sc.Invariant(v.Args[0])
	y, ok2 := sc.Invariant(v.Args[1])
	if !ok || !ok2 || v.Args[0].Type != vir.Scalar(vir.I64) || x.Loads() || y.Loads() {
		return nil, false
	}
	least, most := plan.Const(math.MinInt64), plan.Const(math.MaxInt64) // of which most itself holds for no bound
	var b plan.Bound
	switch {
	case v.Op == vir.OpIcmpSlt && outcome:
		b = plan.Bound{Start: x, Lo: least, Hi: y}
	case v.Op == vir.OpIcmpSlt:
		b = plan.Bound{Start: x, Lo: y, Hi: most}
	case v.Op == vir.OpIcmpSle && outcome:
		b = plan.Bound{Start: y, Lo: x, Hi: most}
	case v.Op == vir.OpIcmpSle:
		b = plan.Bound{Start: y, Lo: least, Hi: x}
	case v.Op == vir.OpIcmpEq && outcome, v.Op == vir.OpIcmpNe && !outcome:
		b = plan.Bound{Start: x, Lo: y, Hi: scev.Simplify(plan.Add(y, plan.Const(1)))} // which wraps to one that never holds
	default:
		return nil, false
	}
	return []plan.Bound{b}, true
}
