package interp_test

import (
	"fmt"
	"math"
	"math/bits"
	"testing"
	"unsafe"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

var (
	intElems   = []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64}
	floatElems = []vir.Elem{vir.F32, vir.F64}
)

// native computes one lane with Go's own operators; not ok means poison.
type native func(a []uint64) (x uint64, ok bool)

type (
	sint interface {
		~int8 | ~int16 | ~int32 | ~int64
	}
	uint interface {
		~uint8 | ~uint16 | ~uint32 | ~uint64
	}
	flt interface{ ~float32 | ~float64 }
)

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// nativeInt evaluates op on integers of Go types S and U.
func nativeInt[S sint, U uint](op vir.Op, a []uint64) (uint64, bool) {
	x := U(a[0])
	y := U(a[len(a)-1])
	sx, sy := S(x), S(y)
	w := int(8 * unsafe.Sizeof(x))
	if y == 0 {
		switch op {
		case vir.OpSdiv, vir.OpUdiv, vir.OpSrem, vir.OpUrem:
			return 0, false
		}
	}
	switch op {
	case vir.OpAdd:
		x += y
	case vir.OpSub:
		x -= y
	case vir.OpMul:
		x *= y
	case vir.OpNeg:
		x = -x
	case vir.OpAnd:
		x &= y
	case vir.OpOr:
		x |= y
	case vir.OpXor:
		x ^= y
	case vir.OpNot:
		x = ^x
	case vir.OpShl:
		x <<= y
	case vir.OpLshr:
		x >>= y
	case vir.OpAshr:
		x = U(sx >> y)
	case vir.OpSdiv:
		x = U(sx / sy)
	case vir.OpUdiv:
		x /= y
	case vir.OpSrem:
		x = U(sx % sy)
	case vir.OpUrem:
		x %= y
	case vir.OpSmin:
		x = U(min(sx, sy))
	case vir.OpSmax:
		x = U(max(sx, sy))
	case vir.OpUmin:
		x = min(x, y)
	case vir.OpUmax:
		x = max(x, y)
	case vir.OpIcmpEq:
		return b2u(x == y), true
	case vir.OpIcmpNe:
		return b2u(x != y), true
	case vir.OpIcmpSlt:
		return b2u(sx < sy), true
	case vir.OpIcmpSle:
		return b2u(sx <= sy), true
	case vir.OpIcmpUlt:
		return b2u(x < y), true
	case vir.OpIcmpUle:
		return b2u(x <= y), true
	default:
		return nativeBits(op, w, a), true
	}
	return uint64(x), true
}

// nativeBits is what math/bits has for each width.
func nativeBits(op vir.Op, w int, a []uint64) uint64 {
	x := a[0]
	switch w {
	case 8:
		return [...]func() uint64{
			func() uint64 { return uint64(bits.LeadingZeros8(uint8(x))) },
			func() uint64 { return uint64(bits.TrailingZeros8(uint8(x))) },
			func() uint64 { return uint64(bits.OnesCount8(uint8(x))) },
			func() uint64 { return uint64(bits.Reverse8(uint8(x))) },
			func() uint64 { return x },
			func() uint64 { return uint64(bits.RotateLeft8(uint8(x), int(a[1]))) },
		}[bitsIndex[op]]()
	case 16:
		return [...]func() uint64{
			func() uint64 { return uint64(bits.LeadingZeros16(uint16(x))) },
			func() uint64 { return uint64(bits.TrailingZeros16(uint16(x))) },
			func() uint64 { return uint64(bits.OnesCount16(uint16(x))) },
			func() uint64 { return uint64(bits.Reverse16(uint16(x))) },
			func() uint64 { return uint64(bits.ReverseBytes16(uint16(x))) },
			func() uint64 { return uint64(bits.RotateLeft16(uint16(x), int(a[1]))) },
		}[bitsIndex[op]]()
	case 32:
		return [...]func() uint64{
			func() uint64 { return uint64(bits.LeadingZeros32(uint32(x))) },
			func() uint64 { return uint64(bits.TrailingZeros32(uint32(x))) },
			func() uint64 { return uint64(bits.OnesCount32(uint32(x))) },
			func() uint64 { return uint64(bits.Reverse32(uint32(x))) },
			func() uint64 { return uint64(bits.ReverseBytes32(uint32(x))) },
			func() uint64 { return uint64(bits.RotateLeft32(uint32(x), int(a[1]))) },
		}[bitsIndex[op]]()
	}
	return [...]func() uint64{
		func() uint64 { return uint64(bits.LeadingZeros64(x)) },
		func() uint64 { return uint64(bits.TrailingZeros64(x)) },
		func() uint64 { return uint64(bits.OnesCount64(x)) },
		func() uint64 { return bits.Reverse64(x) },
		func() uint64 { return bits.ReverseBytes64(x) },
		func() uint64 { return bits.RotateLeft64(x, int(a[1]%64)) },
	}[bitsIndex[op]]()
}

