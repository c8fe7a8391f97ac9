// Package complexmul multiplies complex numbers.
package complexmul

import "math"

//go:generate go tool lanewise -tests .

// mul64 stores products of complex64, each part computed in float64 and
// rounded once, as gc does it.
//
//vec:func Mul64
func mul64(dst, x, y []complex64) {
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

// mul128 stores products of complex128.
//
//vec:func Mul128
func mul128(dst, x, y []complex128) {
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

// power64 stores the squared magnitudes of complex numbers, as for a spectrum.
//
//vec:func Power64
func power64(dst []float32, x []complex64) {
	for i, v := range x {
		dst[i] = real(v)*real(v) + imag(v)*imag(v)
	}
}

// abs128 stores the magnitudes of complex numbers, without care for overflow.
//
//vec:func Abs128
func abs128(dst []float64, x []complex128) {
	for i, v := range x {
		dst[i] = math.Sqrt(real(v)*real(v) + imag(v)*imag(v))
	}
}
