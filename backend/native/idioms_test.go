package native_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp/gosem"
)

type build = func(b *vir.Builder, a []*vir.Value) *vir.Value

// wide applies f to two operands extended by ext to e, and truncates back.
func wide(ext vir.Op, e vir.Elem, f build) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		t := a[0].Type.WithElem(e)
		x := f(b, []*vir.Value{b.Op(ext, t, a[0]), b.Op(ext, t, a[1])})
		return b.Op(vir.OpTrunc, a[0].Type, x)
	}
}

func clampTo(op vir.Op, lo, hi int64) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		x := b.Same(op, a...)
		x = b.Same(vir.OpSmax, b.Same(vir.OpSmin, x, b.Int(x.Type, hi)), b.Int(x.Type, lo))
		return x
	}
}

// rounded is (x*y + half) >> n.
func rounded(half, n int64) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		s := b.Same(vir.OpAdd, b.Same(vir.OpMul, a...), b.Int(a[0].Type, half))
		return b.Same(vir.OpAshr, s, b.Int(s.Type, n))
	}
}

// narrowClamp truncates a clamped value to e.
func narrowClamp(e vir.Elem, lo, hi int64) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		x := b.Same(vir.OpSmin, b.Same(vir.OpSmax, a[0], b.Int(a[0].Type, lo)), b.Int(a[0].Type, hi))
		return b.Op(vir.OpTrunc, x.Type.WithElem(e), x)
	}
}

// between chooses the first operand where it is from lo to hi, or outside of
// that, else the second.
func between(op vir.Op, lo, hi int64, outside bool) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		least, most := b.Int(a[0].Type, lo), b.Int(a[0].Type, hi)
		m := b.Same(vir.OpAnd, b.Cmp(op, least, a[0]), b.Same(vir.OpNot, b.Cmp(op, most, a[0])))
		if outside {
			m = b.Same(vir.OpOr, b.Cmp(op, a[0], least), b.Cmp(op, most, a[0]))
		}
		return b.Op(vir.OpBlend, a[0].Type, m, a[0], a[1])
	}
}

// bounded is a chain of two conditions that keeps the first operand in range.
func bounded(op vir.Op, lo, hi uint64, lowFirst bool) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		x := a[0]
		least, most := b.Const(x.Type, lo), b.Const(x.Type, hi)
		low := func(y *vir.Value) *vir.Value { return b.Op(vir.OpBlend, x.Type, b.Cmp(op, x, least), least, y) }
		high := func(y *vir.Value) *vir.Value { return b.Op(vir.OpBlend, x.Type, b.Cmp(op, most, x), most, y) }
		if lowFirst {
			return low(high(x))
		}
		return high(low(x))
	}
}

// fused is x*y + z of operands by number, 2 for a constant, with changes of signs.
func fused(x, y, z int, minusX, minusY, minusZ bool) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		c := b.Const(a[0].Type, math.Float64bits(1.5))
		if a[0].Type.Elem == vir.F32 {
			c = b.Const(a[0].Type, bits32(1.5))
		}
		all := []*vir.Value{a[0], a[1], c}
		args := []*vir.Value{all[x], all[y], all[z]}
		for i, minus := range []bool{minusX, minusY, minusZ} {
			if minus {
				args[i] = b.Same(vir.OpFneg, args[i])
			}
		}
		return b.Op(vir.OpFma, a[0].Type, args...)
	}
}

func bits32(x float32) uint64 { return uint64(math.Float32bits(x)) }

