package complexmul

import (
	"slices"
	"testing"
)

func TestProducts(t *testing.T) {
	d64 := make([]complex64, 2)
	mul64(d64, []complex64{1i, 1 + 2i}, []complex64{1i, 3 - 1i})
	if want := []complex64{-1, 5 + 5i}; !slices.Equal(d64, want) {
		t.Errorf("mul64 gave %v, want %v", d64, want)
	}
	d128 := make([]complex128, 2)
	mul128(d128, []complex128{1i, 1 + 2i}, []complex128{1i, 3 - 1i})
	if want := []complex128{-1, 5 + 5i}; !slices.Equal(d128, want) {
		t.Errorf("mul128 gave %v, want %v", d128, want)
	}
}

func TestMagnitudes(t *testing.T) {
	p := make([]float32, 2)
	power64(p, []complex64{3 + 4i, -1i})
	if want := []float32{25, 1}; !slices.Equal(p, want) {
		t.Errorf("power64 gave %v, want %v", p, want)
	}
	a := make([]float64, 2)
	abs128(a, []complex128{3 + 4i, -1i})
	if want := []float64{5, 1}; !slices.Equal(a, want) {
		t.Errorf("abs128 gave %v, want %v", a, want)
	}
}
