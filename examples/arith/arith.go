// Package arith is one template of arithmetic on slices and its instances for
// the ten numeric types of Go. The lengths of dst and y are at least that of x;
// dst may be one of the operands.
package arith

//go:generate go tool lanewise -tests .

// number is what the template is instantiated for.
type number interface {
	~int8 | ~int16 | ~int32 | ~int64 |
		~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64
}

// add stores x+y into dst. Integers wrap around.
//
//vec:func AddInt8[int8]
//vec:func AddInt16[int16]
//vec:func AddInt32[int32]
//vec:func AddInt64[int64]
//vec:func AddUint8[uint8]
//vec:func AddUint16[uint16]
//vec:func AddUint32[uint32]
//vec:func AddUint64[uint64]
//vec:func AddFloat32[float32]
//vec:func AddFloat64[float64]
func add[T number](dst, x, y []T) {
	for i, v := range x {
		dst[i] = v + y[i]
	}
}

// sub stores x-y into dst.
//
//vec:func SubInt8[int8]
//vec:func SubInt16[int16]
//vec:func SubInt32[int32]
//vec:func SubInt64[int64]
//vec:func SubUint8[uint8]
//vec:func SubUint16[uint16]
//vec:func SubUint32[uint32]
//vec:func SubUint64[uint64]
//vec:func SubFloat32[float32]
//vec:func SubFloat64[float64]
func sub[T number](dst, x, y []T) {
	for i, v := range x {
		dst[i] = v - y[i]
	}
}

// mul stores the products of elements into dst.
//
//vec:func MulInt8[int8]
//vec:func MulInt16[int16]
//vec:func MulInt32[int32]
//vec:func MulInt64[int64]
//vec:func MulUint8[uint8]
//vec:func MulUint16[uint16]
//vec:func MulUint32[uint32]
//vec:func MulUint64[uint64]
//vec:func MulFloat32[float32]
//vec:func MulFloat64[float64]
func mul[T number](dst, x, y []T) {
	for i, v := range x {
		dst[i] = v * y[i]
	}
}

// smaller stores the smaller one of each two elements into dst. As the builtin
// has it, NaN wins and -0 is less than +0.
//
//vec:func MinInt8[int8]
//vec:func MinInt16[int16]
//vec:func MinInt32[int32]
//vec:func MinInt64[int64]
//vec:func MinUint8[uint8]
//vec:func MinUint16[uint16]
//vec:func MinUint32[uint32]
//vec:func MinUint64[uint64]
//vec:func MinFloat32[float32]
//vec:func MinFloat64[float64]
func smaller[T number](dst, x, y []T) {
	for i, v := range x {
		dst[i] = min(v, y[i])
	}
}

// larger stores the larger one of each two elements into dst.
//
//vec:func MaxInt8[int8]
//vec:func MaxInt16[int16]
//vec:func MaxInt32[int32]
//vec:func MaxInt64[int64]
//vec:func MaxUint8[uint8]
//vec:func MaxUint16[uint16]
//vec:func MaxUint32[uint32]
//vec:func MaxUint64[uint64]
//vec:func MaxFloat32[float32]
//vec:func MaxFloat64[float64]
func larger[T number](dst, x, y []T) {
	for i, v := range x {
		dst[i] = max(v, y[i])
	}
}

// sum is the sum of x. Floats are added in another order than that of x, for
// which the clause asks.
//
//vec:func SumInt8[int8]
//vec:func SumInt16[int16]
//vec:func SumInt32[int32]
//vec:func SumInt64[int64]
//vec:func SumUint8[uint8]
//vec:func SumUint16[uint16]
//vec:func SumUint32[uint32]
//vec:func SumUint64[uint64]
//vec:func SumFloat32[float32] reassoc
//vec:func SumFloat64[float64] reassoc
func sum[T number](x []T) T {
	var s T
	for _, v := range x {
		s += v
	}
	return s
}

// scale stores k*x into dst.
//
//vec:func ScaleInt8[int8]
//vec:func ScaleInt16[int16]
//vec:func ScaleInt32[int32]
//vec:func ScaleInt64[int64]
//vec:func ScaleUint8[uint8]
//vec:func ScaleUint16[uint16]
//vec:func ScaleUint32[uint32]
//vec:func ScaleUint64[uint64]
//vec:func ScaleFloat32[float32]
//vec:func ScaleFloat64[float64]
func scale[T number](dst, x []T, k T) {
	for i, v := range x {
		dst[i] = k * v
	}
}
