package scev

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Edges. What an iteration of the region's loop looks at around its own place, in loops inside, may lie beyond the
// first or the last element: comparisons and limits see to that. Between the edges comparisons have one outcome,
// and limits hold nothing back. The bounds under which that is so recur.

// Farthest bounds the numbers that are compared or counted from, and how far a loop inside of the region's runs: nothing wraps around.
const Farthest = 1 << 40

// A span is what a number goes through in one iteration of the region's loop.
type span struct {
	least, greatest *plan.Expr // from the current iteration on, as step says
	step            int64
	bounds          []plan.Bound
}

// spanOf is the span of v, nil unless it moves by a small step from iteration to iteration.
func (s *Info) spanOf(v *vir.Value) *span {
	n, ok := s.Nested(v)
	if !ok || Blockwise(n.Start) {
		return nil
	}
	x := &span{least: n.Start, greatest: n.Start, bounds: n.Wrap}
	for _, t := range n.Terms {
		if t.Step.Op != plan.ExprConst || max(t.Step.Const, -t.Step.Const) > maxStretchStep {
			return nil
		}
		if t.Loop == nil {
			x.step = t.Step.Const
			continue
		}
		last := s.Last(t.Loop)
		if last == nil || Blockwise(last) {
			return nil
		}
		x.bounds = append(x.bounds[:len(x.bounds):len(x.bounds)], plan.Bound{Start: last, Lo: plan.Const(-Farthest), Hi: plan.Const(Farthest)})
		end := &x.greatest
		if t.Step.Const < 0 {
			end = &x.least
		}
		*end = Simplify(plan.Add(*end, plan.Mul(last, t.Step)))
	}
	if x.step == 0 {
		return nil
	}
	return x
}

// above are the bounds under which x is at least lo, less more, and below those under which it is less than hi.
func (x *span) above(lo *plan.Expr, more int64) []plan.Bound {
	return append(x.bounds[:len(x.bounds):len(x.bounds)],
		plan.Bound{Start: Simplify(plan.Sub(x.least, plan.Const(more))), Step: x.step, Lo: lo, Hi: plan.Const(Farthest), Recurs: plan.Edges})
}

func (x *span) below(hi *plan.Expr) []plan.Bound {
	return append(x.bounds[:len(x.bounds):len(x.bounds)],
		plan.Bound{Start: x.greatest, Step: x.step, Lo: plan.Const(-Farthest), Hi: Simplify(hi), Recurs: plan.Edges})
}

// HeldBack is the operand of v, a minimum or maximum, that moves in the region's loop while the other one stays
// the same, and the bounds under which it is v.
func (s *Info) HeldBack(v *vir.Value) (x *vir.Value, while []plan.Bound, ok bool) {
	if v.Op != vir.OpSmin && v.Op != vir.OpSmax || v.Type != vir.Scalar(vir.I64) {
		return nil, nil, false
	}
	for i, x := range v.Args {
		limit, ok := s.Invariant(v.Args[1-i])
		if !ok {
			continue
		}
		if moves := s.spanOf(x); moves != nil && v.Op == vir.OpSmax {
			return x, moves.above(limit, 0), true
		} else if moves != nil {
			return x, moves.below(plan.Add(limit, plan.Const(1))), true
		}
	}
	return nil, nil, false
}

// Inside is what comparison v says between the edges, and the bounds under which it does. Constants are taken for
// first numbers, and what is known at run time only for ends.
func (s *Info) Inside(v *vir.Value) (holds bool, while []plan.Bound, ok bool) {
	if v.Op.Info().Rule != vir.RuleIntCmp || v.Op == vir.OpIcmpEq || v.Op == vir.OpIcmpNe || v.Args[0].Type != vir.Scalar(vir.I64) {
		return false, nil, false
	}
	r, ok := relationOf(condition{v: v})
	if !ok {
		return false, nil, false
	}
	limit, ok := s.Invariant(r.y)
	if !ok {
		r.cond, r.x, r.y = mirrored[r.cond], r.y, r.x
		limit, ok = s.Invariant(r.y)
	}
	if !ok {
		return false, nil, false
	}
	x := s.spanOf(r.x)
	if x == nil {
		return false, nil, false
	}
	if r.unsigned {
		return s.insideUnsigned(r, x, limit)
	}
	below := r.isBelow()
	if limit.Op != plan.ExprConst {
		return below, x.below(r.beyond(limit)), true
	}
	if r.beyondLimit() {
		return !below, x.above(limit, 1), true
	}
	return !below, x.above(limit, 0), true
}

// Below is what signed comparison v says while its operand i is less than end, where the other operand is limit.
func Below(v *vir.Value, i int, limit *plan.Expr) (holds bool, end *plan.Expr, ok bool) {
	equal := v.Op == vir.OpIcmpEq
	r, ok := relationOf(condition{v: v, negate: equal})
	if !ok || r.unsigned {
		return false, nil, false
	}
	if i == 1 {
		r.cond = mirrored[r.cond]
	}
	if r.cond == plan.NotEq {
		return !equal, limit, true
	}
	return r.isBelow(), Simplify(r.beyond(limit)), true
}

// isBelow reports whether r holds for the lesser numbers.
func (r relation) isBelow() bool { return r.cond == plan.Less || r.cond == plan.LessEq }

// beyondLimit reports whether the limit itself is on the side of less numbers.
func (r relation) beyondLimit() bool { return r.cond == plan.LessEq || r.cond == plan.Greater }

// beyond is the first number that is not on the side of less numbers.
func (r relation) beyond(limit *plan.Expr) *plan.Expr {
	if r.beyondLimit() {
		return plan.Add(limit, plan.Const(1))
	}
	return limit
}

// insideUnsigned is Inside for one comparison that looks at both ends.
func (s *Info) insideUnsigned(r relation, x *span, limit *plan.Expr) (holds bool, while []plan.Bound, ok bool) {
	if s.rangeOf(limit).lo < 0 {
		return false, nil, false
	}
	return r.isBelow(), append(x.above(plan.Const(0), 0), x.below(r.beyond(limit))...), true
}
