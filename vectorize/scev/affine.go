package scev

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Affine describes v when it changes by a constant from iteration to iteration.
func (s *Info) Affine(v *vir.Value) (Affine, bool) {
	if a := s.affineOf(v); a != nil {
		return *a, true
	}
	return Affine{}, false
}

func (s *Info) affineOf(v *vir.Value) *Affine {
	if !v.Type.Elem.IsInt() || v.Type.IsVector() {
		return nil
	}
	if a, ok := s.affine[v]; ok {
		return a
	}
	s.affine[v] = nil // a cycle other than through a header phi is not affine
	a := s.findAffine(v)
	if a == nil {
		a = s.stretch(v)
	}
	if a != nil {
		a.Width = v.Type.Elem.Bits()
		a.Step = signExtend(a.Step, a.Width)
		a.Start = Simplify(a.Start)
	}
	s.affine[v] = a
	return a
}

func (s *Info) findAffine(v *vir.Value) *Affine {
	if e, ok := s.Invariant(v); ok {
		return &Affine{Start: e}
	}
	switch v.Op {
	case vir.OpPhi:
		if s.isHeaderPhi(v) {
			return s.induction(v)
		}
		return s.agree(v.Args)
	case vir.OpSelect:
		return s.agree(v.Args[1:])
	case vir.OpZext, vir.OpSext:
		return s.extend(v)
	case vir.OpTrunc:
		// A value extended and cut again is itself: nothing need be assumed.
		if x := v.Args[0]; x.Op == vir.OpZext || x.Op == vir.OpSext {
			if x.Args[0].Type == v.Type {
				return s.affineOf(x.Args[0])
			}
		}
	}
	return s.arithmetic(v)
}

// induction is the evolution of a header phi: initial value plus a constant per
// iteration.
func (s *Info) induction(phi *vir.Value) *Affine {
	start, ok := s.Invariant(s.initial(phi))
	if !ok {
		return nil
	}
	step, bits, ok := s.increment(s.next(phi), phi, 0)
	if !ok || bits < phi.Type.Elem.Bits() {
		return nil
	}
	return &Affine{Start: start, Step: step}
}

// An increment says that the low bits of a value are those of a phi plus k.
type increment struct {
	k    int64
	bits int
	ok   bool
}

// increment finds k and bits such that the low bits of v are those of phi + k.
// All ways through joins must agree: a conditional update is no induction. There may be very
// many of these ways, so that each value is looked at once.
func (s *Info) increment(v, phi *vir.Value, depth int) (k int64, bits int, ok bool) {
	pair := [2]*vir.Value{v, phi}
	found, done := s.incs[pair]
	if !done {
		found.k, found.bits, found.ok = s.findIncrement(v, phi, depth)
		s.incs[pair] = found
	}
	return found.k, found.bits, found.ok
}

func (s *Info) findIncrement(v, phi *vir.Value, depth int) (k int64, bits int, ok bool) {
	width := v.Type.Elem.Bits()
	if v == phi {
		return 0, width, true
	}
	if depth > maxDepth || !s.inLoop(v) {
		return 0, 0, false
	}
	switch v.Op {
	case vir.OpAdd, vir.OpSub:
		return s.incrementBy(v, phi, depth)
	case vir.OpTrunc, vir.OpZext, vir.OpSext:
		if !v.Args[0].Type.Elem.IsInt() {
			return 0, 0, false
		}
		k, bits, ok = s.increment(v.Args[0], phi, depth+1)
		return k, min(bits, width), ok
	case vir.OpPhi:
		if v.Block == s.header {
			return 0, 0, false
		}
		return s.sameIncrement(v.Args, phi, depth)
	case vir.OpSelect:
		return s.sameIncrement(v.Args[1:], phi, depth)
	}
	return 0, 0, false
}

func (s *Info) incrementBy(v, phi *vir.Value, depth int) (int64, int, bool) {
	x, y := v.Args[0], v.Args[1]
	c, ok := s.constant(y)
	if v.Op == vir.OpSub {
		c = -c
	} else if !ok {
		x = y
		c, ok = s.constant(v.Args[0])
	}
	if !ok {
		return 0, 0, false
	}
	k, bits, ok := s.increment(x, phi, depth+1)
	return k + c, bits, ok
}

func (s *Info) sameIncrement(ways []*vir.Value, phi *vir.Value, depth int) (int64, int, bool) {
	k, bits, ok := s.increment(ways[0], phi, depth+1)
	if !ok {
		return 0, 0, false
	}
	for _, w := range ways[1:] {
		k2, bits2, ok2 := s.increment(w, phi, depth+1)
		bits = min(bits, bits2)
		if ok = ok && ok2 && bits > 0; !ok || signExtend(k, bits) != signExtend(k2, bits) {
			return 0, 0, false
		}
	}
	return k, bits, ok
}

