//go:build amd64 && !amd64.v3

package mathlib

import (
	"flag"
	"math"
	"testing"
)

var all = flag.Bool("all", false, "try approximations on every float32")

// TestApproximations counts units in the last place between approximations and math, over
// every 997th float32 or all.
func TestApproximations(t *testing.T) {
	step := 997
	if *all {
		step = 1
	}
	for _, f := range []struct {
		name string
		math func(float64) float64
		here func(float32) float32
	}{
		{"Exp32", math.Exp, Exp32}, {"Exp232", math.Exp2, Exp232}, {"Log32", math.Log, Log32},
		{"Tanh32", math.Tanh, Tanh32}, {"Sin32", math.Sin, Sin32}, {"Cos32", math.Cos, Cos32},
	} {
		worst, at, off := int64(0), float32(0), 0
		for b := 0; b < 1<<32; b += step {
			x := math.Float32frombits(uint32(b))
			var got float32
			if _, done := try(func() float64 { got = f.here(x); return 0 }); !done {
				continue
			}
			want := float32(f.math(float64(x)))
			d := units(got, want)
			if d > 0 {
				off++
			}
			if d > worst {
				worst, at = d, x
			}
		}
		if worst > 1 {
			t.Errorf("%s(%x) = %x is off by %d units, math has %x", f.name, at, f.here(at), worst, float32(f.math(float64(at))))
		}
		t.Logf("%s: %.1f %% are off by one", f.name, 100*float64(off)/float64((1<<32)/step))
	}
}

// units is how many float32s lie between two; many where just one is a NaN.
func units(x, y float32) int64 {
	if x != x || y != y {
		if x != x && y != y {
			return 0
		}
		return 1 << 32
	}
	if x == 0 && y == 0 && math.Signbit(float64(x)) != math.Signbit(float64(y)) {
		return 2
	}
	d := ordered(x) - ordered(y)
	if d < 0 {
		d = -d
	}
	return d
}

// ordered are integers in the order of floats, both zeros alike.
func ordered(x float32) int64 {
	b := int64(math.Float32bits(x) &^ (1 << 31))
	if math.Signbit(float64(x)) {
		return -b
	}
	return b
}
