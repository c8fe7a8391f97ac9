package vec3

import "testing"

func TestPush(t *testing.T) {
	for _, f := range []func(bs []Body, force *Vector, dt float64){push, Push} {
		bs := make([]Body, 9)
		for i := range bs {
			bs[i] = Body{Vector{1, 2, 3}, Vector{0, 1, 0}, .5}
		}
		f(bs, &Vector{4, 0, -4}, .5)
		for i := range bs {
			if want := (Body{Vector{1.5, 2.5, 2.5}, Vector{1, 1, -1}, .5}); bs[i] != want {
				t.Fatalf("body %d is %v", i, bs[i])
			}
		}
	}
}

func TestMomentum(t *testing.T) {
	bs := []Body{{Velocity: Vector{1, 2, 3}, Inverse: .5}, {Velocity: Vector{1, 0, -1}, Inverse: .25}, {Inverse: 1}}
	for _, f := range []func(bs []Body) Vector{momentum, Momentum} {
		if p := f(bs); p != (Vector{6, 4, 2}) {
			t.Errorf("got %v", p)
		}
	}
}
