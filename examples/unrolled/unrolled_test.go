package unrolled

import "testing"

func TestUnrolled(t *testing.T) {
	x, y := make([]float32, 103), make([]float32, 101)
	for i := range x {
		x[i] = float32(i % 7)
	}
	for i := range y {
		y[i] = 1
	}
	sum := 0
	for i := range 100 {
		sum += i % 7
	}
	for _, f := range []func(x, y []float32) float32{dot, Dot, dotAny, DotAny} {
		if s := f(x, y); s != float32(sum) {
			t.Errorf("dot is %v instead of %v", s, sum)
		}
	}
	Axpy(2, x, y)
	for i, v := range y {
		want := float32(1)
		if i < 100 {
			want += 2 * float32(i%7)
		}
		if v != want {
			t.Fatalf("y[%d] is %v", i, v)
		}
	}
}
