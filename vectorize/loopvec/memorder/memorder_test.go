package memorder

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/verify"
)

// work counts instructions that are not for nothing, on registers of 32 bytes. Lanes of accesses downwards
// are moved by one.
func work(b *vir.Block) float64 {
	n := 0.0
	for _, v := range b.Insts {
		registers := float64(max(1, v.Type.Size()/32))
		switch v.Op {
		case vir.OpConst, vir.OpPoison, vir.OpSubvec:
		case vir.OpStoreUnit:
			n += max(1, float64(v.Access().Size()/32))
		case vir.OpStoreReverse:
			n += 2 * max(1, float64(v.Access().Size()/32))
		case vir.OpLoadReverse:
			n += 2 * registers
		default:
			n += registers
		}
	}
	return n
}

// TestBlocks shows blocks before and after.
func TestBlocks(t *testing.T) {
	for _, c := range []struct{ name, setup, body, want string }{
		{
			"one field times the others", "", `
	%m = load.unit f32x4 [%p + %t*4]
	%n = load.unit f32x4 [%p + %t*4 + 16]
	%x = shuffle f32x2 %m, %n, {0, 4}
	%y = shuffle f32x2 %m, %n, {1, 5}
	%w = shuffle f32x2 %m, %n, {3, 7}
	%xw = fmul f32x2 %x, %w
	%wy = fmul f32x2 %w, %y
	%s = shuffle f32x4 %xw, %wy, {0, 2, -1, -1}
	%u = shuffle f32x4 %xw, %wy, {1, 3, -1, -1}
	%k = const maskx4 {true, true, false, false}
	store.unit f32x4 %s, [%p + %t*4] mask %k
	store.unit f32x4 %u, [%p + %t*4 + 16] mask %k`, `
	%k = const maskx4 {true, true, false, false}
	%0 = load.unit f32x4 [%p + %t*4]
	%1 = const maskx4 {true, true, false, false}
	%2 = const f32x4 0
	%3 = blend f32x4 %1, %0, %2
	%4 = shuffle f32x4 %0, {3, 3, 3, 3}
	%5 = fmul f32x4 %3, %4
	store.unit f32x4 %5, [%p + %t*4] mask %k
	%6 = load.unit f32x4 [%p + %t*4 + 16]
	%7 = const maskx4 {true, true, false, false}
	%8 = const f32x4 0
	%9 = blend f32x4 %7, %6, %8
	%10 = shuffle f32x4 %6, {3, 3, 3, 3}
	%11 = fmul f32x4 %9, %10
	store.unit f32x4 %11, [%p + %t*4 + 16] mask %k`,
		},
		{
			"fields of other types between floats", "", `
	%m = load.unit i32x4 [%p + %t*4]
	%x = shuffle i32x2 %m, {0, 2}
	%f = bitcast f32x2 %x
	%g = fmul f32x2 %f, %f
	%s = shuffle f32x4 %g, %g, {0, -1, 1, -1}
	%k = const maskx4 {true, false, true, false}
	store.unit f32x4 %s, [%p + %t*4] mask %k`, `
	%k = const maskx4 {true, false, true, false}
	%0 = load.unit i32x4 [%p + %t*4]
	%1 = bitcast f32x4 %0
	%2 = const maskx4 {true, false, true, false}
	%3 = const f32x4 0
	%4 = blend f32x4 %2, %1, %3
	%5 = fmul f32x4 %4, %4
	store.unit f32x4 %5, [%p + %t*4] mask %k`,
		},
		{
			"numbers that are computed with need not be cleared", "", `
	%m = load.unit f32x4 [%p + %t*4]
	%x = shuffle f32x2 %m, {0, 2}
	%y = shuffle f32x2 %m, {1, 3}
	%xx = fmul f32x2 %x, %x
	%yy = fmul f32x2 %y, %y
	%s = shuffle f32x4 %xx, %xx, {0, -1, 1, -1}
	%k = const maskx4 {true, false, true, false}
	store.unit f32x4 %s, [%p + %t*4] mask %k
	store.unit f32x2 %yy, [%p + %t*4 + 64]`, `
	%m = load.unit f32x4 [%p + %t*4]
	%y = shuffle f32x2 %m, {1, 3}
	%yy = fmul f32x2 %y, %y
	%k = const maskx4 {true, false, true, false}
	%0 = load.unit f32x4 [%p + %t*4]
	%1 = fmul f32x4 %0, %0
	store.unit f32x4 %1, [%p + %t*4] mask %k
	store.unit f32x2 %yy, [%p + %t*4 + 64]`,
		},
		{
			"loads before stores that they overlap", "", `
	%m = load.unit f32x4 [%p + %t*4]
	%n = load.unit f32x4 [%p + %t*4 + 16]
	%e = shuffle f32x4 %m, %n, {0, 2, 4, 6}
	%r = fneg f32x4 %e
	%s = shuffle f32x4 %r, {-1, 0, -1, 1}
	%u = shuffle f32x4 %r, {-1, 2, -1, 3}
	%k = const maskx4 {false, true, false, true}
	store.unit f32x4 %s, [%p + %t*4] mask %k
	store.unit f32x4 %u, [%p + %t*4 + 16] mask %k`, `
	%k = const maskx4 {false, true, false, true}
	%0 = load.unit f32x4 [%p + %t*4]
	%1 = shuffle f32x4 %0, {-1, 0, -1, 2}
	%2 = fneg f32x4 %1
	%3 = load.unit f32x4 [%p + %t*4 + 12]
	store.unit f32x4 %2, [%p + %t*4] mask %k
	%4 = fneg f32x4 %3
	store.unit f32x4 %4, [%p + %t*4 + 16] mask %k`,
		},
		{
			"different uniform values", `
	%a4 = broadcast f32x4 %a
	%c4 = broadcast f32x4 %c`, `
	%x = subvec f32x2 %a4, 0
	%y = subvec f32x2 %c4, 0
	%s = shuffle f32x4 %x, %y, {0, 2, 1, 3}
	store.unit f32x4 %s, [%p + %t*4]`, `
	store.unit f32x4 %4, [%p + %t*4]`,
		},
		{
			"downwards, the first iterations first", `
	%a8 = broadcast i64x8 %t`, `
	%x = load.reverse i64x8 [%p + %t*8]
	%y = load.reverse i64x8 [%p + %t*8 - 8]
	%z = add i64x8 %y, %a8
	%le = icmp.slt maskx8 %x, %z
	store.reverse i64x8 %z, [%p + %t*8] mask %le`, `
	%0 = load.unit i64x4 [%p + %t*8 - 24]
	%1 = load.unit i64x4 [%p + %t*8 - 32]
	%2 = subvec i64x4 %a8, 0
	%3 = add i64x4 %1, %2
	%4 = icmp.slt maskx4 %0, %3
	store.unit i64x4 %3, [%p + %t*8 - 24] mask %4
	%5 = load.unit i64x4 [%p + %t*8 - 56]
	%6 = load.unit i64x4 [%p + %t*8 - 64]
	%7 = add i64x4 %6, %2
	%8 = icmp.slt maskx4 %5, %7
	store.unit i64x4 %7, [%p + %t*8 - 56] mask %8`,
		},
		{
			"downwards, but for one load", "", `
	%x = load.reverse i32x8 [%p + %t*4]
	%y = load.unit i32x8 [%p + %t*4 + 8]
	%z = add i32x8 %y, %x
	store.reverse i32x8 %z, [%p + %t*4]`, `
	%0 = load.unit i32x8 [%p + %t*4 + 8]
	%1 = shuffle i32x8 %0, {7, 6, 5, 4, 3, 2, 1, 0}
	%2 = load.unit i32x8 [%p + %t*4 - 28]
	%3 = add i32x8 %1, %2
	store.unit i32x8 %3, [%p + %t*4 - 28]`,
		},
		{
			"more loads upwards stay", "", `
	%x = load.unit i32x8 [%p + %t*4]
	%y = load.unit i32x8 [%p + %t*4 + 8]
	%z = add i32x8 %y, %x
	store.reverse i32x8 %z, [%p + %t*4]`, "",
		},
		{
			"different operations stay", "", `
	%m = load.unit f32x2 [%p + %t*4]
	%x = fadd f32x2 %m, %m
	%y = fmul f32x2 %m, %m
	%s = shuffle f32x4 %x, %y, {0, 2, 1, 3}
	store.unit f32x4 %s, [%p + %t*4]`, "",
		},
		{
			"no bytes beyond those that are loaded", "", `
	%m = load.unit f32x2 [%p + %t*4]
	%n = load.unit f32x1 [%p + %t*4 + 8]
	%y = concat f32x2 %n, %n
	%x = fneg f32x2 %m
	%z = fneg f32x2 %y
	%s = shuffle f32x4 %x, %z, {0, 1, 2, -1}
	%k = const maskx4 {true, true, true, false}
	store.unit f32x4 %s, [%p + %t*4] mask %k`, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "func @f(%p ptr, %t i64, %a f32, %c f32) () {\nentry:" + c.setup + "\n\tjmp body\nbody:" + c.body + "\n\tret\n}\n"
			f, err := parse.Func(text)
			if err != nil {
				t.Fatal(err)
			}
			before := f.String()
			changed := Block(f.Block("body"), target.AVX2(), work)
			if err := verify.Func(f); err != nil {
				t.Fatalf("%v\n%s", err, f)
			}
			if changed != (c.want != "") || !changed && f.String() != before {
				t.Fatalf("changed: %v\n%s", changed, f)
			}
			if _, got, _ := strings.Cut(f.String(), "\nbody:"); changed && got != c.want+"\n\tret\n}\n" {
				t.Errorf("got%s\nwant%s", got, c.want)
			}
		})
	}
}

