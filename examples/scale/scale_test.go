package scale

import (
	"slices"
	"testing"
)

func testScale[T number](t *testing.T, k T, x, want []T) {
	t.Helper()
	dst := make([]T, len(x))
	scale(dst, x, k)
	if !slices.Equal(dst, want) {
		t.Errorf("scale[%T] gave %v, want %v", k, dst, want)
	}
}

func TestScale(t *testing.T) {
	testScale(t, 0.5, []float32{1, 3}, []float32{0.5, 1.5})
	testScale(t, 0.5, []float64{1, 3}, []float64{0.5, 1.5})
	testScale(t, 3, []int32{1, 1 << 30}, []int32{3, -1 << 30})
	testScale(t, 3, []int16{1, 1 << 14}, []int16{3, -1 << 14})
	testScale(t, 3, []uint8{1, 100}, []uint8{3, 44})
}
