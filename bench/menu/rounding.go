package menu

import "math"

// Sqrt takes square roots.
//
//vec:func SqrtFloat32[float32]
//vec:func SqrtFloat64[float64]
//go:noinline
func Sqrt[T float](dst, x []T) {
	for i := range dst {
		dst[i] = T(math.Sqrt(float64(x[i])))
	}
}

// Round rounds to the nearest integer, halves to even.
//
//vec:func RoundFloat32[float32]
//vec:func RoundFloat64[float64]
//go:noinline
func Round[T float](dst, x []T) {
	for i := range dst {
		dst[i] = T(math.RoundToEven(float64(x[i])))
	}
}

// Floor rounds down.
//
//vec:func FloorFloat32[float32]
//vec:func FloorFloat64[float64]
//go:noinline
func Floor[T float](dst, x []T) {
	for i := range dst {
		dst[i] = T(math.Floor(float64(x[i])))
	}
}

// Ceil rounds up.
//
//vec:func CeilFloat32[float32]
//vec:func CeilFloat64[float64]
//go:noinline
func Ceil[T float](dst, x []T) {
	for i := range dst {
		dst[i] = T(math.Ceil(float64(x[i])))
	}
}
