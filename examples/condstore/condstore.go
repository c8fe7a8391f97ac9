// Package condstore stores some of the elements, chosen by the data. Go's memory
// model forbids writing back the others, so a kernel stores lane by lane or
// under a mask; how that pays depends on the density, see bench/.
package condstore

//go:generate go tool lanewise -tests .

// copyAbove copies the elements of x above t into dst and leaves the others of
// dst as they are.
//
//vec:func CopyAbove
func copyAbove(dst, x []float32, t float32) {
	for i, v := range x {
		if v > t {
			dst[i] = v
		}
	}
}

// copyAboveInt64 is copyAbove for int64.
//
//vec:func CopyAboveInt64
func copyAboveInt64(dst, x []int64, t int64) {
	for i, v := range x {
		if v > t {
			dst[i] = v
		}
	}
}

// copyAboveBytes is copyAbove for bytes, for which AVX2 has no masked store.
//
//vec:func CopyAboveBytes
func copyAboveBytes(dst, x []uint8, t uint8) {
	for i, v := range x {
		if v > t {
			dst[i] = v
		}
	}
}

// clip limits x to [-limit, limit] in place.
//
//vec:func Clip
//vec:func ClipExclusive exclusive
func clip(x []float32, limit float32) {
	for i, v := range x {
		if v > limit {
			x[i] = limit
		} else if v < -limit {
			x[i] = -limit
		}
	}
}
