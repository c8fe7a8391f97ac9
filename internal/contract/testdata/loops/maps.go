// Package loops has one loop of every kind that matters to the contract: all element
// types, forms of memory access, conditions, reductions, nests, exits, and code
// without loops.
package loops

import "math"

//vec:func Axpy32
func axpy32(a float32, x, y []float32) {
	for i := range y {
		y[i] += a * x[i]
	}
}

//vec:func Axpy64
func axpy64(a float64, x, y []float64) {
	for i := range y {
		y[i] += a * x[i]
	}
}

//vec:func Polynomial
func polynomial(dst, x []float64) {
	for i, v := range x {
		dst[i] = ((v*0.3+1.7)*v-0.1)*v + 2.3
	}
}

//vec:func Difference
func difference(dst, x, y []float32) {
	for i := range dst {
		dst[i] = x[i]*y[i] - x[i]
	}
}

//vec:func Quotient
func quotient(dst, x, y []float32) {
	for i := range dst {
		dst[i] = x[i] / y[i]
	}
}

//vec:func Root
func root(dst, x []float64) {
	for i := range dst {
		dst[i] = math.Sqrt(x[i])
	}
}

//vec:func Rounded
func rounded(dst, x []float64) {
	for i := range dst {
		dst[i] = math.Floor(x[i])
	}
}

//vec:func Magnitude
func magnitude(dst, x []float32) {
	for i, v := range x {
		if v < 0 {
			v = -v
		}
		dst[i] = v
	}
}

//vec:func Clamp
func clamp(dst, x []float32, lo, hi float32) {
	for i, v := range x {
		dst[i] = max(lo, min(v, hi))
	}
}

//vec:func ComplexProducts
func complexProducts(dst, x, y []complex128) {
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

//vec:func ComplexSums
func complexSums(dst, x []complex64) {
	for i := range dst {
		dst[i] += x[i]
	}
}

//vec:func AddBytes
func addBytes(dst, x, y []uint8) {
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

//vec:func MulShorts
func mulShorts(dst, x, y []int16) {
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

//vec:func MulLongs
func mulLongs(dst, x, y []int64) {
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

//vec:func Shifted
func shifted(dst, x []int32, count []uint8) {
	for i := range dst {
		dst[i] = x[i] >> count[i]
	}
}

//vec:func DivideByConstant
func divideByConstant(dst, x []int32) {
	for i := range dst {
		dst[i] = x[i]/7 + x[i]%10
	}
}

//vec:func Mixed
func mixed(dst []uint64, a []int8, b []uint16, c []int32) {
	for i := range dst {
		dst[i] = uint64(a[i]) + uint64(b[i]) + uint64(c[i])
	}
}

//vec:func Narrow
func narrow(dst []uint8, x []uint32) {
	for i := range dst {
		dst[i] = uint8(x[i] >> 3)
	}
}

//vec:func Truncate32
func truncate32(dst []int32, x []float32) {
	for i, v := range x {
		dst[i] = int32(v)
	}
}

//vec:func Truncate64
func truncate64(dst []int32, x []float64) {
	for i, v := range x {
		dst[i] = int32(v)
	}
}

//vec:func ToDouble
func toDouble(dst []float64, x []float32, y []int32) {
	for i := range dst {
		dst[i] = float64(x[i]) + float64(y[i])
	}
}

//vec:func ToSingle
func toSingle(dst []float32, x []float64) {
	for i := range dst {
		dst[i] = float32(x[i])
	}
}

//vec:func Flags
func flags(dst []bool, x, y []float64) {
	for i := range dst {
		dst[i] = x[i] < y[i] && x[i] != 0
	}
}

//vec:func Fused contract
func fused(dst, x, y []float64) {
	for i := range dst {
		dst[i] += x[i] * y[i]
	}
}

// Quarters has quotients that the compiler turns into products.
//
//vec:func Quarters
func quarters(dst, x []float64, y []float32) {
	k := 4.0
	for i := range dst {
		v := y[i]
		v /= 2
		dst[i] += x[i]/8 + float64(v+y[i]/16)
		dst[i] -= x[i] / k
	}
}

//vec:func Text
func text(dst []byte, s string) {
	for i := range dst {
		c := s[i]
		if 'a' <= c && c <= 'z' {
			c -= 32
		}
		dst[i] = c
	}
}
