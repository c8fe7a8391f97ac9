package twin

import (
	"bytes"
	"go/ast"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// increment is the spec of x[i]++ over range x.
func increment(kernel string) loopSpec {
	return loopSpec{
		params: []paramSpec{slice("x", "x"), length("x"), counter()},
		states: []stateSpec{{param: 2, out: advance(2, 1)}},
		kernel: &kernelSpec{name: kernel, args: []plan.Arg{arg(0), arg(2), count}, trip: upTo(2, 1), min: 8, block: 8, strip: 1 << 15},
	}
}

const incrementSource = `package p

//vec:func Inc
func inc(x []int32) {
	for i := range x {
		x[i]++
	}
}
`

// Two files give one name to two packages, one imports by dot, and package
// names of ours are taken.
func TestImportsOfSeveralFiles(t *testing.T) {
	one := `package p

import (
	r "math"
	"strings"
)

func one(x []int32, guard strings.Reader) float64 {
	for i := range x {
		x[i]++
	}
	return r.Pi
}
`
	two := `package p

import (
	r "math/bits"
	. "strings"
	cpu "unicode"
)

func two(x []int32) (int, rune) {
	for i := range x {
		x[i]++
	}
	return r.Len(3), ToUpper("")[0] + cpu.MaxRune
}
`
	two = strings.Replace(two, `ToUpper("")[0]`, `rune(ToUpper("a")[0])`, 1)
	b := newBuilder(t, one, two)
	b.twin("one", "One", []loopSpec{increment("oneKernel")})
	b.twin("two", "Two", []loopSpec{increment("twoKernel")})
	amd64, generic, err := File(b.pkg, b.ks, b.options())
	if err != nil {
		t.Fatal(err)
	}
	typeCheck(t, one, two, string(amd64))
	typeCheck(t, one, two, string(generic))
	for _, want := range []string{`r "math"`, `r2 "math/bits"`, `. "strings"`, `cpu "unicode"`, `cpu2 "github.com/lanewise/lanewise/runtime/cpu"`, "r2.Len(3)"} {
		if !strings.Contains(string(amd64), want) {
			t.Errorf("no %s in\n%s", want, amd64)
		}
	}
	if bytes.Contains(generic, []byte("math")) {
		t.Errorf("an import that nothing needs:\n%s", generic)
	}
}

func TestOriginalsForAMD64Alone(t *testing.T) {
	b := newBuilder(t, strings.Replace(incrementSource, "package p\n", "package p\n\nfunc other(x []int32) {}\n", 1))
	b.twin("inc", "Inc", []loopSpec{increment("incKernel")})
	b.pkg.Funcs[0].OnlyAMD64 = true
	_, generic, err := File(b.pkg, b.ks, b.options())
	if err != nil || !bytes.Contains(generic, []byte("//go:build amd64 && (purego || race || msan || asan)\n")) {
		t.Errorf("%v\n%s", err, generic)
	}
	b.twin("other", "Other", nil)
	if _, _, err := File(b.pkg, b.ks, b.options()); err == nil || !strings.Contains(err.Error(), "inc exists for amd64 alone and other for every") {
		t.Errorf("got %v", err)
	}
}

func TestPredeclaredTypesMustBeNameable(t *testing.T) {
	b := newBuilder(t, incrementSource+"\ntype int struct{}\n")
	spec := increment("incKernel")
	spec.states, spec.params[2] = nil, value("i0", "3", vir.I64)
	b.twin("inc", "Inc", []loopSpec{spec})
	if _, _, err := File(b.pkg, b.ks, b.options()); err == nil || !strings.Contains(err.Error(), "package p declares int") {
		t.Errorf("got %v", err)
	}
}

func TestSourceMustBeWhatWasLoaded(t *testing.T) {
	b := newBuilder(t, incrementSource)
	b.twin("inc", "Inc", []loopSpec{increment("incKernel")})
	b.src[sourceName] += "\n"
	if _, _, err := File(b.pkg, b.ks, b.options()); err == nil || !strings.Contains(err.Error(), "p.go changed") {
		t.Errorf("got %v", err)
	}
}

// Kernels may be shared; their stubs are declared once. Lines above the loop do
// not matter to the output.
func TestOutputDependsOnTheFunctionsAlone(t *testing.T) {
	print := func(src string) string {
		b := newBuilder(t, src)
		b.twin("inc", "Inc", []loopSpec{increment("incKernel")})
		b.twin("inc", "Inc2", []loopSpec{increment("incKernel")})
		amd64, _, err := File(b.pkg, b.ks, b.options())
		if err != nil {
			t.Fatal(err)
		}
		return string(amd64)
	}
	out := print(incrementSource)
	if n := strings.Count(out, "func incKernel("); n != 1 {
		t.Errorf("%d stubs\n%s", n, out)
	}
	if moved := print(strings.Replace(incrementSource, "package p", "// Package p.\npackage p\n\nvar unrelated string", 1)); moved != out {
		t.Errorf("got\n%s\nwant\n%s", moved, out)
	}
}

// A live-in put together by the frontend keeps its meaning.
func TestExpressionsGetParentheses(t *testing.T) {
	b := newBuilder(t, strings.Replace(incrementSource, "x []int32) {", "x []int32, p *[]int32) {", 1))
	tw := b.twin("inc", "Inc", []loopSpec{{params: []paramSpec{slice("x", "(*p)[:0]")}, kernel: &kernelSpec{name: "k"}}})
	l := newLoop(newTwinFunction(newFile(b.pkg, b.ks, b.options()), tw), tw.Regions[0], b.ks[tw.Regions[0]], nil)
	sl := l.r.Params[0].Expr.(*ast.SliceExpr)
	l.r.Params[0].Expr = &ast.SliceExpr{X: ast.Unparen(sl.X), High: sl.High}
	if got, want := l.pointer(0), "unsafe.Pointer(unsafe.SliceData((*p)[:0]))"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Copied code calls copies of functions of other packages, unless those name
// what this package cannot.
func TestForeignFunctions(t *testing.T) {
	foreign := `package q

import "math"

const (
	offset = 3
	Half   = 0.5
)

type hidden float64

var secret = 2.0

func Lerp(a, b, t float64) float64 {
	d := b - a
	return a + scale(t)*d
}

func scale(t float64) float64 { return math.Abs(t) + offset }

func Generic[T ~float64](x, y T) T { p := x * y; return p + x*Half }

func Secret(x float64) float64 { return x*secret + x }

func Hidden(x float64) float64 { return float64(hidden(x)*hidden(x)) + x }

func Plain(x float64) float64 { return x + 1 }
`
	src := `package p

import "example.com/q"

type pair struct{ a, b float64 }

func (p pair) sum(x float64) float64 { return p.a*x + p.b }

func f(x []int32, p pair, y float64) float64 {
	for i := range x {
		x[i]++
	}
	return q.Lerp(y, 1, 2) + q.Generic(y, 3) + q.Secret(y) + q.Hidden(y) + q.Plain(y) + p.sum(y)
}
`
	dep, name := dependency(t, "example.com/q", foreign)
	b := newBuilder(t, src)
	b.src[name] = foreign
	b.pkg.Imports = map[string]*packages.Package{"example.com/q": dep}
	b.twin("f", "F", []loopSpec{increment("fKernel")})
	amd64, _, err := File(b.pkg, b.ks, b.options())
	if err != nil {
		t.Fatal(err)
	}
	typeCheck(t, src, string(amd64))
	for _, want := range []string{
		"return lerpUnfused(y, 1, 2) + genericUnfused(y, 3) + q.Secret(y) + q.Hidden(y) + q.Plain(y) + p.sumUnfused(y)",
		"return a + float64(scaleUnfused(t)*d)",
		"func scaleUnfused(t float64) float64 { return math.Abs(t) + 3 }",
		"func genericUnfused[T ~float64](x, y T) T { p := T(x * y); return p + T(x*q.Half) }",
		"func (p pair) sumUnfused(x float64) float64 { return float64(p.a*x) + p.b }",
	} {
		if !strings.Contains(string(amd64), want) {
			t.Errorf("no %s in\n%s", want, amd64)
		}
	}
}
