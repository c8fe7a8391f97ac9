package gosem

import (
	"math"

	"github.com/lanewise/lanewise/vir"
)

// conversion is op from element from to element to.
func conversion(op vir.Op, from, to vir.Elem) Func {
	switch op {
	case vir.OpTrunc, vir.OpZext, vir.OpSext:
		return resize(op, from, to)
	case vir.OpBitcast:
		return func(x, _, _ uint64) (uint64, bool) { return x, true }
	case vir.OpFpext:
		return func(x, _, _ uint64) (uint64, bool) { return math.Float64bits(float64(f32(x))), true }
	case vir.OpFptrunc:
		return func(x, _, _ uint64) (uint64, bool) {
			return uint64(math.Float32bits(float32(math.Float64frombits(x)))), true
		}
	case vir.OpSitof, vir.OpUitof:
		return toFloat(from, to, op == vir.OpSitof)
	}
	return toInt(from, to, op == vir.OpFtosi)
}

// resize is a conversion between integers, by way of Go's types of from and to.
func resize(op vir.Op, from, to vir.Elem) Func {
	if from == vir.Bool {
		from = vir.I8
		f := resize(vir.OpSext, vir.I8, to)
		if to == vir.I8 {
			f = func(x, _, _ uint64) (uint64, bool) { return uint64(uint8(x)), true }
		}
		return func(x, _, _ uint64) (uint64, bool) {
			if op == vir.OpSext && x != 0 {
				x = 0xff
			}
			return f(x, 0, 0)
		}
	}
	wide := func(x uint64) uint64 { return x }
	if op == vir.OpSext {
		wide = map[vir.Elem]func(x uint64) uint64{
			vir.I8:  func(x uint64) uint64 { return uint64(int8(x)) },
			vir.I16: func(x uint64) uint64 { return uint64(int16(x)) },
			vir.I32: func(x uint64) uint64 { return uint64(int32(x)) },
		}[from]
	}
	narrow := map[vir.Elem]func(x uint64) uint64{
		vir.I8:  func(x uint64) uint64 { return uint64(uint8(x)) },
		vir.I16: func(x uint64) uint64 { return uint64(uint16(x)) },
		vir.I32: func(x uint64) uint64 { return uint64(uint32(x)) },
		vir.I64: func(x uint64) uint64 { return x },
	}[to]
	if wide == nil || narrow == nil {
		return nil
	}
	return func(x, _, _ uint64) (uint64, bool) { return narrow(wide(x)), true }
}

// intTo and floatTo convert with Go's own conversions. They must not be inlined:
// the compiler would convert constants in its own way.

//go:noinline
func intTo[S signed, U unsigned, F floating](x uint64, sign bool) F {
	if sign {
		return F(S(x))
	}
	return F(U(x))
}

//go:noinline
func floatTo[S signed, U unsigned, F floating](x F, sign bool) uint64 {
	if sign {
		return uint64(U(S(x)))
	}
	return uint64(U(x))
}

func intToFloat[F floating](e vir.Elem, x uint64, sign bool) F {
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

func floatToInt[F floating](e vir.Elem, x F, sign bool) uint64 {
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

func toFloat(from, to vir.Elem, sign bool) Func {
	if to == vir.F32 {
		return func(x, _, _ uint64) (uint64, bool) {
			return uint64(math.Float32bits(intToFloat[float32](from, x, sign))), true
		}
	}
	return func(x, _, _ uint64) (uint64, bool) { return math.Float64bits(intToFloat[float64](from, x, sign)), true }
}

// toInt is specified by what gc does on amd64, out of range too.
func toInt(from, to vir.Elem, sign bool) Func {
	if from == vir.F32 {
		return func(x, _, _ uint64) (uint64, bool) { return floatToInt(to, f32(x), sign), true }
	}
	return func(x, _, _ uint64) (uint64, bool) { return floatToInt(to, math.Float64frombits(x), sign), true }
}