// A generator makes blocks that load, rearrange, compute, rearrange and store.
type generator struct {
	rng  *rand.Rand
	b    *vir.Builder
	base *vir.Value
	t    *vir.Value
	elem vir.Elem
	uni  []*vir.Value // uniform values in lanes
}

const memoryLanes = 32 // lanes of memory that the loads of a block cover

func (g *generator) at(lane int) vir.Addr {
	size := int64(g.elem.Size())
	return vir.Addr{Base: g.base, Index: g.t, Scale: size, Disp: int64(lane) * size}
}

// pick is a shuffle of one or two of vs, with undefined lanes if any may be.
func (g *generator) pick(vs []*vir.Value, n int, any bool) *vir.Value {
	x, y := vs[g.rng.IntN(len(vs))], vs[g.rng.IntN(len(vs))]
	lanes := make([]int, n)
	start, step := g.rng.IntN(8), 1+g.rng.IntN(4)
	for k := range lanes {
		lanes[k] = (start + k*step) % (2 * x.Type.Lanes)
		if any && g.rng.IntN(16) == 0 {
			lanes[k] = -1
		} else if g.rng.IntN(8) == 0 {
			lanes[k] = g.rng.IntN(2 * x.Type.Lanes)
		}
	}
	return g.b.Shuffle(vir.Vec(x.Type.Elem, n), lanes, x, y)
}