// constant is the value of an invariant that is a known number, sign-extended.
func (s *Info) constant(v *vir.Value) (int64, bool) {
	e, ok := s.Invariant(v)
	if !ok || e.Op != plan.ExprConst {
		return 0, false
	}
	return signExtend(e.Const, v.Type.Elem.Bits()), true
}

// agree is the evolution that all of ways have in common.
func (s *Info) agree(ways []*vir.Value) *Affine {
	if len(ways) == 0 {
		return nil
	}
	first := s.affineOf(ways[0])
	if first == nil {
		return nil
	}
	all := *first
	for _, w := range ways[1:] {
		a := s.affineOf(w)
		if a == nil || a.Step != all.Step {
			return nil
		}
		if d, ok := Diff(a.Start, all.Start); !ok || signExtend(d, a.Width) != 0 {
			return nil
		}
		all.Wrap = append(slices.Clip(all.Wrap), a.Wrap...)
	}
	return &all
}

// arithmetic combines operands; modulo 2^Width nothing can go wrong.
func (s *Info) arithmetic(v *vir.Value) *Affine {
	switch v.Op {
	case vir.OpSdiv, vir.OpUdiv, vir.OpAshr, vir.OpLshr:
		return s.quotient(v)
	}
	n := len(v.Args)
	if n < 1 || n > 2 {
		return nil
	}
	x := s.affineOf(v.Args[0])
	if x == nil {
		return nil
	}
	y := &Affine{Start: plan.Const(0)}
	if n == 2 {
		if y = s.affineOf(v.Args[1]); y == nil {
			return nil
		}
	}
	start := combine(v, x.Start, y.Start)
	if start == nil {
		return nil
	}
	a := &Affine{Start: start, Wrap: append(slices.Clip(x.Wrap), y.Wrap...)}
	switch v.Op {
	case vir.OpAdd:
		a.Step = x.Step + y.Step
	case vir.OpSub:
		a.Step = x.Step - y.Step
	case vir.OpNeg, vir.OpNot:
		a.Step = -x.Step
	case vir.OpTrunc:
		a.Step = x.Step
	case vir.OpShl:
		c, _ := shiftCount(v)
		a.Step = x.Step << c
	case vir.OpMul:
		step, ok := scaled(x, y)
		if !ok {
			return nil
		}
		a.Step = step
	default:
		return nil
	}
	return a
}

// quotient is the evolution of a quotient by a constant of which the step is a
// multiple: nothing that is rounded changes, as long as nothing is negative.
func (s *Info) quotient(v *vir.Value) *Affine {
	c, ok := v.Args[1].ConstInt()
	if v.Op == vir.OpAshr || v.Op == vir.OpLshr {
		ok = ok && 0 <= c && c < 62
		c = 1 << max(0, min(c, 62))
	}
	x := s.affineOf(v.Args[0])
	if !ok || c < 1 || x == nil || x.Width != 64 || x.StepExpr != nil || x.Step == 0 || x.Step%c != 0 {
		return nil
	}
	r := interval{0, math.MaxInt64}
	if start := s.staysIn(x, r); start != nil {
		return &Affine{Start: plan.Quo(start, plan.Const(c)), Step: x.Step / c, Wrap: x.Wrap}
	}
	bound := plan.Bound{Start: x.Start, Step: x.Step, Lo: plan.Const(0), Hi: plan.Const(math.MaxInt64)}
	return &Affine{Start: plan.Quo(x.Start, plan.Const(c)), Step: x.Step / c, Wrap: append(slices.Clip(x.Wrap), bound)}
}

// scaled is the step of a product. A factor that is invariant but not known
// gives a step that is not known either; see Evolution.
func scaled(x, y *Affine) (int64, bool) {
	if x.Step == 0 {
		x, y = y, x
	}
	if x.Step == 0 {
		return 0, true // of two that stay under conditions
	}
	if y.Step != 0 || y.Start.Op != plan.ExprConst {
		return 0, false
	}
	return x.Step * y.Start.Const, true
}

// extend is the evolution of a zero or sign extension: that of the narrow value
// as long as it stays in the range of its type.
func (s *Info) extend(v *vir.Value) *Affine {
	if !v.Args[0].Type.Elem.IsInt() {
		return nil
	}
	x := s.affineOf(v.Args[0])
	if x == nil {
		return nil
	}
	r := typeRange(x.Width, v.Op == vir.OpSext)
	if start := s.staysIn(x, r); start != nil {
		return &Affine{Start: start, Step: x.Step, Wrap: x.Wrap}
	}
	start := Simplify(combine(v, x.Start, nil))
	bound := plan.Bound{Start: start, Step: x.Step, Lo: plan.Const(r.lo), Hi: plan.Const(r.hi + 1)}
	if x.Step != 0 && x.Width <= 16 && long(1<<x.Width, x.Step) {
		bound.Recurs = plan.Jumps
	}
	return &Affine{Start: start, Step: x.Step, Wrap: append(slices.Clip(x.Wrap), bound)}
}
