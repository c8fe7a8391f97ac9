package mode

import (
	"slices"
	"testing"
)

func TestLayer(t *testing.T) {
	for _, c := range []struct {
		m    Mode
		want []uint8
	}{
		{Normal, []uint8{0, 100, 255}},
		{Multiply, []uint8{0, 78, 10}},
		{Screen, []uint8{100, 222, 255}},
		{Darken, []uint8{0, 100, 10}},
		{Lighten, []uint8{100, 200, 255}},
		{Difference, []uint8{100, 100, 245}},
		{Add, []uint8{100, 255, 255}},
		{99, []uint8{0, 100, 255}},
	} {
		dst := []uint8{100, 200, 10}
		layer(dst, []uint8{0, 100, 255}, c.m)
		if !slices.Equal(dst, c.want) {
			t.Errorf("mode %d: got %v, want %v", c.m, dst, c.want)
		}
	}
}

// Every mode, known or not, and every pair of bytes.
func TestEveryMode(t *testing.T) {
	bottom, top := make([]uint8, 1<<16), make([]uint8, 1<<16)
	for i := range bottom {
		bottom[i], top[i] = uint8(i), uint8(i>>8)
	}
	for m := range Mode(10) {
		want, got := slices.Clone(bottom), slices.Clone(bottom)
		layer(want, top, m)
		Layer(got, top, m)
		if !slices.Equal(got, want) {
			t.Errorf("mode %d differs", m)
		}
	}
}

func TestMix(t *testing.T) {
	x, y := make([]float32, 77), make([]float32, 77)
	for i := range x {
		x[i], y[i] = float32(i)-30, float32(i*i)
	}
	for _, power := range []int{-1, 0, 1, 2} {
		for _, withY := range []bool{false, true} {
			want, got := make([]float32, 77), make([]float32, 77)
			mix(want, x, y, 2, 3, power, withY)
			Mix(got, x, y, 2, 3, power, withY)
			if !slices.Equal(got, want) {
				t.Errorf("power %d, %v: got %v, want %v", power, withY, got, want)
			}
		}
	}
}
