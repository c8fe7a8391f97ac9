// Package minmax finds extremes of slices. The two float forms differ in what
// Go promises: the if keeps the first of equal zeros and skips NaNs, the
// builtin orders -0 below +0 and lets a NaN win. Both are kept exactly.
package minmax

//go:generate go tool lanewise -tests .

import "math"

// maxFloat32 is the largest element of x, -Inf when there is none. NaNs never
// compare larger and so are skipped.
//
//vec:func MaxFloat32
func maxFloat32(x []float32) float32 {
	m := float32(math.Inf(-1))
	for _, v := range x {
		if v > m {
			m = v
		}
	}
	return m
}

// minFloat32 is the smallest element of x, +Inf when there is none.
//
//vec:func MinFloat32
func minFloat32(x []float32) float32 {
	m := float32(math.Inf(1))
	for _, v := range x {
		if v < m {
			m = v
		}
	}
	return m
}

// maxBuiltinFloat32 is the largest element of x, NaN when one is NaN.
//
//vec:func MaxBuiltinFloat32
func maxBuiltinFloat32(x []float32) float32 {
	m := float32(math.Inf(-1))
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

// minBuiltinFloat32 is the smallest element of x, NaN when one is NaN.
//
//vec:func MinBuiltinFloat32
func minBuiltinFloat32(x []float32) float32 {
	m := float32(math.Inf(1))
	for _, v := range x {
		m = min(m, v)
	}
	return m
}

// maxInt32 is the largest element of x.
//
//vec:func MaxInt32
func maxInt32(x []int32) int32 {
	m := int32(math.MinInt32)
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

// minInt32 is the smallest element of x.
//
//vec:func MinInt32
func minInt32(x []int32) int32 {
	m := int32(math.MaxInt32)
	for _, v := range x {
		if v < m {
			m = v
		}
	}
	return m
}

// maxUint8 is the largest byte of x.
//
//vec:func MaxUint8
func maxUint8(x []uint8) uint8 {
	var m uint8
	for _, v := range x {
		if v > m {
			m = v
		}
	}
	return m
}

// rangeUint8 is the smallest and the largest byte of x: two reductions in one
// loop.
//
//vec:func RangeUint8
func rangeUint8(x []uint8) (lo, hi uint8) {
	lo = 255
	for _, v := range x {
		lo = min(lo, v)
		hi = max(hi, v)
	}
	return lo, hi
}
