package main

import (
	"unsafe"

	"github.com/lanewise/lanewise/examples/expand"
)

// Loops that put what lies side by side where it belongs: half of the places, at random.

func dealers() []row {
	return []row{
		map1("unpack float32", endless, 0, 1, versions(dealt[float32](unpackOriginal), dealt[float32](expand.Unpack))),
		map1("unpack bytes", endless, 0, 1, versions(dealt[uint8](unpackBytesOriginal), dealt[uint8](expand.UnpackBytes))),
		map1("choose int32", endless, 0, 1, versions(woven(chooseOriginal), woven(expand.Choose))),
		map1("fill uint16", endless, 0, 1, versions(filled(fillOriginal), filled(expand.Fill))),
	}
}

// expandDensities are rows of which a pattern says what is set.
func expandDensities() []densityRow {
	nines := make([]float32, endless)
	for i := range nines {
		nines[i] = 9
	}
	return []densityRow{
		stored("unpack float32", 1, 0, versions(dealt[float32](unpackOriginal), dealt[float32](expand.Unpack))),
		stored("unpack bytes", 1, 0, versions(dealt[uint8](unpackBytesOriginal), dealt[uint8](expand.UnpackBytes))),
		changed("put back float32", 9, 1, versions(
			func(x []float32) { putBackOriginal(x, nines, 5) },
			func(x []float32) { expand.PutBack(x, nines, 5) })),
		stored("choose int32", 1, 0, versions(woven(chooseOriginal), woven(expand.Choose))),
		stored("fill uint16", 1, 0, versions(filled(fillOriginal), filled(expand.Fill))),
	}
}

// bools are bytes of 0 and 1 as bools.
func bools(x []uint8) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

func dealt[T number](f func(dst, values []T, present []bool, missing T) int) func(dst []T, x []uint8) {
	values := written[T](endless + 1)
	return func(dst []T, x []uint8) { f(dst, values, bools(x), 3) }
}

func woven(f func(dst, a, b []int32, first []bool) int) func(dst []int32, x []uint8) {
	a, b := written[int32](endless), written[int32](endless)
	return func(dst []int32, x []uint8) { f(dst, a, b, bools(x)) }
}

func filled(f func(dst, samples []uint16, known []bool) int) func(dst []uint16, x []uint8) {
	samples := written[uint16](endless + 1)
	return func(dst []uint16, x []uint8) { f(dst, samples, bools(x)) }
}
