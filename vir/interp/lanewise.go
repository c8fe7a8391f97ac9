package interp

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// A laneFunc computes one lane. e is the element of the first data operand, a are the
// operands' bits; what it returns is clipped to the result. Not ok is poison.
type laneFunc func(e vir.Elem, a []uint64) (x uint64, ok bool)

// lanewise are the operations that treat every lane alike.
var lanewise = map[vir.Op]laneFunc{
	vir.OpAdd: integer(func(x, y uint64) uint64 { return x + y }),
	vir.OpSub: integer(func(x, y uint64) uint64 { return x - y }),
	vir.OpMul: integer(func(x, y uint64) uint64 { return x * y }),
	vir.OpAnd: integer(func(x, y uint64) uint64 { return x & y }),
	vir.OpOr:  integer(func(x, y uint64) uint64 { return x | y }),
	vir.OpXor: integer(func(x, y uint64) uint64 { return x ^ y }),
	vir.OpUmulh: func(e vir.Elem, a []uint64) (uint64, bool) {
		hi, lo := bits.Mul64(a[0], a[1])
		return hi<<(64-e.Bits()) | lo>>e.Bits(), true
	},
	vir.OpUmin: integer(func(x, y uint64) uint64 { return min(x, y) }),
	vir.OpUmax: integer(func(x, y uint64) uint64 { return max(x, y) }),
	vir.OpSmin: signedInt(func(x, y int64) int64 { return min(x, y) }),
	vir.OpSmax: signedInt(func(x, y int64) int64 { return max(x, y) }),
	vir.OpNeg:  unary(func(e vir.Elem, x uint64) uint64 { return -x }),
	vir.OpNot:  unary(func(e vir.Elem, x uint64) uint64 { return ^x }),

	vir.OpShl:  shift(func(e vir.Elem, x, c uint64) uint64 { return x << c }),
	vir.OpLshr: shift(func(e vir.Elem, x, c uint64) uint64 { return x >> c }),
	vir.OpAshr: shift(func(e vir.Elem, x, c uint64) uint64 { return uint64(signed(e, x) >> c) }),
	vir.OpRotl: func(e vir.Elem, a []uint64) (uint64, bool) {
		w := uint64(e.Bits())
		c := a[1] % w
		return a[0]<<c | a[0]>>(w-c), true
	},

	vir.OpUdiv: divide(func(e vir.Elem, x, y uint64) uint64 { return x / y }),
	vir.OpUrem: divide(func(e vir.Elem, x, y uint64) uint64 { return x % y }),
	vir.OpSdiv: divide(func(e vir.Elem, x, y uint64) uint64 { return uint64(signed(e, x) / signed(e, y)) }),
	vir.OpSrem: divide(func(e vir.Elem, x, y uint64) uint64 { return uint64(signed(e, x) % signed(e, y)) }),

	vir.OpClz: unary(func(e vir.Elem, x uint64) uint64 { return uint64(bits.LeadingZeros64(x) - (64 - e.Bits())) }),
	vir.OpCtz: unary(func(e vir.Elem, x uint64) uint64 { return uint64(min(bits.TrailingZeros64(x), e.Bits())) }),
	vir.OpPopcnt: unary(func(e vir.Elem, x uint64) uint64 {
		return uint64(bits.OnesCount64(x))
	}),
	vir.OpBitrev: unary(func(e vir.Elem, x uint64) uint64 { return bits.Reverse64(x) >> (64 - e.Bits()) }),
	vir.OpBswap:  unary(func(e vir.Elem, x uint64) uint64 { return bits.ReverseBytes64(x) >> (64 - e.Bits()) }),

	vir.OpFadd: floating(func(x, y float32) float32 { return x + y }, func(x, y float64) float64 { return x + y }),
	vir.OpFsub: floating(func(x, y float32) float32 { return x - y }, func(x, y float64) float64 { return x - y }),
	vir.OpFmul: floating(func(x, y float32) float32 { return x * y }, func(x, y float64) float64 { return x * y }),
	vir.OpFdiv: floating(func(x, y float32) float32 { return x / y }, func(x, y float64) float64 { return x / y }),
	vir.OpFmin: smaller,
	vir.OpFmax: larger,
	vir.OpFma:  fma,

	vir.OpFminNnan: numbers(smaller),
	vir.OpFmaxNnan: numbers(larger),

	// The square root of an f32 rounds the same through f64: 53 bits are more
	// than twice 24 plus 2.
	vir.OpFsqrt:  rounding(math.Sqrt),
	vir.OpFfloor: rounding(math.Floor),
	vir.OpFceil:  rounding(math.Ceil),
	vir.OpFtrunc: rounding(math.Trunc),
	vir.OpFrint:  rounding(math.RoundToEven),

	vir.OpFneg: unary(func(e vir.Elem, x uint64) uint64 { return x ^ signBit(e) }),
	vir.OpFabs: unary(func(e vir.Elem, x uint64) uint64 { return x &^ signBit(e) }),
	vir.OpFcopysign: func(e vir.Elem, a []uint64) (uint64, bool) {
		return a[0]&^signBit(e) | a[1]&signBit(e), true
	},

	vir.OpIcmpEq:  compare(func(e vir.Elem, x, y uint64) bool { return x == y }),
	vir.OpIcmpNe:  compare(func(e vir.Elem, x, y uint64) bool { return x != y }),
	vir.OpIcmpSlt: compare(func(e vir.Elem, x, y uint64) bool { return signed(e, x) < signed(e, y) }),
	vir.OpIcmpSle: compare(func(e vir.Elem, x, y uint64) bool { return signed(e, x) <= signed(e, y) }),
	vir.OpIcmpUlt: compare(func(e vir.Elem, x, y uint64) bool { return x < y }),
	vir.OpIcmpUle: compare(func(e vir.Elem, x, y uint64) bool { return x <= y }),
	vir.OpFcmpEq:  compare(func(e vir.Elem, x, y uint64) bool { return float(e, x) == float(e, y) }),
	vir.OpFcmpNe:  compare(func(e vir.Elem, x, y uint64) bool { return float(e, x) != float(e, y) }),
	vir.OpFcmpLt:  compare(func(e vir.Elem, x, y uint64) bool { return float(e, x) < float(e, y) }),
	vir.OpFcmpLe:  compare(func(e vir.Elem, x, y uint64) bool { return float(e, x) <= float(e, y) }),

	vir.OpTrunc:   unary(func(e vir.Elem, x uint64) uint64 { return x }),
	vir.OpZext:    unary(func(e vir.Elem, x uint64) uint64 { return x }),
	vir.OpSext:    unary(func(e vir.Elem, x uint64) uint64 { return uint64(signed(e, x)) }),
	vir.OpBitcast: unary(func(e vir.Elem, x uint64) uint64 { return x }),
	vir.OpPtradd:  integer(func(x, y uint64) uint64 { return x + y }),
	vir.OpFpext: unary(func(e vir.Elem, x uint64) uint64 {
		return math.Float64bits(float64(math.Float32frombits(uint32(x))))
	}),
	vir.OpFptrunc: unary(func(e vir.Elem, x uint64) uint64 {
		return uint64(math.Float32bits(float32(math.Float64frombits(x))))
	}),
}

