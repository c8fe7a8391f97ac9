package rare

import (
	"math"
	"slices"
	"testing"
)

func TestLimit(t *testing.T) {
	x := []float32{0.5, 1, 2, 1000, -7}
	limit(x, 1)
	if x[0] != 0.5 || x[1] != 1 || x[4] != -7 {
		t.Errorf("samples below the threshold became %v", x)
	}
	if !(x[2] > 1 && x[2] < x[3] && x[3] <= 2) {
		t.Errorf("samples above the threshold became %v", x)
	}
}

func TestSlowDown(t *testing.T) {
	f := []float64{7, 7}
	slowDown(f, []float64{3, 30}, []float64{4, 40}, 10)
	if want := []float64{7, 0.2}; !slices.Equal(f, want) {
		t.Errorf("got %v, want %v", f, want)
	}
}

func TestExpNear(t *testing.T) {
	x := []float32{0, 0.005, -0.005, 0.3, -0.7}
	y := make([]float32, len(x))
	expNear(y, x)
	for i, v := range x {
		if want := math.Exp(float64(v)); math.Abs(float64(y[i])-want) > 1e-6 {
			t.Errorf("exp(%v) is %v, want %v", v, y[i], want)
		}
	}
}

// One lane in some of the blocks, at every place.
func TestOneLane(t *testing.T) {
	const n = 200
	for at := range n {
		x := make([]float64, n)
		x[at] = 8
		want, got := make([]float64, n), make([]float64, n)
		invert(want, x, 5)
		Invert(got, x, 5)
		if !slices.Equal(got, want) || got[at] != 0.125 {
			t.Fatalf("element %d: got %v, want %v", at, got, want)
		}
	}
}
