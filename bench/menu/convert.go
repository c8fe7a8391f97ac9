package menu

import "math"

// Float32FromInt64 converts.
//
//vec:func VecFloat32FromInt64
//go:noinline
func Float32FromInt64(dst []float32, x []int64) {
	for i := range dst {
		dst[i] = float32(x[i])
	}
}

// Float32FromInt32 converts.
//
//vec:func VecFloat32FromInt32
//go:noinline
func Float32FromInt32(dst []float32, x []int32) {
	for i := range dst {
		dst[i] = float32(x[i])
	}
}

// Float32FromFloat64 converts.
//
//vec:func VecFloat32FromFloat64
//go:noinline
func Float32FromFloat64(dst []float32, x []float64) {
	for i := range dst {
		dst[i] = float32(x[i])
	}
}

// Float64FromFloat32 converts.
//
//vec:func VecFloat64FromFloat32
//go:noinline
func Float64FromFloat32(dst []float64, x []float32) {
	for i := range dst {
		dst[i] = float64(x[i])
	}
}

// Int32FromFloat32 converts.
//
//vec:func VecInt32FromFloat32
//go:noinline
func Int32FromFloat32(dst []int32, x []float32) {
	for i := range dst {
		dst[i] = int32(x[i])
	}
}

// Int64FromFloat64 converts.
//
//vec:func VecInt64FromFloat64
//go:noinline
func Int64FromFloat64(dst []int64, x []float64) {
	for i := range dst {
		dst[i] = int64(x[i])
	}
}

// ScaleInt16 converts samples to floats.
//
//vec:func VecScaleInt16
//go:noinline
func ScaleInt16(dst []float32, x []int16, scale float32) {
	for i := range dst {
		dst[i] = float32(x[i]) * scale
	}
}

// Samples converts floats to samples, rounded and clamped.
//
//vec:func VecSamples
//go:noinline
func Samples(dst []int16, x []float32, scale float32) {
	for i := range dst {
		v := float32(math.RoundToEven(float64(x[i] * scale)))
		dst[i] = int16(min(max(v, math.MinInt16), math.MaxInt16))
	}
}

// Dequantize converts bytes to floats.
//
//vec:func VecDequantize
//go:noinline
func Dequantize(dst []float32, x []int8, scale float32, zero int8) {
	for i := range dst {
		dst[i] = scale * float32(int32(x[i])-int32(zero))
	}
}
