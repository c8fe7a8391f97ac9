// Package abs takes absolute values.
package abs

//go:generate go tool lanewise -tests .

import "math"

// absFloat32 stores the absolute values of x into dst. The round trip through
// float64 is exact, so lanes stay float32.
//
//vec:func Float32
func absFloat32(dst, x []float32) {
	for i, v := range x {
		dst[i] = float32(math.Abs(float64(v)))
	}
}

// absInt32 replaces the elements of x by their absolute values; the smallest
// int32 stays what it is.
//
//vec:func Int32
func absInt32(x []int32) {
	for i, v := range x {
		if v < 0 {
			x[i] = -v
		}
	}
}
