package backend_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/vir"
)

// many is a kernel with a loop that carries live accumulators of type t, each
// with its own constant, and stores them all at the end.
func many(name string, t vir.Type, live int) *vir.Func {
	f := vir.NewFunc(name)
	i64 := vir.Scalar(vir.I64)
	out, n := f.AddParam("out", vir.Scalar(vir.Ptr)), f.AddParam("n", i64)
	f.Results = []vir.Type{i64}
	entry, loop, exit := f.NewBlock("entry"), f.NewBlock("vec"), f.NewBlock("exit")
	b := vir.NewBuilder(f, entry)
	zero, one := b.Int(i64, 0), b.Int(i64, 1)
	var init []*vir.Value
	for k := range live {
		init = append(init, number(b, t, k))
	}
	b.Jmp(loop)
	b.Cur = loop
	i := b.Phi(i64)
	var accs, next []*vir.Value
	for range live {
		accs = append(accs, b.Phi(t))
	}
	for k, a := range accs {
		add, mul := vir.OpAdd, vir.OpXor
		if t.Elem.IsFloat() {
			add, mul = vir.OpFadd, vir.OpFmul
		}
		x := b.Same(mul, a, number(b, t, 2*k+1))
		next = append(next, b.Same(add, x, accs[(k+1)%live]))
	}
	i1 := b.Same(vir.OpAdd, i, one)
	b.Br(b.Cmp(vir.OpIcmpSlt, i1, n), loop, exit)
	i.Args = []*vir.Value{zero, i1}
	for k, a := range accs {
		a.Args = []*vir.Value{init[k], next[k]}
	}
	b.Cur = exit
	op := vir.OpStoreUnit
	if !t.IsVector() {
		op = vir.OpStore
	}
	for k, x := range next {
		b.Store(op, x, vir.Addr{Base: out, Disp: int64(k * t.Size())}, nil)
	}
	b.Ret(i1)
	return f
}

func number(b *vir.Builder, t vir.Type, k int) *vir.Value {
	if t.Elem.IsFloat() {
		return b.Float(t, float64(k)/8)
	}
	return b.Int(t, int64(k)*0x01030507)
}

// TestSpill keeps more values alive than there are registers.
func TestSpill(t *testing.T) {
	var fns []*vir.Func
	var cases []native.Case
	for _, ty := range []vir.Type{vir.Vec(vir.F32, 8), vir.Vec(vir.I32, 8), vir.Vec(vir.F64, 2), vir.Vec(vir.I16, 64), vir.Scalar(vir.I64), vir.Scalar(vir.F32), vir.Scalar(vir.I8)} {
		for _, live := range []int{3, 10, 15, 16, 17, 20, 24, 40} {
			f := many(strings.ReplaceAll(fmt.Sprintf("many_%s_%d", ty, live), ".", "_"), ty, live)
			fns = append(fns, f)
			for n := range int64(4) {
				c := inputs(f, 64*64*8)
				c.Args[1].Bits[0] = uint64(n)
				cases = append(cases, c)
			}
		}
	}
	p := compareAll(t, fns, cases)
	if !strings.Contains(string(p.Asm), "(SB), $") {
		t.Error("no frame above 512 bytes, so nothing is without NOSPLIT")
	}
}

// TestSpillManyLong is a long block in which everything stays alive to the end.
func TestSpillManyLong(t *testing.T) {
	f := many("long", vir.Vec(vir.I32, 8), 400)
	c := inputs(f, 400*8)
	c.Args[1].Bits[0] = 3
	compareAll(t, []*vir.Func{f}, []native.Case{c})
}

// TestSpillShuffles rearranges vectors many of which are in memory: instructions
// that take a part of a register must find it there too.
func TestSpillShuffles(t *testing.T) {
	const sources, results = 24, 200
	ty := vir.Vec(vir.F32, 4)
	rnd := rand.New(rand.NewPCG(1, 1))
	f := vir.NewFunc("shuffles")
	out := f.AddParam("out", vir.Scalar(vir.Ptr))
	n := f.AddParam("n", vir.Scalar(vir.I64))
	f.Results = []vir.Type{n.Type}
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	at := func(k int) vir.Addr { return vir.Addr{Base: out, Disp: int64(k * ty.Size())} }
	var xs []*vir.Value
	for k := range sources {
		xs = append(xs, b.Load(vir.OpLoadUnit, ty, at(k), nil))
	}
	for k := range results {
		lanes := []int{rnd.IntN(8), rnd.IntN(8), rnd.IntN(8), rnd.IntN(8)}
		if k%2 == 0 { // one lane of the second source
			lanes = []int{0, 1, 2, 3}
			lanes[rnd.IntN(4)] = 4 + rnd.IntN(4)
		}
		x, y := xs[rnd.IntN(sources)], xs[rnd.IntN(sources)]
		b.Store(vir.OpStoreUnit, b.Shuffle(ty, lanes, x, y), at(sources+k), nil)
	}
	for k, x := range xs {
		b.Store(vir.OpStoreUnit, x, at(sources+results+k), nil)
	}
	b.Ret(n)
	compareAll(t, []*vir.Func{f}, []native.Case{inputs(f, (2*sources+results)*16)})
}
