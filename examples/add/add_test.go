package add

import (
	"math"
	"slices"
	"testing"
)

func TestAdd(t *testing.T) {
	dst := make([]float32, 2)
	addFloat32(dst, []float32{1, 2}, []float32{10, 20})
	if want := []float32{11, 22}; !slices.Equal(dst, want) {
		t.Errorf("addFloat32 gave %v, want %v", dst, want)
	}
}

func TestAddInt64Wraps(t *testing.T) {
	dst := make([]int64, 1)
	addInt64(dst, []int64{math.MaxInt64}, []int64{1})
	if dst[0] != math.MinInt64 {
		t.Errorf("addInt64 gave %d, want %d", dst[0], int64(math.MinInt64))
	}
}
