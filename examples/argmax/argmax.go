// Package argmax finds the largest or smallest element of a slice with its index.
package argmax

import "math"

//go:generate go tool lanewise -tests .

// argMaxFloat32 is the first of the largest elements of x and its index; NaNs are
// left out. Without any it is -Inf and -1.
//
//vec:func MaxFloat32
func argMaxFloat32(x []float32) (best float32, at int) {
	best, at = minusInf, -1
	for i, v := range x {
		if v > best {
			best, at = v, i
		}
	}
	return best, at
}

// argMinInt32 is the last of the smallest elements of x and its index.
//
//vec:func MinInt32
func argMinInt32(x []int32) (best int32, at int) {
	best, at = 1<<31-1, -1
	for i, v := range x {
		if v <= best {
			best, at = v, i
		}
	}
	return best, at
}

// indexOfMax is the index of the first of the largest elements of x, which is read
// again by that index.
//
//vec:func IndexOfMax
func indexOfMax(x []float32) int {
	at := 0
	for i := range x {
		if x[i] > x[at] {
			at = i
		}
	}
	return at
}

// argMaxByte is the first of the largest bytes of x and its index.
//
//vec:func MaxByte
func argMaxByte(x []byte) (best byte, at int) {
	for i, v := range x {
		if v > best {
			best, at = v, i
		}
	}
	return best, at
}

var minusInf = float32(math.Inf(-1))
