package sum

import (
	"math"
	"testing"
)

func TestSum(t *testing.T) {
	if got := sumFloat32([]float32{1, 2, 4}); got != 7 {
		t.Errorf("sumFloat32 = %v, want 7", got)
	}
	if got := sumInt32([]int32{math.MaxInt32, 1}); got != math.MinInt32 {
		t.Errorf("sumInt32 = %d, want it wrapped to %d", got, math.MinInt32)
	}
	if got := sumBytes([]byte{255, 255, 1}); got != 511 {
		t.Errorf("sumBytes = %d, want 511", got)
	}
}
