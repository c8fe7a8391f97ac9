// Package prefixsum computes running sums and maxima.
package prefixsum

//go:generate go tool lanewise -tests .

// sumInt32 sets dst[i] to x[0] + ... + x[i].
//
//vec:func Int32
func sumInt32(dst, x []int32) {
	var s int32
	for i, v := range x {
		s += v
		dst[i] = s
	}
}

// offsets sets dst[i] to the sum of the elements before x[i] and returns the sum of
// all: where things of these sizes begin when they lie one behind the other.
//
//vec:func Offsets
func offsets(dst, x []int32) int32 {
	var s int32
	for i, v := range x {
		dst[i] = s
		s += v
	}
	return s
}

// sumFloat32 sets dst[i] to x[0] + ... + x[i], added up in any order.
//
//vec:func Float32 reassoc
func sumFloat32(dst, x []float32) {
	var s float32
	for i, v := range x {
		s += v
		dst[i] = s
	}
}

// maxFloat32 sets dst[i] to the largest of x[0], ..., x[i].
//
//vec:func Max
func maxFloat32(dst, x []float32) {
	if len(x) == 0 {
		return
	}
	m := x[0]
	for i, v := range x {
		m = max(m, v)
		dst[i] = m
	}
}

// inPlace makes x[i] the sum of x[0] to x[i].
//
//vec:func InPlace
func inPlace(x []int32) {
	for i := 1; i < len(x); i++ {
		x[i] += x[i-1]
	}
}
