package matrix4

import "testing"

var (
	a = Matrix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	// Multiplication by shift moves columns to the right.
	shift   = Matrix{0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0}
	shifted = Matrix{4, 1, 2, 3, 8, 5, 6, 7, 12, 9, 10, 11, 16, 13, 14, 15}
)

func TestMul(t *testing.T) {
	for _, f := range []func(dst, a, b *Matrix){mul, Mul} {
		var dst Matrix
		if f(&dst, &a, &shift); dst != shifted {
			t.Errorf("got %v", dst)
		}
	}
	rows := func(m Matrix) (r [4][4]float32) {
		for i, x := range m {
			r[i/4][i%4] = x
		}
		return r
	}
	for _, f := range []func(dst, a, b *[4][4]float32){mulRows, MulRows} {
		x, y := rows(a), rows(shift)
		var dst [4][4]float32
		if f(&dst, &x, &y); dst != rows(shifted) {
			t.Errorf("got %v", dst)
		}
	}
}

// TestMulInPlace has dst be one of the factors: later rows are computed from what earlier
// ones have stored, by the twin as well.
func TestMulInPlace(t *testing.T) {
	x, y := a, a
	mul(&x, &x, &shift)
	Mul(&y, &y, &shift)
	if x != y {
		t.Errorf("got %v instead of %v", y, x)
	}
	x, y = shift, shift
	mul(&x, &a, &x)
	Mul(&y, &a, &y)
	if x != y {
		t.Errorf("got %v instead of %v", y, x)
	}
}

func TestApply(t *testing.T) {
	v, want := [4]float32{1, 2, 3, 4}, [4]float32{4, 1, 2, 3}
	for _, f := range []func(dst, v *[4]float32, m *Matrix){apply, Apply} {
		var dst [4]float32
		if f(&dst, &v, &shift); dst != want {
			t.Errorf("got %v", dst)
		}
	}
	dst := make([][4]float32, 11)
	ApplyAll(dst, [][4]float32{10: v}, &shift)
	if dst[10] != want {
		t.Errorf("got %v", dst[10])
	}
}

func TestTranspose(t *testing.T) {
	for _, f := range []func(dst, a *Matrix){transpose, Transpose} {
		var dst Matrix
		f(&dst, &a)
		for i, x := range dst {
			if x != a[i%4*4+i/4] {
				t.Fatalf("got %v", dst)
			}
		}
	}
}
