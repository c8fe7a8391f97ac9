package main

import (
	"slices"

	"github.com/tphakala/simd/f32"
	"github.com/tphakala/simd/i32"
	"github.com/tphakala/simd/i8"
	"github.com/viterin/vek/vek32"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/lanewise/lanewise/examples/abs"
	"github.com/lanewise/lanewise/examples/add"
	"github.com/lanewise/lanewise/examples/addu8"
	"github.com/lanewise/lanewise/examples/axpy"
	"github.com/lanewise/lanewise/examples/count"
	"github.com/lanewise/lanewise/examples/dot"
	"github.com/lanewise/lanewise/examples/minmax"
	"github.com/lanewise/lanewise/examples/sum"
)

var blas gonum.Implementation

// againstLibraries are the rows for which a hand-written library has an
// equivalent, or, for bytes, something of the same cost.
func againstLibraries() []row {
	return slices.Concat(floatLibraries(), integerLibraries(), searchLibraries(), carriedLibraries())
}

func floatLibraries() []row {
	type (
		binary = func(dst, x, y []float32)
		unary  = func(dst, x []float32)
		dots   = func(x, y []float32) float32
		fold   = func(x []float32) float32
	)
	return []row{
		map1("axpy float32", predictable, -9, 9, versions(
			unary(func(y, x []float32) { axpyOriginal(1e-3, x, y) }),
			unary(func(y, x []float32) { axpy.Axpy(1e-3, x, y) }),
			library("tphakala", unary(func(y, x []float32) { f32.AddScaled(y, 1e-3, x) })),
			library("gonum", unary(func(y, x []float32) { blas.Saxpy(len(x), 1e-3, x, 1, y, 1) })),
		)),
		reduce2[float32]("dot float32", predictable, -9, 9, versions(
			dots(dotFloat32Original), dots(dot.Float32),
			library("vek", dots(vek32.Dot)),
			library("tphakala", dots(f32.DotProduct)),
			library("gonum", dots(func(x, y []float32) float32 { return blas.Sdot(len(x), x, 1, y, 1) })),
		)),
		map2("add float32", predictable, -9, 9, versions(
			binary(addFloat32Original), binary(add.Float32),
			library("vek", binary(func(dst, x, y []float32) { vek32.Add_Into(dst, x, y) })),
			library("tphakala", binary(f32.Add)),
		)),
		map1("add float32 in place", predictable, -9, 9, versions(
			unary(func(x, y []float32) { addFloat32Original(x, x, y) }),
			unary(func(x, y []float32) { add.Float32(x, x, y) }),
			library("vek", unary(vek32.Add_Inplace)),
			library("tphakala", unary(func(x, y []float32) { f32.Add(x, x, y) })),
		)),
		reduce1[float32]("sum float32", predictable, -9, 9, versions(
			fold(sumFloat32Original), fold(sum.Float32),
			library("vek", fold(vek32.Sum)),
			library("tphakala", fold(f32.Sum)),
		)),
		reduce1[float32]("max float32", settling, -1e6, 1e6, versions(
			fold(maxFloat32Original), fold(minmax.MaxFloat32),
			library("vek", fold(vek32.Max)),
			library("tphakala", fold(f32.Max)),
		)),
		map1("abs float32", predictable, -9, 9, versions(
			unary(absFloat32Original), unary(abs.Float32),
			library("vek", unary(func(dst, x []float32) { vek32.Abs_Into(dst, x) })),
			library("tphakala", unary(f32.Abs)),
		)),
		inPlace("abs float32 in place", versions(
			func(x []float32) { absFloat32Original(x, x) },
			func(x []float32) { abs.Float32(x, x) },
			library("vek", vek32.Abs_Inplace),
			library("tphakala", func(x []float32) { f32.Abs(x, x) }),
		)),
		countAbove(),
	}
}

// countAbove needs vek to write an intermediate []bool, as its users must.
func countAbove() row {
	type fold = func(x []float32) int
	var marks []bool
	return reduce1[float32]("count above float32", settling, -1e6, 1e6, versions(
		fold(func(x []float32) int { return countAboveOriginal(x, 1e5) }),
		fold(func(x []float32) int { return count.Above(x, 1e5) }),
		library("vek", fold(func(x []float32) int {
			if cap(marks) < len(x) {
				marks = make([]bool, len(x))
			}
			return vek32.Count(vek32.GtNumber_Into(marks[:len(x)], x, 1e5))
		})),
	))
}

// integerLibraries compares bytes with signed ones that saturate: no library has the
// wrapping sum, and the instructions cost the same. MinMax finds both extremes.
func integerLibraries() []row {
	type (
		binary = func(dst, x, y []uint8)
		fold   = func(x []int32) int32
	)
	return []row{
		map2("add uint8", predictable, 0, 255, versions(binary(addU8Original), binary(addu8.Add),
			library("tphakala int8 saturating", binary(signed2(i8.AddSaturate))))),
		map2("saturating add uint8", predictable, 0, 255, versions(binary(addSatU8Original), binary(addu8.AddSat),
			library("tphakala int8", binary(signed2(i8.AddSaturate))))),
		map2("max of two uint8", unpredictable, 0, 255, versions(binary(maxOfU8Original), binary(addu8.Max),
			library("tphakala int8", binary(signed2(i8.Max))))),
		reduce1[uint8]("max uint8", settling, 0, 255, versions(maxUint8Original, minmax.MaxUint8,
			library("tphakala int8 min and max", func(x []uint8) uint8 {
				_, m := i8.MinMax(signed(x))
				return uint8(m)
			}))),
		reduce1[int32]("sum int32", predictable, -9, 9, versions(
			fold(sumInt32Original), fold(sum.Int32),
			library("tphakala", fold(i32.Sum)))),
		reduce1[int32]("max int32", settling, -1e6, 1e6, versions(
			fold(maxInt32Original), fold(minmax.MaxInt32),
			library("tphakala min and max", fold(func(x []int32) int32 {
				_, m := i32.MinMax(x)
				return m
			})))),
	}
}
