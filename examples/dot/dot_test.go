package dot

import "testing"

func TestDot(t *testing.T) {
	if got := dotFloat32([]float32{1, 2, 3}, []float32{4, 5, 6}); got != 32 {
		t.Errorf("dotFloat32 = %v, want 32", got)
	}
	if got := dotInt16([]int16{-32768, -32768}, []int16{-32768, 1}); got != 1<<30-1<<15 {
		t.Errorf("dotInt16 = %d, want %d", got, 1<<30-1<<15)
	}
}
