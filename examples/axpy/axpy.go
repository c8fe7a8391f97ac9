// Package axpy adds a multiple of one vector to another, the smallest loop
// that shows everything: loads, arithmetic, a store, a slice that may be too
// short, slices that may overlap.
package axpy

//go:generate go tool lanewise -tests .

// axpy adds a*x to y. It panics when x is shorter than y.
//
//vec:func Axpy
func axpy(a float32, x, y []float32) {
	for i := range y {
		y[i] += a * x[i]
	}
}

// axpy64 is axpy in double precision.
//
//vec:func Axpy64
func axpy64(a float64, x, y []float64) {
	for i := range y {
		y[i] += a * x[i]
	}
}