// begin is a function with uniform values in so many lanes, and an empty body.
func (g *generator) begin(lanes int) *vir.Func {
	f := vir.NewFunc("f")
	g.base, g.t = f.AddParam("p", vir.Scalar(vir.Ptr)), f.AddParam("t", vir.Scalar(vir.I64))
	g.elem = []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64}[g.rng.IntN(4)]
	g.b = vir.NewBuilder(f, f.NewBlock("entry"))
	g.uni = nil
	for i := range 3 {
		x := f.AddParam(fmt.Sprint("u", i), vir.Scalar(g.elem))
		g.uni = append(g.uni, g.b.Op(vir.OpBroadcast, vir.Vec(g.elem, lanes), x))
	}
	body := f.NewBlock("body")
	g.b.Jmp(body)
	g.b.Cur = body
	return f
}

// function is a random function.
func (g *generator) function() *vir.Func {
	f := g.begin(8)
	g.body()
	g.b.Ret()
	return f
}

func (g *generator) body() {
	t := vir.Vec(g.elem, 8)
	var loads, ops, masks []*vir.Value
	for i := 0; i < memoryLanes; i += 8 {
		loads = append(loads, g.b.Load(vir.OpLoadUnit, t, g.at(i), nil))
	}
	kinds := []vir.Op{vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpXor, vir.OpUmin}
	op, second := kinds[g.rng.IntN(len(kinds))], kinds[g.rng.IntN(len(kinds))]
	for range 4 {
		x, y := g.pick(loads, 8, false), g.pick(loads, 8, false)
		switch g.rng.IntN(4) {
		case 0:
			y = g.uni[g.rng.IntN(len(g.uni))]
		case 1:
			y = g.b.Const(t, g.rng.Uint64()>>40)
		}
		v := g.b.Same(op, x, y)
		if g.rng.IntN(4) > 0 {
			v = g.b.Same(second, v, x)
		}
		ops = append(ops, v)
		masks = append(masks, g.b.Cmp(vir.OpIcmpSlt, x, y))
	}
	for range 1 + g.rng.IntN(4) {
		n := 4 << g.rng.IntN(2)
		from := ops
		if g.rng.IntN(6) == 0 {
			from = g.uni
		}
		x := g.pick(from, n, true)
		var mask *vir.Value
		switch m := x.Type.WithElem(vir.Bool); g.rng.IntN(3) {
		case 0:
			bits := make([]uint64, n)
			for i := range bits {
				bits[i] = uint64(g.rng.IntN(4)+2) / 3
			}
			mask = g.b.Lanes(m, bits)
		case 1:
			mask = g.mask(masks, n)
		}
		if mask != nil || !slices.Contains(x.Lanes, -1) {
			g.b.Store(vir.OpStoreUnit, x, g.at(g.rng.IntN(memoryLanes-n)), g.guard(mask, x))
		}
	}
}

// mask is a shuffle of a condition and of lanes that are off.
func (g *generator) mask(masks []*vir.Value, n int) *vir.Value {
	c := masks[g.rng.IntN(len(masks))]
	lanes := make([]int, n)
	for k := range lanes {
		lanes[k] = (k / 2) % 8
		if g.rng.IntN(4) == 0 {
			lanes[k] = 8
		}
	}
	return g.b.Shuffle(vir.Vec(vir.Bool, n), lanes, c, g.b.Const(c.Type, 0))
}

