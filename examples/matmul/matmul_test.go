package matmul

import (
	"slices"
	"testing"
)

func TestProducts(t *testing.T) {
	a, b := []float32{1, 2, 3, 4, 5, 6}, []float32{1, 0, 2, 1, 0, 3}
	bT := []float32{1, 2, 0, 0, 1, 3}
	want := []float32{5, 11, 14, 23}
	for name, f := range map[string]func(dst []float32){
		"rows":       func(dst []float32) { rows(dst, a, b, 3, 2) },
		"dots":       func(dst []float32) { dots(dst, a, b, 3, 2) },
		"transposed": func(dst []float32) { transposed(dst, a, bT, 3, 2) },
	} {
		dst := []float32{9, 9, 9, 9}
		if f(dst); !slices.Equal(dst, want) {
			t.Errorf("%s gave %v, want %v", name, dst, want)
		}
	}
}

// TestTwinsOfSquares multiplies matrices of small integers, whose sums are exact in
// any order.
func TestTwinsOfSquares(t *testing.T) {
	for _, n := range []int{1, 7, 8, 33, 64} {
		a, b, bT := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
		for i := range n {
			for j := range n {
				a[i*n+j] = float32((i*7+j*3)%11 - 5)
				b[i*n+j] = float32((i*5+j*9)%13 - 6)
				bT[j*n+i] = b[i*n+j]
			}
		}
		want, got := make([]float32, n*n), make([]float32, n*n)
		rows(want, a, b, n, n)
		for k, f := range []func(dst, a, b []float32, k, n int){Rows, Dots, Transposed} {
			x := b
			if k == 2 {
				x = bT
			}
			if f(got, a, x, n, n); !slices.Equal(got, want) {
				t.Errorf("form %d of size %d differs", k, n)
			}
		}
	}
}
