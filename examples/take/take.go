// Package take collects elements by index.
package take

//go:generate go tool lanewise -tests .

// take stores the elements of src that idx names.
//
//vec:func Float32[float32]
//vec:func Float64[float64]
func take[T float32 | float64](dst, src []T, idx []int32) {
	for i, k := range idx {
		dst[i] = src[k]
	}
}

// A Point lies in the plane.
type Point struct{ X, Y float32 }

// lengths stores the squared lengths of the edges between points.
//
//vec:func Lengths
func lengths(dst []float32, from, to []int32, points []Point) {
	for i := range dst {
		p, q := points[from[i]], points[to[i]]
		dx, dy := q.X-p.X, q.Y-p.Y
		dst[i] = dx*dx + dy*dy
	}
}

// sumAt adds up the elements that idx names, as in a product with a sparse row.
//
//vec:func SumAt reassoc
func sumAt(x []float64, idx []int32, weight []float64) float64 {
	var sum float64
	for i, k := range idx {
		sum += weight[i] * x[k]
	}
	return sum
}
