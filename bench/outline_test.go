package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestFastestSampleCounts(t *testing.T) {
	const output = `goos: linux
BenchmarkTwinAxpy/n=31/vec-2         	  100	        20.0 ns/op
BenchmarkTwinAxpy/n=31/vec-2         	  100	         5.00 ns/op	 1000 MB/s
BenchmarkTwinAxpy/n=31/scalar-2      	  100	         1.00 ns/op
BenchmarkTwinAxpy/n=256/vec          	  100	      4000 ns/op
BenchmarkAxpy/n=256/vec              	  100	         1.00 ns/op
PASS
`
	got := fastest([]byte(output))
	if len(got) != 2 || got["Axpy/n=31"] != 5 || got["Axpy/n=256"] != 4000 {
		t.Errorf("got %v", got)
	}
}

func TestFastestOrderCounts(t *testing.T) {
	c := &comparison{name: "Axpy/n=31", before: 12, after: 20, first: .9, again: .6}
	times := func(ns float64) map[string]float64 { return map[string]float64{c.name: ns} }
	c.reordered([]map[string]float64{times(10), times(11), times(16), times(12)})
	if math.Abs(c.ratio()-10./11) > 1e-9 || c.spread != 10./16 {
		t.Errorf("ratio %v, spread %v, want 10/11 and 10/16", c.ratio(), c.spread)
	}
}

func TestOutlineTable(t *testing.T) {
	all := comparisons{
		{pkg: "axpy", name: "Axpy/n=31", before: 10, after: 10, first: 1},
		{pkg: "axpy", name: "Axpy/n=256", before: 9, after: 10, first: .9, again: .9, ordered: .9, spread: .95},
		{pkg: "sum", name: "Int32/n=31", before: 10, after: 10, first: .9, again: 1},
	}
	var b bytes.Buffer
	summarize(&b, all)
	all.print(&b)
	if want := "3 benchmarks. Below 0.98: 2 at first, 1 after more rounds, 1 in the fastest order of functions,\n1 of them by more"; !strings.Contains(b.String(), want) {
		t.Errorf("no %q in\n%s", want, b.String())
	}
	if lines := strings.Split(b.String(), "\n"); !strings.HasPrefix(lines[6], "| axpy/Axpy/n=256 ") {
		t.Errorf("the slowest is not the first:\n%s", b.String())
	}
	if s := suspects(all); len(s) != 1 || s[0].name != "Axpy/n=256" {
		t.Errorf("%d comparisons are slower, want that of 256", len(s))
	}
}

func TestBenchmarkedAreTwinsOfExamples(t *testing.T) {
	o := options{rows: regexp.MustCompile("^(axpy/Axpy|arith/Sum.*8)$")}
	got, err := o.benchmarked()
	if err != nil || len(got) != 2 {
		t.Fatalf("got %v, %v", got, err)
	}
	if a := got[0]; a.name != "arith" || !slices.Equal(a.twins, []string{"SumInt8", "SumUint8"}) {
		t.Errorf("got %v, want the sums of bytes of arith", a)
	}
	if a := got[1]; a.name != "axpy" || !slices.Equal(a.twins, []string{"Axpy"}) {
		t.Errorf("got %v, want Axpy of axpy", a)
	}
}

// A twin changes with its kernel, with what that calls and with constants, not
// with comments, the names of constants or what it does not use.
func TestChangedTwins(t *testing.T) {
	const (
		twins = "package p\n\nfunc Axpy() { axpyKernel() }\n\nfunc axpyKernel()\n\nfunc Sum() { sumKernel() }\n\nfunc sumKernel()\n"
		axpy  = "TEXT ·axpyKernel(SB), $0\n\tCALL part<>(SB)\n\tVMOVUPS lanewise_0<>+0(SB), Y0\n\tRET\n"
		part  = "TEXT part<>(SB), $0\n\tRET\n"
		sum   = "TEXT ·sumKernel(SB), $0\n\tRET\n"
		data  = "DATA lanewise_0<>+0(SB)/8, $1\nGLOBL lanewise_0<>(SB), RODATA, $8\n"
	)
	for _, tt := range []struct{ assembly, want string }{
		{axpy + part + sum + data, ""},
		{"// level\n" + axpy + part + sum + "\t// end\n" + data, ""},
		{strings.ReplaceAll(axpy+part+data, "lanewise_0", "lanewise_7") + sum, ""},
		{strings.Replace(axpy, "Y0", "Y1", 1) + part + sum + data, "Axpy"},
		{axpy + strings.Replace(part, "RET", "NOP\n\tRET", 1) + sum + data, "Axpy"},
		{axpy + part + sum + strings.Replace(data, "$1", "$2", 1), "Axpy"},
		{axpy + part + strings.Replace(sum, "RET", "JMP ·axpyKernel(SB)", 1) + data, "Sum"},
	} {
		tr := &trial{sides: [2]side{{dir: t.TempDir()}, {dir: t.TempDir()}}}
		write(t, tr.sides[0].dir, twins, axpy+part+sum+data)
		write(t, tr.sides[1].dir, twins, tt.assembly)
		if err := tr.sort([]benchmarked{{"axpy", []string{"Axpy", "Sum"}}}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range tr.packages {
			got = append(got, p.twins...)
		}
		if s := strings.Join(got, " "); s != tt.want || tr.same != 2-len(got) {
			t.Errorf("changed is %q, want %q, in\n%s", s, tt.want, tt.assembly)
		}
	}
}

func write(t *testing.T, dir, twins, assembly string) {
	t.Helper()
	folder := filepath.Join(dir, "examples", "axpy")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"vec_amd64.go": twins, "vec_amd64.s": assembly} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
