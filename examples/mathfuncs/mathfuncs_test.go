package mathfuncs

import (
	"math"
	"testing"
)

func TestExp(t *testing.T) {
	x := []float64{0, 1, -1, 700, -800, 710, math.Inf(1), math.Inf(-1), -740, 0.5, 2, 3, 4}
	got := make([]float64, len(x))
	Exp(got, x)
	for i, v := range x {
		if want := math.Exp(v); got[i] != want {
			t.Errorf("Exp(%g) = %g, want %g", v, got[i], want)
		}
	}
}

func TestExpApprox(t *testing.T) {
	x := make([]float32, 1000)
	for i := range x {
		x[i] = float32(i)/4 - 125
	}
	got := make([]float32, len(x))
	ExpApprox(got, x)
	for i, v := range x {
		want := float32(math.Exp(float64(v)))
		up, down := math.Nextafter32(want, math.MaxFloat32), math.Nextafter32(want, 0)
		if got[i] != want && got[i] != up && got[i] != down {
			t.Errorf("ExpApprox(%g) = %g, want %g", v, got[i], want)
		}
	}
}
