// Package matmul multiplies matrices of float32, stored row by row.
package matmul

//go:generate go tool lanewise -tests .

// rows stores the product of a, with len(dst)/n rows and k columns, and b, with k
// rows and n columns. It adds rows of b to a row of dst: the innermost loop is over
// neighbours.
//
//vec:func Rows
func rows(dst, a, b []float32, k, n int) {
	clear(dst)
	for i := range len(dst) / n {
		row := dst[i*n : i*n+n]
		for l := range k {
			x := a[i*k+l]
			for j, y := range b[l*n : l*n+n] {
				row[j] += x * y
			}
		}
	}
}

// dots computes the same elements one by one, as sums over a row of a and a column
// of b. Lanes are neighbours in a row of dst.
//
//vec:func Dots
func dots(dst, a, b []float32, k, n int) {
	for i := range len(dst) / n {
		row := dst[i*n : i*n+n]
		for j := range row {
			var s float32
			for l, x := range a[i*k : i*k+k] {
				s += x * b[l*n+j]
			}
			row[j] = s
		}
	}
}

// transposed multiplies with a matrix given column by column: sums over a row of a
// and a row of b, which are added up in lanes.
//
//vec:func Transposed reassoc
func transposed(dst, a, b []float32, k, n int) {
	for i := range len(dst) / n {
		x := a[i*k : i*k+k]
		row := dst[i*n : i*n+n]
		for j := range row {
			var s float32
			for l, y := range b[j*k : j*k+k] {
				s += x[l] * y
			}
			row[j] = s
		}
	}
}
