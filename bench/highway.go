package main

// highwayFunctions are those of ajroetker/go-highway. It has assembly only in builds with
// GOEXPERIMENT=simd; in others they are nil, and the library is not measured.
type highwayFunctions[T float32 | float64] struct {
	add, sub, mul, div  func(dst, x, y []T)
	scale, addScaled    func(dst []T, a T, x []T)
	min, max, sum, norm func(x []T) T
	dot, distance       func(x, y []T) T
	argmax              func(x []T) int
	find                func(x []T, a T) int
}

var (
	hw32 highwayFunctions[float32]
	hw64 highwayFunctions[float64]
)

// highway is a contender that calls one of them.
func highway[T number](f func(o *operands[T])) named[func(o *operands[T])] {
	if hw32.add == nil {
		f = nil
	}
	return library("go-highway", f)
}
