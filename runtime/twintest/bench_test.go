package twintest

import (
	"flag"
	"reflect"
	"testing"
	"time"
)

// inputFor makes an input of length 256 for f, and the arena's return.
func inputFor(t *testing.T, f any) *input {
	t.Helper()
	mem, err := arenas.get(largeCells, largeCell)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { arenas.put(mem) })
	return newInput(mem, reflect.TypeOf(f), 256, nil)
}

func TestBenchArguments(t *testing.T) {
	f := func(x, y []float32, p *[16]int16, n int, a float32) {
		switch {
		case len(x) != 256 || len(y) != 256 || n != 256 || p == nil || a != 0.5:
			t.Errorf("lengths %d and %d, n %d, pointer %v, a %v", len(x), len(y), n, p, a)
		case x[0] == x[1] && x[1] == x[2]:
			t.Error("elements are alike")
		}
	}
	in := inputFor(t, f)
	in.ints = in.n
	reflect.ValueOf(f).Call(in.arguments())
	if in.bytes != 2*256*4+16*2 {
		t.Errorf("%d bytes", in.bytes)
	}
}

func TestBenchFindsRowsAndColumns(t *testing.T) {
	f := reflect.ValueOf(func(x []int32, m, n int) {
		for i := range m {
			for j := range n {
				x[i*n+j]++
			}
		}
	})
	in := inputFor(t, f.Interface())
	scalar, _ := in.calls(func(args []reflect.Value) (func(), func()) {
		return func() { f.Call(args) }, nil
	})
	if scalar == nil || in.ints != 16 {
		t.Errorf("integer arguments are %d, want 16", in.ints)
	}
}

// TestBenchGivesUp has an original that does not return.
func TestBenchGivesUp(t *testing.T) {
	forever := make(chan bool)
	defer close(forever)
	in := inputFor(t, func(x []int32) {})
	in.patience = time.Millisecond
	scalar, _ := in.calls(func([]reflect.Value) (func(), func()) {
		return func() { <-forever }, nil
	})
	if scalar != nil || !in.endless {
		t.Error("it is measured")
	}
}

// TestBenchRestores has calls that shrink what they get: it does not get small.
func TestBenchRestores(t *testing.T) {
	least := float32(1)
	shrink := func(x, y []float32) {
		for i := range x {
			x[i] *= y[i]
			least = min(least, max(x[i], -x[i]))
		}
	}
	in := inputFor(t, shrink)
	in.ints = in.n
	args := in.arguments()
	f := func() { shrink(args[0].Interface().([]float32), args[1].Interface().([]float32)) }
	calls := 0
	testing.Benchmark(func(b *testing.B) {
		in.measure(b, func() { calls++; f() })
	})
	if calls < 100 || least < 1e-20 {
		t.Errorf("%d calls leave %g", calls, least)
	}
	if in.restore(); in.restore() {
		t.Error("restored memory has changed")
	}
}

// TestBenchPanicsLater has a call that goes on where the one before has stopped, in memory that is not restored.
func TestBenchPanicsLater(t *testing.T) {
	in := inputFor(t, func(x []int32) {})
	in.arguments()
	calls := 0
	skipped := false
	testing.Benchmark(func(b *testing.B) {
		defer func() { skipped = b.Skipped() }()
		in.measure(b, func() {
			if calls++; calls == 7 {
				panic("nothing left")
			}
		})
	})
	if !skipped || calls != 7 {
		t.Errorf("skipped %v after %d calls", skipped, calls)
	}
}

func TestBenchRunsBoth(t *testing.T) {
	t.Setenv("TWINTEST_SIZES", "8")
	benchtime := flag.Lookup("test.benchtime").Value
	defer benchtime.Set(benchtime.String())
	benchtime.Set("5x")
	var scalar, vec int
	testing.Benchmark(func(b *testing.B) {
		Bench(b, func(x []int8) { scalar += len(x) / 8 }, func(x []int8) { vec += len(x) / 8 })
	})
	if scalar < 5 || vec < 5 {
		t.Errorf("Bench: %d calls of the original, %d of the twin", scalar, vec)
	}
	scalar, vec = 0, 0
	testing.Benchmark(func(b *testing.B) {
		BenchCalls(b, func(x []int8) (func(), func()) { return func() { scalar++ }, func() { vec++ } })
	})
	if scalar < 5 || vec < 5 {
		t.Errorf("BenchCalls: %d calls of the original, %d of the twin", scalar, vec)
	}
}

func BenchmarkAxpy(b *testing.B) {
	BenchCalls(b, func(a float32, x, y []float32) (scalar, vec func()) {
		return func() { axpy(a, x, y) }, func() { axpy(a, x, y) }
	})
}

func BenchmarkSum(b *testing.B) {
	BenchCalls(b, func(x []float32) (scalar, vec func()) {
		return func() { Keep(sum(x)) }, func() { Keep(lanes(x)) }
	})
}
