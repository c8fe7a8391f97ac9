package stencil

import (
	"slices"
	"testing"
)

func TestSmooth(t *testing.T) {
	dst := make([]float32, 5)
	smooth(dst, []float32{3, 0, 3, 6, 9})
	if want := []float32{0, 2, 3, 6, 0}; !slices.Equal(dst, want) {
		t.Errorf("smooth gave %v, want %v", dst, want)
	}
}

func TestHalve(t *testing.T) {
	dst := make([]uint8, 2)
	halve(dst, []uint8{1, 2, 255, 255})
	if want := []uint8{2, 255}; !slices.Equal(dst, want) {
		t.Errorf("halve gave %v, want %v", dst, want)
	}
}
