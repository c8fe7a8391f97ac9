package twintest

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sizes are the lengths that benchmarks use: hardly more than a rest, one where
// the call shows, the first level of cache, and memory beyond it.
var sizes = []int{31, 256, 4096, 65536}

// lengths are those of TWINTEST_SIZES in the environment, as in 512,1024, or the usual ones.
func lengths(usual []int) []int {
	var asked []int
	for s := range strings.SplitSeq(os.Getenv("TWINTEST_SIZES"), ",") {
		if n, err := strconv.Atoi(s); err == nil && n >= 0 {
			asked = append(asked, n)
		}
	}
	if len(asked) > 0 {
		return asked
	}
	return usual
}

// Bench measures an original and its twin on slices of several lengths, as
// sub-benchmarks n=31/scalar, n=31/vec and so on. It makes arguments for any
// signature that Check takes; integer arguments get the length.
//
// Calls go through reflection, which adds 0.1 µs to both; those of BenchCalls
// do not.
func Bench(b *testing.B, scalar, vec any, opts ...Option) {
	s, v := reflect.ValueOf(scalar), reflect.ValueOf(vec)
	call := reflect.Value.Call
	if s.Type().IsVariadic() {
		call = reflect.Value.CallSlice
	}
	bench(b, s.Type(), func(args []reflect.Value) (func(), func()) {
		return func() { call(s, args) }, func() { call(v, args) }
	}, opts)
}

// BenchCalls is Bench with calls that the compiler sees. prepare has the
// parameters of the original and returns the two calls:
//
//	twintest.BenchCalls(b, func(x, y []float32) (scalar, vec func()) {
//		return func() { twintest.Keep(dot(x, y)) }, func() { twintest.Keep(Dot(x, y)) }
//	})
//
// Results go to Keep, so that no work is left out. With Goroutines nothing is measured. With TWINTEST_SMALL=100 in the
// environment, all lengths from 0 to 64 are measured in 100 rounds instead, and printed; with
// TWINTEST_SIZES=512,1024 those lengths are measured, in either way.
func BenchCalls(b *testing.B, prepare any, opts ...Option) {
	p := reflect.ValueOf(prepare)
	bench(b, p.Type(), func(args []reflect.Value) (scalar, vec func()) {
		calls := p.Call(args)
		return calls[0].Interface().(func()), calls[1].Interface().(func())
	}, opts)
}

// Keep takes results of measured calls. Inlined, it would let the compiler leave out what nobody looks at.
//
//go:noinline
func Keep(results ...any) { runtime.KeepAlive(results) }

func bench(b *testing.B, typ reflect.Type, prepare func([]reflect.Value) (scalar, vec func()), opts []Option) {
	if newInput(nil, typ, 0, opts).c.parallel {
		b.Skip(startsGoroutines)
	}
	mem, err := arenas.get(largeCells, largeCell)
	if err != nil {
		b.Fatal(err)
	}
	endless := false // a call still uses the memory
	defer func() {
		if !endless {
			arenas.put(mem)
		}
	}()
	if rounds := smallRounds(); rounds > 0 {
		benchSmall(b, mem, typ, prepare, opts, rounds, &endless)
	}
	for _, n := range lengths(sizes) {
		if endless {
			return
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			// In here, so that lengths that were not asked for take no time.
			in := newInput(mem, typ, n, opts)
			scalar, vec := in.calls(prepare)
			if endless = in.endless; endless {
				b.Skipf("the original runs for more than %v with arguments that are made up", in.patience)
			}
			if scalar == nil {
				b.Skip("no arguments found for which the original does not panic")
			}
			b.Run("scalar", func(b *testing.B) { in.measure(b, scalar) })
			b.Run("vec", func(b *testing.B) { in.measure(b, vec) })
		})
	}
}

// An input makes the arguments of one length.
type input struct {
	c     *checker
	n     int
	mem   *arena
	ints  int  // value of integer arguments
	fit   *fit // lengths and elements; nil for any
	slots []slotUse
	bytes int64 // that arguments point to
	saved []saved
	// endless says that a call has not returned within patience, so that nothing is measured.
	endless  bool
	patience time.Duration
}

// worthIt is how long a measured call may take.
const worthIt = 2 * time.Second

// saved is memory of arguments as it was when they were made.
type saved struct{ memory, before []byte }

func newInput(mem *arena, typ reflect.Type, n int, opts []Option) *input {
	c := &checker{typ: typ}
	for _, o := range opts {
		o(&c.config)
	}
	return &input{c: c, n: n, mem: mem, patience: worthIt}
}

func (in *input) arguments() []reflect.Value {
	b := in.c.builder(in.mem, testCase{seed: 1, n: in.n, style: timing, place: staggered, extreme: -1, fit: in.fit})
	b.fixed = func(int) int64 {
		if lim := in.c.ints; lim != nil {
			return int64(min(max(in.ints, lim[0]), lim[1]))
		}
		return int64(in.ints)
	}
	args := b.arguments()
	in.bytes, in.slots, in.saved = 0, b.slots, nil
	for _, r := range b.regions {
		in.bytes += int64(r.bytes())
		memory := in.mem.mem[r.off : r.off+r.bytes()]
		in.saved = append(in.saved, saved{memory, bytes.Clone(memory)})
	}
	return args
}

// calls prepares a pair of calls of which the first does not panic: integer
// arguments are the length, or, for functions over rows and columns, its root,
// and slices are as long as the function wants.
func (in *input) calls(prepare func([]reflect.Value) (scalar, vec func())) (scalar, vec func()) {
	try := func(f *fit) (string, []slotUse) {
		in.fit = f
		scalar, vec = prepare(in.arguments())
		return in.first(scalar), in.slots
	}
	values := []int{in.n, root(in.n), 1, 0}
	for _, in.ints = range values {
		text, _ := try(nil)
		switch {
		case in.endless:
			return nil, nil
		case text == "":
			return scalar, vec
		}
	}
	for _, in.ints = range values {
		f := findFit(in.n, try)
		switch {
		case in.endless:
			return nil, nil
		case f != nil:
			try(f)
			return scalar, vec
		}
	}
	return nil, nil
}

// first is the text of the panic of the first call of f, "" when it returns, and another one where it takes too long.
func (in *input) first(f func()) string {
	if in.endless {
		return "endless"
	}
	done := make(chan string, 1)
	go func() { done <- panicOf(f) }()
	select {
	case text := <-done:
		return text
	case <-time.After(in.patience):
		in.endless = true
		return "endless"
	}
}

// panicOf is the text of the panic of f, "" when it returns.
func panicOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = panicText(r)
		}
	}()
	f()
	return ""
}

// restoreEvery is the number of calls after which memory is as it was before them. Values that
// calls keep multiplying would become subnormal, with which processors are slow, as slow with
// lanes of them as with one.
const restoreEvery = 32

func (in *input) measure(b *testing.B, f func()) {
	b.SetBytes(in.bytes)
	text := panicOf(func() {
		in.restore()
		f()
		changes := in.restore()
		calls := 0
		for b.Loop() {
			if calls++; calls == restoreEvery && changes {
				in.restore()
				calls = 0
			}
			f()
		}
	})
	if text != "" { // of a call that goes on where another one has stopped
		b.Skipf("a call behind others panics: %s", strings.TrimPrefix(text, "runtime error "))
	}
}

// restore brings memory back, and reports whether it was something else.
func (in *input) restore() (changed bool) {
	for _, s := range in.saved {
		if !bytes.Equal(s.memory, s.before) {
			copy(s.memory, s.before)
			changed = true
		}
	}
	return changed
}
