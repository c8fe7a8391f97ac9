package native_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

// prefixCopy copies the first n elements, modulo the number of lanes, from y to out, and
// keeps others of a vector at sum, which combine changes.
func prefixCopy(name string, e vir.Elem, lanes int, combine func(b *vir.Builder, old, v *vir.Value) *vir.Value) *vir.Func {
	f := vir.NewFunc(name)
	y, out := f.AddParam("y", vir.Scalar(vir.Ptr)), f.AddParam("out", vir.Scalar(vir.Ptr))
	sum, n := f.AddParam("sum", vir.Scalar(vir.Ptr)), f.AddParam("n", vir.Scalar(vir.I64))
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	m := b.Op(vir.OpPrefix, vir.Mask(lanes), b.Same(vir.OpAnd, n, b.Int(n.Type, int64(lanes-1))))
	t := vir.Vec(e, lanes)
	v := b.Load(vir.OpLoadUnit, t, vir.Addr{Base: y}, m)
	b.Store(vir.OpStoreUnit, v, vir.Addr{Base: out}, m)
	old := b.Load(vir.OpLoadUnit, t, vir.Addr{Base: sum}, nil)
	b.Store(vir.OpStoreUnit, b.Op(vir.OpBlend, t, m, combine(b, old, v), old), vir.Addr{Base: sum}, nil)
	b.Ret()
	return f
}

// by combines by an operation.
func by(op vir.Op) func(b *vir.Builder, old, v *vir.Value) *vir.Value {
	return func(b *vir.Builder, old, v *vir.Value) *vir.Value { return b.Same(op, old, v) }
}

// nanOf is v where that is NaN.
func nanOf(b *vir.Builder, old, v *vir.Value) *vir.Value {
	return b.Op(vir.OpBlend, v.Type, b.Op(vir.OpFcmpNe, v.Type.WithElem(vir.Bool), v, v), v, old)
}

// nanOrMinus is v where that is NaN, and otherwise what is no lane of old.
func nanOrMinus(b *vir.Builder, old, v *vir.Value) *vir.Value {
	return nanOf(b, b.Same(vir.OpFneg, old), v)
}

// minus and same combine by operations of one operand.
func minus(b *vir.Builder, old, v *vir.Value) *vir.Value { return b.Same(vir.OpNeg, v) }

func same(b *vir.Builder, old, v *vir.Value) *vir.Value {
	return b.Op(vir.OpBroadcast, v.Type, b.Op(vir.OpExtract, vir.Scalar(v.Type.Elem), old))
}

// TestShortPrefixes loads, stores and chooses the first lanes, of which there may be none, in one
// register and in several.
func TestShortPrefixes(t *testing.T) {
	var fns []*vir.Func
	var cases []native.Case
	byName := make(map[string]*vir.Func)
	rng := rand.New(rand.NewPCG(9, 9))
	type combination struct {
		e    vir.Elem
		name string
		by   func(b *vir.Builder, old, v *vir.Value) *vir.Value
	}
	var all []combination
	for _, e := range intElems {
		all = append(all, combination{e, "sum", by(vir.OpAdd)}, combination{e, "minus", minus}, combination{e, "same", same})
	}
	for _, e := range floatElems {
		all = append(all, combination{e, "product", by(vir.OpFmul)}, combination{e, "smaller", by(vir.OpFminNnan)},
			combination{e, "larger", by(vir.OpFmaxNnan)}, combination{e, "nan", nanOf}, combination{e, "nanorminus", nanOrMinus})
	}
	for _, c := range all {
		e := c.e
		for _, lanes := range []int{2, 4, 8, 16, 32, 64} {
			f := prefixCopy(fmt.Sprintf("%s_%s_%d", c.name, e, lanes), e, lanes, c.by)
			if err := verify.Func(f); err != nil {
				t.Fatalf("%v\n%s", err, f)
			}
			fns, byName[f.Name] = append(fns, f), f
			for n := range lanes {
				ys, sums := make([]uint64, n), make([]uint64, lanes)
				for i := range ys {
					if ys[i] = rng.Uint64(); strings.HasPrefix(c.name, "nan") && i%3 == 0 {
						ys[i] = ^uint64(0)
					}
				}
				for i := range sums {
					sums[i] = rng.Uint64()
				}
				if c.name == "smaller" || c.name == "larger" { // of numbers
					for _, x := range [][]uint64{ys, sums} {
						for i := range x {
							x[i] &^= 1 << (e.Bits() - 2) // of the exponent
						}
					}
				}
				mem := new(interp.Memory)
				y := mem.AllocReadOnly("y", pack(e, ys)) // nothing may be read behind
				out := mem.Alloc("out", make([]byte, n*e.Size()))
				sum := mem.Alloc("sum", pack(e, sums))
				cases = append(cases, native.Case{Fn: f.Name, Mem: mem, Elems: map[string]vir.Elem{"sum": e},
					Args: []interp.Value{y.Ptr(0), out.Ptr(0), sum.Ptr(0), interp.Int(int64(n + lanes*rng.IntN(5)))}})
			}
		}
	}
	p, err := native.Build(t.TempDir(), fns, level())
	if err != nil {
		t.Fatal(err)
	}
	check(t, p, byName, cases)
	lawful(t, p)
}

