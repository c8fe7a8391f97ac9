package main

import (
	"github.com/lanewise/lanewise/examples/abs"
	"github.com/lanewise/lanewise/examples/add"
	"github.com/lanewise/lanewise/examples/arith"
	"github.com/lanewise/lanewise/examples/axpy"
	"github.com/lanewise/lanewise/examples/blend"
	"github.com/lanewise/lanewise/examples/condstore"
	"github.com/lanewise/lanewise/examples/count"
	"github.com/lanewise/lanewise/examples/dot"
	"github.com/lanewise/lanewise/examples/gray"
	"github.com/lanewise/lanewise/examples/hash"
	"github.com/lanewise/lanewise/examples/horner"
	"github.com/lanewise/lanewise/examples/layernorm"
	"github.com/lanewise/lanewise/examples/lower"
	"github.com/lanewise/lanewise/examples/maskedsum"
	"github.com/lanewise/lanewise/examples/minmax"
	"github.com/lanewise/lanewise/examples/pcm"
	"github.com/lanewise/lanewise/examples/popcount"
	"github.com/lanewise/lanewise/examples/relu"
	"github.com/lanewise/lanewise/examples/scale"
	"github.com/lanewise/lanewise/examples/sum"
	"github.com/lanewise/lanewise/examples/threshold"
)

// alone are the rows of examples without a library to compare with.
func alone() []row {
	var rows []row
	for _, group := range [][]row{floatMaps(), mathMaps(), byteMaps(), integerMaps(), reductions(), conditionalStores(), branches(), keepers(), dealers(), scales(), searches(), carried(), nests(), memoryRows()} {
		rows = append(rows, group...)
	}
	return rows
}

func floatMaps() []row {
	type unary = func(dst, x []float32)
	return []row{
		map1("axpy float64", predictable, -9, 9, versions(
			func(y, x []float64) { axpy64Original(1e-3, x, y) },
			func(y, x []float64) { axpy.Axpy64(1e-3, x, y) })),
		map1("relu", unpredictable, -9, 9, versions(unary(reluOriginal), unary(relu.ReLU))),
		map1("leaky relu", unpredictable, -9, 9, versions(
			func(dst, x []float32) { leakyOriginal(dst, x, 0.125) },
			func(dst, x []float32) { relu.Leaky(dst, x, 0.125) })),
		map1("horner degree 5", predictable, -1, 1, versions(unary(exp5Original), unary(horner.Exp5))),
		map1("horner fused", predictable, -1, 1, versions(unary(exp5FusedOriginal), unary(horner.Exp5Fused))),
		map2("layer norm", predictable, -9, 9, versions(
			func(dst, x, gamma []float32) { normOriginal(dst, x, gamma, gamma) },
			func(dst, x, gamma []float32) { layernorm.Norm(dst, x, gamma, gamma) })),
		map2("layer norm affine", predictable, -9, 9, versions(
			func(dst, x, gamma []float32) { affineOriginal(dst, x, gamma, gamma, 0.5, 2) },
			func(dst, x, gamma []float32) { layernorm.Affine(dst, x, gamma, gamma, 0.5, 2) })),
		map1("int16 to float32", predictable, -30000, 30000, versions(
			func(dst []float32, x []int16) { toFloatOriginal(dst, x) },
			func(dst []float32, x []int16) { pcm.ToFloat(dst, x) })),
		map1("float32 to int16", unpredictable, -1, 1, versions(
			func(dst []int16, x []float32) { fromFloatOriginal(dst, x) },
			func(dst []int16, x []float32) { pcm.FromFloat(dst, x) })),
	}
}

func byteMaps() []row {
	type (
		unary  = func(dst, x []uint8)
		binary = func(dst, x, y []uint8)
	)
	return []row{
		map1("threshold image", unpredictable, 0, 255, versions(
			unary(func(dst, x []uint8) { binarizeOriginal(dst, x, 100) }),
			unary(func(dst, x []uint8) { threshold.Binarize(dst, x, 100) }))),
		map2("alpha blend", predictable, 0, 255, versions(binary(blendOriginal), binary(blend.Blend))),
		map1("fade", predictable, 0, 255, versions(
			unary(func(dst, x []uint8) { fadeOriginal(dst, x, 100) }),
			unary(func(dst, x []uint8) { blend.Fade(dst, x, 100) }))),
		map2("planar RGB to gray", predictable, 0, 255, versions(
			binary(func(dst, x, y []uint8) { grayOriginal(dst, x, y, x) }),
			binary(func(dst, x, y []uint8) { gray.Gray(dst, x, y, x) }))),
		map1("lower case, copied", unpredictable, 32, 126, versions(unary(lowerIntoOriginal), unary(lower.Into))),
	}
}

func integerMaps() []row {
	return []row{
		map2("add int64", predictable, -9, 9, versions(addInt64Original, add.Int64)),
		inPlace("hash uint32", versions(
			func(x []uint32) { hash32Original(x, 1) },
			func(x []uint32) { hash.Hash32(x, 1) })),
		inPlace("hash uint64", versions(
			func(x []uint64) { hash64Original(x, 1) },
			func(x []uint64) { hash.Hash64(x, 1) })),
		map2("multiply uint8", predictable, 0, 255, versions(productOriginal[uint8], arith.MulUint8)),
		map2("multiply int64", predictable, -99, 99, versions(productOriginal[int64], arith.MulInt64)),
		map2("min of two int64", predictable, -99, 99, versions(smallerOriginal[int64], arith.MinInt64)),
		map2("min of two float64", predictable, -99, 99, versions(smallerOriginal[float64], arith.MinFloat64)),
	}
}

