package first

import (
	"math"
	"testing"
)

func TestFirstAbove(t *testing.T) {
	x := make([]float32, 90)
	for i := range x {
		for _, v := range []float32{2, float32(math.NaN()), float32(math.Inf(1))} {
			x[i] = v
			if got := FirstAbove(x, 1); got != i || firstAbove(x, 1) != i {
				t.Errorf("FirstAbove = %d, want %d", got, i)
			}
		}
		x[i] = 1
	}
	if got := FirstAbove(x, 1); got != len(x) {
		t.Errorf("FirstAbove = %d, want %d", got, len(x))
	}
}

func TestTake(t *testing.T) {
	src := make([]int32, 150)
	for i := range src {
		src[i] = 1
	}
	for at := range src {
		src[at] = -1
		dst := make([]int32, len(src))
		if n, sum := Take(dst, src); n != at || sum != int32(at) {
			t.Errorf("Take = %d, %d, want %d", n, sum, at)
		}
		for i, v := range dst {
			if (v != 0) != (i < at) {
				t.Errorf("dst[%d] = %d, left at %d", i, v, at)
			}
		}
		src[at] = 1
	}
}
