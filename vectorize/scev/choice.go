package scev

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// mostParts is the most parts of an expression that chooses: those for nested choices grow fast.
const mostParts = 100

// choice is the expression of what select v chooses by comparisons of integers that are the same in all
// iterations, as in clamp(y-1, 0, h-1)*w; nil when there is none.
func (s *Info) choice(v *vir.Value) *plan.Expr {
	a, ok := s.Invariant(v.Args[1])
	b, ok2 := s.Invariant(v.Args[2])
	if !ok || !ok2 {
		return nil
	}
	e := s.chooseBy(v.Args[0], a, b)
	if e.Exceeds(mostParts) {
		return nil
	}
	return e
}

// chooseBy is a if c holds, else b.
func (s *Info) chooseBy(c *vir.Value, a, b *plan.Expr) *plan.Expr {
	if a == nil || b == nil {
		return nil
	}
	switch c.Op {
	case vir.OpNot:
		return s.chooseBy(c.Args[0], b, a)
	case vir.OpAnd:
		return s.chooseBy(c.Args[0], s.chooseBy(c.Args[1], a, b), b)
	case vir.OpOr:
		return s.chooseBy(c.Args[0], a, s.chooseBy(c.Args[1], a, b))
	}
	if c.Op.Info().Rule == vir.RuleIntCmp {
		return s.chooseByComparison(c, a, b)
	}
	return nil
}

func (s *Info) chooseByComparison(c *vir.Value, a, b *plan.Expr) *plan.Expr {
	x, ok := s.Invariant(c.Args[0])
	y, ok2 := s.Invariant(c.Args[1])
	if !ok || !ok2 {
		return nil
	}
	bits := c.Args[0].Type.Elem.Bits()
	ordered := func(e *plan.Expr) *plan.Expr { return plan.Sext(e, bits) }
	if c.Op == vir.OpIcmpUlt || c.Op == vir.OpIcmpUle {
		ordered = func(e *plan.Expr) *plan.Expr { return plan.Add(plan.Zext(e, bits), minInt) }
	}
	x, y = ordered(x), ordered(y)
	switch c.Op {
	case vir.OpIcmpEq:
		return plan.Choose(x, y, b, plan.Choose(y, x, b, a))
	case vir.OpIcmpNe:
		return plan.Choose(x, y, a, plan.Choose(y, x, a, b))
	case vir.OpIcmpSle, vir.OpIcmpUle:
		return plan.Choose(y, x, b, a)
	}
	return plan.Choose(x, y, a, b)
}
