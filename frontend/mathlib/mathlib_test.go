//go:build amd64 && !amd64.v3

package mathlib

import (
	"math"
	"math/rand/v2"
	"testing"
)

// functions are those of one argument, and with what magnitudes most arguments are tried.
var functions = []struct {
	name       string
	math, here func(float64) float64
	exponents  [2]int // of two
}{
	{"Exp", math.Exp, Exp, [2]int{-60, 11}},
	{"Log", math.Log, Log, [2]int{-1080, 1024}},
	{"Exp2", math.Exp2, Exp2, [2]int{-60, 11}},
	{"Sin", math.Sin, Sin, [2]int{-60, 29}},
	{"Cos", math.Cos, Cos, [2]int{-60, 29}},
	{"Tan", math.Tan, Tan, [2]int{-60, 29}},
	{"Tanh", math.Tanh, Tanh, [2]int{-60, 7}},
	{"Cbrt", math.Cbrt, Cbrt, [2]int{-1022, 1024}},
	{"Erf", math.Erf, Erf, [2]int{-60, 4}},
}

// special are arguments that no random ones would be.
var special = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, -2, math.Pi, math.E, math.Inf(1), math.Inf(-1), math.NaN(),
	math.Float64frombits(0xfff8000000000001), math.Float64frombits(0x7ff8000000001234),
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 0x1.fffffffffffffp-1023,
	709.782712893384, math.Nextafter(709.782712893384, 710), 709.78, 710, -708, -708.4, -709, -744, -745.1, -745.2, -746, -1e300, 1e300,
	1023, 1024, -1022, -1023, -1074, -1075, 1 << 29, 1<<29 - 1, -1 << 29, 1 << 31, 1 << 52, 1 << 53, 1 << 62, 1 << 63,
	math.Sqrt2, math.Sqrt2 / 2, math.Pi / 4, math.Pi / 2, 0.625, 44.014845965556527149, 44.1, 0.84375, 1.25, 1 / 0.35, 6, 28,
}

// arguments are special numbers, their neighbours, and n random ones of which most have
// exponents of the given range.
func arguments(n int, exponents [2]int) []float64 {
	xs := append([]float64{}, special...)
	for _, x := range special {
		xs = append(xs, math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1)))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		switch r.IntN(8) {
		case 0:
			xs = append(xs, math.Float64frombits(r.Uint64()))
		case 1:
			xs = append(xs, float64(r.IntN(4000)-2000))
		default:
			x := math.Ldexp(1+r.Float64(), exponents[0]+r.IntN(exponents[1]-exponents[0]))
			if r.IntN(2) == 0 {
				x = -x
			}
			xs = append(xs, x)
		}
	}
	return xs
}

// try calls f and reports whether it did the argument.
func try(f func() float64) (y float64, done bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(Rare); !ok {
				panic(r)
			}
		}
	}()
	return f(), true
}

// TestLikeMath compares bits. NaNs that are computed may differ.
func TestLikeMath(t *testing.T) {
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	for _, f := range functions {
		handed := 0
		xs := arguments(n, f.exponents)
		for _, x := range xs {
			got, done := try(func() float64 { return f.here(x) })
			if !done {
				handed++
				continue
			}
			want := f.math(x)
			if math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
				t.Errorf("%s(%x) = %x, math has %x", f.name, x, got, want)
				break
			}
		}
		if handed > len(xs)/4 {
			t.Errorf("%s: %d of %d arguments handed over", f.name, handed, len(xs))
		}
	}
}

// TestPow is TestLikeMath for two arguments.
func TestPow(t *testing.T) {
	xs, ys := arguments(300_000, [2]int{-8, 8}), arguments(300_000, [2]int{-3, 6})
	wide := arguments(300_000, [2]int{-1074, 1024})
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(ys), func(i, k int) { ys[i], ys[k] = ys[k], ys[i] })
	handed := 0
	for i, x := range xs {
		y := ys[i]
		switch i % 8 {
		case 0:
			y = math.Round(y)
		case 1:
			x, y = wide[i], math.Round(math.Mod(y, 17))
		case 2, 3, 4:
			x = math.Abs(x)
		}
		got, done := try(func() float64 { return Pow(x, y) })
		if !done {
			handed++
			continue
		}
		want := math.Pow(x, y)
		if math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
			t.Fatalf("Pow(%x, %x) = %x, math has %x", x, y, got, want)
		}
	}
	if handed > len(xs)/2 {
		t.Errorf("%d of %d arguments handed over", handed, len(xs))
	}
}

// TestSincos is TestLikeMath for two results.
func TestSincos(t *testing.T) {
	for _, x := range arguments(200_000, [2]int{-60, 29}) {
		var s, c float64
		if _, done := try(func() float64 { s, c = Sincos(x); return 0 }); !done {
			continue
		}
		ws, wc := math.Sincos(x)
		if s != s && ws != ws && c != c && wc != wc {
			continue
		}
		if math.Float64bits(s) != math.Float64bits(ws) || math.Float64bits(c) != math.Float64bits(wc) {
			t.Fatalf("Sincos(%x) = %x, %x, math has %x, %x", x, s, c, ws, wc)
		}
	}
}

// TestHypot is TestLikeMath for two arguments.
func TestHypot(t *testing.T) {
	xs, ys := arguments(100_000, [2]int{-1074, 1024}), arguments(100_000, [2]int{-8, 8})
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(ys), func(i, k int) { ys[i], ys[k] = ys[k], ys[i] })
	for i, x := range xs {
		y := ys[i]
		if i%2 == 0 {
			y *= x
		}
		got, want := Hypot(x, y), math.Hypot(x, y)
		if math.Float64bits(got) != math.Float64bits(want) && !(got != got && want != want) {
			t.Fatalf("Hypot(%x, %x) = %x, math has %x", x, y, got, want)
		}
	}
}