// maskRounds is how often the loop of twoMasks runs.
const maskRounds = 3

// twoMasks stores y under one mask, and then, in a loop, under that and under others in turns:
//
//	entry:  m = x < 0; out[0] under m
//	loop:   out[2i+1] under m; out[2i+2] under x[i+1] < 0
func twoMasks(name string, e vir.Elem, lanes int) *vir.Func {
	f := vir.NewFunc(name)
	x, y := f.AddParam("x", vir.Scalar(vir.Ptr)), f.AddParam("y", vir.Scalar(vir.Ptr))
	out := f.AddParam("out", vir.Scalar(vir.Ptr))
	entry, loop, exit := f.NewBlock("entry"), f.NewBlock("loop"), f.NewBlock("exit")
	b := vir.NewBuilder(f, entry)
	i64, t, c := vir.Scalar(vir.I64), vir.Vec(e, lanes), vir.Vec(vir.IntElem(e.Size()), lanes)
	size := int64(lanes * e.Size())
	negative := func(a vir.Addr) *vir.Value {
		return b.Cmp(vir.OpIcmpSlt, b.Load(vir.OpLoadUnit, c, a, nil), b.Int(c, 0))
	}
	zero := b.Int(i64, 0)
	v, m := b.Load(vir.OpLoadUnit, t, vir.Addr{Base: y}, nil), negative(vir.Addr{Base: x})
	b.Store(vir.OpStoreUnit, v, vir.Addr{Base: out}, m)
	b.Jmp(loop)
	b.Cur = loop
	i := b.Phi(i64)
	at := b.Same(vir.OpMul, i, b.Int(i64, size))
	twice := b.Same(vir.OpMul, i, b.Int(i64, 2*size))
	b.Store(vir.OpStoreUnit, v, vir.Addr{Base: out, Index: twice, Scale: 1, Disp: size}, m)
	b.Store(vir.OpStoreUnit, v, vir.Addr{Base: out, Index: twice, Scale: 1, Disp: 2 * size}, negative(vir.Addr{Base: x, Index: at, Scale: 1, Disp: size}))
	next := b.Same(vir.OpAdd, i, b.Int(i64, 1))
	b.Br(b.Cmp(vir.OpIcmpSlt, next, b.Int(i64, maskRounds)), loop, exit)
	b.Cur = exit
	b.Ret()
	i.Args = []*vir.Value{zero, next}
	return f
}

// oneMask copies y to out where x < 0, in no loop: each part of several has its own lanes of the mask.
func oneMask(name string, e vir.Elem, lanes int) *vir.Func {
	f := vir.NewFunc(name)
	x, y, out := f.AddParam("x", vir.Scalar(vir.Ptr)), f.AddParam("y", vir.Scalar(vir.Ptr)), f.AddParam("out", vir.Scalar(vir.Ptr))
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	c := vir.Vec(vir.IntElem(e.Size()), lanes)
	m := b.Cmp(vir.OpIcmpSlt, b.Load(vir.OpLoadUnit, c, vir.Addr{Base: x}, nil), b.Int(c, 0))
	b.Store(vir.OpStoreUnit, b.Load(vir.OpLoadUnit, vir.Vec(e, lanes), vir.Addr{Base: y}, m), vir.Addr{Base: out}, m)
	b.Ret()
	return f
}

// TestMasksInTurns has accesses under masks that were in a mask register before, and are not
// any more.
func TestMasksInTurns(t *testing.T) {
	var fns []*vir.Func
	var cases []native.Case
	byName := make(map[string]*vir.Func)
	rng := rand.New(rand.NewPCG(10, 10))
	for _, e := range append(append([]vir.Elem{}, intElems...), floatElems...) {
		for _, lanes := range []int{4, 32} {
			both := []*vir.Func{twoMasks(fmt.Sprintf("masks_%s_%d", e, lanes), e, lanes), oneMask(fmt.Sprintf("mask_%s_%d", e, lanes), e, lanes)}
			some := func(n int) []byte {
				xs := make([]uint64, n*lanes)
				for i := range xs {
					xs[i] = rng.Uint64()
				}
				return pack(e, xs)
			}
			mem := new(interp.Memory)
			x, y := mem.AllocReadOnly("x", some(1+maskRounds)), mem.AllocReadOnly("y", some(1))
			out := mem.Alloc("out", make([]byte, (1+2*maskRounds)*lanes*e.Size()))
			for _, f := range both {
				if err := verify.Func(f); err != nil {
					t.Fatalf("%v\n%s", err, f)
				}
				fns, byName[f.Name] = append(fns, f), f
				cases = append(cases, native.Case{Fn: f.Name, Mem: mem, Args: []interp.Value{x.Ptr(0), y.Ptr(0), out.Ptr(0)}})
			}
		}
	}
	p, err := native.Build(t.TempDir(), fns, level())
	if err != nil {
		t.Fatal(err)
	}
	check(t, p, byName, cases)
	lawful(t, p)
}
