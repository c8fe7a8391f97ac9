package menu

// Minimum takes the smaller one of two elements.
//
//vec:func MinimumFloat32[float32]
//vec:func MinimumFloat64[float64]
//vec:func MinimumInt8[int8]
//go:noinline
func Minimum[T number](dst, x, y []T) {
	for i := range dst {
		dst[i] = min(x[i], y[i])
	}
}

// MaximumNumber takes the larger one of an element and a number.
//
//vec:func MaximumNumberFloat32[float32]
//vec:func MaximumNumberFloat64[float64]
//go:noinline
func MaximumNumber[T float](dst, x []T, a T) {
	for i := range dst {
		dst[i] = max(x[i], a)
	}
}

// ReLU replaces negative elements by zero.
//
//vec:func ReLUFloat32[float32]
//vec:func ReLUFloat64[float64]
//go:noinline
func ReLU[T float](dst, x []T) {
	for i := range dst {
		v := x[i]
		if v < 0 {
			v = 0
		}
		dst[i] = v
	}
}

// Clamp moves elements into a range.
//
//vec:func ClampFloat32[float32]
//vec:func ClampFloat64[float64]
//vec:func ClampInt8[int8]
//go:noinline
func Clamp[T number](dst, x []T, lo, hi T) {
	for i := range dst {
		dst[i] = min(max(x[i], lo), hi)
	}
}

// Less compares two slices.
//
//vec:func LessFloat32[float32]
//vec:func LessFloat64[float64]
//go:noinline
func Less[T float](dst []bool, x, y []T) {
	for i := range dst {
		dst[i] = x[i] < y[i]
	}
}

// EqualNumber compares every element with a number.
//
//vec:func EqualNumberFloat32[float32]
//vec:func EqualNumberFloat64[float64]
//go:noinline
func EqualNumber[T float](dst []bool, x []T, a T) {
	for i := range dst {
		dst[i] = x[i] == a
	}
}

// Min finds the smallest element of a slice that is not empty.
//
//vec:func MinFloat32[float32]
//vec:func MinFloat64[float64]
//vec:func MinInt8[int8]
//vec:func MinInt16[int16]
//vec:func MinInt32[int32]
//vec:func MinInt64[int64]
//vec:func MinUint8[uint8]
//vec:func MinUint32[uint32]
//go:noinline
func Min[T number](x []T) T {
	m := x[0]
	for _, v := range x {
		m = min(m, v)
	}
	return m
}

// Max finds the largest element of a slice that is not empty.
//
//vec:func MaxFloat32[float32]
//vec:func MaxFloat64[float64]
//vec:func MaxInt16[int16]
//vec:func MaxInt64[int64]
//vec:func MaxUint16[uint16]
//vec:func MaxUint64[uint64]
//go:noinline
func Max[T number](x []T) T {
	m := x[0]
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

// ArgMax finds the first one of the largest elements.
//
//vec:func ArgMaxFloat32[float32]
//vec:func ArgMaxFloat64[float64]
//go:noinline
func ArgMax[T float](x []T) int {
	at := 0
	m := x[0]
	for i, v := range x {
		if v > m {
			m, at = v, i
		}
	}
	return at
}

// Find finds a number, or returns the length.
//
//vec:func FindFloat32[float32]
//vec:func FindFloat64[float64]
//go:noinline
func Find[T float](x []T, a T) int {
	for i, v := range x {
		if v == a {
			return i
		}
	}
	return len(x)
}