func reductions() []row {
	type fold = func(x []float32) float32
	return []row{
		reduce2[int16]("dot int16", predictable, -99, 99, versions(dotInt16Original, dot.Int16)),
		reduce1[uint8]("sum bytes", predictable, 0, 255, versions(sumBytesOriginal, sum.Bytes)),
		reduce1[uint8]("polynomial hash of bytes", predictable, 0, 255, versions(polynomialHashOriginal, hash.Polynomial)),
		reduce1[float32]("min float32", settling, -1e6, 1e6, versions(fold(minFloat32Original), fold(minmax.MinFloat32))),
		reduce1[float32]("max float32, builtin", settling, -1e6, 1e6,
			versions(fold(maxBuiltinFloat32Original), fold(minmax.MaxBuiltinFloat32))),
		reduce1[float32]("min float32, builtin", settling, -1e6, 1e6,
			versions(fold(minBuiltinFloat32Original), fold(minmax.MinBuiltinFloat32))),
		reduce1[int32]("min int32", settling, -1e6, 1e6, versions(minInt32Original, minmax.MinInt32)),
		reduce1[uint8]("min and max uint8", settling, 0, 255, versions(
			func(x []uint8) uint8 { lo, hi := rangeUint8Original(x); return hi - lo },
			func(x []uint8) uint8 { lo, hi := minmax.RangeUint8(x); return hi - lo })),
		reduce1[uint8]("count byte", settling, 0, 4, versions(
			func(x []uint8) int { return countByteOriginal(x, 1) },
			func(x []uint8) int { return count.Byte(x, 1) })),
		reduce1[uint64]("popcount uint64", predictable, 0, 1<<40, versions(onesOriginal, popcount.Ones)),
		reduce1[uint8]("popcount bytes", predictable, 0, 255, versions(onesBytesOriginal, popcount.OnesBytes)),
		reduce2[uint64]("hamming uint64", predictable, 0, 1<<40, versions(hammingOriginal, popcount.Hamming)),
		reduce2[uint8]("hamming bytes", predictable, 0, 255, versions(hammingBytesOriginal, popcount.HammingBytes)),
		maskedSum(),
		reduce1[int32]("positive sum int32", unpredictable, -99, 99, versions(
			func(x []int32) int32 { s, n := positiveSumOriginal(x); return s + int32(n) },
			func(x []int32) int32 { s, n := maskedsum.PositiveInt32(x); return s + int32(n) })),
	}
}

func maskedSum() row {
	type sums = func(x []float32, keep []bool) float32
	return repeatable("masked sum float32", unpredictable, func(size int) func(f sums, at, n int) {
		x, bits, keep := fill[float32](size, 1, -9, 9), fill[uint8](size, 2, 0, 1), make([]bool, size)
		for i, b := range bits {
			keep[i] = b == 1
		}
		return func(f sums, at, n int) { f(x[at:at+n], keep[at:at+n]) }
	}, versions(sums(maskedSumOriginal), sums(maskedsum.Float32)))
}

func conditionalStores() []row {
	return []row{
		destructive("abs int32, stored if negative", -99, 99, versions(absInt32Original, abs.Int32)),
		destructive("relu in place", -9, 9, versions(reluInPlaceOriginal, relu.InPlace)),
		destructive("cut image", 0, 255, versions(
			func(x []uint8) { cutOriginal(x, 100) },
			func(x []uint8) { threshold.Cut(x, 100) })),
		destructive("clip float32", -99, 99, versions(
			func(x []float32) { clipOriginal(x, 50) },
			func(x []float32) { condstore.Clip(x, 50) })),
		destructive("clip float32, exclusive", -99, 99, versions(
			func(x []float32) { clipOriginal(x, 50) },
			func(x []float32) { condstore.ClipExclusive(x, 50) })),
		destructive("lower case in place", 32, 126, versions(lowerOriginal, lower.Lower)),
		map1("copy above float32", endless, -99, 99, versions(
			func(dst, x []float32) { copyAboveOriginal(dst, x, 0) },
			func(dst, x []float32) { condstore.CopyAbove(dst, x, 0) })),
		map1("copy above int64", endless, -99, 99, versions(
			func(dst, x []int64) { copyAboveInt64Original(dst, x, 0) },
			func(dst, x []int64) { condstore.CopyAboveInt64(dst, x, 0) })),
		map1("copy above bytes", endless, 0, 255, versions(
			func(dst, x []uint8) { copyAboveBytesOriginal(dst, x, 127) },
			func(dst, x []uint8) { condstore.CopyAboveBytes(dst, x, 127) })),
	}
}

func scales() []row {
	return []row{
		scaleRow("float32", scale.Float32),
		scaleRow("float64", scale.Float64),
		scaleRow("int32", scale.Int32),
		scaleRow("int16", scale.Int16),
		scaleRow("uint8", scale.Uint8),
	}
}

func scaleRow[T int16 | int32 | uint8 | float32 | float64](name string, twin func(dst, x []T, k T)) row {
	return map1("scale "+name, predictable, 0, 99, versions(
		func(dst, x []T) { scaleOriginal(dst, x, 3) },
		func(dst, x []T) { twin(dst, x, 3) }))
}
