package matvec

import (
	"slices"
	"testing"
)

func TestMul(t *testing.T) {
	y, x := make([]float32, 2), []float32{1, 0, -1}
	mul(y, []float32{1, 2, 3, 4, 5, 7}, x)
	if want := []float32{-2, -3}; !slices.Equal(y, want) {
		t.Errorf("mul gave %v, want %v", y, want)
	}
	mulRows(y, [][]float32{{1, 2, 4}, {4, 5, 8}}, x)
	if want := []float32{-3, -4}; !slices.Equal(y, want) {
		t.Errorf("mulRows gave %v, want %v", y, want)
	}
}

func TestTransform(t *testing.T) {
	dst := make([][3]float64, 1)
	transform(dst, [][3]float64{{1, 2, 3}}, &[3][3]float64{{0, 1, 0}, {1, 0, 0}, {1, 1, 1}})
	if want := [3]float64{2, 1, 6}; dst[0] != want {
		t.Errorf("transform gave %v, want %v", dst[0], want)
	}
}
