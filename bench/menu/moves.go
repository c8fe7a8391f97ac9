package menu

// Repeat stores a number everywhere.
//
//vec:func RepeatFloat32[float32]
//vec:func RepeatFloat64[float64]
//go:noinline
func Repeat[T float](dst []T, a T) {
	for i := range dst {
		dst[i] = a
	}
}

// Gather loads what indices say.
//
//vec:func GatherFloat32[float32]
//vec:func GatherFloat64[float64]
//go:noinline
func Gather[T float](dst, x []T, index []int) {
	for i, at := range index {
		dst[i] = x[at]
	}
}

// Scatter stores where indices say.
//
//vec:func ScatterFloat32[float32]
//vec:func ScatterFloat64[float64]
//go:noinline
func Scatter[T float](dst, x []T, index []int) {
	for i, at := range index {
		dst[at] = x[i]
	}
}

// Reverse stores the last element first.
//
//vec:func ReverseFloat32[float32]
//vec:func ReverseFloat64[float64]
//go:noinline
func Reverse[T float](dst, x []T) {
	for i := range dst {
		dst[i] = x[len(x)-1-i]
	}
}

// Interleave takes elements of two slices in turns.
//
//vec:func InterleaveFloat32[float32]
//vec:func InterleaveFloat64[float64]
//vec:func InterleaveInt16[int16]
//go:noinline
func Interleave[T number](dst, x, y []T) {
	for i := range x {
		dst[2*i] = x[i]
		dst[2*i+1] = y[i]
	}
}

// Deinterleave deals elements to two slices.
//
//vec:func DeinterleaveFloat32[float32]
//vec:func DeinterleaveFloat64[float64]
//vec:func DeinterleaveInt16[int16]
//go:noinline
func Deinterleave[T number](x, y, src []T) {
	for i := range x {
		x[i] = src[2*i]
		y[i] = src[2*i+1]
	}
}
