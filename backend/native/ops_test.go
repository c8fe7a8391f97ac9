package native_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

var (
	intElems   = []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64}
	floatElems = []vir.Elem{vir.F32, vir.F64}
	allLanes   = []int{0, 1, 2, 4, 8, 16, 32, 64}
)

// elems is the number of elements of every stream of a kernel under test, a
// multiple of all lanes.
const elems = 320

// A suite is a set of kernels with one case each.
type suite struct {
	t     *testing.T
	fns   []*vir.Func
	byNam map[string]*vir.Func
	cases []native.Case
}

func newSuite(t *testing.T) *suite { return &suite{t: t, byNam: make(map[string]*vir.Func)} }

// A stream is an operand of a kernel under test, or its result.
type stream struct {
	name string
	elem vir.Elem
	data []uint64
}

// lanewise adds a kernel that walks over the inputs, lanes at a time, applies op
// to vectors (scalars for 0 lanes) of them and stores the result at out.
func (s *suite) lanewise(name string, lanes int, ins []stream, out vir.Elem, op func(b *vir.Builder, args []*vir.Value) *vir.Value) {
	if _, ok := s.byNam[name]; ok {
		s.t.Fatalf("two kernels %s", name)
	}
	f := vir.NewFunc(name)
	for _, in := range ins {
		f.AddParam(in.name, vir.Scalar(vir.Ptr))
	}
	o := f.AddParam("out", vir.Scalar(vir.Ptr))
	n := f.AddParam("n", vir.Scalar(vir.I64))
	f.Results = []vir.Type{vir.Scalar(vir.I64)}
	entry, loop, exit := f.NewBlock("entry"), f.NewBlock("loop"), f.NewBlock("exit")
	b := vir.NewBuilder(f, entry)
	zero, step := b.Int(vir.Scalar(vir.I64), 0), b.Int(vir.Scalar(vir.I64), int64(max(lanes, 1)))
	b.Jmp(loop)
	b.Cur = loop
	i := b.Phi(vir.Scalar(vir.I64))
	var args []*vir.Value
	for k, in := range ins {
		t := vir.Type{Elem: in.elem, Lanes: lanes}
		args = append(args, b.Load(form(lanes, vir.OpLoad), t, vir.Addr{Base: f.Params[k], Index: i, Scale: int64(in.elem.Size())}, nil))
	}
	r := op(b, args)
	b.Store(form(lanes, vir.OpStore), r, vir.Addr{Base: o, Index: i, Scale: int64(out.Size())}, nil)
	next := b.Same(vir.OpAdd, i, step)
	b.Br(b.Cmp(vir.OpIcmpSlt, next, n), loop, exit)
	b.Cur = exit
	b.Ret(next)
	i.Args = []*vir.Value{zero, next}
	s.add(f, ins, out)
}

func form(lanes int, scalar vir.Op) vir.Op {
	switch {
	case lanes == 0:
		return scalar
	case scalar == vir.OpLoad:
		return vir.OpLoadUnit
	}
	return vir.OpStoreUnit
}

func (s *suite) add(f *vir.Func, ins []stream, out vir.Elem) {
	if err := verify.Func(f); err != nil {
		s.t.Fatalf("%v\n%s", err, f)
	}
	s.fns = append(s.fns, f)
	s.byNam[f.Name] = f
	mem := new(interp.Memory)
	c := native.Case{Fn: f.Name, Mem: mem, Elems: make(map[string]vir.Elem)}
	for _, in := range ins {
		c.Args = append(c.Args, mem.AllocReadOnly(in.name, pack(in.elem, in.data)).Ptr(0))
	}
	c.Args = append(c.Args, mem.Alloc("out", make([]byte, elems*out.Size())).Ptr(0), interp.Int(elems))
	c.Elems["out"] = out
	s.cases = append(s.cases, c)
}

func (s *suite) run() *native.Program {
	s.t.Helper()
	p, err := native.Build(s.t.TempDir(), s.fns, level())
	if err != nil {
		s.t.Fatal(err)
	}
	got, err := p.Run(s.cases)
	if err != nil {
		s.t.Error(err)
	}
	failures := 0
	for i, g := range got {
		f := s.byNam[s.cases[i].Fn]
		if d := native.Diff(f, s.cases[i], g); d != "" {
			if failures++; failures < 20 {
				s.t.Errorf("%s: %s", s.cases[i].Fn, d)
			}
		}
	}
	if failures > 0 {
		s.t.Errorf("%d of %d kernels differ", failures, len(s.cases))
	}
	sound(s.t, p)
	s.t.Logf("%d kernels", len(s.fns))
	return p
}

