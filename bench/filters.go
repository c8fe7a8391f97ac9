package main

import "github.com/lanewise/lanewise/examples/filter"

// Loops that put side by side what they keep: half of it, at random.

func keepers() []row {
	return []row{
		map1("filter float32", endless, -99, 99, versions(
			func(dst, x []float32) { aboveOriginal(dst, x, 0) },
			func(dst, x []float32) { filter.Above(dst, x, 0) })),
		map1("selection vector", endless, -99, 99, versions(
			func(dst []int32, x []float32) { betweenOriginal(dst, x, 0, 1000) },
			func(dst []int32, x []float32) { filter.Between(dst, x, 0, 1000) })),
		map1("filter two columns", endless, -99, 99, versions(columns(largeOriginal), columns(filter.Large))),
		map1("partition int32", endless, -99, 99, versions(halves(partitionOriginal), halves(filter.Partition))),
		map1("non-zero uint16", endless, 0, 1, versions(
			func(dst, x []uint16) { nonZeroOriginal(dst, x) },
			func(dst, x []uint16) { filter.NonZero(dst, x) })),
		destructive("drop spaces", ' ', ' '+1, versions(
			func(x []uint8) { dropSpacesOriginal(x) },
			func(x []uint8) { filter.DropSpaces(x) })),
	}
}

// halves has a place of its own for what is high.
func halves(f func(low, high, src []int32, pivot int32) int) func(dst, x []int32) {
	high := written[int32](2 * endless)
	return func(dst, x []int32) {
		if len(high) < len(x) {
			high = written[int32](len(x))
		}
		f(dst, high, x, 5)
	}
}

// columns has places of its own for the keys.
func columns(f func(outKeys []int32, outWeights []float64, keys []int32, weights []float64, limit float64) int) func(dst, x []float64) {
	var keys, out []int32
	return func(dst, x []float64) {
		if len(keys) < len(x) {
			keys, out = written[int32](len(x)), written[int32](len(x))
		}
		f(out, dst, keys, x, 5)
	}
}

// filterDensities are rows of which a pattern says what is kept.
func filterDensities() []densityRow {
	return []densityRow{
		copied("filter float32", versions(
			func(dst, x []float32) { aboveOriginal(dst, x, 5) },
			func(dst, x []float32) { filter.Above(dst, x, 5) })),
		copied("selection vector", versions(
			func(dst []int32, x []float32) { betweenOriginal(dst, x, 5, 1000) },
			func(dst []int32, x []float32) { filter.Between(dst, x, 5, 1000) })),
		copied("filter two columns", versions(columns(largeOriginal), columns(filter.Large))),
		copied("partition int32", versions(halves(partitionOriginal), halves(filter.Partition))),
		stored("non-zero uint16", 1, 0, versions(
			func(dst, x []uint16) { nonZeroOriginal(dst, x) },
			func(dst, x []uint16) { filter.NonZero(dst, x) })),
		changed("drop spaces", 'x', ' ', versions(
			func(x []uint8) { dropSpacesOriginal(x) },
			func(x []uint8) { filter.DropSpaces(x) })),
	}
}
