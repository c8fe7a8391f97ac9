// Package panics has loops that panic in every way that a loop can.
package panics

import "errors"

//vec:func Index
func index(dst, x, y []float32) {
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

//vec:func IndexBytes
func indexBytes(dst []uint8, s string) {
	for i := range len(s) {
		dst[i] = s[i] + 1
	}
}

//vec:func IndexTwo
func indexTwo(a, b []int64, x []int64) {
	for i := range x {
		a[i] = x[i]
		b[i] = -x[i]
	}
}

//vec:func IndexLoaded
func indexLoaded(dst, src, idx []int32) {
	for i, j := range idx {
		dst[i] = src[j]
	}
}

//vec:func IndexStored
func indexStored(dst, src []int16, idx []int32) {
	for i, j := range idx {
		dst[j] = src[i]
	}
}

//vec:func IndexUnderCondition
func indexUnderCondition(dst, src, mark []int32) {
	for i, m := range mark {
		dst[i] = m
		if m > 3 {
			dst[i] = src[i]
		}
	}
}

//vec:func IndexKept
func indexKept(dst, src []int32) int {
	k := 0
	for _, v := range src {
		if v > 1 {
			dst[k] = v
			k++
		}
	}
	return k
}

//vec:func IndexRows
func indexRows(m [][]int32, x []int32) {
	for i, row := range m {
		for j := range row {
			row[j] += x[i]
		}
	}
}

//vec:func SliceBounds
func sliceBounds(dst, src, from []int32) {
	for i, k := range from {
		s := src[k:]
		dst[i] = k + int32(len(s))
	}
}

//vec:func SliceRows
func sliceRows(dst, src []float32) {
	for i := range dst {
		row := src[i : i+2]
		dst[i] = row[0] + row[1]
	}
}

//vec:func Nil
func nilPointer(dst []int32, p *int32, mark []int32) {
	for i, m := range mark {
		dst[i] = m
		if m > 99 {
			dst[i] += *p
		}
	}
}

//vec:func DivideRows
func divideRows(m [][]int32, x, y []int32) {
	for i, row := range m {
		q := x[i] / y[i]
		for j := range row {
			row[j] += q
		}
	}
}

//vec:func ShiftRows
func shiftRows(m [][]uint16, x []uint16, y []int16) {
	for i, row := range m {
		q := x[i] << y[i]
		for j := range row {
			row[j] ^= q
		}
	}
}

//vec:func BoundsRows
func boundsRows(m [][]float32, from, to []int32) {
	for i, all := range m {
		row := all[from[i]:to[i]]
		for j := range row {
			row[j] *= 2
		}
	}
}

//vec:func Shift
func shift(dst []int32, x []int32, y []int8) {
	for i := range dst {
		dst[i] = x[i] << y[i]
	}
}

//vec:func Shift64
func shift64(dst []uint64, x []uint64, y []int64) {
	for i := range dst {
		dst[i] = x[i] >> y[i]
	}
}

//vec:func ToArray
func toArray(dst []int32, src []int32, from []int32) {
	for i, k := range from {
		p := (*[4]int32)(src[k:])
		dst[i] = p[0] + p[3]
	}
}

//vec:func ToArrayAhead
func toArrayAhead(dst, src []uint8) {
	for i := range dst {
		p := (*[2]uint8)(src[i:])
		dst[i] = p[0] ^ p[1]
	}
}

//vec:func Value
func value(dst, x []int32, limit int32) {
	for i, v := range x {
		if v > limit {
			panic(v)
		}
		dst[i] = -v
	}
}

var errLarge = errors.New("too large")

//vec:func Error
func wrapped(dst, x []float64, limit float64) {
	for i, v := range x {
		dst[i] = v
		if v > limit {
			panic(errLarge)
		}
	}
}

// sum stores nothing before it panics.
//
//vec:func SumOrPanic
func sumOrPanic(x []int32, limit int32) (s int32) {
	for i, v := range x {
		if v > limit {
			panic(i)
		}
		s += v
	}
	return s
}

//vec:func Straight require
func straight(dst, src []int32) {
	dst[0] = src[0] + 1
	dst[1] = src[1] + 1
	dst[2] = src[2] + 1
	dst[3] = src[3] + 1
	dst[4] = src[4] + 1
	dst[5] = src[5] + 1
	dst[6] = src[6] + 1
	dst[7] = src[7] + 1
}
