// Package fold computes operations on constants as machines do: package interp has all operations, and
// says which operand made a result undefined; here are those that a compiler knows the result of.
package fold

import (
	"math"
	"math/bits"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Lane is one lane of v, given the bits of its operands there. It fails for operations that it does not
// know, for what is undefined, and for NaN, whose bits are up to the machine.
func Lane(v *vir.Value, c []uint64) (x uint64, ok bool) {
	if len(c) == 0 {
		return 0, false
	}
	from := v.Args[0].Type.Elem
	switch {
	case v.Op == vir.OpBitcast && v.Type.Lanes != v.Args[0].Type.Lanes:
		return 0, false
	case v.Op == vir.OpBroadcast, v.Op == vir.OpExtract, v.Op == vir.OpSubvec, v.Op == vir.OpBitcast:
		x, ok = c[0], true
	case v.Op == vir.OpSelect, v.Op == vir.OpBlend:
		x, ok = c[2-c[0]&1], true
	case from.IsFloat() && !v.Type.Elem.IsInt():
		x, ok = foldFloat(v, c)
	case from.IsFloat() || v.Type.Elem.IsFloat():
		x, ok = foldMixed(v, c)
	case len(c) == 1:
		x, ok = foldUnary(v, from, c[0])
	case len(c) == 2:
		x, ok = foldBinary(v.Op, from, c[0], c[1])
	}
	return x & v.Type.Elem.Ones(), ok
}

func signed(x uint64, e vir.Elem) int64 {
	sh := 64 - e.Bits()
	return int64(x<<sh) >> sh
}

func foldUnary(v *vir.Value, from vir.Elem, x uint64) (uint64, bool) {
	w := from.Bits()
	switch v.Op {
	case vir.OpNeg:
		return -x, true
	case vir.OpNot:
		return ^x, true
	case vir.OpTrunc, vir.OpZext:
		return x, true
	case vir.OpSext:
		return uint64(signed(x, from)), true
	case vir.OpPopcnt:
		return uint64(bits.OnesCount64(x)), true
	case vir.OpClz:
		return uint64(bits.LeadingZeros64(x) - (64 - w)), true
	case vir.OpCtz:
		return uint64(min(bits.TrailingZeros64(x), w)), true
	}
	return 0, false
}

func foldBinary(op vir.Op, e vir.Elem, x, y uint64) (uint64, bool) {
	sx, sy := signed(x, e), signed(y, e)
	switch op {
	case vir.OpAdd:
		return x + y, true
	case vir.OpSub:
		return x - y, true
	case vir.OpMul:
		return x * y, true
	case vir.OpAnd:
		return x & y, true
	case vir.OpOr:
		return x | y, true
	case vir.OpXor:
		return x ^ y, true
	case vir.OpSmin:
		return uint64(min(sx, sy)), true
	case vir.OpSmax:
		return uint64(max(sx, sy)), true
	case vir.OpUmin:
		return min(x, y), true
	case vir.OpUmax:
		return max(x, y), true
	case vir.OpShl:
		return x << y, y < uint64(e.Bits())
	case vir.OpLshr:
		return x >> y, y < uint64(e.Bits())
	case vir.OpAshr:
		return uint64(sx >> min(y, 63)), true
	}
	if edit.Divides(op) {
		return foldDivision(op, x, y, sx, sy)
	}
	return foldIntCompare(op, x, y, sx, sy)
}

func foldDivision(op vir.Op, x, y uint64, sx, sy int64) (uint64, bool) {
	switch {
	case y == 0:
		return 0, false
	case op == vir.OpUdiv:
		return x / y, true
	case op == vir.OpUrem:
		return x % y, true
	case op == vir.OpSdiv:
		return uint64(sx / sy), true
	}
	return uint64(sx % sy), true
}

func foldIntCompare(op vir.Op, x, y uint64, sx, sy int64) (uint64, bool) {
	switch op {
	case vir.OpIcmpEq:
		return truth(x == y), true
	case vir.OpIcmpNe:
		return truth(x != y), true
	case vir.OpIcmpSlt:
		return truth(sx < sy), true
	case vir.OpIcmpSle:
		return truth(sx <= sy), true
	case vir.OpIcmpUlt:
		return truth(x < y), true
	case vir.OpIcmpUle:
		return truth(x <= y), true
	}
	return 0, false
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// float is the number of type e with these bits.
func float(bits uint64, e vir.Elem) float64 {
	if e == vir.F32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// foldFloat: operations on f32 are computed in f32.
func foldFloat(v *vir.Value, c []uint64) (uint64, bool) {
	f := func(i int) float64 { return float(c[i], v.Args[0].Type.Elem) }
	var x float64
	switch v.Op {
	case vir.OpFadd:
		x = f(0) + f(1)
	case vir.OpFsub:
		x = f(0) - f(1)
	case vir.OpFmul:
		x = f(0) * f(1)
	case vir.OpFdiv:
		x = f(0) / f(1)
	case vir.OpFsqrt:
		x = math.Sqrt(f(0))
	case vir.OpFfloor:
		x = math.Floor(f(0))
	case vir.OpFceil:
		x = math.Ceil(f(0))
	case vir.OpFtrunc:
		x = math.Trunc(f(0))
	case vir.OpFrint:
		x = math.RoundToEven(f(0))
	case vir.OpFneg:
		x = -f(0)
	case vir.OpFabs:
		x = math.Abs(f(0))
	case vir.OpFpext, vir.OpFptrunc:
		x = f(0)
	case vir.OpFcmpEq:
		return truth(f(0) == f(1)), true
	case vir.OpFcmpNe:
		return truth(f(0) != f(1)), true
	case vir.OpFcmpLt:
		return truth(f(0) < f(1)), true
	case vir.OpFcmpLe:
		return truth(f(0) <= f(1)), true
	default:
		return 0, false
	}
	return v.Type.Elem.FloatBits(x), x == x // sums, products, quotients and roots of f32 in f64 round innocuously
}

func foldMixed(v *vir.Value, c []uint64) (uint64, bool) {
	e := v.Args[0].Type.Elem
	switch {
	case e.IsFloat() && (v.Op == vir.OpFtosi || v.Op == vir.OpFtoui):
		x := float(c[0], e)
		return uint64(int64(x)), math.Abs(x) < 0x1p31 && (v.Op == vir.OpFtosi || x > -1) // others are up to the machine
	case v.Op == vir.OpSitof && v.Type.Elem == vir.F64:
		return math.Float64bits(float64(signed(c[0], e))), true
	case v.Op == vir.OpUitof && v.Type.Elem == vir.F64:
		return math.Float64bits(float64(c[0])), true
	case v.Op == vir.OpSitof && v.Type.Elem == vir.F32:
		return uint64(math.Float32bits(float32(signed(c[0], e)))), true
	case v.Op == vir.OpUitof && v.Type.Elem == vir.F32:
		return uint64(math.Float32bits(float32(c[0]))), true
	}
	return 0, false
}