var idioms = []struct {
	name   string
	in     vir.Elem
	out    vir.Elem
	build  build
	opcode string // expected; with ! not expected
}{
	{"adds_u8", vir.I8, vir.I8, wide(vir.OpZext, vir.I16, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		s := b.Same(vir.OpAdd, a...)
		return b.Same(vir.OpUmin, s, b.Int(s.Type, 255))
	}), "VPADDUSB"},
	{"adds_u16", vir.I16, vir.I16, wide(vir.OpZext, vir.I64, clampTo(vir.OpAdd, 0, 65535)), "VPADDUSW"},
	{"adds_i8", vir.I8, vir.I8, wide(vir.OpSext, vir.I32, clampTo(vir.OpAdd, -128, 127)), "VPADDSB"},
	{"adds_i16", vir.I16, vir.I16, wide(vir.OpSext, vir.I32, clampTo(vir.OpAdd, -32768, 32767)), "VPADDSW"},
	{"subs_u8", vir.I8, vir.I8, wide(vir.OpZext, vir.I16, clampTo(vir.OpSub, 0, 255)), "VPSUBUSB"},
	{"subs_i16", vir.I16, vir.I16, wide(vir.OpSext, vir.I32, clampTo(vir.OpSub, -32768, 32767)), "VPSUBSW"},
	{"subs_low", vir.I8, vir.I8, wide(vir.OpZext, vir.I32, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		return b.Same(vir.OpSmax, b.Same(vir.OpSub, a...), b.Int(a[0].Type, 0))
	}), "VPSUBUSB"},
	{"adds_other_bound", vir.I8, vir.I8, wide(vir.OpZext, vir.I16, clampTo(vir.OpAdd, 0, 254)), "!VPADDUSB"},
	{"avg_u8", vir.I8, vir.I8, wide(vir.OpZext, vir.I16, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		s := b.Same(vir.OpAdd, b.Same(vir.OpAdd, a...), b.Int(a[0].Type, 1))
		return b.Same(vir.OpLshr, s, b.Int(s.Type, 1))
	}), "VPAVGB"},
	{"avg_u16", vir.I16, vir.I16, wide(vir.OpZext, vir.I32, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		s := b.Same(vir.OpAdd, b.Same(vir.OpAdd, a[0], b.Int(a[0].Type, 1)), a[1])
		return b.Same(vir.OpLshr, s, b.Int(s.Type, 1))
	}), "VPAVGW"},
	{"fused_minus", vir.F64, vir.F64, fused(1, 0, 2, true, false, false), "VFNMADD213PD"},
	{"fused_minus_other", vir.F32, vir.F32, fused(0, 1, 2, false, true, false), "VFNMADD213PS"},
	{"fused_minus_both", vir.F64, vir.F64, fused(0, 1, 2, true, true, false), "VFMADD213PD"},
	{"fused_sub", vir.F32, vir.F32, fused(0, 2, 1, false, false, true), "VFMSUB213PS"},
	{"fused_minus_sub", vir.F64, vir.F64, fused(2, 0, 1, true, false, true), "VFNMSUB213PD"},
	{"fused_sub_once", vir.F64, vir.F64, fused(0, 1, 1, false, false, true), "VFMSUB231PD"},
	{"mulhi_i16", vir.I16, vir.I16, wide(vir.OpSext, vir.I32, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		return b.Same(vir.OpAshr, b.Same(vir.OpMul, a...), b.Int(a[0].Type, 16))
	}), "VPMULHW"},
	{"mulhi_u16", vir.I16, vir.I16, wide(vir.OpZext, vir.I32, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		return b.Same(vir.OpLshr, b.Same(vir.OpMul, a...), b.Int(a[0].Type, 16))
	}), "VPMULHUW"},
	{"mulround_i16", vir.I16, vir.I16, wide(vir.OpSext, vir.I32, rounded(1<<14, 15)), "VPMULHRSW"},
	{"mulround_other_half", vir.I16, vir.I16, wide(vir.OpSext, vir.I32, rounded(1<<13, 15)), "!VPMULHRSW"},
	{"mulround_other_shift", vir.I16, vir.I16, wide(vir.OpSext, vir.I32, rounded(1<<14, 14)), "!VPMULHRSW"},
	{"mulround_unsigned", vir.I16, vir.I16, wide(vir.OpZext, vir.I32, rounded(1<<14, 15)), "!VPMULHRSW"},
	{"pack_i32_u8", vir.I32, vir.I8, narrowClamp(vir.I8, 0, 255), "!VPMIN"},
	{"pack_i32_i8", vir.I32, vir.I8, narrowClamp(vir.I8, -128, 127), "!VPMIN"},
	{"pack_i32_u16", vir.I32, vir.I16, narrowClamp(vir.I16, 0, 65535), "!VPMIN"},
	{"pack_i32_i16", vir.I32, vir.I16, narrowClamp(vir.I16, -32768, 32767), "!VPMIN"},
	{"pack_i16_u8", vir.I16, vir.I8, narrowClamp(vir.I8, 0, 255), "!VPMIN"},
	{"pack_i32_part", vir.I32, vir.I8, narrowClamp(vir.I8, 0, 127), "!VPAND"},
	{"pack_i64_u8", vir.I64, vir.I8, narrowClamp(vir.I8, 0, 255), ""},
	{"pack_wrong", vir.I32, vir.I8, narrowClamp(vir.I8, -1, 255), ""},
	{"pack_unknown_sign", vir.I16, vir.I8, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		x := b.Same(vir.OpSmin, b.Same(vir.OpAnd, a...), b.Int(a[0].Type, 255))
		return b.Op(vir.OpTrunc, x.Type.WithElem(vir.I8), x)
	}, ""},
	{"abs_smax", vir.I32, vir.I32, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		return b.Same(vir.OpSmax, a[0], b.Same(vir.OpNeg, a[0]))
	}, "VPABSD"},
	{"abs_blend", vir.I8, vir.I8, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		m := b.Cmp(vir.OpIcmpSlt, a[0], b.Int(a[0].Type, 0))
		return b.Op(vir.OpBlend, a[0].Type, m, b.Same(vir.OpSub, b.Int(a[0].Type, 0), a[0]), a[0])
	}, "VPABSB"},
	{"adds_wrap", vir.I8, vir.I8, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		s := b.Same(vir.OpAdd, a...)
		return b.Op(vir.OpBlend, s.Type, b.Cmp(vir.OpIcmpUlt, s, a[0]), b.Int(s.Type, -1), s)
	}, "VPADDUSB"},
	{"subs_branch", vir.I16, vir.I16, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		d := b.Same(vir.OpSub, a...)
		return b.Op(vir.OpBlend, d.Type, b.Cmp(vir.OpIcmpUlt, a[1], a[0]), d, b.Int(d.Type, 0))
	}, "VPSUBUSW"},
	{"mul_u32", vir.I32, vir.I64, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		t := a[0].Type.WithElem(vir.I64)
		return b.Same(vir.OpMul, b.Op(vir.OpZext, t, a[0]), b.Op(vir.OpZext, t, a[1]))
	}, "!VPMULLD"},
	{"mul_i32", vir.I32, vir.I64, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		t := a[0].Type.WithElem(vir.I64)
		return b.Same(vir.OpMul, b.Op(vir.OpSext, t, a[0]), b.Op(vir.OpSext, t, a[1]))
	}, "VPMULDQ"},
	{"mul_mixed", vir.I32, vir.I64, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		t := a[0].Type.WithElem(vir.I64)
		return b.Same(vir.OpMul, b.Op(vir.OpZext, t, a[0]), b.Op(vir.OpSext, t, a[1]))
	}, ""},
	{"between_u8", vir.I8, vir.I8, between(vir.OpIcmpUlt, 64, 90, false), "!VPMIN"},
	{"between_i8", vir.I8, vir.I8, between(vir.OpIcmpSlt, -3, 90, false), "!VPAND"},
	{"between_u16", vir.I16, vir.I16, between(vir.OpIcmpUlt, 100, 40000, false), "!VPMIN"},
	{"between_i32", vir.I32, vir.I32, between(vir.OpIcmpSle, -128, 127, false), "!VPAND"},
	{"between_u64", vir.I64, vir.I64, between(vir.OpIcmpUle, 7, 100, false), "!VPXOR"},
	{"between_most", vir.I8, vir.I8, between(vir.OpIcmpUlt, 0, 254, false), "!VPMIN"},
	{"between_upper", vir.I8, vir.I8, between(vir.OpIcmpUlt, 64, 255, false), ""},
	{"between_one", vir.I32, vir.I32, between(vir.OpIcmpSlt, 6, 7, false), "!VPAND"},
	{"between_none", vir.I32, vir.I32, between(vir.OpIcmpSlt, 7, 7, false), ""},
	{"outside_u8", vir.I8, vir.I8, between(vir.OpIcmpUlt, 65, 90, true), "!VPMIN"},
	{"outside_i16", vir.I16, vir.I16, between(vir.OpIcmpSlt, -100, 100, true), "!VPAND"},
	{"outside_all", vir.I16, vir.I16, between(vir.OpIcmpSlt, 100, -100, true), ""},
	{"bounded_f32", vir.F32, vir.F32, bounded(vir.OpFcmpLt, bits32(-2.5), bits32(8388608), false), "!VCMPPS"},
	{"bounded_f32_low", vir.F32, vir.F32, bounded(vir.OpFcmpLt, bits32(-2.5), bits32(1), true), "!VCMPPS"},
	{"bounded_zeros", vir.F32, vir.F32, bounded(vir.OpFcmpLt, 1<<31, 0, false), "!VCMPPS"},
	{"bounded_zeros_low", vir.F32, vir.F32, bounded(vir.OpFcmpLt, 0, 1<<31, true), "!VCMPPS"},
	{"bounded_empty", vir.F32, vir.F32, bounded(vir.OpFcmpLt, bits32(1), bits32(-1), false), "VCMPPS"},
	{"bounded_f64", vir.F64, vir.F64, bounded(vir.OpFcmpLt, math.Float64bits(-1), math.Float64bits(1e30), true), "!VCMPPD"},
	{"bounded_i16", vir.I16, vir.I16, bounded(vir.OpIcmpSlt, 1<<16-100, 100, false), "!VPCMP"},
	{"bounded_u8", vir.I8, vir.I8, bounded(vir.OpIcmpUle, 10, 200, true), "!VPCMP"},
	{"bounded_u8_empty", vir.I8, vir.I8, bounded(vir.OpIcmpUlt, 200, 10, true), "VPCMP"},
	{"mul_splat", vir.I8, vir.I8, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		return b.Same(vir.OpMul, b.Int(a[0].Type, -77), a[0])
	}, "!VPSRLW"},
	{"mul_const", vir.I64, vir.I64, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		return b.Same(vir.OpMul, b.Int(a[0].Type, -0x61c8864680b583eb), a[0])
	}, "!VPSHUFD"},
	{"mul_u8_i32", vir.I8, vir.I32, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		t := a[0].Type.WithElem(vir.I32)
		return b.Same(vir.OpMul, b.Op(vir.OpZext, t, a[0]), b.Op(vir.OpSext, t, a[1]))
	}, "VPMADDWD"},
}

