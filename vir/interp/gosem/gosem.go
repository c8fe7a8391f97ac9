// Package gosem evaluates those operations of vir that work lane by lane with Go's own
// operators, for tests: the interpreter and what a backend emits are compared with
// it. It shares nothing with either and must not be imported by the tool.
package gosem

import (
	"math"
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// A Func is an operation on one lane: bits of up to three operands to bits of the
// result, zero-extended. Not ok means poison.
type Func func(x, y, z uint64) (r uint64, ok bool)

// Of is op on operands of element from with a result of element to (bool for
// comparisons); nil if op does not work lane by lane or not on these. Operands
// that the operation does not have are not looked at.
func Of(op vir.Op, from, to vir.Elem) Func {
	switch op.Info().Rule {
	case vir.RuleInt, vir.RuleLogic, vir.RuleIntCmp:
		if from == vir.Bool {
			return logic(op)
		}
		return integer(op, from)
	case vir.RuleFloat:
		return float(op, from)
	case vir.RuleFloatCmp:
		return floatCmp(op, from)
	case vir.RuleTrunc, vir.RuleExt, vir.RuleBitcast, vir.RuleIntToF, vir.RuleFToInt, vir.RuleFpext, vir.RuleFptrunc:
		return conversion(op, from, to)
	case vir.RuleSelect, vir.RuleBlend:
		return func(x, y, z uint64) (uint64, bool) {
			if x != 0 {
				return y, true
			}
			return z, true
		}
	}
	return nil
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// logic is op on truth values.
func logic(op vir.Op) Func {
	f := map[vir.Op]func(x, y bool) bool{
		vir.OpAnd:    func(x, y bool) bool { return x && y },
		vir.OpOr:     func(x, y bool) bool { return x || y },
		vir.OpXor:    func(x, y bool) bool { return x != y },
		vir.OpNot:    func(x, _ bool) bool { return !x },
		vir.OpIcmpEq: func(x, y bool) bool { return x == y },
		vir.OpIcmpNe: func(x, y bool) bool { return x != y },
	}[op]
	if f == nil {
		return nil
	}
	return func(x, y, _ uint64) (uint64, bool) { return b2u(f(x != 0, y != 0)), true }
}

func integer(op vir.Op, e vir.Elem) Func {
	switch e {
	case vir.I8:
		return ints[int8, uint8](op, e.Bits())
	case vir.I16:
		return ints[int16, uint16](op, e.Bits())
	case vir.I32:
		return ints[int32, uint32](op, e.Bits())
	case vir.I64, vir.Ptr:
		return ints[int64, uint64](op, e.Bits())
	}
	return nil
}

type (
	signed interface {
		~int8 | ~int16 | ~int32 | ~int64
	}
	unsigned interface {
		~uint8 | ~uint16 | ~uint32 | ~uint64
	}
	floating interface{ ~float32 | ~float64 }
)

// ints is op on Go's types S and U of w bits.
func ints[S signed, U unsigned](op vir.Op, w int) Func {
	value := func(f func(x, y U) U) Func {
		return func(x, y, _ uint64) (uint64, bool) { return uint64(f(U(x), U(y))), true }
	}
	quotient := func(f func(x, y U) U) Func {
		return func(x, y, _ uint64) (uint64, bool) {
			if U(y) == 0 {
				return 0, false
			}
			return uint64(f(U(x), U(y))), true
		}
	}
	truth := func(f func(x, y U) bool) Func {
		return func(x, y, _ uint64) (uint64, bool) { return b2u(f(U(x), U(y))), true }
	}
	switch op {
	case vir.OpAdd:
		return value(func(x, y U) U { return x + y })
	case vir.OpSub:
		return value(func(x, y U) U { return x - y })
	case vir.OpMul:
		return value(func(x, y U) U { return x * y })
	case vir.OpUmulh:
		return value(func(x, y U) U {
			hi, lo := bits.Mul64(uint64(x), uint64(y))
			if w == 64 {
				return U(hi)
			}
			return U(lo >> w)
		})
	case vir.OpNeg:
		return value(func(x, _ U) U { return -x })
	case vir.OpAnd:
		return value(func(x, y U) U { return x & y })
	case vir.OpOr:
		return value(func(x, y U) U { return x | y })
	case vir.OpXor:
		return value(func(x, y U) U { return x ^ y })
	case vir.OpNot:
		return value(func(x, _ U) U { return ^x })
	case vir.OpShl:
		return value(func(x, y U) U { return x << y })
	case vir.OpLshr:
		return value(func(x, y U) U { return x >> y })
	case vir.OpAshr:
		return value(func(x, y U) U { return U(S(x) >> y) })
	case vir.OpSdiv:
		return quotient(func(x, y U) U { return U(S(x) / S(y)) })
	case vir.OpUdiv:
		return quotient(func(x, y U) U { return x / y })
	case vir.OpSrem:
		return quotient(func(x, y U) U { return U(S(x) % S(y)) })
	case vir.OpUrem:
		return quotient(func(x, y U) U { return x % y })
	case vir.OpSmin:
		return value(func(x, y U) U { return U(min(S(x), S(y))) })
	case vir.OpSmax:
		return value(func(x, y U) U { return U(max(S(x), S(y))) })
	case vir.OpUmin:
		return value(func(x, y U) U { return min(x, y) })
	case vir.OpUmax:
		return value(func(x, y U) U { return max(x, y) })
	case vir.OpIcmpEq:
		return truth(func(x, y U) bool { return x == y })
	case vir.OpIcmpNe:
		return truth(func(x, y U) bool { return x != y })
	case vir.OpIcmpSlt:
		return truth(func(x, y U) bool { return S(x) < S(y) })
	case vir.OpIcmpSle:
		return truth(func(x, y U) bool { return S(x) <= S(y) })
	case vir.OpIcmpUlt:
		return truth(func(x, y U) bool { return x < y })
	case vir.OpIcmpUle:
		return truth(func(x, y U) bool { return x <= y })
	}
	return ofBits(op, w)
}

func float(op vir.Op, e vir.Elem) Func {
	switch op {
	case vir.OpFma:
		return fma(e)
	case vir.OpFminNnan:
		return numbers(e, float(vir.OpFmin, e))
	case vir.OpFmaxNnan:
		return numbers(e, float(vir.OpFmax, e))
	}
	switch e {
	case vir.F32:
		f := floats[float32](op)
		if f == nil {
			return nil
		}
		return func(x, y, _ uint64) (uint64, bool) {
			return uint64(math.Float32bits(f(f32(x), f32(y)))), true
		}
	case vir.F64:
		f := floats[float64](op)
		if f == nil {
			return nil
		}
		return func(x, y, _ uint64) (uint64, bool) {
			return math.Float64bits(f(math.Float64frombits(x), math.Float64frombits(y))), true
		}
	}
	return nil
}

// numbers is f where neither x nor y is NaN.
func numbers(e vir.Elem, f Func) Func {
	if f == nil {
		return nil
	}
	nan := func(x uint64) bool { return math.IsNaN(math.Float64frombits(x)) }
	if e == vir.F32 {
		nan = func(x uint64) bool { return math.IsNaN(float64(f32(x))) }
	}
	return func(x, y, z uint64) (uint64, bool) {
		if nan(x) || nan(y) {
			return 0, false
		}
		return f(x, y, z)
	}
}

func f32(x uint64) float32 { return math.Float32frombits(uint32(x)) }

// floats is op on Go's type F. What package math has for float64 alone is exact for
// float32, or rounds the same as one rounding would, as the square root does.
func floats[F floating](op vir.Op) func(x, y F) F {
	one := func(f func(float64) float64) func(x, y F) F {
		return func(x, _ F) F { return F(f(float64(x))) }
	}
	switch op {
	case vir.OpFadd:
		return func(x, y F) F { return x + y }
	case vir.OpFsub:
		return func(x, y F) F { return x - y }
	case vir.OpFmul:
		return func(x, y F) F { return x * y }
	case vir.OpFdiv:
		return func(x, y F) F { return x / y }
	case vir.OpFneg:
		return func(x, _ F) F { return -x }
	case vir.OpFabs:
		return one(math.Abs)
	case vir.OpFsqrt:
		return one(math.Sqrt)
	case vir.OpFfloor:
		return one(math.Floor)
	case vir.OpFceil:
		return one(math.Ceil)
	case vir.OpFtrunc:
		return one(math.Trunc)
	case vir.OpFrint:
		return one(math.RoundToEven)
	case vir.OpFcopysign:
		return func(x, y F) F { return F(math.Copysign(float64(x), float64(y))) }
	case vir.OpFmin:
		return func(x, y F) F { return min(x, y) }
	case vir.OpFmax:
		return func(x, y F) F { return max(x, y) }
	}
	return nil
}

// fma of float32 forms the exact product and the sum rounded to odd, from which rounding
// to 24 bits is the same as rounding once.
func fma(e vir.Elem) Func {
	if e == vir.F64 {
		return func(x, y, z uint64) (uint64, bool) {
			return math.Float64bits(math.FMA(math.Float64frombits(x), math.Float64frombits(y), math.Float64frombits(z))), true
		}
	}
	return func(x, y, z uint64) (uint64, bool) {
		p, c := float64(f32(x))*float64(f32(y)), float64(f32(z))
		s := p + c
		if math.IsInf(s, 0) || math.IsNaN(s) {
			return uint64(math.Float32bits(float32(s))), true
		}
		// What the sum has lost; exact.
		v := s - p
		lost := (p - (s - v)) + (c - v)
		if b := math.Float64bits(s); lost != 0 && b&1 == 0 {
			if (lost > 0) == (s > 0) {
				b++
			} else {
				b--
			}
			s = math.Float64frombits(b)
		}
		return uint64(math.Float32bits(float32(s))), true
	}
}

func floatCmp(op vir.Op, e vir.Elem) Func {
	switch e {
	case vir.F32:
		f := order[float32](op)
		return func(x, y, _ uint64) (uint64, bool) { return b2u(f(f32(x), f32(y))), true }
	case vir.F64:
		f := order[float64](op)
		return func(x, y, _ uint64) (uint64, bool) {
			return b2u(f(math.Float64frombits(x), math.Float64frombits(y))), true
		}
	}
	return nil
}

func order[F floating](op vir.Op) func(x, y F) bool {
	switch op {
	case vir.OpFcmpEq:
		return func(x, y F) bool { return x == y }
	case vir.OpFcmpNe:
		return func(x, y F) bool { return x != y }
	case vir.OpFcmpLt:
		return func(x, y F) bool { return x < y }
	}
	return func(x, y F) bool { return x <= y }
}
