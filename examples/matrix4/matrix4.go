// Package matrix4 multiplies 4x4 matrices, as graphics does. No loop is long enough for
// lanes; the four elements of a row are.
package matrix4

//go:generate go tool lanewise -tests .

// A Matrix has its rows one behind the other.
type Matrix [16]float32

// mul stores the product of a and b into dst.
//
//vec:func Mul
func mul(dst, a, b *Matrix) {
	for i := range 4 {
		for j := range 4 {
			var sum float32
			for k := range 4 {
				sum += a[4*i+k] * b[4*k+j]
			}
			dst[4*i+j] = sum
		}
	}
}

// mulRows does the same for matrices that are arrays of rows, written out.
//
//vec:func MulRows
func mulRows(dst, a, b *[4][4]float32) {
	for i := range a {
		x, y, z, w := a[i][0], a[i][1], a[i][2], a[i][3]
		dst[i][0] = x*b[0][0] + y*b[1][0] + z*b[2][0] + w*b[3][0]
		dst[i][1] = x*b[0][1] + y*b[1][1] + z*b[2][1] + w*b[3][1]
		dst[i][2] = x*b[0][2] + y*b[1][2] + z*b[2][2] + w*b[3][2]
		dst[i][3] = x*b[0][3] + y*b[1][3] + z*b[2][3] + w*b[3][3]
	}
}

// mulFloat64 is mul for float64.
//
//vec:func MulFloat64
func mulFloat64(dst, a, b *[16]float64) {
	for i := range 4 {
		for j := range 4 {
			var sum float64
			for k := range 4 {
				sum += a[4*i+k] * b[4*k+j]
			}
			dst[4*i+j] = sum
		}
	}
}

// apply stores the row v times m into dst.
//
//vec:func Apply
func apply(dst, v *[4]float32, m *Matrix) {
	for j := range dst {
		dst[j] = v[0]*m[j] + v[1]*m[4+j] + v[2]*m[8+j] + v[3]*m[12+j]
	}
}

// applyAll does so with many rows: here lanes are rows, and the loop is vectorized.
//
//vec:func ApplyAll
func applyAll(dst, vs [][4]float32, m *Matrix) {
	for i, v := range vs {
		for j := range v {
			dst[i][j] = v[0]*m[j] + v[1]*m[4+j] + v[2]*m[8+j] + v[3]*m[12+j]
		}
	}
}

// transpose stores the transposed of a into dst.
//
//vec:func Transpose
func transpose(dst, a *Matrix) {
	for i := range 4 {
		for j := range 4 {
			dst[4*j+i] = a[4*i+j]
		}
	}
}
