// Package matvec multiplies matrices with vectors.
package matvec

//go:generate go tool lanewise -tests .

// mul stores the product of a matrix of len(y) rows and len(x) columns, row by
// row in one slice, with x.
//
//vec:func Mul reassoc
//vec:func MulInOrder
func mul(y, a, x []float32) {
	n := len(x)
	for i := range y {
		row := a[i*n : i*n+n]
		var s float32
		for j, v := range row {
			s += v * x[j]
		}
		y[i] = s
	}
}

// mulRows is mul for a matrix that is a slice of rows.
//
//vec:func MulRows reassoc
//vec:func MulRowsInOrder
func mulRows(y []float32, a [][]float32, x []float32) {
	for i, row := range a {
		var s float32
		for j, v := range row {
			s += v * x[j]
		}
		y[i] = s
	}
}

// transform stores points multiplied with a matrix of three rows.
//
//vec:func Transform
func transform(dst, src [][3]float64, m *[3][3]float64) {
	for i, p := range src {
		dst[i] = [3]float64{
			m[0][0]*p[0] + m[0][1]*p[1] + m[0][2]*p[2],
			m[1][0]*p[0] + m[1][1]*p[1] + m[1][2]*p[2],
			m[2][0]*p[0] + m[2][1]*p[1] + m[2][2]*p[2],
		}
	}
}
