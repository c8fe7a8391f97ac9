package simplify

import (
	"math"

	"github.com/lanewise/lanewise/vir"
)

// float simplifies float operations where the result is the same for every
// operand, signed zeros included.
func (r *rewriter) float(v *vir.Value) *vir.Value {
	x := v.Args
	switch v.Op {
	case vir.OpFneg:
		if x[0].Op == vir.OpFneg {
			return x[0].Args[0]
		}
	case vir.OpFabs:
		if x[0].Op == vir.OpFneg || x[0].Op == vir.OpFabs {
			return r.same(vir.OpFabs, x[0].Args[0])
		}
	case vir.OpFadd:
		if isFloat(x[1], math.Copysign(0, -1)) { // x + -0 = x, but +0 would turn -0 into +0
			return x[0]
		}
	case vir.OpFsub:
		if isFloat(x[1], 0) {
			return x[0]
		}
	case vir.OpFmul:
		if isFloat(x[1], 1) {
			return x[0]
		}
		return r.signOutside(v)
	case vir.OpFdiv:
		if w := r.quotient(v); w != nil {
			return w
		}
		return r.signOutside(v)
	case vir.OpFptrunc:
		return r.roundTrip(v)
	case vir.OpFcmpEq, vir.OpFcmpNe, vir.OpFcmpLt, vir.OpFcmpLe:
		if x[0].Op == vir.OpFpext && x[1].Op == vir.OpFpext {
			return r.op(v.Op, v.Type, x[0].Args[0], x[1].Args[0])
		}
	case vir.OpFtosi, vir.OpFtoui:
		return r.inSingle(v)
	}
	return nil
}

// signOutside changes the sign of a product or a quotient in the place of that of an operand:
// there it may meet another change of sign, or a magnitude, which needs none.
func (r *rewriter) signOutside(v *vir.Value) *vir.Value {
	for i, a := range v.Args {
		if a.Op == vir.OpFneg {
			args := append([]*vir.Value(nil), v.Args...)
			args[i] = a.Args[0]
			return r.same(vir.OpFneg, r.op(v.Op, v.Type, args...))
		}
	}
	return nil
}

// isFloat reports whether v is the constant x, sign of zero included.
func isFloat(v *vir.Value, x float64) bool {
	c, ok := floatConst(v)
	return ok && math.Float64bits(c) == math.Float64bits(x)
}

func floatConst(v *vir.Value) (float64, bool) {
	bits, ok := v.IsConst()
	switch {
	case !ok:
		return 0, false
	case v.Type.Elem == vir.F32:
		return float64(math.Float32frombits(uint32(bits))), true
	case v.Type.Elem == vir.F64:
		return math.Float64frombits(bits), true
	}
	return 0, false
}

func (r *rewriter) floatValue(t vir.Type, x float64) *vir.Value {
	return r.bits(t, t.Elem.FloatBits(x))
}

// quotient multiplies by the reciprocal of a power of two: both round the same
// real number.
func (r *rewriter) quotient(v *vir.Value) *vir.Value {
	c, ok := floatConst(v.Args[1])
	if !ok || c == 0 || math.IsInf(c, 0) || math.IsNaN(c) {
		return nil
	}
	frac, exp := math.Frexp(c)
	limit := 1000
	if v.Type.Elem == vir.F32 {
		limit = 120
	}
	if math.Abs(frac) != 0.5 || exp > limit || exp < -limit {
		return nil
	}
	return r.same(vir.OpFmul, v.Args[0], r.floatValue(v.Args[1].Type, 1/c))
}

// roundTrip computes in f32 what is computed in f64 on extended f32 operands and
// rounded back, where that gives the same. Sums and products of two f32 in f64
// rounded to f32 are the f32 sums and products, square roots likewise: f64 has
// more than twice the digits (Figueroa, When is double rounding innocuous?, 1995).
// Sums that are subnormal are exact and products of 48 digits too. Divisions are
// left alone.
func (r *rewriter) roundTrip(v *vir.Value) *vir.Value {
	x, s := v.Args[0], newSingle(r)
	switch x.Op {
	case vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpFsqrt:
		if s.fitAll(x.Args) {
			return r.op(x.Op, v.Type, s.allOf(x.Args)...)
		}
	default:
		if s.fits(x) {
			return s.of(x)
		}
	}
	return nil
}
