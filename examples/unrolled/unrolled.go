// Package unrolled has loops that somebody has unrolled by hand. They get the lanes of the
// loops that they were.
package unrolled

//go:generate go tool lanewise -tests .

// axpy adds a times x to y, four elements at a time.
//
//vec:func Axpy
func axpy(a float32, x, y []float32) {
	n := min(len(x), len(y)) &^ 3
	for i := 0; i < n; i += 4 {
		y[i] += a * x[i]
		y[i+1] += a * x[i+1]
		y[i+2] += a * x[i+2]
		y[i+3] += a * x[i+3]
	}
}

// dot has four sums, so that additions need not wait for each other. As lanes they are
// added in the order in which they are written.
//
//vec:func Dot
func dot(x, y []float32) float32 {
	var s0, s1, s2, s3 float32
	n := min(len(x), len(y)) &^ 3
	for i := 0; i < n; i += 4 {
		s0 += x[i] * y[i]
		s1 += x[i+1] * y[i+1]
		s2 += x[i+2] * y[i+2]
		s3 += x[i+3] * y[i+3]
	}
	return s0 + s1 + s2 + s3
}

// dotAny is dot for those who do not mind the order.
//
//vec:func DotAny reassoc
func dotAny(x, y []float32) float32 {
	var s0, s1, s2, s3 float32
	n := min(len(x), len(y)) &^ 3
	for i := 0; i < n; i += 4 {
		s0 += x[i] * y[i]
		s1 += x[i+1] * y[i+1]
		s2 += x[i+2] * y[i+2]
		s3 += x[i+3] * y[i+3]
	}
	return s0 + s1 + s2 + s3
}
