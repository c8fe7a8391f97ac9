package fir

import (
	"slices"
	"testing"
)

func TestFilters(t *testing.T) {
	src := []float32{1, 0, 0, 2, 0, 0, 0, 0, 1, 5}
	dst, want := make([]float32, 3), []float32{9, 14, 51}
	eight(dst, src, &[8]float32{1, 2, 3, 4, 5, 6, 7, 8})
	if !slices.Equal(dst, want) {
		t.Errorf("eight gave %v, want %v", dst, want)
	}
	any(dst, src, []float32{1, 2, 3, 4, 5, 6, 7, 8})
	if !slices.Equal(dst, want) {
		t.Errorf("any gave %v, want %v", dst, want)
	}
}

func TestInt16Rounds(t *testing.T) {
	dst := make([]int16, 2)
	eightInt16(dst, []int16{3, 0, 0, 0, 0, 0, 0, 0, -5}, &[8]int16{1 << 14, 0, 0, 0, 0, 0, 0, 1 << 14})
	if want := []int16{2, -2}; !slices.Equal(dst, want) {
		t.Errorf("eightInt16 gave %v, want %v", dst, want)
	}
}
