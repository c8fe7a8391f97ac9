package interp_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/lanewise/lanewise/vir"
)

// intTo and the like convert with Go's own conversions. They must not be inlined:
// the compiler would convert constants in its own way.

//go:noinline
func intTo[S sint, U uint, F flt](x uint64, sign bool) F {
	if sign {
		return F(S(x))
	}
	return F(U(x))
}

//go:noinline
func floatTo[S sint, U uint, F flt](x F, sign bool) uint64 {
	if sign {
		return uint64(U(S(x)))
	}
	return uint64(U(x))
}

func intToFloat[F flt](e vir.Elem, x uint64, sign bool) F {
	switch e {
	case vir.I8:
		return intTo[int8, uint8, F](x, sign)
	case vir.I16:
		return intTo[int16, uint16, F](x, sign)
	case vir.I32:
		return intTo[int32, uint32, F](x, sign)
	}
	return intTo[int64, uint64, F](x, sign)
}

func floatToInt[F flt](e vir.Elem, x F, sign bool) uint64 {
	switch e {
	case vir.I8:
		return floatTo[int8, uint8](x, sign)
	case vir.I16:
		return floatTo[int16, uint16](x, sign)
	case vir.I32:
		return floatTo[int32, uint32](x, sign)
	}
	return floatTo[int64, uint64](x, sign)
}

func f32(x uint64) float32 { return math.Float32frombits(uint32(x)) }

func TestIntToFloatIsGos(t *testing.T) {
	for _, op := range []vir.Op{vir.OpSitof, vir.OpUitof} {
		sign := op == vir.OpSitof
		for _, from := range intElems {
			compareWithNative(t, op, vir.F32, []vir.Elem{from}, func(a []uint64) (uint64, bool) {
				return uint64(math.Float32bits(intToFloat[float32](from, a[0], sign))), true
			})
			compareWithNative(t, op, vir.F64, []vir.Elem{from}, func(a []uint64) (uint64, bool) {
				return math.Float64bits(intToFloat[float64](from, a[0], sign)), true
			})
		}
		tried[op] = true
	}
}

// TestFloatToIntIsGos pins what gc does out of range, which is only specified by
// what it does on amd64.
func TestFloatToIntIsGos(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("conversions out of range are those of amd64")
	}
	for _, op := range []vir.Op{vir.OpFtosi, vir.OpFtoui} {
		sign := op == vir.OpFtosi
		for _, to := range intElems {
			compareWithNative(t, op, to, []vir.Elem{vir.F32}, func(a []uint64) (uint64, bool) {
				return floatToInt(to, f32(a[0]), sign), true
			})
			compareWithNative(t, op, to, []vir.Elem{vir.F64}, func(a []uint64) (uint64, bool) {
				return floatToInt(to, math.Float64frombits(a[0]), sign), true
			})
		}
		tried[op] = true
	}
}

func TestOtherConversionsAreGos(t *testing.T) {
	for _, from := range intElems {
		for _, to := range intElems {
			one := []vir.Elem{from}
			if to.Size() < from.Size() {
				compareWithNative(t, vir.OpTrunc, to, one, func(a []uint64) (uint64, bool) {
					return a[0] << (64 - to.Bits()) >> (64 - to.Bits()), true
				})
			}
			if to.Size() > from.Size() {
				compareWithNative(t, vir.OpZext, to, one, func(a []uint64) (uint64, bool) { return a[0], true })
				compareWithNative(t, vir.OpSext, to, one, func(a []uint64) (uint64, bool) {
					sh := 64 - from.Bits()
					return uint64(int64(a[0]<<sh)>>sh) << (64 - to.Bits()) >> (64 - to.Bits()), true
				})
			}
		}
		compareWithNative(t, vir.OpZext, from, []vir.Elem{vir.Bool}, func(a []uint64) (uint64, bool) { return a[0], true })
		compareWithNative(t, vir.OpSext, from, []vir.Elem{vir.Bool}, func(a []uint64) (uint64, bool) {
			return (-a[0]) << (64 - from.Bits()) >> (64 - from.Bits()), true
		})
	}
	compareWithNative(t, vir.OpFpext, vir.F64, []vir.Elem{vir.F32}, func(a []uint64) (uint64, bool) {
		return math.Float64bits(float64(f32(a[0]))), true
	})
	compareWithNative(t, vir.OpFptrunc, vir.F32, []vir.Elem{vir.F64}, func(a []uint64) (uint64, bool) {
		return uint64(math.Float32bits(float32(math.Float64frombits(a[0])))), true
	})
	same := func(a []uint64) (uint64, bool) { return a[0], true }
	for _, p := range [][2]vir.Elem{{vir.I32, vir.F32}, {vir.F32, vir.I32}, {vir.I64, vir.F64}, {vir.F64, vir.I64}} {
		compareWithNative(t, vir.OpBitcast, p[1], p[:1], same)
	}
	for _, op := range []vir.Op{vir.OpTrunc, vir.OpZext, vir.OpSext, vir.OpFpext, vir.OpFptrunc, vir.OpBitcast} {
		tried[op] = true
	}
}