// TestIdioms runs trees of operations that become one instruction, and near
// misses.
func TestIdioms(t *testing.T) {
	s := newSuite(t)
	for _, i := range idioms {
		a, b := pairs(i.in)
		for _, lanes := range []int{1, 4, 8, 16, 64} {
			s.lanewise(fmt.Sprintf("%s_%d", i.name, lanes), lanes, []stream{a, b}, i.out, i.build)
		}
	}
	p := s.run()
	for _, i := range idioms {
		_, body, _ := strings.Cut(string(p.Asm), fmt.Sprintf("·%s_64(SB)", i.name))
		body, _, _ = strings.Cut(body, "RET")
		want, absent := strings.CutPrefix(i.opcode, "!")
		if want != "" && strings.Contains(body, want) == absent {
			t.Errorf("%s: want %s in%s", i.name, i.opcode, body)
		}
	}
}

// TestIdiomsOnAllBytes has all pairs of bytes for idioms of bytes. What shall come out is
// what Go's operators make of the tree, lane by lane.
func TestIdiomsOnAllBytes(t *testing.T) {
	xs, ys := make([]uint64, 1<<16), make([]uint64, 1<<16)
	for i := range xs {
		xs[i], ys[i] = uint64(i&0xff), uint64(i>>8)
	}
	ins := []input{{elem: vir.I8}, {elem: vir.I8}}
	d := given(ins, xs, ys)
	b := newBatch(t, level())
	for k, i := range idioms {
		if i.in != vir.I8 {
			continue
		}
		for _, lanes := range []int{64, []int{4, 8, 16, 32}[k%4]} {
			s := &sheet{row: row{op: vir.OpAdd, from: vir.I8, lanes: lanes}, ins: ins}
			for _, operand := range []func(int) operand{mem, reg} {
				s.show(i.out, tree(i.name, i.build, vir.I8, operand(0), operand(1)))
			}
			b.add(s, d, len(xs), true)
		}
	}
	b.done()
}

