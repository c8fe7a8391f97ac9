package dep

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// An address is base + off + t*step + core*scale, where core is what is left of
// a subscript when everything linear has been taken off.
type address struct {
	sc        *scev.Info
	off, step *plan.Expr
	core      *vir.Value
	scale     int64
	wrap      []plan.Bound
}

// locate fills in where a goes: base + index*scale + disp, where the base is a
// parameter plus any number of offsets.
func (r *Result) locate(a *Access, sc *scev.Info) {
	v := a.Inst
	a.Stream.Size = int64(v.Access().Size())
	ad := address{sc: sc, off: plan.Const(v.Disp), step: plan.Const(0)}
	ok := true
	if x := v.Index(); x != nil {
		ok = ad.add(x, v.Scale)
	}
	base := v.Base()
	for base.Op == vir.OpPtradd {
		ok = ok && ad.add(base.Args[1], 1)
		base = base.Args[0]
	}
	a.Stream.Param = slices.Index(r.region.Fn.Params, base)
	step := scev.Simplify(ad.step)
	if ad.core != nil && !isZero(step) {
		// The vectorizer has the whole subscript as a value, but no use for parts.
		ok = ok && base == v.Base()
		ad = address{sc: sc, off: plan.Const(v.Disp), core: v.Index(), scale: v.Scale}
		step = plan.Const(0)
	}
	switch {
	case a.Stream.Param < 0:
		r.refuse(v, "dep:Base", "a slice is not known before the loop")
		return
	case !ok:
		r.refuse(v, "dep:Subscript", fmt.Sprintf("the subscript of %s is too complicated", r.name(v)))
		return
	}
	a.Stream.Off = scev.Simplify(ad.off)
	a.Wrap = ad.wrap
	switch {
	case ad.core != nil:
		a.Kind, a.Index, a.Scale = Indexed, ad.core, ad.scale
		if c, ok := sc.Counted(ad.core); ok && a.Scale == a.Stream.Size {
			a.Kind, a.Count = Counted, c
			a.Stream.Off = scev.Simplify(plan.Add(a.Stream.Off, plan.Mul(c.Start, plan.Const(a.Scale))))
			a.Stream.Step = a.Scale
			if c.Both {
				a.Stream.Step = 2 * a.Scale
			}
		} else if p, ok := sc.Periodic(ad.core); ok {
			a.Kind, a.Modulus, a.Period = Periodic, p.Modulus, p.Period
			a.Wrap = append(a.Wrap, p.Wrap...)
		}
	case step.Op == plan.ExprConst:
		a.Stream.Step = step.Const
	default:
		a.Kind, a.Step = Symbolic, step
	}
}

func isZero(e *plan.Expr) bool { return e.Op == plan.ExprConst && e.Const == 0 }

// add adds x*scale. It fails when there would be two cores.
func (ad *address) add(x *vir.Value, scale int64) bool {
	for {
		if ad.linear(x, scale) {
			return true
		}
		rest, c := ad.peel(x, scale)
		if rest == nil {
			break
		}
		x, scale = rest, scale*c
	}
	if ad.core != nil {
		return false
	}
	ad.core, ad.scale = x, scale
	return true
}

func (ad *address) linear(x *vir.Value, scale int64) bool {
	e, ok := ad.sc.Evolution(x)
	if !ok {
		return false
	}
	step := plan.Const(e.Step)
	if e.StepExpr != nil {
		step = e.StepExpr
	}
	ad.off = plan.Add(ad.off, plan.Mul(e.Start, plan.Const(scale)))
	ad.step = plan.Add(ad.step, plan.Mul(step, plan.Const(scale)))
	ad.wrap = append(ad.wrap, e.Wrap...)
	return true
}

// peel takes a linear operand off a sum and a constant off a product; the rest
// counts c times. It is nil when there is neither.
func (ad *address) peel(x *vir.Value, scale int64) (rest *vir.Value, c int64) {
	switch x.Op {
	case vir.OpAdd:
		switch {
		case ad.linear(x.Args[0], scale):
			return x.Args[1], 1
		case ad.linear(x.Args[1], scale):
			return x.Args[0], 1
		}
	case vir.OpSub:
		switch {
		case ad.linear(x.Args[0], scale):
			return x.Args[1], -1
		case ad.linear(x.Args[1], -scale):
			return x.Args[0], 1
		}
	case vir.OpMul:
		for i, y := range x.Args {
			if c, ok := y.ConstInt(); ok {
				return x.Args[1-i], c
			}
		}
	case vir.OpShl:
		if c, ok := x.Args[1].ConstInt(); ok && 0 <= c && c < 32 {
			return x.Args[0], 1 << c
		}
	}
	return nil, 0
}
