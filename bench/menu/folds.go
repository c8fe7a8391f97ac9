package menu

import "math"

// Sum adds up.
//
//vec:func SumFloat32[float32] reassoc
//vec:func SumFloat64[float64] reassoc
//vec:func SumInt8[int8]
//vec:func SumInt16[int16]
//vec:func SumInt32[int32]
//vec:func SumInt64[int64]
//go:noinline
func Sum[T number](x []T) T {
	var s T
	for _, v := range x {
		s += v
	}
	return s
}

// Prod multiplies all elements.
//
//vec:func ProdFloat32[float32] reassoc
//vec:func ProdFloat64[float64] reassoc
//go:noinline
func Prod[T float](x []T) T {
	p := T(1)
	for _, v := range x {
		p *= v
	}
	return p
}

// Dot is the inner product.
//
//vec:func DotFloat32[float32] reassoc contract
//vec:func DotFloat64[float64] reassoc contract
//go:noinline
func Dot[T float](x, y []T) T {
	var s T
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

// DotInt8 is the inner product of bytes.
//
//vec:func VecDotInt8
//go:noinline
func DotInt8(x, y []int8) int32 {
	var s int32
	for i, v := range x {
		s += int32(v) * int32(y[i])
	}
	return s
}

// DotInt16 is the inner product of words.
//
//vec:func VecDotInt16
//go:noinline
func DotInt16(x, y []int16) int32 {
	var s int32
	for i, v := range x {
		s += int32(v) * int32(y[i])
	}
	return s
}

// Mean is the sum over the length.
//
//vec:func MeanFloat32[float32] reassoc
//vec:func MeanFloat64[float64] reassoc
//go:noinline
func Mean[T float](x []T) T {
	var s T
	for _, v := range x {
		s += v
	}
	return s / T(len(x))
}

// Norm is the Euclidean length.
//
//vec:func NormFloat32[float32] reassoc contract
//vec:func NormFloat64[float64] reassoc contract
//go:noinline
func Norm[T float](x []T) T {
	var s T
	for _, v := range x {
		s += v * v
	}
	return T(math.Sqrt(float64(s)))
}

// Distance is the Euclidean distance.
//
//vec:func DistanceFloat32[float32] reassoc contract
//vec:func DistanceFloat64[float64] reassoc contract
//go:noinline
func Distance[T float](x, y []T) T {
	var s T
	for i, v := range x {
		d := v - y[i]
		s += d * d
	}
	return T(math.Sqrt(float64(s)))
}

// ManhattanDistance is the sum of absolute differences.
//
//vec:func ManhattanDistanceFloat32[float32] reassoc
//vec:func ManhattanDistanceFloat64[float64] reassoc
//go:noinline
func ManhattanDistance[T float](x, y []T) T {
	var s T
	for i, v := range x {
		s += T(math.Abs(float64(v - y[i])))
	}
	return s
}

// CosineSimilarity is the cosine of the angle between two vectors.
//
//vec:func CosineSimilarityFloat32[float32] reassoc contract
//vec:func CosineSimilarityFloat64[float64] reassoc contract
//go:noinline
func CosineSimilarity[T float](x, y []T) T {
	var xx, yy, xy T
	for i, v := range x {
		w := y[i]
		xx += v * v
		yy += w * w
		xy += v * w
	}
	return xy / T(math.Sqrt(float64(xx))*math.Sqrt(float64(yy)))
}

// MaxAbs is the largest magnitude.
//
//vec:func MaxAbsFloat32[float32]
//vec:func MaxAbsFloat64[float64]
//go:noinline
func MaxAbs[T float](x []T) T {
	var m T
	for _, v := range x {
		m = max(m, T(math.Abs(float64(v))))
	}
	return m
}

// Variance is the mean square of what differs from the mean.
//
//vec:func VarianceFloat32[float32] reassoc contract
//vec:func VarianceFloat64[float64] reassoc contract
//go:noinline
func Variance[T float](x []T) T {
	var s T
	for _, v := range x {
		s += v
	}
	mean := s / T(len(x))
	var q T
	for _, v := range x {
		d := v - mean
		q += d * d
	}
	return q / T(len(x))
}

// SumAbsDiff adds up the differences of bytes.
//
//vec:func VecSumAbsDiff
//go:noinline
func SumAbsDiff(x, y []int8) int32 {
	var s int32
	for i, v := range x {
		d := int32(v) - int32(y[i])
		if d < 0 {
			d = -d
		}
		s += d
	}
	return s
}

// CumSum stores the sums of all beginnings.
//
//vec:func CumSumFloat32[float32] reassoc
//vec:func CumSumFloat64[float64] reassoc
//go:noinline
func CumSum[T float](dst, x []T) {
	var s T
	for i, v := range x {
		s += v
		dst[i] = s
	}
}
