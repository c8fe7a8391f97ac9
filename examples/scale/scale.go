// Package scale shows a generic function: one directive for each instantiation
// that is wanted.
package scale

//go:generate go tool lanewise -tests .

// number is what scale can multiply.
type number interface {
	~int16 | ~int32 | ~uint8 | ~float32 | ~float64
}

// scale stores k*x into dst.
//
//vec:func Float32[float32]
//vec:func Float64[float64]
//vec:func Int32[int32]
//vec:func Int16[int16]
//vec:func Uint8[uint8]
func scale[T number](dst, x []T, k T) {
	for i, v := range x {
		dst[i] = k * v
	}
}
