package twintest

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"testing"
)

// sizes are the lengths that benchmarks use: a short rest, one that fits the
// registers' needs, the first level of cache, and memory beyond it.
var sizes = []int{31, 256, 4096, 65536}

// Bench measures an original and its twin on slices of several lengths, as
// sub-benchmarks n=31/scalar, n=31/vec and so on. It makes the arguments for any
// signature that Check takes; integer arguments get the length.
//
// Bench calls through reflection, which adds a few hundred nanoseconds to both
// sides; BenchCalls does not.
func Bench(b *testing.B, scalar, vec any, opts ...Option) {
	s, v := reflect.ValueOf(scalar), reflect.ValueOf(vec)
	typ := s.Type()
	BenchCalls(b, func(in *Input) (func(), func()) {
		args := make([]reflect.Value, typ.NumIn())
		pointers := make([]any, len(args))
		for i := range args {
			p := reflect.New(typ.In(i))
			args[i], pointers[i] = p.Elem(), p.Interface()
		}
		in.Make(pointers...)
		f := reflect.Value.Call
		if typ.IsVariadic() {
			f = reflect.Value.CallSlice
		}
		return func() { f(s, args) }, func() { f(v, args) }
	}, opts...)
}

// BenchCalls measures calls without reflection. For each length it lets prepare
// make arguments, and runs the two functions that come back:
//
//	twintest.BenchCalls(b, func(in *twintest.Input) (scalar, vec func()) {
//		var x, y []float32
//		in.Make(&x, &y)
//		return func() { twintest.Keep(dot(x, y)) }, func() { twintest.Keep(Dot(x, y)) }
//	})
//
// Results go to Keep, so that no work is left out.
func BenchCalls(b *testing.B, prepare func(in *Input) (scalar, vec func()), opts ...Option) {
	for _, n := range sizes {
		in := &Input{opts: opts, n: n}
		scalar, vec := in.calls(prepare)
		if scalar == nil {
			b.Logf("n=%d: no arguments found for which the original does not panic", n)
			continue
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.Run("scalar", func(b *testing.B) { in.measure(b, scalar) })
			b.Run("vec", func(b *testing.B) { in.measure(b, vec) })
		})
		in.release()
	}
}

// Keep takes results of measured calls.
func Keep(results ...any) { runtime.KeepAlive(results) }

// An Input makes the arguments of one length.
type Input struct {
	opts  []Option
	n     int
	ints  int // value of integer arguments
	mem   *arena
	bytes int64
	err   error
}

// Make fills the variables behind the pointers. It is called once per length.
func (in *Input) Make(pointers ...any) {
	if in.err != nil {
		return
	}
	types := make([]reflect.Type, len(pointers))
	for i, p := range pointers {
		types[i] = reflect.TypeOf(p).Elem()
	}
	c := &checker{config: config{block: 64}, typ: reflect.FuncOf(types, nil, false)}
	for _, o := range in.opts {
		o(&c.config)
	}
	tc := testCase{seed: 1, n: in.n, style: timing, place: staggered, extreme: -1}
	b := c.builder(in.mem, tc)
	b.fixed = func(int) int64 {
		if c.ints != nil {
			return int64(min(max(in.ints, c.ints[0]), c.ints[1]))
		}
		return int64(in.ints)
	}
	for i, v := range b.arguments() {
		reflect.ValueOf(pointers[i]).Elem().Set(v)
	}
	in.bytes = 0
	for _, r := range b.regions {
		in.bytes += int64(r.bytes())
	}
}

// calls prepares a pair of calls of which the first does not panic: integer
// arguments are the length, or, for functions over rows and columns, its root.
func (in *Input) calls(prepare func(in *Input) (scalar, vec func())) (scalar, vec func()) {
	if in.mem, in.err = arenas.get(largeCells, largeCell); in.err != nil {
		return nil, nil
	}
	for _, in.ints = range []int{in.n, int(math.Sqrt(float64(in.n))), 1, 0} {
		scalar, vec = prepare(in)
		if returns(scalar) {
			return scalar, vec
		}
	}
	return nil, nil
}

func (in *Input) release() { arenas.put(in.mem) }

func returns(f func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	f()
	return
}

func (in *Input) measure(b *testing.B, f func()) {
	b.SetBytes(in.bytes)
	for b.Loop() {
		f()
	}
}