func pack(e vir.Elem, xs []uint64) []byte {
	b := make([]byte, 0, len(xs)*e.Size())
	for _, x := range xs {
		var w [8]byte
		binary.LittleEndian.PutUint64(w[:], x)
		b = append(b, w[:e.Size()]...)
	}
	return b
}

// specials are values at which operations go wrong.
func specials(e vir.Elem) []uint64 {
	switch e {
	case vir.F32:
		var xs []uint64
		for _, x := range []float32{
			0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.4028235e38, -3.4028235e38, 1e-45, -1e-45,
			1.1754944e-38, float32(math.Inf(1)), float32(math.Inf(-1)), 8388607.5, 8388608, 16777217, 2147483648, -2147483648,
			2147483520, 4294967296, 9223372036854775808, -9223372036854775808, 9.223371e18, 18446744073709551616, 300.7, -129.2, 65536.5,
			0.99999994, -0.99999994, 4294967040, -9223373136366403584, 8388609, 16777214.9,
		} {
			xs = append(xs, uint64(math.Float32bits(x)))
		}
		return append(xs, 0x7fc00000, 0xffc00001)
	case vir.F64:
		var xs []uint64
		for _, x := range []float64{
			0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324, 2.2e-308,
			math.Inf(1), math.Inf(-1), 4503599627370495.5, 9007199254740993, 2147483647.5, -2147483648.9, 2147483648, 4294967295.5, 4294967296,
			9223372036854775807, -9223372036854775808, 9223372036854774784, 18446744073709551615, 1e30, 16777217, 3.4028236e38, 1e-46, -129.2,
			0.9999999999999999, -0.9999999999999999, 4294967296.5, -9223372036854777856, 1.0000000596046448,
		} {
			xs = append(xs, math.Float64bits(x))
		}
		return append(xs, 0x7ff8000000000000, 0xfff8000000000001)
	}
	w := e.Bits()
	xs := []uint64{0, 1, 2, 3, 7, 10, uint64(w) - 1, uint64(w), uint64(w) + 1, 100, 127, 128}
	for _, x := range []uint64{1 << (w - 1), 1<<(w-1) - 1, 1<<(w-1) + 1, 1<<(w/2) - 1, 1 << (w / 2), 0x5555555555555555, 0x8040201008040201} {
		xs = append(xs, x, -x)
	}
	if w >= 32 { // ties and their neighbours when they become floats
		xs = append(xs, 1<<24+1, 1<<24+3, 1<<(w-1)+1<<(w-25), 1<<(w-1)+1<<(w-25)-1, 1<<(w-1)+1<<(w-25)+1)
	}
	if w == 64 {
		xs = append(xs, 1<<53+1, 1<<62+1<<38+1, 1<<63+1<<10, 1<<63+1<<10+1)
	}
	return append(xs, ^uint64(0), ^uint64(1))
}

// pairs are two streams with every pair of some special values, then random ones.
func pairs(e vir.Elem) (a, b stream) {
	rng := rand.New(rand.NewPCG(1, uint64(e)))
	sp := specials(e)
	a, b = stream{"a", e, nil}, stream{"b", e, nil}
	for len(a.data) < 224 {
		a.data = append(a.data, sp[len(a.data)%len(sp)])
		b.data = append(b.data, sp[(len(b.data)+len(b.data)/len(sp))%len(sp)])
	}
	for len(a.data) < elems {
		x, y := random(rng, e), random(rng, e)
		if rng.IntN(3) == 0 {
			y = x
		}
		a.data, b.data = append(a.data, x), append(b.data, y)
	}
	return a, b
}

func random(rng *rand.Rand, e vir.Elem) uint64 {
	switch {
	case e == vir.F32 && rng.IntN(2) == 0:
		return uint64(math.Float32bits(float32(rng.NormFloat64() * 1000)))
	case e == vir.F64 && rng.IntN(2) == 0:
		return math.Float64bits(rng.NormFloat64() * 1000)
	case e.IsInt() && rng.IntN(3) == 0:
		return uint64(rng.IntN(2 * e.Bits()))
	}
	return rng.Uint64() >> rng.IntN(e.Bits()) & e.Ones()
}

func name(op vir.Op, parts ...any) string {
	s := ""
	for _, r := range op.String() {
		if r == '.' {
			r = '_'
		}
		s += string(r)
	}
	for _, p := range parts {
		s += fmt.Sprintf("_%v", p)
	}
	return s
}

func isDivision(op vir.Op) bool { return op >= vir.OpSdiv && op <= vir.OpUrem }
