package twintest

import (
	"math"
	"math/rand/v2"
	"reflect"
)

// Where terms cancel, what is left of a sum is rounding, and a root of that is off by much more than the
// terms were. No bound that is known beforehand covers it. But then the original itself gives other
// results when its arguments are off by a few units in the last place, and by how much tells what to allow.
// (The condition of a problem: N. Higham, Accuracy and Stability of Numerical Algorithms, section 1.6.)

const (
	// nudges is how often the original is called with arguments that are off, which is often enough for what cancels to be more than
	// nothing once, and units by how many units in the last place at most: by one alone, most sums would be rounded as before.
	nudges, units = 48, 64
	// amplified is by how much more than the original's the twin's results may differ.
	amplified = 8
)

// illConditioned reports whether the twin's results differ from the original's in floats alone, each by little
// more than that one moves when floats of the arguments move by a few units in the last place. The memory of the
// twin's arguments is used for that.
func (c *checker) illConditioned(w *ran, g built, gout outcome, tc testCase) bool {
	want, got := floatsAfter(w.built, w.outcome), floatsAfter(g, gout) // before they are made alike
	e := equality{w: w.mem, g: g.mem, tolerance: tolerance{on: true, any: true}}
	if w.panics != gout.panics || e.outcomes(w.built, g, w.outcome, gout) != "" || len(want) != len(got) {
		return false
	}
	moved := make([]float64, len(want))
	for k := range nudges {
		b := c.builder(g.mem, tc)
		b.src.nudge = rand.New(rand.NewPCG(tc.seed, uint64(k)))
		n := built{b, b.arguments()}
		out := c.original(n.args)
		if out.faulted {
			return false
		}
		if out.panics != w.panics {
			continue // it went another way
		}
		now := floatsAfter(n, out)
		for i := range min(len(now), len(want)) { // there may be other numbers of results
			if d := math.Abs(now[i].value - want[i].value); d <= math.MaxFloat64 {
				moved[i] = max(moved[i], d)
			}
		}
	}
	bound := c.tolerance(w.built).with(e.magnitude(w.built, w.outcome))
	for i, x := range want {
		d := math.Abs(got[i].value - x.value)
		if !(0 < d && d <= amplified*moved[i]) && !bound.float(x.value, got[i].value, x.bits) {
			return false
		}
	}
	return true
}

// nudged is x moved by some units in the last place of so many bits, up or down. Zeros stay, and what is not finite.
func nudged(x float64, bits int, rng *rand.Rand) float64 {
	eps := 0x1p-52
	if bits == 32 {
		eps = 0x1p-23
	}
	if y := x + x*eps*float64(rng.IntN(2*units+1)-units); y-y == 0 {
		return y
	}
	return x
}

// A number is a float of so many bits.
type number struct {
	value float64
	bits  int
}

// floatsAfter are all floats in the results and the memory behind a call, in an order of their own.
func floatsAfter(b built, o outcome) (fs []number) {
	var add func(v reflect.Value, depth int)
	add = func(v reflect.Value, depth int) {
		switch v.Kind() {
		case reflect.Float32, reflect.Float64:
			fs = append(fs, number{v.Float(), v.Type().Bits()})
		case reflect.Complex64, reflect.Complex128:
			x, bits := v.Complex(), v.Type().Bits()/2
			fs = append(fs, number{real(x), bits}, number{imag(x), bits})
		case reflect.Struct:
			for i := range v.NumField() {
				add(v.Field(i), depth)
			}
		case reflect.Slice, reflect.Pointer:
			if _, known := b.mem.offset(v.Pointer()); known || v.IsNil() || depth > maxDepth {
				return // part of the arguments' memory
			}
			if v.Kind() == reflect.Pointer {
				add(v.Elem(), depth+1)
				return
			}
			depth++
			fallthrough
		case reflect.Array:
			for i := range v.Len() {
				add(v.Index(i), depth)
			}
		}
	}
	for _, v := range o.results {
		add(v, 0)
	}
	for _, r := range b.regions {
		for i := range r.count {
			add(b.mem.value(r.elem, r.off+i*int(r.elem.Size())), 0)
		}
	}
	return fs
}
