package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

func TestSavingsByPackage(t *testing.T) {
	const remarks = `{"kind":"passed","id":"loopvec:Vectorized","file":"examples/arith/arith.go","args":{"bytes":"4"}}
{"kind":"analysis","id":"outline:Merged","file":"examples/arith/arith.go","args":{"with":"AddInt8","bytes":200}}
{"kind":"analysis","id":"outline:Routine","file":"examples/arith/arith.go","args":{"routine":"r","bytes":30}}
{"kind":"analysis","id":"outline:Merged","file":"/x/sum/sum.go","args":{"with":"Int32"}}
`
	got, err := savings([]byte(remarks))
	if err != nil || len(got) != 2 || got["arith"] != 230 || got["sum"] != 0 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := savings([]byte("no JSON")); err == nil {
		t.Error("no error for what is no JSON")
	}
}

func TestAssemblyFunctions(t *testing.T) {
	const text = `// part is code of a and b.
TEXT axpyPart1<>(SB), NOSPLIT|NOFRAME, $0-0
	RET

// func axpyKernel(n int) (r0 int)
TEXT ·axpyKernel(SB), NOSPLIT, $0-16
	CALL axpyPart1<>(SB)
	RET
DATA lanewise_0<>+0(SB)/8, $0
`
	var got []string
	for _, f := range assemblyFunctions([]byte(text)) {
		got = append(got, f.in("m/axpy"))
	}
	if want := []string{"m/axpy.axpyPart1<>", "m/axpy.axpyKernel.abi0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPackageOfSymbol(t *testing.T) {
	for symbol, want := range map[string]string{
		"github.com/lanewise/lanewise/examples/axpy.axpyKernel.abi0": "github.com/lanewise/lanewise/examples/axpy",
		"main.main.func1": "main",
		"memeqbody":       "memeqbody",
	} {
		if got := packageOf(symbol); got != want {
			t.Errorf("%s: package %s, want %s", symbol, got, want)
		}
	}
}

func TestTwinsAreKept(t *testing.T) {
	const text = `package p
func Axpy(x []float32) { axpyKernel(nil) }
func (m Matrix) Mul() {}
func (m *Matrix) Add() {}
func axpyKernel(x *float32) (r0 int)
func generic[T any](x T) {}
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := twinsIn(file), []string{"Axpy", "Matrix.Mul", "(*Matrix).Add"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPaddingIsListed(t *testing.T) {
	const listing = `p.f STEXT asm nosplit size=75 args=0x0 locals=0x0 funcid=0x0 align=0x40
	0x0000 00000 (p.s:2)	TEXT	p.f(SB), NOSPLIT, $0
	0x0000 00000 (p.s:3)	MOVQ	$1, AX
	0x0007 00007 (p.s:4)	PCALIGN	$64
	0x0040 00064 (p.s:5)	ADDQ	$1, AX
	0x0044 00068 (p.s:6)	PCALIGN	$8
	0x0048 00072 (p.s:6)	VZEROUPPER
	0x0000 48 c7 c0 01 00 00 00 0f 1f 84 00 00 00 00 00 0f  H...............
`
	if got := paddingIn([]byte(listing)); got != 57+4 {
		t.Errorf("%d bytes, want 61", got)
	}
}

func TestSizeTables(t *testing.T) {
	all := []*sized{
		{name: "arith", kernels: 70, text: []int{1050, 720, 500}, padding: []int{50, 20, 0}, estimated: []int{0, 290, 510}},
		{name: "axpy", kernels: 2, text: []int{100, 100, 100}, padding: []int{0, 0, 0}, estimated: []int{0, 0, 0}},
	}
	if got, want := deviation(all, 2), "estimated sizes are -1.7% off in sum, at most -2.0%, for arith"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var b bytes.Buffer
	sizeTable(all).print(&b)
	programTable(all, []int{11000, 10700, 10500}).print(&b)
	got := strings.Join(strings.Fields(strings.ReplaceAll(b.String(), "|", " ")), " ")
	for _, want := range []string{
		"arith 70 1050 720 31.4% 29.0% 500 52.4% 51.0%",
		"axpy 2 100 100 0.0% 0.0% 100 0.0% 0.0%",
		"all 72 1150 820 28.7% 26.4% 600 47.8% 46.4%",
		"none 11000 0.0% 1150 10.5%",
		"size 10500 4.5% 600 5.7%",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
