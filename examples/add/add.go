// Package add adds two vectors into a third.
package add

//go:generate go tool lanewise -tests .

// addFloat32 stores x+y into dst.
//
//vec:func Float32
func addFloat32(dst, x, y []float32) {
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

// addInt64 stores x+y into dst; sums wrap.
//
//vec:func Int64
func addInt64(dst, x, y []int64) {
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}