var bitsIndex = map[vir.Op]int{
	vir.OpClz: 0, vir.OpCtz: 1, vir.OpPopcnt: 2, vir.OpBitrev: 3, vir.OpBswap: 4, vir.OpRotl: 5,
}

func intNative(e vir.Elem, op vir.Op) native {
	return func(a []uint64) (uint64, bool) {
		switch e {
		case vir.I8:
			return nativeInt[int8, uint8](op, a)
		case vir.I16:
			return nativeInt[int16, uint16](op, a)
		case vir.I32:
			return nativeInt[int32, uint32](op, a)
		}
		return nativeInt[int64, uint64](op, a)
	}
}

//go:noinline
func nativeFloat[F flt](op vir.Op, x, y F) F {
	switch op {
	case vir.OpFadd:
		return x + y
	case vir.OpFsub:
		return x - y
	case vir.OpFmul:
		return x * y
	case vir.OpFdiv:
		return x / y
	case vir.OpFneg:
		return -x
	case vir.OpFabs:
		return F(math.Abs(float64(x)))
	case vir.OpFsqrt:
		return F(math.Sqrt(float64(x)))
	case vir.OpFfloor:
		return F(math.Floor(float64(x)))
	case vir.OpFceil:
		return F(math.Ceil(float64(x)))
	case vir.OpFtrunc:
		return F(math.Trunc(float64(x)))
	case vir.OpFrint:
		return F(math.RoundToEven(float64(x)))
	case vir.OpFcopysign:
		return F(math.Copysign(float64(x), float64(y)))
	case vir.OpFmin:
		return min(x, y)
	case vir.OpFmax:
		return max(x, y)
	}
	panic(op.String())
}

func nativeFloatCmp[F flt](op vir.Op, x, y F) bool {
	switch op {
	case vir.OpFcmpEq:
		return x == y
	case vir.OpFcmpNe:
		return x != y
	case vir.OpFcmpLt:
		return x < y
	}
	return x <= y
}

func floatNative(e vir.Elem, op vir.Op) native {
	cmp := op.Info().Rule == vir.RuleFloatCmp
	return func(a []uint64) (uint64, bool) {
		if e == vir.F32 {
			x, y := math.Float32frombits(uint32(a[0])), math.Float32frombits(uint32(a[len(a)-1]))
			if cmp {
				return b2u(nativeFloatCmp(op, x, y)), true
			}
			return uint64(math.Float32bits(nativeFloat(op, x, y))), true
		}
		x, y := math.Float64frombits(a[0]), math.Float64frombits(a[len(a)-1])
		switch {
		case op == vir.OpFma:
			return math.Float64bits(math.FMA(x, math.Float64frombits(a[1]), y)), true
		case cmp:
			return b2u(nativeFloatCmp(op, x, y)), true
		}
		return math.Float64bits(nativeFloat(op, x, y)), true
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
				compareWithNative(t, op, e, repeat(e, op.Info().Args), intNative(e, op))
			}
		case vir.RuleIntCmp:
			for _, e := range intElems {
				compareWithNative(t, op, vir.Bool, repeat(e, 2), intNative(e, op))
			}
		case vir.RuleFloat:
			for _, e := range floatElems {
				if op == vir.OpFma && e == vir.F32 {
					continue // see TestFma32RoundsOnce
				}
				compareWithNative(t, op, e, repeat(e, op.Info().Args), floatNative(e, op))
			}
		case vir.RuleFloatCmp:
			for _, e := range floatElems {
				compareWithNative(t, op, vir.Bool, repeat(e, 2), floatNative(e, op))
			}
		default:
			continue
		}
		tried[op] = true
	}
}

func TestLogicOfBoolsAndMasks(t *testing.T) {
	for op, f := range map[vir.Op]native{
		vir.OpAnd:    func(a []uint64) (uint64, bool) { return a[0] & a[1], true },
		vir.OpOr:     func(a []uint64) (uint64, bool) { return a[0] | a[1], true },
		vir.OpXor:    func(a []uint64) (uint64, bool) { return a[0] ^ a[1], true },
		vir.OpNot:    func(a []uint64) (uint64, bool) { return 1 - a[0], true },
		vir.OpIcmpEq: func(a []uint64) (uint64, bool) { return b2u(a[0] == a[1]), true },
		vir.OpIcmpNe: func(a []uint64) (uint64, bool) { return b2u(a[0] != a[1]), true },
	} {
		compareBools(t, op, f)
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
