package main

import (
	"github.com/tphakala/simd/c64"
	"github.com/tphakala/simd/f32"
	"github.com/tphakala/simd/i8"
	"github.com/viterin/vek"
	"github.com/viterin/vek/vek32"

	"github.com/lanewise/lanewise/bench/menu"
)

// conversionMenu are rows with two types. The second one has its own operands.
func conversionMenu() []row {
	return []row{
		converted("int64 to float32", menu.Float32FromInt64, menu.VecFloat32FromInt64,
			library("vek", func(dst []float32, x []int64) { vek32.FromInt64_Into(dst, x) })),
		converted("int32 to float32", menu.Float32FromInt32, menu.VecFloat32FromInt32,
			library("vek", func(dst []float32, x []int32) { vek32.FromInt32_Into(dst, x) })),
		converted("float64 to float32", menu.Float32FromFloat64, menu.VecFloat32FromFloat64,
			library("vek", func(dst []float32, x []float64) { vek32.FromFloat64_Into(dst, x) })),
		converted("float32 to float64", menu.Float64FromFloat32, menu.VecFloat64FromFloat32,
			library("vek", func(dst []float64, x []float32) { vek32.ToFloat64_Into(dst, x) })),
		converted("float32 to int32", menu.Int32FromFloat32, menu.VecInt32FromFloat32,
			library("vek", func(dst []int32, x []float32) { vek32.ToInt32_Into(dst, x) })),
		converted("float64 to int64", menu.Int64FromFloat64, menu.VecInt64FromFloat64,
			library("vek", func(dst []int64, x []float64) { vek.ToInt64_Into(dst, x) })),
		converted("int16 to float32, scaled",
			func(dst []float32, x []int16) { menu.ScaleInt16(dst, x, 0.5) },
			func(dst []float32, x []int16) { menu.VecScaleInt16(dst, x, 0.5) },
			library("tphakala", func(dst []float32, x []int16) { f32.Int16ToFloat32Scale(dst, x, 0.5) })),
		converted("float32 to int16, scaled",
			func(dst []int16, x []float32) { menu.Samples(dst, x, 0.5) },
			func(dst []int16, x []float32) { menu.VecSamples(dst, x, 0.5) },
			library("tphakala", func(dst []int16, x []float32) { f32.Float32ToInt16Scale(dst, x, 0.5) })),
		converted("int8 to float32, scaled",
			func(dst []float32, x []int8) { menu.Dequantize(dst, x, 0.5, 3) },
			func(dst []float32, x []int8) { menu.VecDequantize(dst, x, 0.5, 3) },
			library("tphakala", func(dst []float32, x []int8) { i8.Dequantize(dst, x, 0.5, 3) })),
		converted("int8 to int16", menu.Widen, menu.VecWiden,
			library("tphakala", i8.ToInt16)),
	}
}

func converted[D, T number](name string, original, twin func(dst []D, x []T), libraries ...named[func(dst []D, x []T)]) row {
	return map1(name, predictable, -99, 99, versions(original, twin, libraries...))
}

func boolMenu() []row {
	type ops = operands[int8]
	return []row{
		course("not",
			original(func(o *ops) { menu.Not(o.marks, o.keep) }),
			twin(func(o *ops) { menu.VecNot(o.marks, o.keep) }),
			library("vek", func(o *ops) { vek.Not_Into(o.marks, o.keep) })),
		course("and",
			original(func(o *ops) { menu.And(o.marks, o.keep, o.keep) }),
			twin(func(o *ops) { menu.VecAnd(o.marks, o.keep, o.keep) }),
			library("vek", func(o *ops) { vek.And_Into(o.marks, o.keep, o.keep) })),
		course("exclusive or",
			original(func(o *ops) { menu.Xor(o.marks, o.keep, o.keep) }),
			twin(func(o *ops) { menu.VecXor(o.marks, o.keep, o.keep) }),
			library("vek", func(o *ops) { vek.Xor_Into(o.marks, o.keep, o.keep) })),
		course("count bools",
			original(func(o *ops) { menu.Count(o.keep) }),
			twin(func(o *ops) { menu.VecCount(o.keep) }),
			library("vek", func(o *ops) { vek.Count(o.keep) })),
	}
}

// complexMenu has slices of complex numbers in the place of pairs of floats.
func complexMenu() []row {
	return []row{
		complexRow("multiply complex64", menu.MulComplex, menu.VecMulComplex64, approximation("tphakala", c64.Mul)),
		complexRow("add complex64", menu.AddComplex, menu.VecAddComplex64, library("tphakala", c64.Add)),
	}
}

type complexMap = func(dst, x, y []complex64)

func complexRow(name string, original, twin complexMap, libraries ...named[complexMap]) row {
	return row{name, func(n int) []contender {
		var cs []contender
		for _, v := range versions(original, twin, libraries...) {
			dst, x, y := make([]complex64, n), make([]complex64, n), make([]complex64, n)
			re, im := withoutZero[float32](n, 1), withoutZero[float32](n, 2)
			for i := range x {
				x[i], y[i] = complex(re[i]/3, im[i]/7), complex(im[i]/3, re[i]/7)
			}
			cs = append(cs, contender{name: v.name, call: func() { v.f(dst, x, y) }, rough: v.rough, stored: func() any { return dst }})
		}
		return cs
	}}
}