// perLane applies f to every lane. A lane is poison when an operand is; only
// a false side of and, and a true side of or, decide without the other. The operands'
// bits go through a.
func perLane(v *vir.Value, f laneFunc, args []Value, a []uint64) Value {
	res := blank(v.Type)
	e := args[0].Type.Elem
	for i := range res.Bits {
		poison := false
		for k, x := range args {
			a[k] = x.Bits[i]
			poison = poison || x.Poison[i]
		}
		if poison {
			res.Bits[i], res.Poison[i] = decided(v, args, i)
			continue
		}
		x, ok := f(e, a)
		res.Bits[i], res.Poison[i] = clip(v.Type.Elem, x), !ok
	}
	return res
}

// decided is lane i of a logical operation with a poison operand.
func decided(v *vir.Value, args []Value, i int) (x uint64, poison bool) {
	if v.Type.Elem != vir.Bool {
		return 0, true
	}
	for _, a := range args {
		switch {
		case a.Poison[i]:
		case v.Op == vir.OpAnd && a.Bits[i] == 0:
			return 0, false
		case v.Op == vir.OpOr && a.Bits[i] == 1:
			return 1, false
		}
	}
	return 0, true
}

func signBit(e vir.Elem) uint64 { return 1 << (e.Bits() - 1) }

