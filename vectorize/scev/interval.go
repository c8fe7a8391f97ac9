package scev

import (
	"math"

	"github.com/lanewise/lanewise/vir/plan"
)

// An interval is the numbers from lo to hi, both included.
type interval struct{ lo, hi int64 }

var everything = interval{math.MinInt64, math.MaxInt64}

func (r interval) contains(x interval) bool { return r.lo <= x.lo && x.hi <= r.hi }

// plus is the sums of both; everything when one may overflow.
func (r interval) plus(x interval) interval {
	lo, ok1 := addExact(r.lo, x.lo)
	hi, ok2 := addExact(r.hi, x.hi)
	if !ok1 || !ok2 {
		return everything
	}
	return interval{lo, hi}
}

func addExact(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

// typeRange is the values of an integer of fewer than 64 bits.
func typeRange(bits int, signed bool) interval {
	if signed {
		return interval{-1 << (bits - 1), 1<<(bits-1) - 1}
	}
	return interval{0, 1<<bits - 1}
}

// rangeOf is what is known of the value of an expression as a signed number.
func (s *Info) rangeOf(e *plan.Expr) interval {
	l := linearOf(e)
	r := interval{l.k, l.k}
	for _, t := range l.terms {
		x := s.atomRange(t.atom)
		switch t.coef {
		case 1:
			r = r.plus(x)
		case -1:
			if x.lo == math.MinInt64 {
				return everything
			}
			r = r.plus(interval{-x.hi, -x.lo})
		default:
			return everything
		}
	}
	return r
}

func (s *Info) atomRange(e *plan.Expr) interval {
	switch e.Op {
	case plan.ExprSext:
		return typeRange(e.Bits, true)
	case plan.ExprZext:
		return typeRange(e.Bits, false)
	case plan.ExprParam:
		if s.lens[e.Param] {
			return interval{0, math.MaxInt64}
		}
	}
	return everything
}

// staysIn decides whether a narrow value x stays in the range r of its type in
// all iterations that the trip count allows; it returns the exact start value
// then, else nil. Let u be the induction of the trip count: when x and u have
// the same step and start values that differ by a constant c modulo the width
// of x, then x is u + c, in exact arithmetic, if that lies in r.
func (s *Info) staysIn(x *Affine, r interval) *plan.Expr {
	if s.count == nil || s.count.refusal != nil || s.count.Step != x.Step {
		return nil
	}
	start := linearOf(s.count.Start)
	d := lowBits(linearOf(x.Start), x.Width).plus(lowBits(start, x.Width), -1)
	if len(d.terms) != 0 {
		return nil
	}
	c := signExtend(d.k, x.Width)
	for _, c := range []int64{c, c + 1<<x.Width} {
		if r.contains(s.count.values.plus(interval{c, c})) {
			return plan.Add(s.count.Start, plan.Const(c))
		}
	}
	return nil
}

// Natural reports whether a is never negative while the trip count holds: it
// moves with the main induction, which starts at a constant and counts up in
// steps of one to a limit, so that it cannot have wrapped on its way here. Nothing
// runs so long that a sum with a small number could wrap.
func (s *Info) Natural(a Affine) bool {
	if r := s.rangeOf(a.Start); a.Width == 64 && a.invariant() && r.lo >= 0 {
		return true
	}
	t := s.count
	if a.Width != 64 || a.StepExpr != nil || t.refusal != nil || t.Cond != plan.Less || t.Unsigned || t.Step != 1 || a.Step != 1 {
		return false
	}
	for i, phi := range s.header.Phis() {
		if phi == t.main && i < len(s.region.State) && phi.Type.Elem.Bits() == 64 {
			d, ok := Diff(a.Start, plan.Param(s.region.State[i].Param))
			init := s.region.State[i].Init
			same, ok2 := Diff(t.Start, plan.Param(s.region.State[i].Param))
			return ok && ok2 && same == 0 && init != nil && *init >= 0 && *init <= 1<<62 && d >= 0 && d < math.MaxInt32
		}
	}
	return false
}

// Ordered reports whether a never wraps around while the trip count holds, but goes up or down in steps of one: it is the main
// induction, or that and a small number where it starts with a number of a usual size.
func (s *Info) Ordered(a Affine) bool {
	t := s.count
	if a.Width != 64 || a.StepExpr != nil || t == nil || t.refusal != nil || t.Unsigned || t.Cond == plan.NotEq {
		return false
	}
	d, ok := Diff(a.Start, t.Start)
	if !ok || a.Step != t.Step || a.Step != 1 && a.Step != -1 {
		return false
	}
	first, known := s.region.Begin(t.Start)
	return d == 0 || known && max(first, -first, d, -d) < Farthest && min(first, d) > -Farthest
}
