package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir/plan"
)

// Lanes that are rows, loaded and stored one by one, use a line of the cache each from one iteration of the loop inside to the next
// one. Where rows are a multiple of a large power of two apart, the lines belong to few sets, from which they push each other
// before all of their elements have been used. The loop as written uses one row at a time.

// A first-level cache has sets for so many bytes, of so many lines each: of Zen 4 and before; others have more.
const (
	setBytes = 4096
	setLines = 8
)

// tooMany is how many times as many lines as there is room for are clearly too many.
const tooMany = 1.5

// conflicts is the bound that rows are not a multiple of so much apart that lines are pushed out, if that may be.
func (l *loop) conflicts(lanes int64) (b plan.Bound, ok bool) {
	if !l.storesMidway() {
		return b, false // rows that are read only are read several elements at a time
	}
	var row *plan.Expr
	var streams []int
	for _, v := range l.insts {
		if l.sc.Depth(v) == 0 || l.innerForm(v) != innerSpread {
			continue
		}
		n, known := l.sc.NestedAddress(v)
		if !known {
			return b, false
		}
		step := n.Step(nil)
		if step.Op == plan.ExprConst || row != nil && !row.Same(step) {
			return b, false
		}
		row = step
		if p := l.dp.Access(v).Stream.Param; !slices.Contains(streams, p) {
			streams = append(streams, p)
		}
	}
	if row == nil {
		return b, false
	}
	lines := lanes * int64(len(streams))
	apart := int64(1)
	for float64(lines*apart) <= tooMany*setLines*setBytes {
		apart *= 2
	}
	if apart > setBytes {
		return b, false
	}
	return plan.Bound{Start: plan.And(row, plan.Const(apart-1)), Lo: plan.Const(1), Hi: plan.Const(apart)}, true
}
