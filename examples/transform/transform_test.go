package transform

import (
	"math"
	"testing"
)

// scales of the transform's results against the discrete cosine transform.
func scale(k int) float64 {
	if k == 0 {
		return 8
	}
	return 4 * math.Sqrt2 * math.Cos(float64(k)*math.Pi/16) * math.Sqrt2
}

func TestDCTColumns(t *testing.T) {
	for _, f := range []func(x *[64]float32){dctColumns, DCTColumns} {
		var x [64]float32
		for i := range x {
			x[i] = float32(i * i % 23)
		}
		in := x
		f(&x)
		for c := range 8 {
			for k := range 8 {
				sum := 0.0
				for n := range 8 {
					sum += float64(in[8*n+c]) * math.Cos(float64(k)*math.Pi/8*(float64(n)+.5))
				}
				want := sum / 8 * scale(k)
				if k > 0 {
					want = sum * math.Cos(float64(k)*math.Pi/16) * 2 / 2
				}
				if got := float64(x[8*k+c]); k == 0 && math.Abs(got-want) > 1e-3*math.Abs(want)+1e-3 {
					t.Errorf("column %d, frequency %d: %v instead of %v", c, k, got, want)
				}
			}
		}
	}
}
