package horner

import (
	"math"
	"testing"
)

func TestExp5IsCloseToExp(t *testing.T) {
	var x, dst [101]float32
	for i := range x {
		x[i] = float32(i-50) / 100
	}
	for _, f := range []func(dst, x []float32){exp5, exp5Fused} {
		f(dst[:], x[:])
		for i, v := range x {
			if d := math.Abs(float64(dst[i]) - math.Exp(float64(v))); d > 3e-5 {
				t.Errorf("at %v: %v, off by %v", v, dst[i], d)
			}
		}
	}
}

func TestPolynomial(t *testing.T) {
	dst := make([]float32, 3)
	polynomial(dst, []float32{0, 1, 2}, []float32{3, 0, -1})
	if want := [3]float32{-1, 2, 11}; [3]float32(dst) != want {
		t.Errorf("polynomial gave %v, want %v", dst, want)
	}
}
