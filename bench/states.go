package main

import (
	"bytes"

	"github.com/lanewise/lanewise/examples/argmax"
	"github.com/lanewise/lanewise/examples/difference"
	"github.com/lanewise/lanewise/examples/lastindex"
	"github.com/lanewise/lanewise/examples/prefixsum"
)

// carried are loops whose iterations need more of the one before than a sum.
func carried() []row {
	return []row{
		reduce1[float32]("argmax float32", settling, -1000, 1000, versions(
			func(x []float32) int { _, at := argMaxOriginal(x); return at },
			func(x []float32) int { _, at := argmax.MaxFloat32(x); return at })),
		reduce1[int32]("argmin int32", settling, -1000000, 1000000, versions(
			func(x []int32) int { _, at := argMinOriginal(x); return at },
			func(x []int32) int { _, at := argmax.MinInt32(x); return at })),
		reduce1[uint8]("argmax of bytes", settling, 0, 255, versions(
			func(x []uint8) int { _, at := argMaxByteOriginal(x); return at },
			func(x []uint8) int { _, at := argmax.MaxByte(x); return at })),
		map1("prefix sum int32", predictable, -100, 100, versions(prefixSumOriginal, prefixsum.Int32)),
		map1("prefix sum float32", predictable, -100, 100, versions(prefixSumFloatOriginal, prefixsum.Float32)),
		map1("running max float32", predictable, -100, 100, versions(runningMaxOriginal, prefixsum.Max)),
		map1("deltas int32", predictable, -100, 100, versions(
			func(dst, x []int32) { deltasOriginal(dst, x, 0) },
			func(dst, x []int32) { difference.Deltas(dst, x, 0) })),
		reduce1[uint8]("changes of bytes", unpredictable, 0, 3, versions(
			func(x []uint8) int { return changesOriginal(x, 0) },
			func(x []uint8) int { return difference.Changes(x, 0) })),
	}
}

// carriedLibraries are such loops that the standard library has.
func carriedLibraries() []row {
	return []row{
		reduce1[uint8]("last index of a byte", predictable, 1, 255, versions(
			func(x []uint8) int { return lastByteOriginal(x, 0) },
			func(x []uint8) int { return lastindex.LastByte(x, 0) },
			library("bytes.LastIndexByte", func(x []uint8) int { return bytes.LastIndexByte(x, 0) }))),
	}
}