// guard is the mask without lanes in which x has no value.
func (g *generator) guard(mask, x *vir.Value) *vir.Value {
	if mask == nil || !slices.Contains(x.Lanes, -1) {
		return mask
	}
	if mask.Op == vir.OpConst {
		for k, l := range x.Lanes {
			if l < 0 {
				mask.Bits[k] = 0
			}
		}
		return mask
	}
	for k, l := range x.Lanes {
		if l < 0 {
			mask.Lanes[k] = 8
		}
	}
	return mask
}

// TestMemoryIsTheSame runs random functions before and after on the interpreter.
// Memory ends where the loads end.
func TestMemoryIsTheSame(t *testing.T) {
	g := &generator{rng: rand.New(rand.NewPCG(1, 2))}
	t.Run("upwards", func(t *testing.T) { g.same(t, g.function, memoryLanes) })
	t.Run("downwards", func(t *testing.T) { g.same(t, g.downwards, 2*memoryLanes) })
}

func (g *generator) same(t *testing.T, random func() *vir.Func, lanes int) {
	const want = 2000
	changed, shrinking := 0, 0.0
	for n := range want {
		f := random()
		if err := verify.Func(f); err != nil {
			t.Fatalf("%v\n%s", err, f)
		}
		before, old := f.String(), work(f.Block("body"))
		data := make([]byte, lanes*g.elem.Size())
		for i := range data {
			data[i] = byte(g.rng.Uint32())
		}
		args := []uint64{g.rng.Uint64(), g.rng.Uint64(), g.rng.Uint64()}
		left := g.run(t, f, data, args)
		// Whatever can be done is done.
		cost := 1.0
		if Block(f.Block("body"), target.AVX2(), func(*vir.Block) float64 { cost--; return cost }) {
			changed++
			shrinking += work(f.Block("body")) - old
		}
		if err := verify.Func(f); err != nil {
			t.Fatalf("function %d: %v\n%s\n%s", n, err, before, f)
		}
		if got := g.run(t, f, data, args); !slices.Equal(got, left) {
			t.Fatalf("function %d: memory\n%x\nwant\n%x\n%s\n%s", n, got, left, before, f)
		}
	}
	t.Logf("%d of %d functions changed, by %.1f instructions", changed, want, shrinking/float64(changed))
	if changed < want/10 {
		t.Error("hardly any function is changed")
	}
}

// downwards is a random function that goes through some memory downwards and stores to other memory, or to
// what the lane has loaded.
func (g *generator) downwards() *vir.Func {
	n := 4 << g.rng.IntN(3)
	f := g.begin(n)
	t := vir.Vec(g.elem, n)
	values := slices.Clone(g.uni)
	for range 1 + g.rng.IntN(3) {
		op := vir.OpLoadReverse
		if g.rng.IntN(8) == 0 {
			op = vir.OpLoadUnit
		}
		values = append(values, g.b.Load(op, t, g.at(memoryLanes-1-g.rng.IntN(8)), nil))
		if op == vir.OpLoadUnit {
			values[len(values)-1].Disp -= int64((n - 1) * g.elem.Size())
		}
	}
	own := values[len(values)-1]
	for range 1 + g.rng.IntN(4) {
		op := []vir.Op{vir.OpAdd, vir.OpSub, vir.OpXor, vir.OpUmin}[g.rng.IntN(4)]
		values = append(values, g.b.Same(op, values[g.rng.IntN(len(values))], values[g.rng.IntN(len(values))]))
	}
	x := values[len(values)-1]
	var mask *vir.Value
	if g.rng.IntN(2) == 0 {
		mask = g.b.Cmp(vir.OpIcmpSlt, values[g.rng.IntN(len(values))], x)
	}
	at := g.at(2*memoryLanes - 1 - g.rng.IntN(4))
	if g.rng.IntN(2) == 0 && own.Op == vir.OpLoadReverse {
		at.Disp = own.Disp
	}
	g.b.Store(vir.OpStoreReverse, x, at, mask)
	g.b.Ret()
	return f
}

// run gives the memory that f leaves.
func (g *generator) run(t *testing.T, f *vir.Func, data []byte, args []uint64) []byte {
	t.Helper()
	mem := new(interp.Memory)
	p := mem.Alloc("p", slices.Clone(data))
	vals := []interp.Value{p.Ptr(0), interp.Int(0)}
	for _, a := range args {
		vals = append(vals, interp.New(vir.Scalar(g.elem), a<<(64-g.elem.Bits())>>(64-g.elem.Bits())))
	}
	if _, err := interp.Run(f, mem, vals); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	return p.Data
}
