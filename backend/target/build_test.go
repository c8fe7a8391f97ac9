package target_test

import (
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
)

// TestBuildCosts states what is free and what costs less than what.
func TestBuildCosts(t *testing.T) {
	tgt := target.AVX2()
	f := vir.NewFunc("f")
	p := f.AddParam("p", vir.Scalar(vir.Ptr))
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	sole := func(x *vir.Value) bool { return x.Op == vir.OpLoad }
	loads := func(e vir.Elem, n int) (xs []*vir.Value) {
		for k := range n {
			xs = append(xs, b.Load(vir.OpLoad, vir.Scalar(e), vir.Addr{Base: p, Disp: int64(100 * k)}, nil))
		}
		return xs
	}
	sums := func(e vir.Elem, n int) (xs []*vir.Value) {
		for _, x := range loads(e, n) {
			op := vir.OpAdd
			if e.IsFloat() {
				op = vir.OpFadd
			}
			xs = append(xs, b.Same(op, x, x))
		}
		return xs
	}
	repeat := func(x *vir.Value, n int) (xs []*vir.Value) {
		for range n {
			xs = append(xs, x)
		}
		return xs
	}
	one := b.Const(vir.Scalar(vir.F32), 0x3f800000)
	vector := b.Load(vir.OpLoadUnit, vir.Vec(vir.F32, 4), vir.Addr{Base: p}, nil)
	var turned []*vir.Value
	for k := range 4 {
		turned = append(turned, b.Extract(vector, 3-k))
	}
	build := func(xs []*vir.Value) target.Cost { return tgt.BuildCost(xs, sole) }
	free := func(what string, c target.Cost) {
		if c.Throughput != 0 {
			t.Errorf("%s costs %v", what, c)
		}
	}
	less := func(what string, a, b target.Cost) {
		if a.Throughput <= 0 || a.Throughput >= b.Throughput {
			t.Errorf("%s: %v and %v", what, a, b)
		}
	}
	floats := sums(vir.F32, 8)
	free("constants", build(repeat(one, 4)))
	free("a loaded splat", build(repeat(loads(vir.F32, 1)[0], 8)))
	free("lanes nobody looks at", build(make([]*vir.Value, 4)))
	less("splat of a register and four scalars", build(repeat(floats[0], 4)), build(floats[:4]))
	less("two and four", build(floats[:2]), build(floats[:4]))
	less("four and eight", build(floats[:4]), build(floats))
	less("a turned vector and four scalars", build(turned), build(floats[:4]))
	less("floats and integers", build(floats[:4]), build(sums(vir.I32, 4)))
	less("integers from memory and from registers", build(loads(vir.I32, 4)), build(sums(vir.I32, 4)))
	less("three constants", build([]*vir.Value{one, floats[0], one, one}), build(floats[:4]))
	if c := build(floats[:4]); c.Latency != 2 {
		t.Errorf("four floats are two pairs, but take %v cycles", c.Latency)
	}

	i32x4 := vir.Vec(vir.I32, 4)
	free("the first float", tgt.ExtractCost(vector.Type, 0, false))
	free("a stored half", tgt.ExtractCost(vir.Vec(vir.F64, 2), 1, true))
	less("lanes of the lower and upper half", tgt.ExtractCost(vir.Vec(vir.F32, 8), 1, false), tgt.ExtractCost(vir.Vec(vir.F32, 8), 5, false))
	less("floats and integers", tgt.ExtractCost(vector.Type, 1, false), tgt.ExtractCost(i32x4, 1, false))
	less("stored and not", tgt.ExtractCost(i32x4, 1, true), tgt.ExtractCost(i32x4, 1, false))
}

// TestScalarCosts states what the Go compiler does better than the operation in
// general.
func TestScalarCosts(t *testing.T) {
	tgt := target.AVX2()
	f := vir.NewFunc("f")
	x, y := f.AddParam("x", vir.Scalar(vir.I32)), f.AddParam("y", vir.Scalar(vir.I32))
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	for _, op := range []vir.Op{vir.OpShl, vir.OpUdiv, vir.OpSrem} {
		constant, general := b.Same(op, x, b.Int(x.Type, 10)), b.Same(op, x, y)
		if tgt.ScalarCost(constant, 1).Throughput >= tgt.ScalarCost(general, 1).Throughput {
			t.Errorf("%s by a constant costs as much as by anything", op)
		}
	}
}
