package window

import (
	"slices"
	"testing"
)

func TestHighest(t *testing.T) {
	dst := make([]float64, 3)
	highest(dst, []float64{1, 3, 2, 0, 5}, 3)
	if want := []float64{3, 3, 5}; !slices.Equal(dst, want) {
		t.Errorf("highest gave %v, want %v", dst, want)
	}
}

func TestSums(t *testing.T) {
	dst := make([]int32, 5)
	sums(dst, []int32{1, 2, 3, 4, 5}, 1)
	if want := []int32{3, 6, 9, 12, 9}; !slices.Equal(dst, want) {
		t.Errorf("sums gave %v, want %v", dst, want)
	}
}

func TestFilter(t *testing.T) {
	dst := make([]float32, 4)
	filter(dst, []float32{1, 2, 4, 8}, []float32{1, 0, 1})
	if want := []float32{3, 5, 10, 12}; !slices.Equal(dst, want) {
		t.Errorf("filter gave %v, want %v", dst, want)
	}
}

func TestDilate(t *testing.T) {
	dst := make([]uint8, 12)
	dilate(dst, []uint8{
		1, 0, 0, 9,
		0, 2, 0, 0,
		3, 0, 0, 0,
	}, 4, 3, 1)
	if want := []uint8{0, 0, 0, 0, 0, 3, 9, 0, 0, 0, 0, 0}; !slices.Equal(dst, want) {
		t.Errorf("dilate gave %v, want %v", dst, want)
	}
}
