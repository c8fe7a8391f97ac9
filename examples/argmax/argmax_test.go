package argmax

import (
	"math"
	"testing"
)

func TestFirstOfEqual(t *testing.T) {
	nan := float32(math.NaN())
	for n := range 150 {
		for p := range n {
			x := make([]float32, n)
			x[0] = nan
			x[p], x[n-1] = 3, 3
			if best, at := MaxFloat32(x); best != 3 || at != p {
				t.Fatalf("MaxFloat32 = %v, %d, want 3, %d", best, at, p)
			}
			b, y := make([]byte, n), make([]int32, n)
			b[p], b[n-1] = 200, 200
			y[p], y[0] = -7, -7
			if best, at := MaxByte(b); best != 200 || at != p {
				t.Fatalf("MaxByte = %v, %d, want 200, %d", best, at, p)
			}
			if best, at := MinInt32(y); best != -7 || at != p {
				t.Fatalf("MinInt32 = %v, %d, want -7, %d", best, at, p)
			}
		}
	}
}

func TestSignOfZero(t *testing.T) {
	minus := float32(math.Copysign(0, -1))
	for p := range 64 {
		x := make([]float32, 64)
		for i := range x {
			x[i] = -1
		}
		x[p], x[63-p] = 0, minus
		if p < 63-p {
			continue
		}
		if best, at := MaxFloat32(x); math.Float32bits(best) != math.Float32bits(minus) || at != 63-p {
			t.Errorf("MaxFloat32 = %v, %d, want the zero at %d", best, at, 63-p)
		}
	}
}

func TestEmpty(t *testing.T) {
	if best, at := MaxFloat32(nil); best != minusInf || at != -1 {
		t.Errorf("MaxFloat32 = %v, %d", best, at)
	}
	if at := IndexOfMax([]float32{1, 5, 2, 5}); at != 1 {
		t.Errorf("IndexOfMax = %d, want 1", at)
	}
}
