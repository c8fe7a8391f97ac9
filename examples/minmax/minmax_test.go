package minmax

import (
	"math"
	"testing"
)

func TestFloatForms(t *testing.T) {
	var (
		nan     = float32(math.NaN())
		negZero = float32(math.Copysign(0, -1))
	)
	type result struct{ max, min, maxBuiltin, minBuiltin float32 }
	for _, c := range []struct {
		name string
		x    []float32
		want result
	}{
		{"ordinary", []float32{3, -1, 2}, result{3, -1, 3, -1}},
		{"the if skips NaN", []float32{3, nan, 2}, result{3, 2, nan, nan}},
		{"the if keeps the first zero", []float32{negZero, 0}, result{negZero, negZero, 0, negZero}},
		{"positive zero first", []float32{0, negZero}, result{0, 0, 0, negZero}},
	} {
		got := result{maxFloat32(c.x), minFloat32(c.x), maxBuiltinFloat32(c.x), minBuiltinFloat32(c.x)}
		same := func(a, b float32) bool {
			return a != a && b != b || math.Float32bits(a) == math.Float32bits(b)
		}
		if !same(got.max, c.want.max) || !same(got.min, c.want.min) ||
			!same(got.maxBuiltin, c.want.maxBuiltin) || !same(got.minBuiltin, c.want.minBuiltin) {
			t.Errorf("%s: %v gave %v, want %v", c.name, c.x, got, c.want)
		}
	}
}

func TestIntegers(t *testing.T) {
	x := []int32{3, -7, 5}
	if hi, lo := maxInt32(x), minInt32(x); hi != 5 || lo != -7 {
		t.Errorf("extremes of %v are %d and %d, want 5 and -7", x, hi, lo)
	}
	b := []uint8{3, 200, 5}
	if hi := maxUint8(b); hi != 200 {
		t.Errorf("maxUint8(%v) = %d, want 200", b, hi)
	}
	if lo, hi := rangeUint8(b); lo != 3 || hi != 200 {
		t.Errorf("rangeUint8(%v) = %d, %d, want 3, 200", b, lo, hi)
	}
}
