package abs

import (
	"math"
	"slices"
	"testing"
)

func TestAbs(t *testing.T) {
	dst := make([]float32, 3)
	absFloat32(dst, []float32{-1, 2, float32(math.Copysign(0, -1))})
	if want := []float32{1, 2, 0}; !slices.Equal(dst, want) || math.Signbit(float64(dst[2])) {
		t.Errorf("absFloat32 gave %v, want %v", dst, want)
	}
	x := []int32{-1, 2, math.MinInt32}
	absInt32(x)
	if want := []int32{1, 2, math.MinInt32}; !slices.Equal(x, want) {
		t.Errorf("absInt32 gave %v, want %v", x, want)
	}
}
