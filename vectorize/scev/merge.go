package scev

import "github.com/lanewise/lanewise/vir/plan"

// Add is bounds with b, unless it is there or an unconditional one says the same. Two of one number become one.
// Subscripts of several iterations' worth of one slice become one bound. It may change what bounds holds.
func (s *Info) Add(bounds []plan.Bound, b plan.Bound) []plan.Bound {
	for i, have := range bounds {
		if boundKey(have) != boundKey(b) {
			if m, ok := Both(have, b); ok {
				bounds[i] = m
				return bounds
			}
			if m, ok := s.Merge(have, b); ok && b.Step != 1 && b.Step != -1 {
				bounds[i] = m
				return bounds
			}
			continue
		}
		bounds[i].Conditional = have.Conditional && b.Conditional
		fails(&bounds[i], b)
		return bounds
	}
	return append(bounds, b)
}

// fails makes a fail where b does, too.
func fails(a *plan.Bound, b plan.Bound) {
	a.Recurs, a.Ends = max(a.Recurs, b.Recurs), a.Ends || b.Ends
}

func boundKey(b plan.Bound) [4]string {
	return [4]string{b.Start.String(), plan.Const(b.Step).String(), b.Lo.String(), b.Hi.String()}
}

// Merge is one bound that says what two say: subscripts 4*i and 4*i+3 of one
// slice. It may hold for fewer iterations where numbers wrap, never for more.
//
// With the lower start S and the other S+d, d >= 0, Lo <= S + t*step and
// S + t*step < min(Hi, Hi'-d) imply both. The limits must not be negative, so that
// Hi'-d is exact; S + t*step + d is, being less than Hi'.
func (s *Info) Merge(a, b plan.Bound) (plan.Bound, bool) {
	if a.Step != b.Step || a.Conditional || b.Conditional {
		return a, false
	}
	d, ok := Diff(b.Start, a.Start)
	lo, ok2 := Diff(a.Lo, b.Lo)
	h, ok3 := Diff(b.Hi, a.Hi)
	if !ok || !ok2 || !ok3 || lo != 0 || far(d) || far(h) || !s.natural(a.Hi) || !s.natural(b.Hi) {
		return a, false
	}
	if d < 0 {
		return s.Merge(b, a)
	}
	fails(&a, b)
	if h < d {
		a.Hi = Simplify(plan.Sub(b.Hi, plan.Const(d)))
	}
	return a, true
}

// Both is the bound that says what a and b say of one number, if their limits can be compared.
func Both(a, b plan.Bound) (plan.Bound, bool) {
	d, ok := Diff(b.Start, a.Start)
	lo, ok2 := tighter(a.Lo, b.Lo, func(x, y int64) bool { return x > y })
	hi, ok3 := tighter(a.Hi, b.Hi, func(x, y int64) bool { return x < y })
	if !ok || !ok2 || !ok3 || d != 0 || a.Step != b.Step || a.Conditional || b.Conditional {
		return a, false
	}
	a.Lo, a.Hi = lo, hi
	fails(&a, b)
	return a, true
}

// tighter is x or y: they are equal, or constants of which is tells whether it is x.
func tighter(x, y *plan.Expr, is func(x, y int64) bool) (*plan.Expr, bool) {
	if d, ok := Diff(x, y); ok && d == 0 {
		return x, true
	}
	if x.Op != plan.ExprConst || y.Op != plan.ExprConst {
		return x, false
	}
	if is(x.Const, y.Const) {
		return x, true
	}
	return y, true
}

// natural reports whether e is not negative. No length is so large that adding a
// small number could overflow.
func (s *Info) natural(e *plan.Expr) bool {
	l := linearOf(e)
	if len(l.terms) == 1 && l.terms[0].coef == 1 && l.k >= 0 && !far(l.k) {
		e = l.terms[0].atom
	}
	return s.rangeOf(e).lo >= 0
}

func far(x int64) bool { return x < -1<<31 || x > 1<<31 }
