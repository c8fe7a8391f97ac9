package native_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

// A dealer is a kernel that deals elements of y to the places of out where x is
// negative, or where it is not. With both, it deals those of y2 too.
type dealer struct {
	cond, elem vir.Elem
	lanes      int
	neg, both  bool
	exact      bool // there is room for what is dealt, and no more
}

// kernel goes through n elements of x with m elements in y and y2.
func (d dealer) kernel(name string) *vir.Func {
	fn := vir.NewFunc(name)
	i64 := vir.Scalar(vir.I64)
	var ps []*vir.Value
	for _, name := range []string{"x", "y", "y2", "out", "out2"} {
		ps = append(ps, fn.AddParam(name, vir.Scalar(vir.Ptr)))
	}
	n, m := fn.AddParam("n", i64), fn.AddParam("m", i64)
	fn.Results = []vir.Type{i64}
	b := vir.NewBuilder(fn, fn.NewBlock("entry"))
	zero := b.Int(i64, 0)
	loop, exit := fn.NewBlock("loop"), fn.NewBlock("exit")
	b.Jmp(loop)
	b.Cur = loop
	i, k := b.Phi(i64), b.Phi(i64)
	at := func(p *vir.Value, i *vir.Value, e vir.Elem) vir.Addr {
		return vir.Addr{Base: p, Index: i, Scale: int64(e.Size())}
	}
	c := b.Load(vir.OpLoadUnit, vir.Vec(d.cond, d.lanes), at(ps[0], i, d.cond), nil)
	mask := b.Cmp(vir.OpIcmpSlt, c, b.Int(c.Type, 0))
	if d.neg {
		mask = b.Op(vir.OpNot, mask.Type, mask)
	}
	hits := b.Op(vir.OpCount, i64, mask)
	room := b.Op(vir.OpSub, i64, m, k)
	if d.exact {
		room = hits
	}
	v := b.Expand(vir.Vec(d.elem, d.lanes), at(ps[1], k, d.elem), room, mask)
	b.Store(vir.OpStoreUnit, v, at(ps[3], i, d.elem), mask)
	if d.both {
		v := b.Expand(vir.Vec(d.cond, d.lanes), at(ps[2], k, d.cond), room, mask)
		old := b.Load(vir.OpLoadUnit, v.Type, at(ps[4], i, d.cond), nil)
		b.Store(vir.OpStoreUnit, b.Op(vir.OpBlend, v.Type, mask, v, old), at(ps[4], i, d.cond), nil)
	}
	k1 := b.Same(vir.OpAdd, k, hits)
	i1 := b.Same(vir.OpAdd, i, b.Int(i64, int64(d.lanes)))
	b.Br(b.Cmp(vir.OpIcmpSlt, i1, n), loop, exit)
	i.Args, k.Args = []*vir.Value{zero, i1}, []*vir.Value{zero, k1}
	b.Cur = exit
	b.Ret(k1)
	return fn
}

// TestExpandingLoads deals elements of all sizes under masks of all sizes. There are
// just as many as are dealt, or some more, so that blocks near the end have no room
// for whole registers.
func TestExpandingLoads(t *testing.T) {
	var fns []*vir.Func
	var cases []native.Case
	byName := make(map[string]*vir.Func)
	rng := rand.New(rand.NewPCG(18, 18))
	for _, e := range dataElems {
		for _, cond := range []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64} {
			for lanes := 1; lanes*max(e.Size(), cond.Size()) <= 128; lanes *= 2 {
				n := len(fns)
				d := dealer{cond, e, lanes, n%2 == 1, n%3 == 0, n%7 == 0}
				fn := d.kernel(fmt.Sprintf("deal%d", n))
				if err := verify.Func(fn); err != nil {
					t.Fatalf("%v\n%s", err, fn)
				}
				fns, byName[fn.Name] = append(fns, fn), fn
				xs := patterns(lanes)
				cases = append(cases, d.run(fn.Name, rng, xs, 0), d.run(fn.Name, rng, xs, 1+rng.IntN(2*lanes)))
				for room := range lanes + 2 {
					// A few blocks, near the end.
					first := rng.IntN(len(xs)/lanes-1) * lanes
					cases = append(cases, d.run(fn.Name, rng, xs[first:first+lanes], room))
				}
			}
		}
	}
	p, err := native.Build(t.TempDir(), fns, level())
	if err != nil {
		t.Fatal(err)
	}
	check(t, p, byName, cases)
	lawful(t, p)
}

// run deals to xs with some elements left in the end.
func (d dealer) run(fn string, rng *rand.Rand, xs []uint64, left int) native.Case {
	size := left
	for _, x := range xs {
		if (x != 0) != d.neg {
			size++
		}
	}
	random := func(n int) []uint64 {
		ys := make([]uint64, n)
		for i := range ys {
			ys[i] = rng.Uint64()
		}
		return ys
	}
	mem := new(interp.Memory)
	x := mem.AllocReadOnly("x", pack(d.cond, xs))
	y := mem.AllocReadOnly("y", pack(d.elem, random(size)))
	y2 := mem.AllocReadOnly("y2", pack(d.cond, random(size)))
	out := mem.Alloc("out", pack(d.elem, random(len(xs))))
	out2 := mem.Alloc("out2", pack(d.cond, random(len(xs))))
	args := []interp.Value{x.Ptr(0), y.Ptr(0), y2.Ptr(0), out.Ptr(0), out2.Ptr(0), interp.Int(int64(len(xs))), interp.Int(int64(size))}
	return native.Case{Fn: fn, Mem: mem, Args: args}
}
