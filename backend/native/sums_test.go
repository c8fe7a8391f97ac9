package native_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vir"
)

// sum adds a kernel that adds up what item makes of lanes of the inputs, down to
// one number, starting at a vector of first. With ways there are two of them to get there.
func (s *suite) sum(name string, lanes int, ins []stream, acc vir.Elem, first int64, ways bool, item build) {
	f := vir.NewFunc(name)
	for _, in := range ins {
		f.AddParam(in.name, vir.Scalar(vir.Ptr))
	}
	f.AddParam("out", vir.Scalar(vir.Ptr))
	n := f.AddParam("n", vir.Scalar(vir.I64))
	f.Results = []vir.Type{vir.Scalar(acc)}
	entry, loop, exit := f.NewBlock("entry"), f.NewBlock("loop"), f.NewBlock("exit")
	b := vir.NewBuilder(f, entry)
	t := vir.Type{Elem: acc, Lanes: lanes}
	zero, step, start := b.Int(vir.Scalar(vir.I64), 0), b.Int(vir.Scalar(vir.I64), int64(lanes)), b.Int(t, first)
	b.Jmp(loop)
	b.Cur = loop
	i, x := b.Phi(vir.Scalar(vir.I64)), b.Phi(t)
	var args []*vir.Value
	for k, in := range ins {
		args = append(args, b.Load(vir.OpLoadUnit, vir.Type{Elem: in.elem, Lanes: lanes},
			vir.Addr{Base: f.Params[k], Index: i, Scale: int64(in.elem.Size())}, nil))
	}
	y := b.Same(vir.OpAdd, x, item(b, args))
	next := b.Same(vir.OpAdd, i, step)
	b.Br(b.Cmp(vir.OpIcmpSlt, next, n), loop, exit)
	i.Args, x.Args = []*vir.Value{zero, next}, []*vir.Value{start, y}
	b.Cur = exit
	down := func() *vir.Value {
		y := y
		for h := lanes / 2; h > 0; h /= 2 {
			y = b.Same(vir.OpAdd, b.Subvec(y, 0, h), b.Subvec(y, h, h))
		}
		return y
	}
	if ways {
		here, there, end := f.NewBlock("here"), f.NewBlock("there"), f.NewBlock("end")
		b.Br(b.Cmp(vir.OpIcmpEq, next, n), here, there)
		b.Cur = here
		x := down()
		b.Jmp(end)
		b.Cur = there
		z := down()
		b.Jmp(end)
		b.Cur = end
		y = b.Phi(x.Type)
		y.Args = []*vir.Value{x, z}
	} else {
		y = down()
	}
	b.Ret(b.Op(vir.OpExtract, vir.Scalar(acc), y))
	s.add(f, ins, acc)
}

// products multiplies two operands extended to 32 bits.
func products(x, y vir.Op) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		t := a[0].Type.WithElem(vir.I32)
		return b.Same(vir.OpMul, b.Op(x, t, a[0]), b.Op(y, t, a[1]))
	}
}

func ones(b *vir.Builder, a []*vir.Value) *vir.Value { return b.Same(vir.OpPopcnt, a[0]) }

func differing(b *vir.Builder, a []*vir.Value) *vir.Value {
	return b.Same(vir.OpPopcnt, b.Same(vir.OpXor, a...))
}

func first(_ *vir.Builder, a []*vir.Value) *vir.Value { return a[0] }

func distance(larger, smaller vir.Op) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		return b.Same(vir.OpSub, b.Same(larger, a...), b.Same(smaller, a[1], a[0]))
	}
}

// extended is an item in wider lanes.
func extended(op vir.Op, to vir.Elem, item build) build {
	return func(b *vir.Builder, a []*vir.Value) *vir.Value {
		return b.Op(op, a[0].Type.WithElem(to), item(b, a))
	}
}

