package difference

import "testing"

func TestPieces(t *testing.T) {
	x := make([]int32, 200)
	b := make([]byte, len(x))
	for i := range x {
		x[i] = int32(i * i)
		b[i] = byte(i / 3)
	}
	for n := range x {
		d := make([]int32, len(x))
		last := Deltas(d[:n], x[:n], 0)
		last = Deltas(d[n:], x[n:], last)
		if last != x[len(x)-1] {
			t.Fatalf("Deltas = %d, want %d", last, x[len(x)-1])
		}
		for i := 1; i < len(d); i++ {
			if d[i] != x[i]-x[i-1] {
				t.Fatalf("delta %d at %d, want %d", d[i], i, x[i]-x[i-1])
			}
		}
		if got, want := Changes(b[:n], 0), max(n-1, 0)/3; got != want {
			t.Errorf("Changes = %d, want %d", got, want)
		}
	}
}

func TestSmooth(t *testing.T) {
	dst := make([]float32, 4)
	if Smooth(dst, []float32{4, 0, 0, 8}); dst != nil && [4]float32(dst) != [4]float32{1, 2, 1, 2} {
		t.Errorf("Smooth: %v", dst)
	}
}