// tree is what f builds of operands of element e, evaluated with Go's operators.
func tree(name string, f build, e vir.Elem, xs ...operand) operand {
	fn := vir.NewFunc("tree")
	b := vir.NewBuilder(fn, fn.NewBlock("entry"))
	var leaves []*vir.Value
	for i := range xs {
		leaves = append(leaves, fn.AddParam(fmt.Sprint(i), vir.Vec(e, 1)))
	}
	value := evaluator(f(b, leaves), leaves)
	in := make([]uint64, len(xs))
	return operand{name, func(k *kern) *vir.Value {
		var args []*vir.Value
		for _, x := range xs {
			args = append(args, x.make(k))
		}
		return f(k.b, args)
	}, func(n *env, i int) uint64 {
		for k, x := range xs {
			in[k] = x.is(n, i)
		}
		return value(in)
	}}
}

// evaluator is v as a function of the leaves.
func evaluator(v *vir.Value, leaves []*vir.Value) func(in []uint64) uint64 {
	for k, leaf := range leaves {
		if v == leaf {
			return func(in []uint64) uint64 { return in[k] }
		}
	}
	if v.Op == vir.OpConst {
		return func([]uint64) uint64 { return v.Bits[0] }
	}
	f := gosem.Of(v.Op, v.Args[len(v.Args)-1].Type.Elem, v.Type.Elem)
	var args []func(in []uint64) uint64
	for _, a := range v.Args {
		args = append(args, evaluator(a, leaves))
	}
	return func(in []uint64) uint64 {
		var a [3]uint64
		for k, arg := range args {
			a[k] = arg(in)
		}
		r, _ := f(a[0], a[1], a[2])
		return r
	}
}
