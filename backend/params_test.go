package backend_test

import (
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
