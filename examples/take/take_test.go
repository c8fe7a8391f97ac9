package take

import (
	"slices"
	"testing"
)

func TestTake(t *testing.T) {
	dst := make([]float32, 4)
	take(dst, []float32{1, 2, 3}, []int32{2, 2, 0, 1})
	if want := []float32{3, 3, 1, 2}; !slices.Equal(dst, want) {
		t.Errorf("take gave %v, want %v", dst, want)
	}
	if s := sumAt([]float64{1, 2, 3}, []int32{2, 0}, []float64{10, 5}); s != 35 {
		t.Errorf("sumAt gave %v, want 35", s)
	}
}

func TestLengths(t *testing.T) {
	dst := make([]float32, 2)
	lengths(dst, []int32{0, 1}, []int32{1, 1}, []Point{{1, 1}, {4, 5}})
	if want := []float32{25, 0}; !slices.Equal(dst, want) {
		t.Errorf("lengths gave %v, want %v", dst, want)
	}
}
