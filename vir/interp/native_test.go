package interp_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/interp/gosem"
	"github.com/lanewise/lanewise/vir/verify"
)

var (
	intElems   = []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64}
	floatElems = []vir.Elem{vir.F32, vir.F64}
)

// native computes one lane with Go's own operators; not ok means poison.
type native func(a []uint64) (x uint64, ok bool)

// gos is op as Go has it.
func gos(op vir.Op, from, to vir.Elem) native {
	f := gosem.Of(op, from, to)
	return func(a []uint64) (uint64, bool) {
		var b [3]uint64
		copy(b[:], a)
		return f(b[0], b[1], b[2])
	}
}

// specials are the values every operation is tried on.
func specials(e vir.Elem) []uint64 {
	switch e {
	case vir.Bool:
		return []uint64{0, 1}
	case vir.F32, vir.F64:
		var xs []uint64
		for _, x := range []float64{0, 1, 1.5, 0.5, 2.5, 3.4999998, 100, 127.5, 255, 256, 32768, 65535.9, 1 << 23, 8388609.5, 1<<24 + 1,
			2147483520, 2147483647, 1 << 31, 1<<31 + 4096, 1 << 32, 1<<32 + 5<<16, 5e9, 1 << 52, 1<<52 + .5, 1<<53 + 1, 1 << 62, 1 << 63, 1<<63 + 1<<41, 1.8e19,
			1 << 64, 1e20, math.MaxFloat32, math.SmallestNonzeroFloat32, 1e-39, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.NaN()} {
			for _, x := range []float64{x, -x} {
				if e == vir.F32 {
					xs = append(xs, uint64(math.Float32bits(float32(x))))
				} else {
					xs = append(xs, math.Float64bits(x))
				}
			}
		}
		return xs
	}
	w := e.Bits()
	all := uint64(1)<<(w-1)<<1 - 1
	top := uint64(1) << (w - 1)
	xs := []uint64{0, 1, 2, 3, 7, uint64(w) - 1, uint64(w), uint64(w) + 1, top - 1, top, top + 1, all, all - 1, all - 6, 0x5555555555555555 & all, 0x1234567890abcdef & all}
	return xs
}

// lanesFunc is func(params) op(params).
func lanesFunc(t *testing.T, op vir.Op, res vir.Type, params ...vir.Type) *vir.Func {
	t.Helper()
	f := vir.NewFunc("f")
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	for i, p := range params {
		f.AddParam(fmt.Sprintf("a%d", i), p)
	}
	f.Results = []vir.Type{res}
	b.Ret(b.Op(op, res, f.Params...))
	if err := verify.Func(f); err != nil {
		t.Fatal(err)
	}
	return f
}

func run(t *testing.T, f *vir.Func, args ...interp.Value) interp.Value {
	t.Helper()
	res, err := interp.Run(f, new(interp.Memory), args)
	if err != nil {
		t.Fatal(err)
	}
	return res[0]
}

// compareWithNative tries op on all combinations of special values, as scalars
// and eight at a time in vectors.
func compareWithNative(t *testing.T, op vir.Op, res vir.Elem, elems []vir.Elem, want native) {
	t.Helper()
	var params, vparams []vir.Type
	for _, e := range elems {
		params = append(params, vir.Scalar(e))
		vparams = append(vparams, vir.Vec(e, 8))
	}
	f := lanesFunc(t, op, vir.Scalar(res), params...)
	vf := lanesFunc(t, op, vir.Vec(res, 8), vparams...)
	var block [][]uint64
	for _, a := range combinations(elems) {
		wx, ok := want(a)
		w := interp.New(vir.Scalar(res), wx)
		w.Poison[0] = !ok
		args := make([]interp.Value, len(a))
		for i := range a {
			args[i] = interp.New(params[i], a[i])
		}
		if got := run(t, f, args...); !interp.Equal(w, got) {
			t.Errorf("%s %v of %v: got %v (%#x), want %v (%#x)", op, vir.Scalar(res), args, got, got.Bits, w, w.Bits)
			return
		}
		if block = append(block, a); len(block) == 8 {
			compareLanes(t, f, vf, block)
			block = nil
		}
	}
}

// compareLanes runs eight argument lists as one vector and one by one.
func compareLanes(t *testing.T, f, vf *vir.Func, block [][]uint64) {
	t.Helper()
	vargs := make([]interp.Value, len(f.Params))
	for k := range vargs {
		lanes := make([]uint64, len(block))
		for i := range block {
			lanes[i] = block[i][k]
		}
		vargs[k] = interp.New(vf.Params[k].Type, lanes...)
	}
	got := run(t, vf, vargs...)
	for i := range block {
		args := make([]interp.Value, len(vargs))
		for k := range args {
			args[k] = vargs[k].Lane(i)
		}
		if want := run(t, f, args...); !interp.Equal(want, got.Lane(i)) {
			t.Errorf("%s lane %d: got %v, scalar gives %v", vf.Entry().Insts[0].Inst(), i, got.Lane(i), want)
		}
	}
}

