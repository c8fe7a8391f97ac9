package mismatch

import "testing"

func TestMismatch(t *testing.T) {
	x, y := make([]int32, 100), make([]int32, 100)
	if !Equal(x, y) || !equal(x, y) || Equal(x, y[1:]) {
		t.Error("equal slices are not, or different ones are")
	}
	a, b := make([]byte, 300), make([]byte, 250)
	for i := range b {
		y[i%100], b[i] = 1, 1
		if i < 100 && Equal(x, y) {
			t.Errorf("different at %d, but equal", i)
		}
		if got := CommonPrefix(a, b); got != i || commonPrefix(a, b) != i {
			t.Errorf("CommonPrefix = %d, want %d", got, i)
		}
		y[i%100], b[i] = 0, 0
	}
	if got := CommonPrefix(a, b); got != 250 {
		t.Errorf("CommonPrefix = %d, want 250", got)
	}
}
