package native_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/verify"
)

// masks are the ways to make a mask: of negative elements, as it is or
// complemented, or of those that are left.
var masks = []vir.Op{vir.OpIcmpSlt, vir.OpIcmpNe, vir.OpPrefix}

// conditions are n elements, 0 or negative, in runs of 64 of different
// densities: a run of nothing, of everything, of one, of some.
func condList(n int) []uint64 {
	rng := rand.New(rand.NewPCG(7, 7))
	xs := make([]uint64, n)
	for i := range xs {
		percent := []int{0, 50, 100, 10, 0, 90, 100, 3, 50, 97}[i/64%10]
		if rng.IntN(100) < percent {
			xs[i] = ^uint64(0)
		}
	}
	return xs
}

// maskedCopy is a kernel that stores some elements of y at out, forward or
// backward, in a loop of whole vectors and under a mask in the last one.
func maskedCopy(name string, cond, e vir.Elem, lanes int, mask vir.Op, reverse bool) *vir.Func {
	f := vir.NewFunc(name)
	x, y := f.AddParam("x", vir.Scalar(vir.Ptr)), f.AddParam("y", vir.Scalar(vir.Ptr))
	out := f.AddParam("out", vir.Scalar(vir.Ptr))
	n := f.AddParam("n", vir.Scalar(vir.I64))
	f.Results = []vir.Type{vir.Scalar(vir.I64)}
	entry, loop, exit := f.NewBlock("entry"), f.NewBlock("loop"), f.NewBlock("exit")
	b := vir.NewBuilder(f, entry)
	zero, step := b.Int(vir.Scalar(vir.I64), 0), b.Int(vir.Scalar(vir.I64), int64(lanes))
	b.Jmp(loop)
	b.Cur = loop
	i := b.Phi(vir.Scalar(vir.I64))
	at := func(p *vir.Value, e vir.Elem) vir.Addr {
		return vir.Addr{Base: p, Index: i, Scale: int64(e.Size())}
	}
	var m, under *vir.Value
	if mask == vir.OpPrefix {
		m = b.Op(mask, vir.Type{Elem: vir.Bool, Lanes: lanes}, b.Same(vir.OpSub, n, i))
		under = m
	} else {
		c := b.Load(vir.OpLoadUnit, vir.Type{Elem: cond, Lanes: lanes}, at(x, cond), nil)
		m = b.Cmp(mask, c, b.Int(c.Type, 0))
	}
	v := b.Load(vir.OpLoadUnit, vir.Type{Elem: e, Lanes: lanes}, at(y, e), under)
	to, op := at(out, e), vir.OpStoreUnit
	if reverse {
		last := b.Same(vir.OpSub, b.Same(vir.OpSub, n, b.Int(vir.Scalar(vir.I64), 1)), i)
		to, op = vir.Addr{Base: out, Index: last, Scale: int64(e.Size())}, vir.OpStoreReverse
	}
	b.Store(op, v, to, m)
	next := b.Same(vir.OpAdd, i, step)
	b.Br(b.Cmp(vir.OpIcmpSlt, next, n), loop, exit)
	b.Cur = exit
	b.Ret(next)
	i.Args = []*vir.Value{zero, next}
	return f
}

// TestMaskedStores stores under masks of every density and origin, with either
// way to do it.
func TestMaskedStores(t *testing.T) {
	for _, moves := range []bool{true, false} {
		tgt := level()
		tgt.MaskMoveStores = moves
		t.Run(fmt.Sprintf("moves=%v", moves), func(t *testing.T) { runMasked(t, tgt) })
	}
}

func runMasked(t *testing.T, tgt *target.Target) {
	var fns []*vir.Func
	var cases []native.Case
	byName := make(map[string]*vir.Func)
	rng := rand.New(rand.NewPCG(8, 8))
	turn := 0
	for _, e := range append(append([]vir.Elem{}, intElems...), floatElems...) {
		for _, cond := range []vir.Elem{vir.I8, vir.I32, vir.I64} {
			for _, lanes := range allLanes[1:] {
				turn++
				for k := range 2 * len(masks) {
					if (k+k/2+turn)%2 == 1 {
						continue // the table has the others
					}
					mask, reverse := masks[k/2], k%2 == 1
					n := 640
					if mask == vir.OpPrefix {
						n -= 1 + rng.IntN(63)
					}
					f := maskedCopy(name(mask, cond, e, lanes, reverse), cond, e, lanes, mask, reverse)
					if err := verify.Func(f); err != nil {
						t.Fatalf("%v\n%s", err, f)
					}
					fns, byName[f.Name] = append(fns, f), f
					cases = append(cases, maskedCase(f.Name, rng, cond, e, n))
				}
			}
		}
	}
	p, err := native.Build(t.TempDir(), fns, tgt)
	if err != nil {
		t.Fatal(err)
	}
	check(t, p, byName, cases)
	lawful(t, p)
}

func maskedCase(fn string, rng *rand.Rand, cond, e vir.Elem, n int) native.Case {
	ys := make([]uint64, n)
	for i := range ys {
		ys[i] = rng.Uint64()
	}
	mem := new(interp.Memory)
	x := mem.AllocReadOnly("x", pack(cond, condList(n)))
	y := mem.AllocReadOnly("y", pack(e, ys))
	out := mem.Alloc("out", make([]byte, n*e.Size()))
	return native.Case{Fn: fn, Mem: mem, Args: []interp.Value{x.Ptr(0), y.Ptr(0), out.Ptr(0), interp.Int(int64(n))}}
}
