package relu

import (
	"slices"
	"testing"
)

func TestRectifiers(t *testing.T) {
	x := []float32{-2, 0, 3}
	dst := make([]float32, len(x))
	relu(dst, x)
	if want := []float32{0, 0, 3}; !slices.Equal(dst, want) {
		t.Errorf("relu gave %v, want %v", dst, want)
	}
	leaky(dst, x, 0.5)
	if want := []float32{-1, 0, 3}; !slices.Equal(dst, want) {
		t.Errorf("leaky gave %v, want %v", dst, want)
	}
	reluInPlace(x)
	if want := []float32{0, 0, 3}; !slices.Equal(x, want) {
		t.Errorf("reluInPlace gave %v, want %v", x, want)
	}
}
