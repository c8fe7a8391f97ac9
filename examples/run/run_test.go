package main

import (
	"strings"
	"testing"
)

func TestPrintPairs(t *testing.T) {
	const output = `goos: linux
pkg: github.com/lanewise/lanewise/examples/axpy
BenchmarkAxpy/n=31/scalar-2         	  100	        20.0 ns/op
BenchmarkAxpy/n=31/vec-2            	  100	         5.00 ns/op	 1000 MB/s
BenchmarkAxpy/n=64/scalar           	  100	        40.0 ns/op
BenchmarkAlone-2                    	  100	        40.0 ns/op
pkg: github.com/lanewise/lanewise/examples/sum
BenchmarkAxpy/n=64/vec              	  100	         5.00 ns/op
PASS
`
	var b strings.Builder
	pairs, others := printPairs(&b, strings.NewReader(output))
	if pairs != 1 {
		t.Errorf("%d pairs, want 1:\n%s", pairs, b.String())
	}
	if got, want := strings.Fields(b.String()), "axpy.Axpy/n=31 20.0 ns 5.0 ns 4.0x"; strings.Join(got, " ") != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if others != "goos: linux\nPASS\n" {
		t.Errorf("others are %q", others)
	}
}

func TestPrintRemarks(t *testing.T) {
	const lines = `{"kind":"passed","id":"loopvec:Vectorized","file":"a.go","line":7,"col":2,"twin":"Axpy","msg":"VF=8"}
{"kind":"analysis","id":"loopvec:Plan","file":"a.go","line":7,"col":2,"twin":"Axpy","msg":"cost 3"}
{"kind":"missed","id":"loopvec:OrderedReduction","file":"a.go","line":9,"col":2,"twin":"Sum","msg":"needs reassoc"}
`
	const want = `a.go:7:2: Axpy: vectorized: VF=8 [loopvec:Vectorized]
a.go:9:2: Sum: not vectorized: needs reassoc [loopvec:OrderedReduction]
`
	var b strings.Builder
	if err := printRemarks(&b, []byte(lines)); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("printed\n%swant\n%s", b.String(), want)
	}
}
