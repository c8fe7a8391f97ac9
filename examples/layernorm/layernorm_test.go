package layernorm

import (
	"math"
	"slices"
	"testing"
)

func TestAffine(t *testing.T) {
	dst := make([]float32, 2)
	affine(dst, []float32{3, 7}, []float32{2, 1}, []float32{10, 20}, 5, 0.5)
	if want := []float32{8, 21}; !slices.Equal(dst, want) {
		t.Errorf("affine gave %v, want %v", dst, want)
	}
}

func TestNorm(t *testing.T) {
	const n = 100
	var x, dst, gamma, beta [n]float32
	for i := range n {
		x[i], gamma[i], beta[i] = float32(i%10), 2, 3
	}
	Norm(dst[:], x[:], gamma[:], beta[:])
	var sum, squares float64
	for _, v := range dst {
		sum += float64(v)
		squares += float64(v-3) * float64(v-3)
	}
	if math.Abs(sum/n-3) > 1e-5 || math.Abs(squares/n-4) > 1e-4 {
		t.Errorf("mean %g, variance %g, want 3 and 4", sum/n, squares/n)
	}
}
