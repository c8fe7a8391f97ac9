// Package mathfuncs applies functions of package math to slices, bit for bit what they give.
package mathfuncs

import "math"

//go:generate go tool lanewise -tests .

// exp stores e to the power of each element.
//
//vec:func Exp
func exp(dst, x []float64) {
	for i := range dst {
		dst[i] = math.Exp(x[i])
	}
}

// log stores natural logarithms.
//
//vec:func Log
func log(dst, x []float64) {
	for i := range dst {
		dst[i] = math.Log(x[i])
	}
}

// sin stores sines.
//
//vec:func Sin
func sin(dst, x []float64) {
	for i := range dst {
		dst[i] = math.Sin(x[i])
	}
}

// cos stores cosines.
//
//vec:func Cos
func cos(dst, x []float64) {
	for i := range dst {
		dst[i] = math.Cos(x[i])
	}
}

// tanh stores hyperbolic tangents.
//
//vec:func Tanh
func tanh(dst, x []float64) {
	for i := range dst {
		dst[i] = math.Tanh(x[i])
	}
}

// cbrt stores cube roots.
//
//vec:func Cbrt
func cbrt(dst, x []float64) {
	for i := range dst {
		dst[i] = math.Cbrt(x[i])
	}
}

// erf stores values of the error function.
//
//vec:func Erf
func erf(dst, x []float64) {
	for i := range dst {
		dst[i] = math.Erf(x[i])
	}
}

// hypot stores the lengths of vectors.
//
//vec:func Hypot
func hypot(dst, x, y []float64) {
	for i := range dst {
		dst[i] = math.Hypot(x[i], y[i])
	}
}

// expFloat32 stores e to the power of each element.
//
//vec:func ExpFloat32
//vec:func ExpApprox approx
func expFloat32(dst, x []float32) {
	for i := range dst {
		dst[i] = float32(math.Exp(float64(x[i])))
	}
}

// logFloat32 stores natural logarithms.
//
//vec:func LogFloat32
//vec:func LogApprox approx
func logFloat32(dst, x []float32) {
	for i := range dst {
		dst[i] = float32(math.Log(float64(x[i])))
	}
}
