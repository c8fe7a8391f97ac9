package interp

import (
	"math"

	"github.com/lanewise/lanewise/vir"
)

// Conversions between integers and floats need the element of the result, which
// a laneFunc does not see; they are made per result element.
func convert(op vir.Op, from, to vir.Elem) func(x uint64) uint64 {
	switch op {
	case vir.OpSitof:
		return func(x uint64) uint64 {
			if n := signed(from, x); to == vir.F32 {
				return uint64(math.Float32bits(float32(n)))
			} else {
				return math.Float64bits(float64(n))
			}
		}
	case vir.OpUitof:
		return func(x uint64) uint64 {
			if to == vir.F32 {
				return uint64(math.Float32bits(float32(x)))
			}
			return math.Float64bits(float64(x))
		}
	case vir.OpFtosi:
		return func(x uint64) uint64 { return floatToSigned(to, float(from, x)) }
	}
	return func(x uint64) uint64 { return floatToUnsigned(to, float(from, x)) }
}

func convertLanes(v *vir.Value, args []Value) Value {
	f := convert(v.Op, args[0].Type.Elem, v.Type.Elem)
	res := blank(v.Type)
	for i, x := range args[0].Bits {
		if res.Poison[i] = args[0].Poison[i]; !res.Poison[i] {
			res.Bits[i] = clip(v.Type.Elem, f(x))
		}
	}
	return res
}

// What gc 1.26 does on amd64, where a Go program may not rely on anything: the
// instruction CVTTSD2SQ (or CVTTSD2SL for results of up to 32 bits, uint32 excepted)
// gives the smallest integer of its width for NaN and everything out of range,
// and narrower results are the low bits of that.

const two63 = 1 << 63

func floatToSigned(to vir.Elem, x float64) uint64 {
	if to == vir.I64 {
		return truncate64(x)
	}
	return truncate32(x)
}

func floatToUnsigned(to vir.Elem, x float64) uint64 {
	switch {
	case to == vir.I32:
		return truncate64(x)
	case to != vir.I64:
		return truncate32(x)
	case x < two63:
		return truncate64(x)
	}
	return truncate64(x-two63) | 1<<63
}

// truncate64 is CVTTSD2SQ.
func truncate64(x float64) uint64 {
	if x = math.Trunc(x); x >= -(1<<63) && x < 1<<63 {
		return uint64(int64(x))
	}
	return 1 << 63
}

// truncate32 is CVTTSD2SL.
func truncate32(x float64) uint64 {
	if x = math.Trunc(x); x >= -(1<<31) && x < 1<<31 {
		return uint64(int64(x))
	}
	return 1 << 31
}
