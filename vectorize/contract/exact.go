package contract

import (
	"math"
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// What a significand has, with the bit in front of the point.
const (
	digits32 = 24
	digits64 = 53
)

// largestExponent is that of constants, above and below 0, with which no product leaves the range of
// normal numbers: the others are integers, or were float32s.
var largestExponent = map[vir.Elem]int{vir.F32: 60, vir.F64: 500}

// isExact reports whether product v is what it would be without rounding.
func isExact(v *vir.Value) bool {
	x, ok := digits(v.Args[0])
	y, ok2 := digits(v.Args[1])
	if v.Type.Elem == vir.F32 {
		return ok && ok2 && x+y <= digits32
	}
	return ok && ok2 && x+y <= digits64
}

// digits is the number of binary digits that hold the significand of v, whatever v is; not ok for values
// the exponents of which are not known to be small.
func digits(v *vir.Value) (n int, ok bool) {
	switch v.Op {
	case vir.OpFpext:
		return digits32, true
	case vir.OpSitof, vir.OpUitof:
		return integerBits(v.Args[0]), true
	case vir.OpConst:
		for _, b := range v.Bits {
			k, ok := constantDigits(v.Type.Elem, b)
			if !ok {
				return 0, false
			}
			n = max(n, k)
		}
		return n, true
	case vir.OpFneg, vir.OpFabs, vir.OpBroadcast, vir.OpSubvec, vir.OpExtract:
		return digits(v.Args[0])
	}
	return 0, false
}

// integerBits is the number of bits of integer v that are more than its sign or zeros.
func integerBits(v *vir.Value) int {
	for v.Op == vir.OpZext || v.Op == vir.OpSext || v.Op == vir.OpSubvec || v.Op == vir.OpBroadcast {
		v = v.Args[0]
	}
	return v.Type.Elem.Bits()
}

func constantDigits(e vir.Elem, b uint64) (n int, ok bool) {
	x := math.Float64frombits(b)
	if e == vir.F32 {
		x = float64(math.Float32frombits(uint32(b)))
	}
	if x == 0 {
		return 0, true
	}
	frac, exp := math.Frexp(x)
	if math.IsInf(x, 0) || math.IsNaN(x) || max(exp, -exp) > largestExponent[e] {
		return 0, false
	}
	significand := uint64(math.Abs(frac) * (1 << digits64))
	return digits64 - bits.TrailingZeros64(significand), true
}
