package scev

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/internal/number"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Periodic describes an i64 that lies in [0, Modulus) and repeats every Period
// iterations, and no earlier, as long as the Wrap bounds hold: the low bits of a
// linear value, or its remainder by a constant while it is not negative.
type Periodic struct {
	Modulus, Period int64
	Wrap            []plan.Bound
}

// Periodic recognizes values that repeat.
func (s *Info) Periodic(v *vir.Value) (Periodic, bool) {
	if v.Op == vir.OpZext && v.Args[0].Type.Elem.IsInt() {
		v = v.Args[0]
	}
	if !v.Type.Elem.IsInt() || len(v.Args) != 2 {
		return Periodic{}, false
	}
	x, m := v.Args[0], v.Args[1]
	if _, ok := x.IsConst(); ok && v.Op == vir.OpAnd {
		x, m = m, x
	}
	c, ok := m.IsConst()
	if !ok {
		return Periodic{}, false
	}
	a, linear := s.Affine(x)
	signed := v.Op == vir.OpAnd && c>>63 != 0 && a.Width == 64 // what x%2 == 1 asks for
	if signed {
		c &= math.MaxInt64
	}
	if !ok || !linear || c > math.MaxInt32 {
		return Periodic{}, false
	}
	p := Periodic{Modulus: int64(c), Wrap: a.Wrap}
	if signed || v.Op == vir.OpUrem || v.Op == vir.OpSrem {
		p.Wrap = s.NotNegative(a)
	}
	switch v.Op {
	case vir.OpAnd:
		// Low bits do not mind when the value wraps.
		if p.Modulus++; p.Modulus&int64(c) != 0 {
			return Periodic{}, false
		}
	case vir.OpUrem, vir.OpSrem:
		if c == 0 || a.Width != 64 {
			return Periodic{}, false
		}
	default:
		return Periodic{}, false
	}
	p.Period = p.Modulus / number.GCD(a.Step, p.Modulus)
	return p, true
}

// NotNegative are the bounds under which a is not negative.
func (s *Info) NotNegative(a Affine) []plan.Bound {
	if s.Natural(a) {
		return a.Wrap
	}
	return append(slices.Clip(a.Wrap), plan.Bound{Start: a.Start, Step: a.Step, Lo: plan.Const(0), Hi: plan.Const(math.MaxInt64)})
}
