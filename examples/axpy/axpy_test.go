package axpy

import (
	"slices"
	"testing"
)

func TestAxpyAddsMultiple(t *testing.T) {
	y := []float32{1, 2, 3}
	axpy(2, []float32{10, 20, 30, 40}, y)
	if want := []float32{21, 42, 63}; !slices.Equal(y, want) {
		t.Errorf("axpy gave %v, want %v", y, want)
	}
}

func TestAxpyStoresBeforeItPanics(t *testing.T) {
	y := []float64{1, 1, 1}
	defer func() {
		if recover() == nil {
			t.Error("no panic although x is too short")
		}
		if want := []float64{2, 3, 1}; !slices.Equal(y, want) {
			t.Errorf("y is %v, want %v", y, want)
		}
	}()
	axpy64(1, []float64{1, 2}, y)
}
