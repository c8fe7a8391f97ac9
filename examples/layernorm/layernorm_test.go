package layernorm

import (
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
