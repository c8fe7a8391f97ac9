package menu

import "math"

// Add adds two slices.
//
//vec:func AddFloat32[float32]
//vec:func AddFloat64[float64]
//vec:func AddInt8[int8]
//vec:func AddInt16[int16]
//vec:func AddInt32[int32]
//vec:func AddInt64[int64]
//go:noinline
func Add[T number](dst, x, y []T) {
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

// Sub subtracts one slice from another.
//
//vec:func SubFloat32[float32]
//vec:func SubFloat64[float64]
//vec:func SubInt8[int8]
//vec:func SubInt16[int16]
//vec:func SubInt32[int32]
//vec:func SubInt64[int64]
//go:noinline
func Sub[T number](dst, x, y []T) {
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

// Mul multiplies two slices.
//
//vec:func MulFloat32[float32]
//vec:func MulFloat64[float64]
//vec:func MulInt8[int8]
//vec:func MulInt16[int16]
//vec:func MulInt32[int32]
//vec:func MulInt64[int64]
//go:noinline
func Mul[T number](dst, x, y []T) {
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

// Div divides one slice by another.
//
//vec:func DivFloat32[float32]
//vec:func DivFloat64[float64]
//vec:func DivInt8[int8]
//vec:func DivInt16[int16]
//vec:func DivInt32[int32]
//vec:func DivInt64[int64]
//go:noinline
func Div[T number](dst, x, y []T) {
	for i := range dst {
		dst[i] = x[i] / y[i]
	}
}

// AddScaled adds a multiple of x.
//
//vec:func AddScaledFloat32[float32]
//vec:func AddScaledFloat64[float64]
//go:noinline
func AddScaled[T float](dst, x []T, a T) {
	for i := range dst {
		dst[i] += a * x[i]
	}
}

// MulAdd multiplies two slices and adds a third.
//
//vec:func MulAddFloat32[float32]
//vec:func MulAddFloat64[float64]
//go:noinline
func MulAdd[T float](dst, x, y, z []T) {
	for i := range dst {
		dst[i] = x[i]*y[i] + z[i]
	}
}

// AddNumber adds a number to every element.
//
//vec:func AddNumberFloat32[float32]
//vec:func AddNumberFloat64[float64]
//go:noinline
func AddNumber[T float](dst, x []T, a T) {
	for i := range dst {
		dst[i] = x[i] + a
	}
}

// MulNumber multiplies every element by a number.
//
//vec:func MulNumberFloat32[float32]
//vec:func MulNumberFloat64[float64]
//go:noinline
func MulNumber[T float](dst, x []T, a T) {
	for i := range dst {
		dst[i] = x[i] * a
	}
}

// DivNumber divides every element by a number.
//
//vec:func DivNumberFloat32[float32]
//vec:func DivNumberFloat64[float64]
//go:noinline
func DivNumber[T float](dst, x []T, a T) {
	for i := range dst {
		dst[i] = x[i] / a
	}
}

// Inv takes reciprocals.
//
//vec:func InvFloat32[float32]
//vec:func InvFloat64[float64]
//go:noinline
func Inv[T float](dst, x []T) {
	for i := range dst {
		dst[i] = 1 / x[i]
	}
}

// Neg changes signs.
//
//vec:func NegFloat32[float32]
//vec:func NegFloat64[float64]
//vec:func NegInt8[int8]
//go:noinline
func Neg[T number](dst, x []T) {
	for i := range dst {
		dst[i] = -x[i]
	}
}

// Abs takes absolute values of floats.
//
//vec:func AbsFloat32[float32]
//vec:func AbsFloat64[float64]
//go:noinline
func Abs[T float](dst, x []T) {
	for i := range dst {
		dst[i] = T(math.Abs(float64(x[i])))
	}
}

// AbsInt takes absolute values of integers.
//
//vec:func AbsInt8[int8]
//vec:func AbsInt16[int16]
//vec:func AbsInt32[int32]
//go:noinline
func AbsInt[T integer](dst, x []T) {
	for i := range dst {
		v := x[i]
		if v < 0 {
			v = -v
		}
		dst[i] = v
	}
}

// AddSub stores sums and differences.
//
//vec:func AddSubFloat32[float32]
//vec:func AddSubFloat64[float64]
//go:noinline
func AddSub[T float](sum, diff, x, y []T) {
	for i := range sum {
		sum[i] = x[i] + y[i]
		diff[i] = x[i] - y[i]
	}
}

// CopySign gives magnitudes the signs of others.
//
//vec:func CopySignFloat32[float32]
//vec:func CopySignFloat64[float64]
//go:noinline
func CopySign[T float](dst, mag, sign []T) {
	for i := range dst {
		dst[i] = T(math.Copysign(float64(mag[i]), float64(sign[i])))
	}
}
