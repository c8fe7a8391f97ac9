package backend_test

import (
	"fmt"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/vir"
)

// TestParameters reads parameters of every type at every kind of offset, as
// scalars and into lanes, and returns results of every type.
func TestParameters(t *testing.T) {
	all := []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64, vir.F32, vir.F64}
	var fns []*vir.Func
	var cases []native.Case
	for _, first := range all {
		f := vir.NewFunc("params_" + first.String())
		f.AddParam("out", vir.Scalar(vir.Ptr))
		f.AddParam("flag", vir.Scalar(vir.Bool))
		f.AddParam("first", vir.Scalar(first))
		for i, e := range all {
			f.AddParam(string(rune('a'+i)), vir.Scalar(e))
		}
		b := vir.NewBuilder(f, f.NewBlock("entry"))
		off := int64(0)
		var results []*vir.Value
		for _, p := range f.Params[2:] {
			for _, lanes := range []int{1, 4, 32} {
				x := b.Op(vir.OpBroadcast, vir.Vec(p.Type.Elem, lanes), p)
				b.Store(vir.OpStoreUnit, x, vir.Addr{Base: f.Params[0], Disp: off}, nil)
				off += int64(x.Type.Size())
			}
			results = append(results, b.Op(vir.OpSelect, p.Type, f.Params[1], p, b.Const(p.Type, 0)))
			f.Results = append(f.Results, p.Type)
		}
		results = append(results, f.Params[1])
		f.Results = append(f.Results, vir.Scalar(vir.Bool))
		b.Ret(results...)
		fns = append(fns, f)
		for n := range int64(4) {
			c := inputs(f, 2048)
			c.Args[1].Bits[0] = uint64(n) & 1
			cases = append(cases, c)
		}
	}
	compareAll(t, fns, cases)
}

// TestPartsOfParameters uses the low halves of parameters that are in memory because registers
// are short.
func TestPartsOfParameters(t *testing.T) {
	i32, i64 := vir.Scalar(vir.I32), vir.Scalar(vir.I64)
	f := vir.NewFunc("parts")
	out := f.AddParam("out", vir.Scalar(vir.Ptr))
	for i := range 20 {
		f.AddParam(fmt.Sprintf("p%d", i), i64)
	}
	f.Results = []vir.Type{i32, i64}
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	low, all := b.Int(i32, 1), b.Int(i64, 1)
	for i, p := range f.Params[1:] {
		x := b.Op(vir.OpTrunc, i32, p)
		b.Store(vir.OpStore, x, vir.Addr{Base: out, Disp: int64(4 * i)}, nil)
		low = b.Same(vir.OpXor, b.Same(vir.OpAdd, low, x), b.Op(vir.OpSelect, i32, b.Cmp(vir.OpIcmpSlt, x, low), x, low))
	}
	for _, p := range f.Params[1:] {
		all = b.Same(vir.OpAdd, b.Same(vir.OpXor, all, p), all)
	}
	b.Ret(low, all)
	c := inputs(f, 256)
	for i := range c.Args[1:] {
		c.Args[i+1].Bits[0] = 0x0123456789abcdef * uint64(i+1)
	}
	compareAll(t, []*vir.Func{f}, []native.Case{c})
}
