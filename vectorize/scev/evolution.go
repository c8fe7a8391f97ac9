package scev

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Evolution is Affine for callers that can do with a step that is known before
// the loop only, as that of i*n. Such values are 64 bits wide: narrower ones
// would need proof that they do not wrap, for a step of unknown size.
func (s *Info) Evolution(v *vir.Value) (Affine, bool) {
	if a := s.evolutionOf(v); a != nil {
		return *a, true
	}
	return Affine{}, false
}

func (s *Info) evolutionOf(v *vir.Value) *Affine {
	if a := s.affineOf(v); a != nil || v.Type != vir.Scalar(vir.I64) {
		return a
	}
	if a, ok := s.evol[v]; ok {
		return a
	}
	s.evol[v] = nil // a cycle other than through a header phi
	a := s.findEvolution(v)
	if a != nil {
		a.Width = v.Type.Elem.Bits()
		a.Start = Simplify(a.Start)
		if a.StepExpr = Simplify(a.StepExpr); a.StepExpr.Op == plan.ExprConst {
			a.Step, a.StepExpr = a.StepExpr.Const, nil
		}
	}
	s.evol[v] = a
	return a
}

func (a *Affine) stepExpr() *plan.Expr {
	if a.StepExpr != nil {
		return a.StepExpr
	}
	return plan.Const(a.Step)
}

func (a *Affine) invariant() bool { return a.Step == 0 && a.StepExpr == nil }

func (s *Info) findEvolution(v *vir.Value) *Affine {
	if s.isHeaderPhi(v) {
		return s.symbolicInduction(v)
	}
	switch v.Op {
	case vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpNeg, vir.OpShl:
	default:
		return nil
	}
	x, y := s.evolutionOf(v.Args[0]), &Affine{Start: plan.Const(0)}
	if len(v.Args) == 2 {
		y = s.evolutionOf(v.Args[1])
	}
	if x == nil || y == nil {
		return nil
	}
	start := combine(v, x.Start, y.Start)
	if start == nil {
		return nil
	}
	a := &Affine{Start: start, Wrap: append(slices.Clip(x.Wrap), y.Wrap...)}
	switch sx, sy := x.stepExpr(), y.stepExpr(); v.Op {
	case vir.OpAdd:
		a.StepExpr = plan.Add(sx, sy)
	case vir.OpSub:
		a.StepExpr = plan.Sub(sx, sy)
	case vir.OpNeg:
		a.StepExpr = plan.Neg(sx)
	case vir.OpShl:
		c, _ := shiftCount(v)
		a.StepExpr = plan.Mul(sx, plan.Const(1<<c))
	case vir.OpMul:
		switch {
		case y.invariant():
			a.StepExpr = plan.Mul(sx, y.Start)
		case x.invariant():
			a.StepExpr = plan.Mul(sy, x.Start)
		default:
			return nil
		}
	}
	return a
}

// symbolicInduction is the evolution of a header phi to which every iteration
// adds the same.
func (s *Info) symbolicInduction(phi *vir.Value) *Affine {
	start, ok := s.Invariant(s.initial(phi))
	if !ok {
		return nil
	}
	step, v := plan.Const(0), s.next(phi)
	for n := 0; v != phi; n++ {
		if n > maxDepth || v.Op != vir.OpAdd && v.Op != vir.OpSub {
			return nil
		}
		x, k := v.Args[0], v.Args[1]
		e, ok := s.Invariant(k)
		if !ok && v.Op == vir.OpAdd {
			x = k
			e, ok = s.Invariant(v.Args[0])
		}
		switch {
		case !ok:
			return nil
		case v.Op == vir.OpSub:
			step = plan.Sub(step, e)
		default:
			step = plan.Add(step, e)
		}
		v = x
	}
	return &Affine{Start: start, StepExpr: step}
}
