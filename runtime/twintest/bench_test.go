package twintest

import (
	"flag"
	"testing"
)

func TestBenchArguments(t *testing.T) {
	in := &Input{n: 256}
	var x, y []float32
	var p *[16]int16
	var n int
	var a float32
	scalar, _ := in.calls(func(in *Input) (func(), func()) {
		in.Make(&x, &y, &p, &n, &a)
		return func() { axpy(a, x[:n], y) }, nil
	})
	defer in.release()
	switch {
	case scalar == nil:
		t.Fatalf("no arguments: %v", in.err)
	case len(x) != 256 || len(y) != 256 || n != 256 || p == nil || a != 0.5:
		t.Errorf("lengths %d and %d, n %d, pointer %v, a %v", len(x), len(y), n, p, a)
	case in.bytes != 2*256*4+16*2:
		t.Errorf("%d bytes", in.bytes)
	case x[0] == x[1] && x[1] == x[2]:
		t.Error("elements are alike")
	}
}

func TestBenchFindsRowsAndColumns(t *testing.T) {
	in := &Input{n: 256}
	scalar, _ := in.calls(func(in *Input) (func(), func()) {
		var x []int32
		var m, n int
		in.Make(&x, &m, &n)
		return func() {
			for i := range m {
				for j := range n {
					x[i*n+j]++
				}
			}
		}, nil
	})
	defer in.release()
	if scalar == nil || in.ints != 16 {
		t.Errorf("integer arguments are %d, want 16", in.ints)
	}
}

func TestBenchRunsBoth(t *testing.T) {
	old := sizes
	sizes = []int{8}
	defer func() { sizes = old }()
	benchtime := flag.Lookup("test.benchtime").Value
	defer benchtime.Set(benchtime.String())
	benchtime.Set("5x")
	var scalar, vec int
	testing.Benchmark(func(b *testing.B) {
		Bench(b, func(x []int8) { scalar++ }, func(x []int8) { vec++ })
	})
	if scalar < 2 || vec < 1 {
		t.Errorf("%d calls of the original, %d of the twin", scalar, vec)
	}
}

func BenchmarkAxpy(b *testing.B) {
	BenchCalls(b, func(in *Input) (scalar, vec func()) {
		var a float32
		var x, y []float32
		in.Make(&a, &x, &y)
		return func() { axpy(a, x, y) }, func() { axpy(a, x, y) }
	})
}

func BenchmarkSum(b *testing.B) {
	BenchCalls(b, func(in *Input) (scalar, vec func()) {
		var x []float32
		in.Make(&x)
		return func() { Keep(sum(x)) }, func() { Keep(lanes(x)) }
	})
}
