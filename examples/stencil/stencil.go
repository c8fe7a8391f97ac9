// Package stencil computes elements from their neighbours.
package stencil

//go:generate go tool lanewise -tests .

// smooth stores means of three neighbours.
//
//vec:func Smooth
func smooth(dst, x []float32) {
	for i := 1; i < len(x)-1; i++ {
		dst[i] = (x[i-1] + x[i] + x[i+1]) / 3
	}
}

// halve stores means of pairs, for a picture of half the width.
//
//vec:func Halve
func halve(dst, src []uint8) {
	for i := range dst {
		dst[i] = uint8((uint16(src[2*i]) + uint16(src[2*i+1]) + 1) / 2)
	}
}