func combinations(elems []vir.Elem) [][]uint64 {
	all := [][]uint64{nil}
	for k, e := range elems {
		var next [][]uint64
		xs := specials(e)
		for _, a := range all {
			for i, x := range xs {
				if k == 2 && i%5 != 0 && len(xs) > 20 {
					continue // triples of floats: some are enough
				}
				next = append(next, append(a[:len(a):len(a)], x))
			}
		}
		all = next
	}
	return all
}

func repeat(e vir.Elem, n int) []vir.Elem {
	es := make([]vir.Elem, n)
	for i := range es {
		es[i] = e
	}
	return es
}

// tried collects the operations that some test of this package compares.
var tried = make(map[vir.Op]bool)

func TestLanewiseOperationsAreGos(t *testing.T) {
	for _, op := range vir.Ops() {
		switch op.Info().Rule {
		case vir.RuleInt, vir.RuleLogic:
			for _, e := range intElems {
				compareWithNative(t, op, e, repeat(e, op.Info().Args), gos(op, e, e))
			}
		case vir.RuleIntCmp:
			for _, e := range intElems {
				compareWithNative(t, op, vir.Bool, repeat(e, 2), gos(op, e, vir.Bool))
			}
		case vir.RuleFloat:
			for _, e := range floatElems {
				compareWithNative(t, op, e, repeat(e, op.Info().Args), gos(op, e, e))
			}
		case vir.RuleFloatCmp:
			for _, e := range floatElems {
				compareWithNative(t, op, vir.Bool, repeat(e, 2), gos(op, e, vir.Bool))
			}
		default:
			continue
		}
		tried[op] = true
	}
}

func TestLogicOfBoolsAndMasks(t *testing.T) {
	for _, op := range []vir.Op{vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpNot, vir.OpIcmpEq, vir.OpIcmpNe} {
		compareBools(t, op, gos(op, vir.Bool, vir.Bool))
	}
}

// compareBools is compareWithNative for two truth values, which have too few
// combinations to fill eight lanes.
func compareBools(t *testing.T, op vir.Op, want native) {
	n := op.Info().Args
	f := lanesFunc(t, op, vir.Scalar(vir.Bool), typesOf(vir.Scalar(vir.Bool), n)...)
	vf := lanesFunc(t, op, vir.Mask(4), typesOf(vir.Mask(4), n)...)
	block := combinations(repeat(vir.Bool, n))
	for _, a := range block {
		args := make([]interp.Value, n)
		for i := range a {
			args[i] = interp.New(vir.Scalar(vir.Bool), a[i])
		}
		w, _ := want(a)
		if got := run(t, f, args...); got.Bits[0] != w {
			t.Errorf("%s of %v: got %v", op, args, got)
		}
	}
	compareLanes(t, f, vf, append(block, block...)[:4])
}

func typesOf(t vir.Type, n int) []vir.Type {
	ts := make([]vir.Type, n)
	for i := range ts {
		ts[i] = t
	}
	return ts
}

func TestFma32RoundsOnce(t *testing.T) {
	f := lanesFunc(t, vir.OpFma, vir.Scalar(vir.F32), typesOf(vir.Scalar(vir.F32), 3)...)
	inf := float32(math.Inf(1))
	neg := float32(math.Copysign(0, -1))
	for _, tt := range []struct{ x, y, z, want float32 }{
		{2, 3, 4, 10},
		// The sum lies just above a tie of f32 but rounds to the tie in f64.
		{1 + 0x1p-12, 1 + 0x1p-12, 0x1p-70, 1 + 0x1p-11 + 0x1p-23},
		{1 + 0x1p-12, 1 + 0x1p-12, 0, 1 + 0x1p-11},
		{1, 1, 0x1p-24, 1},
		{1, 1 + 0x1p-23, 0x1p-24, 1 + 0x1p-22},
		{0x1p-100, 0x1p-49, 0, 0x1p-149},
		{0x1p-100, 0x1p-50, 0x1p-149, 0x1p-148},
		{0x1p-100, -0x1p-60, 0, neg},
		{0, -1, 0, 0},
		{0, -1, neg, neg},
		{0x1p127, 2, -inf, -inf},
		{0x1p127, 2, 0, inf},
		{0x1p127, 2, -0x1p127, 0x1p127},
	} {
		got := run(t, f, interp.Float32(tt.x), interp.Float32(tt.y), interp.Float32(tt.z))
		if !interp.Equal(got, interp.Float32(tt.want)) {
			t.Errorf("fma(%g, %g, %g) = %v, want %g", tt.x, tt.y, tt.z, got, tt.want)
		}
	}
	for _, a := range [][3]float32{{inf, 0, 1}, {inf, 1, -inf}, {float32(math.NaN()), 1, 1}} {
		if got := run(t, f, interp.Float32(a[0]), interp.Float32(a[1]), interp.Float32(a[2])); !math.IsNaN(got.Float()) {
			t.Errorf("fma%v = %v, want NaN", a, got)
		}
	}
}
