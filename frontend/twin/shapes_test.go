package twin

import (
	"go/types"
	"math"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// elementwise is the spec of y[i] op= f(x[i]) over range y.
func elementwise(loop int, kernel string) loopSpec {
	return loopSpec{
		loop:   loop,
		params: []paramSpec{slice("x", "x"), length("x"), slice("y", "y"), length("y"), value("a", "a", vir.F32), counter()},
		states: []stateSpec{{param: 5, out: advance(5, 1)}},
		kernel: &kernelSpec{name: kernel, args: []plan.Arg{arg(0), arg(2), arg(4), arg(5), count},
			trip: upTo(5, 3), bounds: []plan.Bound{inLen(5, 1)}, overlaps: []plan.Overlap{behind(2, 0, 4)},
			min: 8, block: 32, strip: 1 << 15},
	}
}

// behind is the window of a stream that is read and one that is stored later
// in the same iteration.
func behind(store, load int, size int64) plan.Overlap {
	return plan.Overlap{
		Below: size, Above: size,
		A: plan.Stream{Param: store, Off: plan.Const(0), Step: size, Size: size},
		B: plan.Stream{Param: load, Off: plan.Const(0), Step: size, Size: size}, Lo: -32 * size, Hi: 0}
}

const simAxpy = `{
	xs, ys := unsafe.Slice((*float32)(x), i0+n), unsafe.Slice((*float32)(y), i0+n)
	for r0 < n/4*4 {
		ys[i0+r0] += float32(a * xs[i0+r0])
		r0++
	}
	return r0
}`

var cases = []goldenCase{
	{"axpy", `package p

// axpy adds a*x to y.
//
//vec:func Axpy
func axpy(a float32, x, y []float32) {
	for i := range y { // all of y
		y[i] += a * x[i]
	}
}
`, func(b *builder) {
		b.twin("axpy", "Axpy", []loopSpec{elementwise(0, "axpyKernel")})
	}, map[string]string{"axpyKernel": simAxpy}, `
	for nx := range 70 {
		for ny := range 70 {
			data := make([]float32, 200)
			for i := range data { data[i] = float32(i) }
			for _, off := range []int{0, 1, 5, 70} {
				equal(func(f func(float32, []float32, []float32)) ([]float32, any) {
					d := append([]float32(nil), data...)
					p := try(func() { f(3, d[off:off+nx], d[40:40+ny]) })
					return d, p
				}, axpy, Axpy)
			}
		}
	}`},

	{"reduction", `package p

//vec:func Sum reassoc
func sum(x []float32) (s float32) {
	for _, v := range x {
		s += v * v
	}
	return s
}
`, func(b *builder) {
		tw := b.twin("sum", "Sum", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), value("s0", "s", vir.F32), counter()},
			states: []stateSpec{{param: 3, out: advance(3, 1)}, {param: 2, name: "s", out: plan.Out{Kind: plan.OutResult, Index: 1}}},
			kernel: &kernelSpec{name: "sumKernel", args: []plan.Arg{arg(0), arg(2), arg(3), count}, results: []vir.Elem{vir.F32},
				trip: upTo(3, 1), min: 16, block: 32, strip: 1 << 16},
		}})
		tw.Clauses.Reassoc = true
	}, map[string]string{"sumKernel": `{
	r1 = s0
	for ; r0 < n/4*4; r0++ {
		v := *(*float32)(unsafe.Add(x, 4*(i0+r0)))
		r1 += float32(v*v)
	}
	return
}`}, `
	for n := range 100 {
		x := make([]float32, n)
		for i := range x { x[i] = float32(i%7) }
		equal(func(f func([]float32) float32) (float32, any) { return f(x), nil }, sum, Sum)
	}`},

	{"complete", `package p

type weight float32

//vec:func Total reassoc
func total(x, y []weight) (s weight) {
	for i, v := range x {
		y[i] = v
		s += v
	}
	return s
}
`, func(b *builder) {
		tw := b.twin("total", "Total", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), slice("y", "y"), length("y"), value("s0", "s", vir.F32), counter()},
			states: []stateSpec{{param: 5, out: advance(5, 1)}, {param: 4, name: "s", out: plan.Out{Kind: plan.OutResult, Index: 1}}},
			kernel: &kernelSpec{name: "totalKernel", args: []plan.Arg{arg(0), arg(2), arg(4), arg(5), count}, results: []vir.Elem{vir.F32},
				trip: upTo(5, 1), bounds: []plan.Bound{inLen(5, 3)}, min: 16, block: 32, strip: 32, complete: true},
		}})
		tw.Clauses.Reassoc = true
	}, map[string]string{"totalKernel": `{
	r1 = s0
	for k := range n {
		v := *(*float32)(unsafe.Add(x, 4*(i0+k)))
		*(*float32)(unsafe.Add(y, 4*(i0+k))) = v
		r1 += v
	}
	return -1, r1 // nobody asks how many
}`}, `
	for n := range 100 {
		for m := range 100 {
			x := make([]weight, n)
			for i := range x { x[i] = weight(i%7) }
			equal(func(f func(x, y []weight) weight) (any, any) {
				y, s := make([]weight, m), weight(0)
				p := try(func() { s = f(x, y) })
				return []any{y, s}, p
			}, total, Total)
		}
	}`},

	{"wide", `package p

type amount float32

//vec:func Whole reassoc
func whole(x, y []amount) (s amount) {
	for i, v := range x {
		y[i] = v
		s += v
	}
	return s
}
`, func(b *builder) {
		tw := b.twin("whole", "Whole", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), slice("y", "y"), length("y"), value("s0", "s", vir.F32), counter()},
			states: []stateSpec{{param: 5, out: advance(5, 1)}, {param: 4, name: "s", out: plan.Out{Kind: plan.OutResult, Index: 1}}},
			kernel: &kernelSpec{name: "wholeKernel", args: []plan.Arg{arg(0), arg(2), arg(4), arg(5), count}, results: []vir.Elem{vir.F32},
				trip: upTo(5, 1), bounds: []plan.Bound{inLen(5, 3)}, min: 16, block: 32, strip: 32, complete: true, wideMin: 5},
		}})
		tw.Clauses.Reassoc = true
	}, map[string]string{"wholeKernel": `{
	r1 = s0
	for k := range n {
		v := *(*float32)(unsafe.Add(x, 4*(i0+k)))
		*(*float32)(unsafe.Add(y, 4*(i0+k))) = v
		r1 += v
	}
	return -1, r1 // nobody asks how many
}`}, `
	for n := range 100 {
		for m := range 100 {
			x := make([]amount, n)
			for i := range x { x[i] = amount(i%7) }
			equal(func(f func(x, y []amount) amount) (any, any) {
				y, s := make([]amount, m), amount(0)
				p := try(func() { s = f(x, y) })
				return []any{y, s}, p
			}, whole, Whole)
		}
	}`},

	{"wide-only", `package p

type amount float32

//vec:func Whole reassoc
func whole(x, y []amount) (s amount) {
	for i, v := range x {
		y[i] = v
		s += v
	}
	return s
}
`, func(b *builder) {
		tw := b.twin("whole", "Whole", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), slice("y", "y"), length("y"), value("s0", "s", vir.F32), counter()},
			states: []stateSpec{{param: 5, out: advance(5, 1)}, {param: 4, name: "s", out: plan.Out{Kind: plan.OutResult, Index: 1}}},
			kernel: &kernelSpec{name: "wholeKernel", args: []plan.Arg{arg(0), arg(2), arg(4), arg(5), count}, results: []vir.Elem{vir.F32},
				trip: upTo(5, 1), bounds: []plan.Bound{inLen(5, 3)}, min: 16, block: 32, strip: 32, complete: true, level: "avx512"},
		}})
		tw.Clauses.Reassoc = true
	}, map[string]string{"wholeKernel": `{
	r1 = s0
	for k := range n {
		v := *(*float32)(unsafe.Add(x, 4*(i0+k)))
		*(*float32)(unsafe.Add(y, 4*(i0+k))) = v
		r1 += v
	}
	return -1, r1 // nobody asks how many
}`}, `
	for n := range 100 {
		for m := range 100 {
			x := make([]amount, n)
			for i := range x { x[i] = amount(i%7) }
			equal(func(f func(x, y []amount) amount) (any, any) {
				y, s := make([]amount, m), amount(0)
				p := try(func() { s = f(x, y) })
				return []any{y, s}, p
			}, whole, Whole)
		}
	}`},

	{"outer-state", `package p

//vec:func Shift
func shift(x []int32, i int) int {
	for ; i < len(x)-1; i++ {
		x[i] = x[i+1]
	}
	return i
}
`, func(b *builder) {
		b.twin("shift", "Shift", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), value("i0", "i", vir.I64)},
			states: []stateSpec{{param: 2, name: "i", out: advance(2, 1)}},
			kernel: &kernelSpec{name: "shiftKernel", args: []plan.Arg{arg(0), arg(2), count},
				trip:   plan.Trip{Cond: plan.Less, Start: plan.Param(2), Limit: plan.Sub(plan.Param(1), plan.Const(1)), Step: 1},
				bounds: []plan.Bound{inLen(2, 1)},
				min:    8, block: 8, strip: 1 << 15},
		}})
	}, map[string]string{"shiftKernel": `{
	for ; r0 < n/8*8; r0++ {
		*(*int32)(unsafe.Add(x, 4*(i0+r0))) = *(*int32)(unsafe.Add(x, 4*(i0+r0)+4))
	}
	return
}`}, `
	for n := range 40 {
		for i := -2; i < 10; i++ {
			equal(func(f func([]int32, int) int) (any, any) {
				x := make([]int32, n)
				for i := range x { x[i] = int32(i) }
				r := 0
				p := try(func() { r = f(x, i) })
				return []any{x, r}, p
			}, shift, Shift)
		}
	}`},

	{"reverse", `package p

//vec:func Reverse
func reverse(dst, src []uint8) {
	j := 0
	for i := len(src) - 1; i >= 0; i-- {
		dst[j] = src[i]
		j++
	}
}
`, func(b *builder) {
		n := plan.Sub(plan.Param(1), plan.Const(1))
		b.twin("reverse", "Reverse", []loopSpec{{
			params: []paramSpec{slice("src", "src"), length("src"), slice("dst", "dst"), length("dst"),
				value("i0", "i", vir.I64), value("j0", "j", vir.I64)},
			states: []stateSpec{{param: 4, name: "i", out: advance(4, -1)}, {param: 5, name: "j", out: advance(5, 1), init: zero()}},
			kernel: &kernelSpec{name: "reverseKernel", args: []plan.Arg{arg(0), arg(2), arg(4), arg(5), count},
				trip: plan.Trip{Cond: plan.GreaterEq, Start: plan.Param(4), Limit: plan.Const(0), Step: -1},
				bounds: []plan.Bound{
					{Start: plan.Param(4), Step: -1, Lo: plan.Const(0), Hi: plan.Param(1)}, inLen(5, 3)},
				overlaps: []plan.Overlap{{Disjoint: true,
					A: plan.Stream{Param: 2, Off: plan.Param(5), Step: 1, Size: 1},
					B: plan.Stream{Param: 0, Off: n, Step: -1, Size: 1}}},
				min: 16, block: 16, strip: 1 << 15},
		}})
	}, map[string]string{"reverseKernel": `{
	for ; r0 < n/16*16; r0++ {
		*(*uint8)(unsafe.Add(dst, j0+r0)) = *(*uint8)(unsafe.Add(src, i0-r0))
	}
	return
}`}, `
	for ns := range 50 {
		for nd := range 50 {
			for _, off := range []int{0, 10, 60} {
				equal(func(f func(dst, src []uint8)) (any, any) {
					x := make([]uint8, 150)
					for i := range x { x[i] = uint8(i) }
					p := try(func() { f(x[off:off+nd], x[30:30+ns]) })
					return x, p
				}, reverse, Reverse)
			}
		}
	}`},

	{"range-value", `package p

import "math"

// roots stores square roots.
//
//vec:func Roots
func roots(dst, x []float64) {
	for i, v := range x[:len(x)/2] {
		// two products and a root
		v *= v
		dst[i] = math.Sqrt(v + v*2)
	}
}
`, func(b *builder) {
		b.twin("roots", "Roots", []loopSpec{{
			params: []paramSpec{slice("x", "x[:len(x)/2]"), length("x[:len(x)/2]"), slice("dst", "dst"), length("dst"), counter()},
			states: []stateSpec{{param: 4, out: advance(4, 1)}},
			kernel: &kernelSpec{name: "rootsKernel", args: []plan.Arg{arg(2), arg(0), arg(4), count},
				trip: upTo(4, 1), bounds: []plan.Bound{inLen(4, 3)}, overlaps: []plan.Overlap{behind(2, 0, 8)},
				min: 4, block: 16, strip: 1 << 15},
		}})
	}, map[string]string{"rootsKernel": `{ return 0 }`}, `
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}
	for n := range x {
		equal(func(f func(dst, x []float64)) (any, any) {
			d := make([]float64, 5)
			p := try(func() { f(d, x[:n]) })
			return d, p
		}, roots, Roots)
	}`},

	{"method", `package p

type matrix struct {
	data  []float32
	shift *float32
}

//vec:func Offset
func (m *matrix) offset() {
	for i := range m.data {
		m.data[i] += *m.shift
	}
}

//vec:func Fill
func (*matrix) fill(x []float32, _ int) {
	for len(x) > 0 {
		x = x[1:]
	}
}
`, func(b *builder) {
		b.twin("offset", "Offset", []loopSpec{{
			params: []paramSpec{
				{name: "data", kind: frontend.ParamSliceData, expr: "m.data", vir: vir.Ptr, nonNil: []string{"m"}},
				{name: "data_len", kind: frontend.ParamLen, expr: "m.data", vir: vir.I64, nonNil: []string{"m"}},
				{name: "shift", kind: frontend.ParamValue, expr: "*m.shift", vir: vir.F32, nonNil: []string{"m.shift", "m"}},
				{name: "shiftp", kind: frontend.ParamPointer, expr: "m.shift", vir: vir.Ptr, nonNil: []string{"m"}},
				counter()},
			states: []stateSpec{{param: 4, out: advance(4, 1)}},
			kernel: &kernelSpec{name: "offsetKernel", args: []plan.Arg{arg(0), arg(2), arg(4), count},
				trip: upTo(4, 1),
				overlaps: []plan.Overlap{{Disjoint: true, A: plan.Stream{Param: 0, Off: plan.Const(0), Step: 4, Size: 4},
					B: plan.Stream{Param: 3, Off: plan.Const(0), Step: 0, Size: 4}}},
				min: 8, block: 32, strip: 1 << 15},
		}})
		b.twin("fill", "Fill", nil)
	}, map[string]string{"offsetKernel": `{
	for ; r0 < n/8*8; r0++ {
		*(*float32)(unsafe.Add(data, 4*(i0+r0))) += shift
	}
	return
}`}, `
	for n := range 40 {
		for k := range 42 {
			equal(func(f func(*matrix)) (any, any) {
				m := &matrix{data: make([]float32, n)}
				for i := range m.data { m.data[i] = float32(i) }
				switch {
				case k < n: m.shift = &m.data[k]
				case k == 40: m = nil
				case k < 40: m.shift = new(float32)
				}
				p := try(func() { f(m) })
				if m == nil { return nil, p }
				return m.data, p
			}, (*matrix).offset, (*matrix).Offset)
		}
	}
	(*matrix)(nil).Fill(nil, 0)`},

	{"generic", `package p

type number interface{ ~float32 | ~int32 }

//vec:func ScaleFloat32[float32]
//vec:func ScaleInt32[int32]
func scale[T number](x []T, a T) T {
	var zero T
	for i := range x {
		x[i] = x[i]*a + zero
	}
	return zero
}
`, func(b *builder) {
		spec := func(kernel string, e vir.Elem) loopSpec {
			return loopSpec{
				params: []paramSpec{slice("x", "x"), length("x"), value("a", "a", e), value("zero", "zero", e), counter()},
				states: []stateSpec{{param: 4, out: advance(4, 1)}},
				kernel: &kernelSpec{name: kernel, args: []plan.Arg{arg(0), arg(2), arg(3), arg(4), count},
					trip: upTo(4, 1), min: 8, block: 32, strip: 1 << 15},
			}
		}
		b.twin("scale", "ScaleFloat32", []loopSpec{spec("scaleF32Kernel", vir.F32)}, types.Typ[types.Float32])
		b.twin("scale", "ScaleInt32", []loopSpec{spec("scaleI32Kernel", vir.I32)}, types.Typ[types.Int32])
	}, map[string]string{"scaleF32Kernel": `{ return 0 }`, "scaleI32Kernel": `{
	for ; r0 < n/4*4; r0++ {
		p := (*int32)(unsafe.Add(x, 4*(i0+r0)))
		*p = *p*a + zero
	}
	return
}`}, `
	for n := range 20 {
		equal(func(f func([]int32, int32) int32) (any, any) {
			x := make([]int32, n)
			for i := range x { x[i] = int32(i) }
			return []any{f(x, 7), x}, nil
		}, scale[int32], ScaleInt32)
		equal(func(f func([]float32, float32) float32) (any, any) {
			x := make([]float32, n)
			for i := range x { x[i] = float32(i) }
			return []any{f(x, 7), x}, nil
		}, scale[float32], ScaleFloat32)
	}`},

	{"shared", `package p

type level int8

const lowered = -3

//vec:func Raise
func raise(k level, x []level) (sum level) {
	for i := range x {
		x[i] += k
		sum ^= x[i]
	}
	return sum
}

//vec:func Fade
func fade(x []uint8, k uint8) uint8 {
	sum := uint8(0)
	for i := range x {
		x[i] += k
		sum ^= x[i]
	}
	return sum
}

//vec:func Lower
func lower(x []int8) (sum int8) {
	for i := range x {
		x[i] += lowered
		sum ^= x[i]
	}
	return sum
}

//vec:func Step
func step(x []int8) (sum int8) {
	for i := range x {
		x[i] += -7
		sum ^= x[i]
	}
	return sum
}
`, func(b *builder) {
		spec := func(args []plan.Arg, ps ...paramSpec) loopSpec {
			return loopSpec{
				params: append([]paramSpec{slice("x", "x"), length("x"), counter(), value("sum0", "sum", vir.I8)}, ps...),
				states: []stateSpec{{param: 2, out: advance(2, 1)}, {param: 3, name: "sum", out: plan.Out{Kind: plan.OutResult, Index: 1}}},
				kernel: &kernelSpec{name: "raiseKernel", args: append(args, arg(0), arg(3), arg(2), count),
					trip: upTo(2, 1), min: 8, block: 32, strip: 1 << 15, results: []vir.Elem{vir.I8}, shared: true},
			}
		}
		b.twin("raise", "Raise", []loopSpec{spec([]plan.Arg{arg(4)}, value("k", "k", vir.I8))})
		b.twin("fade", "Fade", []loopSpec{spec([]plan.Arg{arg(4)}, value("k", "k", vir.I8))})
		b.twin("lower", "Lower", []loopSpec{spec([]plan.Arg{arg(4)}, value("k", "int8(lowered)", vir.I8))})
		b.twin("step", "Step", []loopSpec{spec([]plan.Arg{{Kind: plan.ArgConst, Index: int(vir.I8), Bits: 0xf9}})})
	}, map[string]string{"raiseKernel": `{
	r1 = sum0
	for ; r0 < n/4*4; r0++ {
		p := (*uint8)(unsafe.Add(x, i0+r0))
		*p += k
		r1 ^= *p
	}
	return
}`}, `
	for n := range 40 {
		data := func() []int8 {
			x := make([]int8, n)
			for i := range x { x[i] = int8(i*7) }
			return x
		}
		equal(func(f func([]int8) int8) (any, any) {
			x := data()
			return []any{f(x), x}, nil
		}, lower, Lower)
		equal(func(f func([]int8) int8) (any, any) {
			x := data()
			return []any{f(x), x}, nil
		}, step, Step)
		equal(func(f func(level, []level) level) (any, any) {
			x := make([]level, n)
			return []any{f(-9, x), x}, nil
		}, raise, Raise)
		equal(func(f func([]uint8, uint8) uint8) (any, any) {
			x := make([]uint8, n)
			return []any{f(x, 200), x}, nil
		}, fade, Fade)
	}`},

	{"sharedConstants", `package p

//vec:func Bound
func bound(x []float32, w []float64) {
	for i := range x {
		x[i] = float32(w[i])
	}
}

//vec:func Rest
func rest(x []float32, w []float64) {
	for i := range x {
		x[i] = float32(w[i])
	}
}
`, func(b *builder) {
		spec := func(f float32, d float64, c uint64) loopSpec {
			constant := func(e vir.Elem, bits uint64) plan.Arg {
				return plan.Arg{Kind: plan.ArgConst, Index: int(e), Bits: bits}
			}
			return loopSpec{
				params: []paramSpec{slice("x", "x"), length("x"), counter(), slice("w", "w"), length("w")},
				states: []stateSpec{{param: 2, out: advance(2, 1)}},
				kernel: &kernelSpec{name: "boundKernel", trip: upTo(2, 1), min: 8, block: 32, strip: 1 << 15, shared: true,
					args: []plan.Arg{arg(0), arg(3), arg(2), count, constant(vir.F32, uint64(math.Float32bits(f))),
						constant(vir.F64, math.Float64bits(d)), constant(vir.I32, c)}},
			}
		}
		b.twin("bound", "Bound", []loopSpec{spec(0.1, math.Inf(-1), 1<<31)})
		b.twin("rest", "Rest", []loopSpec{spec(float32(math.Copysign(0, -1)), 1e300, 7)})
	}, nil, ``},

	{"shadowed", `package p

import guard "strings"

type cpu int

func min(x int) int { return x }

//vec:func Shadowed
func shadowed(len, unsafe, uint []float32, nil []*int, int int64, n, i, d, float32 int32) cpu {
	for i := range len {
		len[i] += unsafe[i] * uint[i]
	}
	for i := range unsafe {
		unsafe[i]++
	}
	_ = guard.ToLower("")
	return cpu(min(0)) + cpu(n)
}
`, func(b *builder) {
		add := elementwise(0, "shadowedKernel")
		add.params = []paramSpec{slice("x", "unsafe"), length("unsafe"), slice("y", "len"), length("len"), value("int", "int", vir.I64), counter()}
		inc := loopSpec{loop: 1,
			params: []paramSpec{slice("unsafe", "unsafe"), length("unsafe"), counter()},
			states: []stateSpec{{param: 2, out: advance(2, 1)}},
			kernel: &kernelSpec{name: "incKernel", args: []plan.Arg{arg(0), arg(2), count},
				trip: upTo(2, 1), min: 32, block: 32, strip: 1 << 15}}
		b.twin("shadowed", "Shadowed", []loopSpec{add, inc})
	}, nil, ""},

	{"partial", `package p

//vec:func Divide
func divide(dst, x, y []int32) (total int32) {
	for i := 0; i < len(dst); i++ {
		if x[i] == 0 {
			continue
		}
		dst[i] = x[i] / y[i]
		total += dst[i]
	}
	return
}
`, func(b *builder) {
		b.twin("divide", "Divide", []loopSpec{{
			params: []paramSpec{slice("dst", "dst"), length("dst"), slice("x", "x"), length("x"), slice("y", "y"), length("y"),
				value("i0", "i", vir.I64), value("total0", "total", vir.I32)},
			states: []stateSpec{{param: 6, name: "i", out: advance(6, 1), init: zero()}, {param: 7, name: "total", out: plan.Out{Kind: plan.OutResult, Index: 1}}},
			kernel: &kernelSpec{name: "divideKernel", args: []plan.Arg{arg(0), arg(2), arg(4), arg(6), arg(7), {Kind: plan.ArgBound, Index: 1}, count},
				results: []vir.Elem{vir.I32},
				trip:    upTo(6, 1),
				bounds: []plan.Bound{inLen(6, 3),
					{Start: plan.Param(6), Step: 1, Lo: plan.Const(0), Hi: plan.Param(5), Conditional: true}},
				overlaps: []plan.Overlap{behind(0, 2, 4), behind(0, 4, 4)},
				min:      8, block: 8, strip: 64, partial: true},
		}})
	}, map[string]string{"divideKernel": `{
	at := func(p unsafe.Pointer, i int) *int32 { return (*int32)(unsafe.Add(p, 4*i)) }
	r1 = total0
block:
	for ; r0+8 <= n; r0 += 8 {
		for i := i0+r0; i < i0+r0+8; i++ {
			if *at(x, i) != 0 && (i >= i0+n1 || *at(y, i) == 0 || *at(y, i) == 99) {
				break block
			}
		}
		for i := i0+r0; i < i0+r0+8; i++ {
			if *at(x, i) != 0 {
				*at(dst, i) = *at(x, i) / *at(y, i)
				r1 += *at(dst, i)
			}
		}
	}
	return
}`}, `
	for n := range 300 {
		for _, ny := range []int{n, n/2, n/3} {
			for special := range 40 {
				x, y := make([]int32, n), make([]int32, ny)
				for i := range x { x[i] = int32(i+3)*1000 }
				for i := range y {
					y[i] = int32(i%5)+1
					if special > 30 && i % (special-30) == 0 { y[i] = 99 }
					if special == 3 && i == n/4 { y[i] = 0 }
				}
				if special > 20 { for i := ny; i < n; i++ { x[i] = 0 } }
				equal(func(f func(dst, x, y []int32) int32) (any, any) {
					dst := make([]int32, n)
					t := int32(0)
					p := try(func() { t = f(dst, x, y) })
					return []any{dst, t}, p
				}, divide, Divide)
			}
		}
	}`},

	{"search", `package p

//vec:func Index
func index(x []int32, want int32) int {
	at := -1
loop:
	for i, v := range x {
		switch {
		case v == want:
			at = i
			break loop
		case v < 0:
			continue loop
		}
	}
	return at
}
`, func(b *builder) {
		b.twin("index", "Index", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), value("want", "want", vir.I32), counter()},
			states: []stateSpec{{param: 3, out: advance(3, 1)}},
			kernel: &kernelSpec{name: "indexKernel", args: []plan.Arg{arg(0), arg(2), arg(3), count},
				trip: upTo(3, 1), min: 8, block: 8, strip: 1 << 15, partial: true},
		}})
	}, map[string]string{"indexKernel": `{
	for ; r0+8 <= n; r0 += 8 {
		for k := range 8 {
			if *(*int32)(unsafe.Add(x, 4*(i0+r0+k))) == want { return }
		}
	}
	return
}`}, `
	for n := range 70 {
		for k := range 70 {
			equal(func(f func([]int32, int32) int) (any, any) {
				x := make([]int32, n)
				for i := range x { x[i] = int32(i) }
				return f(x, int32(k)), nil
			}, index, Index)
		}
	}`},

	{"two-loops", `package p

//vec:func Both
func both(a float32, x, y []float32) float32 {
	const half = 0.5
	type pair struct{ a, b float32 }
	for i := range y {
		y[i] += a * x[i]
	}
	p := pair{half * a, a}
	for i := range y {
		y[i] += a * x[i]
	}
	return p.a + p.a*p.b
}
`, func(b *builder) {
		b.twin("both", "Both", []loopSpec{elementwise(0, "bothKernel"), elementwise(1, "bothKernel2")})
	}, map[string]string{"bothKernel": simAxpy, "bothKernel2": simAxpy}, `
	for n := range 50 {
		equal(func(f func(float32, []float32, []float32) float32) (any, any) {
			x, y := make([]float32, n), make([]float32, n)
			for i := range x { x[i], y[i] = float32(i), float32(i*i) }
			return []any{f(2, x, y), y}, nil
		}, both, Both)
	}`},

	{"rows", `package p

//vec:func AddRows
func addRows(c, a [][]float32, n int) {
rows:
	for i := range c {
		if len(c[i]) == 0 {
			continue rows
		}
		for j := 0; j < n; j++ {
			c[i][j] += a[i][j]
		}
	}
}
`, func(b *builder) {
		row := func(name, expr string, kind frontend.ParamKind, e vir.Elem) paramSpec {
			return paramSpec{name: name, kind: kind, expr: expr, vir: e, inRange: []string{expr}}
		}
		b.twin("addRows", "AddRows", []loopSpec{{loop: 1,
			params: []paramSpec{
				row("c", "c[i]", frontend.ParamSliceData, vir.Ptr), row("c_len", "c[i]", frontend.ParamLen, vir.I64),
				row("a", "a[i]", frontend.ParamSliceData, vir.Ptr), row("a_len", "a[i]", frontend.ParamLen, vir.I64),
				value("n", "n", vir.I64), value("j0", "j", vir.I64)},
			states: []stateSpec{{param: 5, name: "j", out: advance(5, 1), init: zero()}},
			kernel: &kernelSpec{name: "addRowsKernel", args: []plan.Arg{arg(0), arg(2), arg(5), count},
				trip: upTo(5, 4), bounds: []plan.Bound{inLen(5, 1), inLen(5, 3)}, overlaps: []plan.Overlap{behind(0, 2, 4)},
				min: 8, block: 32, strip: 1 << 15},
		}})
	}, map[string]string{"addRowsKernel": `{
	for ; r0 < n/8*8; r0++ {
		*(*float32)(unsafe.Add(c, 4*(j0+r0))) += *(*float32)(unsafe.Add(a, 4*(j0+r0)))
	}
	return
}`}, `
	for n := -1; n < 40; n++ {
		for _, short := range []int{0, 3, 20, 39} {
			for _, rows := range []int{2, 3} {
				equal(func(f func(c, a [][]float32, n int)) (any, any) {
					c, a := make([][]float32, 3), make([][]float32, rows)
					for i := range c { c[i] = make([]float32, 40) }
					for i := range a { a[i] = make([]float32, 40); for j := range a[i] { a[i][j] = float32(i*j) } }
					a[1] = a[1][:short]
					p := try(func() { f(c, a, n) })
					return c, p
				}, addRows, AddRows)
			}
		}
	}`},

	{"searches", `package p

//vec:func Zeros
func zeros(dst []int, x []int32) {
	for k := range dst {
		i := 0
		for i < len(x) {
			if x[i] == 0 {
				break
			}
			i++
		}
		dst[k] = i
	}
}
`, func(b *builder) {
		b.twin("zeros", "Zeros", []loopSpec{{
			loop:   1,
			params: []paramSpec{slice("x", "x"), length("x"), value("i0", "i", vir.I64)},
			states: []stateSpec{{param: 2, name: "i", out: advance(2, 1)}},
			kernel: &kernelSpec{name: "zerosKernel", args: []plan.Arg{arg(0), arg(2), count}, trip: upTo(2, 1), bounds: []plan.Bound{inLen(2, 1)},
				min: 20, block: 8, strip: 1 << 15, first: 4, partial: true},
		}})
	}, map[string]string{"zerosKernel": `{
	calls++
	for ; r0+8 <= n; r0 += 8 {
		for _, v := range unsafe.Slice((*int32)(unsafe.Add(x, 4*(i0+r0))), 8) {
			if v == 0 {
				return
			}
		}
	}
	return
}

var calls int

func kernels() bool { return cpu.AVX2 }`}, `
	for _, c := range []struct{ zero, calls int }{{3, 0}, {39, 0}, {40, 100}, {50, 100}} {
		x := make([]int32, 300)
		for i := range x { x[i] = int32(i-c.zero) }
		calls = 0
		equal(func(f func([]int, []int32)) ([]int, any) {
			dst := make([]int, 100)
			f(dst, x)
			return dst, nil
		}, zeros, Zeros)
		if kernels() && calls != c.calls {
			panic(fmt.Sprintf("a zero at %d: %d calls, want %d", c.zero, calls, c.calls))
		}
	}`},

	{"literals", `package p

import "sync"

//vec:func Zeros
func zeros(dst []int, x []int32) {
	parallel(len(dst), func(from, to int) {
		for k := from; k < to; k++ {
			i := 0
			for i < len(x) {
				if x[i] == 0 {
					break
				}
				i++
			}
			dst[k] = i
		}
	})
}

func parallel(n int, f func(from, to int)) {
	var all sync.WaitGroup
	for from := 0; from < n; from += 10 {
		all.Add(1)
		go func() {
			defer all.Done()
			f(from, min(from+10, n))
		}()
	}
	all.Wait()
}
`, func(b *builder) {
		b.twin("zeros", "Zeros", []loopSpec{{
			loop:   1,
			params: []paramSpec{slice("x", "x"), length("x"), value("i0", "i", vir.I64)},
			states: []stateSpec{{param: 2, name: "i", out: advance(2, 1)}},
			kernel: &kernelSpec{name: "zerosKernel", args: []plan.Arg{arg(0), arg(2), count}, trip: upTo(2, 1), bounds: []plan.Bound{inLen(2, 1)},
				min: 20, block: 8, strip: 1 << 15, first: 4, partial: true},
		}})
	}, map[string]string{"zerosKernel": `{
	for ; r0+8 <= n; r0 += 8 {
		for _, v := range unsafe.Slice((*int32)(unsafe.Add(x, 4*(i0+r0))), 8) {
			if v == 0 {
				return
			}
		}
	}
	return
}`}, `
	for _, zero := range []int{3, 6, 15, 50, 300} {
		x := make([]int32, 300)
		for i := range x { x[i] = int32(i-zero) }
		equal(func(f func([]int, []int32)) ([]int, any) {
			dst := make([]int, 100)
			f(dst, x)
			return dst, nil
		}, zeros, Zeros)
	}`},

	{"stopped", `package p

//vec:func Spaces
func spaces(x []byte) int {
	i := 0
	for i < len(x) && x[i] == ' ' {
		i++
	}
	return i
}
`, func(b *builder) {
		b.twin("spaces", "Spaces", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), value("i0", "i", vir.I64)},
			states: []stateSpec{{param: 2, name: "i", out: advance(2, 1)}},
			stops:  true,
			kernel: &kernelSpec{name: "spacesKernel", args: []plan.Arg{arg(0), arg(2), count}, trip: upTo(2, 1), bounds: []plan.Bound{inLen(2, 1)},
				min: 20, block: 8, strip: 1 << 15, first: 4, partial: true},
		}})
	}, map[string]string{"spacesKernel": `{
	calls++
	for ; r0+8 <= n; r0 += 8 {
		if string(unsafe.Slice((*byte)(unsafe.Add(x, i0+r0)), 8)) != "        " {
			return
		}
	}
	return
}

var calls int

func kernels() bool { return cpu.AVX2 }`}, `
	for n := range 60 {
		for begin := range n + 1 {
			x := make([]byte, n)
			for i := range begin { x[i] = ' ' }
			calls = 0
			equal(func(f func([]byte) int) (int, any) { return f(x), nil }, spaces, Spaces)
			if kernels() && (calls > 0) != (n >= 20 && begin >= 4) {
				panic(fmt.Sprintf("%d calls for %d spaces of %d", calls, begin, n))
			}
		}
	}`},

	{"labels", `package p

//vec:func Labels
func labels(x []int32, again bool) (n int32) {
	if again {
		goto loop
	}
	n = 1
loop:
	for i := uint8(0); i < uint8(len(x)); i++ {
	inner:
		switch {
		case x[i] < 0:
			continue loop
		case x[i] == 7:
			break inner
		default:
			n += x[i]
		}
	}
	if again {
		again = false
		goto loop
	}
	return n
}
`, func(b *builder) {
		zext := func(p int) *plan.Expr { return plan.Zext(plan.Param(p), 8) }
		b.twin("labels", "Labels", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), value("limit", "uint8(len(x))", vir.I8), value("i0", "i", vir.I8), value("n0", "n", vir.I32)},
			states: []stateSpec{
				{param: 3, name: "i", init: zero(), out: plan.Out{Kind: plan.OutExpr, Expr: plan.Add(plan.Param(3), plan.Done())}},
				{param: 4, name: "n", out: plan.Out{Kind: plan.OutResult, Index: 1}}},
			kernel: &kernelSpec{name: "labelsKernel", args: []plan.Arg{arg(0), arg(3), arg(4), count}, results: []vir.Elem{vir.I32},
				trip:     plan.Trip{Cond: plan.Less, Unsigned: true, Start: zext(3), Limit: zext(2), Step: 1},
				bounds:   []plan.Bound{{Start: zext(3), Step: 1, Lo: plan.Const(0), Hi: plan.Param(1)}},
				overlaps: []plan.Overlap{behind(0, 0, 4)},
				min:      8, block: 8, strip: 64},
		}})
	}, map[string]string{"labelsKernel": `{
	r1 = n0
	for ; r0 < n/8*8; r0++ {
		if v := *(*int32)(unsafe.Add(x, 4*(int(i0)+r0))); v >= 0 && v != 7 { r1 += v }
	}
	return
}`}, `
	for n := range 300 {
		for _, again := range []bool{false, true} {
			equal(func(f func([]int32, bool) int32) (any, any) {
				x := make([]int32, n)
				for i := range x { x[i] = int32(i%11)-3 }
				return f(x, again), nil
			}, labels, Labels)
		}
	}`},

	{"integers", `package p

//vec:func Ramp
func ramp(dst []uint16, k uint16) (last uint16) {
	for last = range k {
		dst[last] = last
	}
	for i := range 40 {
		i *= 2
		dst[i] ^= uint16(i)
	}
	return
}
`, func(b *builder) {
		zext := func(p int) *plan.Expr { return plan.Zext(plan.Param(p), 16) }
		b.twin("ramp", "Ramp", []loopSpec{{
			params: []paramSpec{slice("dst", "dst"), length("dst"), value("k", "k", vir.I16), {name: "i0", kind: frontend.ParamCounter, vir: vir.I16}, value("last0", "last", vir.I16)},
			states: []stateSpec{{param: 3, out: plan.Out{Kind: plan.OutExpr, Expr: plan.Add(zext(3), plan.Done())}},
				{param: 4, name: "last", out: plan.Out{Kind: plan.OutExpr, Expr: plan.Sub(plan.Add(zext(3), plan.Done()), plan.Const(1))}}},
			kernel: &kernelSpec{name: "rampKernel", args: []plan.Arg{arg(0), arg(3), count},
				trip:   plan.Trip{Cond: plan.Less, Unsigned: true, Start: zext(3), Limit: zext(2), Step: 1},
				bounds: []plan.Bound{{Start: zext(3), Step: 1, Lo: plan.Const(0), Hi: plan.Param(1)}},
				min:    8, block: 16, strip: 64},
		}, {loop: 1,
			params: []paramSpec{slice("dst", "dst"), length("dst"), counter()},
			states: []stateSpec{{param: 2, out: advance(2, 1)}},
			kernel: &kernelSpec{name: "evenKernel", args: []plan.Arg{arg(0), arg(2), count},
				trip:   plan.Trip{Cond: plan.Less, Start: plan.Param(2), Limit: plan.Const(40), Step: 1},
				bounds: []plan.Bound{{Start: plan.Mul(plan.Param(2), plan.Const(2)), Step: 2, Lo: plan.Const(0), Hi: plan.Param(1)}},
				min:    8, block: 8, strip: 1 << 15}}})
	}, map[string]string{"rampKernel": `{
	for ; r0 < n/8*8; r0++ { *(*uint16)(unsafe.Add(dst, 2*(int(uint16(i0))+r0))) = uint16(i0)+uint16(r0) }
	return
}`, "evenKernel": `{
	for ; r0 < n/8*8; r0++ { *(*uint16)(unsafe.Add(dst, 4*(i0+r0))) ^= uint16(2*(i0+r0)) }
	return
}`}, `
	for n := range 120 {
		for _, k := range []uint16{0, 1, 7, 8, 9, 30, 100} {
			equal(func(f func([]uint16, uint16) uint16) (any, any) {
				x := make([]uint16, n)
				r := uint16(0)
				p := try(func() { r = f(x, k) })
				return []any{x, r}, p
			}, ramp, Ramp)
		}
	}`},

	{"arrays", `package p

//vec:func Arrays
func arrays(p *[64]int32, q [64]int32) (s int32) {
	for i, v := range p {
		p[i] = v + 1
	}
	for i, v := range q {
		q[(i+1)&63] = v
	}
	return q[5]
}
`, func(b *builder) {
		trip := plan.Trip{Cond: plan.Less, Start: plan.Param(1), Limit: plan.Const(64), Step: 1}
		b.twin("arrays", "Arrays", []loopSpec{{
			params: []paramSpec{{name: "p", kind: frontend.ParamPointer, expr: "p", vir: vir.Ptr, nonNil: []string{"p"}}, counter()},
			states: []stateSpec{{param: 1, out: advance(1, 1)}},
			kernel: &kernelSpec{name: "arrayKernel", args: []plan.Arg{arg(0), arg(1), count}, trip: trip, min: 8, block: 8, strip: 1 << 15},
		}, {loop: 1,
			params: []paramSpec{{name: "q", kind: frontend.ParamAddress, expr: "q", vir: vir.Ptr}, counter()},
			states: []stateSpec{{param: 1, out: advance(1, 1)}},
			kernel: &kernelSpec{name: "copyKernel", args: []plan.Arg{arg(0), arg(1), count}, trip: trip, min: 8, block: 8, strip: 1 << 15},
		}})
	}, map[string]string{"arrayKernel": `{
	for ; r0 < n/8*8 && r0 < 16; r0++ { *(*int32)(unsafe.Add(p, 4*(i0+r0)))++ }
	return
}`, "copyKernel": `{ return 0 }`}, `
	for k := range 2 {
		equal(func(f func(*[64]int32, [64]int32) int32) (any, any) {
			var a [64]int32
			for i := range a { a[i] = int32(i) }
			q, r := a, int32(0)
			p := &a
			if k == 1 { p = nil }
			v := try(func() { r = f(p, q) })
			return []any{a, r}, v
		}, arrays, Arrays)
	}`},

	{"products", `package p

import (
	m "math"
)

type celsius float64

func lerp(a, b, t float64) float64 { return a + t*(b-a) }

func twice[F ~float64](x F) F { return x*2 + x }

func plain(x float64) float64 { return x + 1 }

//vec:func Products
func products(x []float32, c celsius, z complex64, f func() []float64) (s float64, w complex64) {
	for i := range x {
		x[i]++
	}
	d := x[0]*x[1] - (x[2] * x[3])
	d += x[0]*x[1]*x[2] + float32(x[0]*x[2])
	c *= c + 1
	f()[0] *= 2
	s = lerp(s, 1, plain(2)) + m.Sqrt(s*s) + float64(twice(c))
	if s*s > 2*s {
		s -= -s * s / 2
	}
	w = z*z + 1i
	w *= z
	return s + float64(c*2), w
}
`, func(b *builder) {
		b.twin("products", "Products", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), counter()},
			states: []stateSpec{{param: 2, out: advance(2, 1)}},
			kernel: &kernelSpec{name: "incKernel", args: []plan.Arg{arg(0), arg(2), count}, trip: upTo(2, 1), min: 8, block: 8, strip: 1 << 15},
		}})
		b.pkg.Inlined = []frontend.Inlined{{Name: "math.Sqrt", Hash: "0123abcd"}}
	}, map[string]string{"incKernel": `{ return 0 }`}, `
	fused := 0
	for k := range 1000 {
		run := func(f func([]float32, celsius, complex64, func() []float64) (float64, complex64)) (any, any) {
			x := make([]float32, 10)
			for i := range x { x[i] = 1/(float32(i+k)+1.7) }
			y := 1/(float64(k)+0.3)
			s, w := f(x, celsius(y), complex(1.25+float32(y), 3.5*float32(y)), func() []float64 { return []float64{3} })
			return []any{s, w, x}, nil
		}
		equal(run, productsRef, Products)
		if a, _ := run(products); !reflect.DeepEqual(a, first(run(Products))) { fused++ }
	}
	if v3 != (fused > 0) {
		panic(fmt.Sprint("v3 ", v3, ": the original differs ", fused, " times"))
	}`},

	{"hoisted", `package p

//vec:func Hoisted
func hoisted(next func() int, x []int32) int {
	for i, n := next(), len(x)-1; i <= n; i += 3 {
		x[i]--
	}
	return 0
}
`, func(b *builder) {
		b.twin("hoisted", "Hoisted", []loopSpec{{
			params: []paramSpec{slice("x", "x"), length("x"), value("n", "n", vir.I64), value("i0", "i", vir.I64)},
			states: []stateSpec{{param: 3, name: "i", out: advance(3, 3)}},
			kernel: &kernelSpec{name: "hoistedKernel", args: []plan.Arg{arg(0), arg(3), count},
				trip:   plan.Trip{Cond: plan.LessEq, Start: plan.Param(3), Limit: plan.Param(2), Step: 3},
				bounds: []plan.Bound{{Start: plan.Param(3), Step: 3, Lo: plan.Const(0), Hi: plan.Param(1)}},
				min:    4, block: 4, strip: 1 << 15},
		}})
	}, map[string]string{"hoistedKernel": `{
	for ; r0 < n/4*4; r0++ { *(*int32)(unsafe.Add(x, 4*(i0+3*r0)))-- }
	return
}`}, `
	for n := range 40 {
		for start := -2; start < 4; start++ {
			equal(func(f func(func() int, []int32) int) (any, any) {
				x, calls := make([]int32, n), 0
				p := try(func() { f(func() int { calls++; return start }, x) })
				return []any{x, calls}, p
			}, hoisted, Hoisted)
		}
	}`},

	{"stretches", `package p

//vec:func Rotate
func rotate(dst, ring []int32, pos int) {
	for i := range dst {
		dst[i] = ring[(pos+i)%len(ring)]
	}
}
`, func(b *builder) {
		position := plan.Rem(plan.Add(plan.Param(4), plan.Param(5)), plan.Param(3))
		b.twin("rotate", "Rotate", []loopSpec{{
			params: []paramSpec{slice("dst", "dst"), length("dst"), slice("ring", "ring"), length("ring"), value("pos", "pos", vir.I64), counter()},
			states: []stateSpec{{param: 5, out: advance(5, 1)}},
			kernel: &kernelSpec{name: "rotateKernel", args: []plan.Arg{arg(0), arg(2), arg(3), arg(4), arg(5), count}, trip: upTo(5, 1),
				bounds: []plan.Bound{{Start: position, Step: 1, Lo: plan.Const(0), Hi: plan.Param(3), Recurs: plan.Jumps}},
				min:    5, block: 4, strip: 16, complete: true,
				overlaps: []plan.Overlap{{
					A: plan.Stream{Param: 0, Off: plan.Mul(plan.Param(5), plan.Const(4)), Step: 4, Size: 4},
					B: plan.Stream{Param: 2, Off: plan.Mul(position, plan.Const(4)), Step: 4, Size: 4}, Lo: -128, Hi: 0}}},
		}})
	}, map[string]string{"rotateKernel": `{
	for k := range n {
		*(*int32)(unsafe.Add(dst, 4*(i0+k))) = *(*int32)(unsafe.Add(ring, 4*((pos+i0)%ring_len+k)))
	}
	return -1
}`}, `
	for n := range 50 {
		for m := range 60 {
			for pos := -3; pos < 40; pos += 7 {
				data := make([]int32, 200)
				for i := range data { data[i] = int32(i) }
				for _, off := range []int{0, 1, 5, 70} {
					equal(func(f func(dst, ring []int32, pos int)) (any, any) {
						d := append([]int32(nil), data...)
						p := try(func() { f(d[off:off+n], d[40:40+m], pos) })
						return d, p
					}, rotate, Rotate)
				}
			}
		}
	}`},

	{"variadic", `package p

//vec:func Zero
func zero(_ int, xs ...float32) {
	for i := range xs {
		xs[i] = 0
	}
}

//vec:func None
func none(_, y int, zs ...[]float32) (int, error) { return y, nil }
`, func(b *builder) {
		b.twin("zero", "Zero", []loopSpec{{
			params: []paramSpec{slice("xs", "xs"), length("xs"), counter()},
			states: []stateSpec{{param: 2, out: advance(2, 1)}},
			kernel: &kernelSpec{name: "zeroKernel", args: []plan.Arg{arg(0), arg(2), count}, trip: upTo(2, 1), min: 1, block: 8},
		}})
		b.twin("none", "None", nil)
	}, map[string]string{"zeroKernel": `{
	for ; r0 < n; r0++ { *(*float32)(unsafe.Add(xs, 4*(i0+r0))) = 0 }
	return
}`}, `
	equal(func(f func(int, ...float32)) (any, any) {
		x := []float32{1, 2, 3}
		f(0, x...)
		return x, nil
	}, zero, Zero)`},
}