func unary(f func(e vir.Elem, x uint64) uint64) laneFunc {
	return func(e vir.Elem, a []uint64) (uint64, bool) { return f(e, a[0]), true }
}

func integer(f func(x, y uint64) uint64) laneFunc {
	return func(e vir.Elem, a []uint64) (uint64, bool) { return f(a[0], a[1]), true }
}

func signedInt(f func(x, y int64) int64) laneFunc {
	return func(e vir.Elem, a []uint64) (uint64, bool) {
		return uint64(f(signed(e, a[0]), signed(e, a[1]))), true
	}
}

// shift makes counts of the width or more shift everything out: zero, or the
// sign for the signed shift, which Go's own shift of 64 bits does too.
func shift(f func(e vir.Elem, x, c uint64) uint64) laneFunc {
	return func(e vir.Elem, a []uint64) (uint64, bool) { return f(e, a[0], a[1]), true }
}

func divide(f func(e vir.Elem, x, y uint64) uint64) laneFunc {
	return func(e vir.Elem, a []uint64) (uint64, bool) {
		if a[1] == 0 {
			return 0, false
		}
		return f(e, a[0], a[1]), true
	}
}

var (
	smaller = floating(func(x, y float32) float32 { return min(x, y) }, func(x, y float64) float64 { return min(x, y) })
	larger  = floating(func(x, y float32) float32 { return max(x, y) }, func(x, y float64) float64 { return max(x, y) })
)

// numbers is f unless an operand is no number.
func numbers(f laneFunc) laneFunc {
	return func(e vir.Elem, a []uint64) (uint64, bool) {
		if math.IsNaN(float(e, a[0])) || math.IsNaN(float(e, a[1])) {
			return 0, false
		}
		return f(e, a)
	}
}

func compare(f func(e vir.Elem, x, y uint64) bool) laneFunc {
	return func(e vir.Elem, a []uint64) (uint64, bool) {
		if f(e, a[0], a[1]) {
			return 1, true
		}
		return 0, true
	}
}

func floating(f32 func(x, y float32) float32, f64 func(x, y float64) float64) laneFunc {
	return func(e vir.Elem, a []uint64) (uint64, bool) {
		if e == vir.F32 {
			x, y := math.Float32frombits(uint32(a[0])), math.Float32frombits(uint32(a[1]))
			return uint64(math.Float32bits(f32(x, y))), true
		}
		return math.Float64bits(f64(math.Float64frombits(a[0]), math.Float64frombits(a[1]))), true
	}
}

// rounding computes in f64, which is exact enough for what it is used for.
func rounding(f func(float64) float64) laneFunc {
	return func(e vir.Elem, a []uint64) (uint64, bool) { return floatBits(e, f(float(e, a[0]))), true }
}

// floatBits rounds x to e.
func floatBits(e vir.Elem, x float64) uint64 {
	if e == vir.F32 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// fma of f32 must not round twice, so the sum is formed exactly.
func fma(e vir.Elem, a []uint64) (uint64, bool) {
	x, y, z := float(e, a[0]), float(e, a[1]), float(e, a[2])
	r := math.FMA(x, y, z)
	if e == vir.F64 || r == 0 || math.IsNaN(r) || math.IsInf(r, 0) {
		return floatBits(e, r), true
	}
	p := new(big.Float).SetPrec(2000).Mul(big.NewFloat(x), big.NewFloat(y))
	f, _ := p.Add(p, big.NewFloat(z)).Float32()
	return uint64(math.Float32bits(f)), true
}