var sums = []struct {
	name   string
	in     [2]vir.Elem
	acc    vir.Elem
	item   build
	opcode string // expected with 64 lanes; with ! not expected
}{
	{"dot_i16", [2]vir.Elem{vir.I16, vir.I16}, vir.I32, products(vir.OpSext, vir.OpSext), "!VPMULLD"},
	{"dot_u16", [2]vir.Elem{vir.I16, vir.I16}, vir.I32, products(vir.OpZext, vir.OpZext), "VPMULLD"},
	{"dot_i8", [2]vir.Elem{vir.I8, vir.I8}, vir.I32, products(vir.OpSext, vir.OpSext), "VPMADDWD"},
	{"dot_u8_i8", [2]vir.Elem{vir.I8, vir.I8}, vir.I32, products(vir.OpZext, vir.OpSext), "VPMOVZXBW"},
	{"dot_i16_u8", [2]vir.Elem{vir.I16, vir.I8}, vir.I32, products(vir.OpSext, vir.OpZext), "VPMADDWD"},
	{"times_i16", [2]vir.Elem{vir.I16, vir.I16}, vir.I32, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		t := a[0].Type.WithElem(vir.I32)
		return b.Same(vir.OpMul, b.Op(vir.OpSext, t, a[0]), b.Int(t, -32768))
	}, "VPMADDWD"},
	{"times_too_much", [2]vir.Elem{vir.I16, vir.I16}, vir.I32, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		t := a[0].Type.WithElem(vir.I32)
		return b.Same(vir.OpMul, b.Op(vir.OpSext, t, a[0]), b.Int(t, 40000))
	}, "VPMULLD"},
	{"squares_i16", [2]vir.Elem{vir.I16, vir.I16}, vir.I32, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		x := b.Op(vir.OpSext, a[0].Type.WithElem(vir.I32), a[0])
		return b.Same(vir.OpMul, x, x)
	}, "VPMADDWD"},
	{"sum_i16", [2]vir.Elem{vir.I16, vir.I16}, vir.I32, func(b *vir.Builder, a []*vir.Value) *vir.Value {
		return b.Op(vir.OpSext, a[0].Type.WithElem(vir.I32), a[0])
	}, "VPMADDWD"},
	{"sum_u8", [2]vir.Elem{vir.I8, vir.I8}, vir.I32, extended(vir.OpZext, vir.I32, first), "VPSADBW"},
	{"sum_i8", [2]vir.Elem{vir.I8, vir.I8}, vir.I32, extended(vir.OpSext, vir.I32, first), "VPMADDUBSW"},
	{"sum_u8_i64", [2]vir.Elem{vir.I8, vir.I8}, vir.I64, extended(vir.OpZext, vir.I64, first), "VPSADBW"},
	{"sum_i8_i64", [2]vir.Elem{vir.I8, vir.I8}, vir.I64, extended(vir.OpSext, vir.I64, first), "!VPSADBW"},
	{"sum_u8_i16", [2]vir.Elem{vir.I8, vir.I8}, vir.I16, extended(vir.OpZext, vir.I16, first), "!VPSADBW"},
	{"distance_u8", [2]vir.Elem{vir.I8, vir.I8}, vir.I32, extended(vir.OpZext, vir.I32, distance(vir.OpUmax, vir.OpUmin)), "!VPMAXUB"},
	{"distance_i8", [2]vir.Elem{vir.I8, vir.I8}, vir.I64, extended(vir.OpZext, vir.I64, distance(vir.OpSmax, vir.OpSmin)), "!VPMAXSB"},
	{"distance_mixed", [2]vir.Elem{vir.I8, vir.I8}, vir.I32, extended(vir.OpZext, vir.I32, distance(vir.OpSmax, vir.OpUmin)), "VPMAXSB"},
	{"distance_with_sign", [2]vir.Elem{vir.I8, vir.I8}, vir.I32, extended(vir.OpSext, vir.I32, distance(vir.OpUmax, vir.OpUmin)), "VPMAXUB"},
	{"ones_i64", [2]vir.Elem{vir.I64, vir.I64}, vir.I64, ones, "VPSADBW"},
	{"ones_i32", [2]vir.Elem{vir.I32, vir.I32}, vir.I32, ones, "!VPMADDWD"},
	{"ones_i16", [2]vir.Elem{vir.I16, vir.I16}, vir.I16, ones, "VPSADBW"},
	{"ones_i8", [2]vir.Elem{vir.I8, vir.I8}, vir.I8, ones, ""},
	{"bytes", [2]vir.Elem{vir.I8, vir.I8}, vir.I8, first, "!$4,"},
	{"differing_i64", [2]vir.Elem{vir.I64, vir.I64}, vir.I64, differing, "VPSADBW"},
}

// TestSums adds up in lanes of which only the sum counts.
func TestSums(t *testing.T) {
	s := newSuite(t)
	for _, c := range sums {
		a, _ := pairs(c.in[0])
		_, b := pairs(c.in[1])
		for i := range a.data[:32] { // products of the smallest numbers, in pairs
			if smallest := uint64(1) << (c.in[0].Bits() - 1); c.in[0] == c.in[1] {
				a.data[i], b.data[i] = smallest, smallest
			}
		}
		for _, lanes := range []int{1, 2, 4, 8, 16, 32, 64} {
			s.sum(fmt.Sprintf("%s_%d", c.name, lanes), lanes, []stream{a, b}, c.acc, 0, false, c.item)
		}
		s.sum(c.name+"_from_3", 32, []stream{a, b}, c.acc, 3, false, c.item)
		s.sum(c.name+"_ways", 64, []stream{a, b}, c.acc, 0, true, c.item)
	}
	p := s.run()
	for _, c := range sums {
		for _, form := range []string{"64", "ways"} {
			_, body, _ := strings.Cut(string(p.Asm), fmt.Sprintf("·%s_%s(SB)", c.name, form))
			body, _, _ = strings.Cut(body, "RET")
			want, absent := strings.CutPrefix(c.opcode, "!")
			if want != "" && strings.Contains(body, want) == absent {
				t.Errorf("%s: want %s in%s", c.name, c.opcode, body)
			}
		}
	}
}
