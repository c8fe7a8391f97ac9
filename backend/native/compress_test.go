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

// A filter is a kernel that keeps elements of y where x is negative, or where it is
// not. With both, it keeps those of x too, under the same mask.
type filter struct {
	cond, elem vir.Elem
	lanes      int
	neg, both  bool
	loop       bool
}

// kernel goes through n elements and returns how many were kept.
func (f filter) kernel(name string) *vir.Func {
	fn := vir.NewFunc(name)
	x, y := fn.AddParam("x", vir.Scalar(vir.Ptr)), fn.AddParam("y", vir.Scalar(vir.Ptr))
	out, out2 := fn.AddParam("out", vir.Scalar(vir.Ptr)), fn.AddParam("out2", vir.Scalar(vir.Ptr))
	i64 := vir.Scalar(vir.I64)
	n := fn.AddParam("n", i64)
	fn.Results = []vir.Type{i64}
	b := vir.NewBuilder(fn, fn.NewBlock("entry"))
	i := b.Int(i64, 0)
	k := i
	loop, exit := fn.NewBlock("loop"), fn.NewBlock("exit")
	b.Jmp(loop)
	b.Cur = loop
	if f.loop {
		i, k = b.Phi(i64), b.Phi(i64)
	}
	at := func(p *vir.Value, i *vir.Value, e vir.Elem) vir.Addr {
		return vir.Addr{Base: p, Index: i, Scale: int64(e.Size())}
	}
	c := b.Load(vir.OpLoadUnit, vir.Vec(f.cond, f.lanes), at(x, i, f.cond), nil)
	v := b.Load(vir.OpLoadUnit, vir.Vec(f.elem, f.lanes), at(y, i, f.elem), nil)
	m := b.Cmp(vir.OpIcmpSlt, c, b.Int(c.Type, 0))
	if f.neg {
		m = b.Op(vir.OpNot, m.Type, m)
	}
	b.Store(vir.OpStoreCompress, v, at(out, k, f.elem), m)
	if f.both {
		b.Store(vir.OpStoreCompress, c, at(out2, k, f.cond), m)
	}
	k1 := b.Same(vir.OpAdd, k, b.Op(vir.OpCount, i64, m))
	if !f.loop {
		b.Jmp(exit)
		b.Cur = exit
		b.Ret(k1)
		return fn
	}
	i1 := b.Same(vir.OpAdd, i, b.Int(i64, int64(f.lanes)))
	b.Br(b.Cmp(vir.OpIcmpSlt, i1, n), loop, exit)
	zero := fn.Entry().Insts[0]
	i.Args, k.Args = []*vir.Value{zero, i1}, []*vir.Value{zero, k1}
	b.Cur = exit
	b.Ret(k1)
	return fn
}

// patterns are elements, 0 or negative, for all masks of 8 lanes and then runs of
// different densities.
func patterns(lanes int) []uint64 {
	var xs []uint64
	for mask := range 256 {
		for lane := range 8 {
			xs = append(xs, -uint64(mask>>lane&1))
		}
	}
	rng := rand.New(rand.NewPCG(9, 9))
	for _, percent := range []int{1, 5, 10, 50, 90, 99} {
		for range 8 * max(8, lanes) {
			x := uint64(0)
			if rng.IntN(100) < percent {
				x = ^x
			}
			xs = append(xs, x)
		}
	}
	return xs
}

// TestCompressStores keeps elements of all sizes under masks of all sizes. What is
// stored to has room for exactly what is kept.
func TestCompressStores(t *testing.T) {
	var fns []*vir.Func
	var cases []native.Case
	byName := make(map[string]*vir.Func)
	rng := rand.New(rand.NewPCG(8, 8))
	count := 0
	add := func(f filter, xs []uint64) {
		name := fmt.Sprintf("filter%d", count)
		count++
		fn := f.kernel(name)
		if err := verify.Func(fn); err != nil {
			t.Fatalf("%v\n%s", err, fn)
		}
		fns, byName[name] = append(fns, fn), fn
		if f.loop {
			cases = append(cases, f.run(name, rng, xs))
			return
		}
		for i := 0; i+f.lanes <= len(xs); i += f.lanes {
			cases = append(cases, f.run(name, rng, xs[i:i+f.lanes]))
		}
	}
	for _, e := range dataElems {
		for _, cond := range []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64} {
			for lanes := 1; lanes*max(e.Size(), cond.Size()) <= 128; lanes *= 2 {
				f := filter{cond, e, lanes, count%2 == 1, count%3 == 0, true}
				add(f, patterns(lanes))
			}
		}
		lanes := 32 / e.Size()
		add(filter{vir.I32, e, lanes, false, true, false}, patterns(lanes)[1024:])
	}
	p, err := native.Build(t.TempDir(), fns, level())
	if err != nil {
		t.Fatal(err)
	}
	check(t, p, byName, cases)
	lawful(t, p)
}

// TestCompressCounts keeps every number of lanes of a block: the first ones, the last
// ones, and some anywhere. The copies out of the frame depend on the number.
func TestCompressCounts(t *testing.T) {
	var fns []*vir.Func
	var cases []native.Case
	byName := make(map[string]*vir.Func)
	rng := rand.New(rand.NewPCG(28, 28))
	for _, e := range []vir.Elem{vir.I8, vir.I16, vir.F32, vir.I64} {
		for lanes := 1; lanes*e.Size() <= 128; lanes *= 2 {
			f := filter{cond: vir.IntElem(e.Size()), elem: e, lanes: lanes}
			fn := f.kernel(fmt.Sprintf("count%d", len(fns)))
			fns, byName[fn.Name] = append(fns, fn), fn
			for n := range lanes + 1 {
				for _, keep := range []func(lane int, order []int) bool{
					func(lane int, _ []int) bool { return lane < n },
					func(lane int, _ []int) bool { return lane >= lanes-n },
					func(lane int, order []int) bool { return order[lane] < n },
				} {
					xs, order := make([]uint64, lanes), rng.Perm(lanes)
					for lane := range xs {
						if keep(lane, order) {
							xs[lane] = ^uint64(0)
						}
					}
					cases = append(cases, f.run(fn.Name, rng, xs))
				}
			}
		}
	}
	p, err := native.Build(t.TempDir(), fns, level())
	if err != nil {
		t.Fatal(err)
	}
	check(t, p, byName, cases)
}

func (f filter) run(fn string, rng *rand.Rand, xs []uint64) native.Case {
	ys := make([]uint64, len(xs))
	kept := 0
	for i := range ys {
		ys[i] = rng.Uint64()
		if (xs[i] != 0) != f.neg {
			kept++
		}
	}
	mem := new(interp.Memory)
	x := mem.AllocReadOnly("x", pack(f.cond, xs))
	y := mem.AllocReadOnly("y", pack(f.elem, ys))
	out := mem.Alloc("out", make([]byte, kept*f.elem.Size()))
	out2 := mem.Alloc("out2", make([]byte, kept*f.cond.Size()))
	args := []interp.Value{x.Ptr(0), y.Ptr(0), out.Ptr(0), out2.Ptr(0), interp.Int(int64(len(xs)))}
	return native.Case{Fn: fn, Mem: mem, Args: args}
}
