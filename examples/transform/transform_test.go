package transform

import (
	"math"
	"testing"
)

// TestDCTColumns compares with the definition, scaled as the scheme leaves it.
func TestDCTColumns(t *testing.T) {
	for _, f := range []func(x *[64]float32){dctColumns, DCTColumns} {
		var x [64]float32
		for i := range x {
			x[i] = float32(i * i % 23)
		}
		in := x
		f(&x)
		for c := range 8 {
			for k := range 8 {
				sum := 0.0
				for n := range 8 {
					sum += float64(in[8*n+c]) * math.Cos(float64(k)*math.Pi/8*(float64(n)+.5))
				}
				want := sum
				if k > 0 {
					want *= 2 * math.Cos(float64(k)*math.Pi/16)
				}
				if got := float64(x[8*k+c]); math.Abs(got-want) > 1e-3 {
					t.Errorf("column %d, frequency %d: %v instead of %v", c, k, got, want)
				}
			}
		}
	}
}

func TestHadamard(t *testing.T) {
	for _, f := range []func(x *[8]int32){hadamard, Hadamard} {
		x := [8]int32{1, 0, 1, 0, 0, 1, 1, 0}
		if f(&x); x != [8]int32{4, 2, 0, -2, 0, 2, 0, 2} {
			t.Errorf("got %v", x)
		}
	}
}

func TestButterfly(t *testing.T) {
	for _, f := range []func(a, b, w *[4]complex128){butterfly, Butterfly} {
		a, b, w := [4]complex128{1, 2, 3, 4}, [4]complex128{1, 1i, 2, 1 + 1i}, [4]complex128{1, 1i, -1, -1i}
		f(&a, &b, &w)
		if a != [4]complex128{2, 1, 1, 5 - 1i} || b != [4]complex128{0, 3, 5, 3 + 1i} {
			t.Errorf("got %v and %v", a, b)
		}
	}
}
