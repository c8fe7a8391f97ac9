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

// gapsKernel stores lanes of x under the mask at out, which begins with the first
// active lane: what lies before it and behind the last is no memory.
func gapsKernel(name string, t vir.Type, mask []uint64, loop bool) *vir.Func {
	f := vir.NewFunc(name)
	x, out := f.AddParam("x", vir.Scalar(vir.Ptr)), f.AddParam("out", vir.Scalar(vir.Ptr))
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	var round *vir.Value
	if loop {
		body := f.NewBlock("loop")
		b.Jmp(body)
		b.Cur = body
		round = b.Phi(vir.Scalar(vir.I64))
	}
	v := b.Load(vir.OpLoadUnit, t, vir.Addr{Base: x}, nil)
	m := b.Lanes(t.WithElem(vir.Bool), mask)
	first, _ := activeEnds(mask)
	b.Store(vir.OpStoreUnit, v, vir.Addr{Base: out, Disp: -int64(first * t.Elem.Size())}, m)
	if loop {
		twice(b, round)
	}
	b.Ret()
	return f
}

// activeEnds are the first active lane and the one behind the last.
func activeEnds(mask []uint64) (first, end int) {
	first = len(mask)
	for i, m := range mask {
		if m != 0 {
			first, end = min(first, i), i+1
		}
	}
	return first, end
}

// gapMasks are masks for so many lanes: those of structs that are stored but for a
// field, halves, single lanes, and random ones; all of them have an active lane.
func gapMasks(rng *rand.Rand, lanes int) (all [][]uint64) {
	of := func(on func(i int) bool) {
		mask, any := make([]uint64, lanes), false
		for i := range mask {
			if on(i) {
				mask[i], any = 1, true
			}
		}
		if any {
			all = append(all, mask)
		}
	}
	for _, n := range []int{2, 3, 4, 6, 8} {
		of(func(i int) bool { return i%n != n-1 })
		of(func(i int) bool { return i%n == 0 })
		of(func(i int) bool { return i%n*2 >= n })
	}
	of(func(int) bool { return true })
	for range 6 {
		x := rng.Uint64()
		of(func(i int) bool { return x>>i&1 != 0 })
	}
	return all
}

// TestStoresWithGaps stores under constant masks, by pieces and by instruction.
// Gaps keep what they have, and around the active lanes there is no memory.
func TestStoresWithGaps(t *testing.T) {
	for _, moves := range []bool{true, false} {
		tgt := level()
		tgt.MaskMoveStores = moves
		t.Run(fmt.Sprintf("moves=%v", moves), func(t *testing.T) { runGaps(t, tgt) })
	}
}

func runGaps(t *testing.T, tgt *target.Target) {
	var fns []*vir.Func
	var cases []native.Case
	byName := make(map[string]*vir.Func)
	rng := rand.New(rand.NewPCG(9, 9))
	for _, e := range append(append([]vir.Elem{}, intElems...), floatElems...) {
		for _, lanes := range allLanes[1:] {
			for _, mask := range gapMasks(rng, lanes) {
				ty := vir.Vec(e, lanes)
				f := gapsKernel(fmt.Sprintf("gaps%d", len(fns)), ty, mask, len(fns)%3 == 0)
				if err := verify.Func(f); err != nil {
					t.Fatalf("%v\n%s", err, f)
				}
				fns, byName[f.Name] = append(fns, f), f
				cases = append(cases, gapsCase(f.Name, rng, ty, mask))
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

func gapsCase(fn string, rng *rand.Rand, t vir.Type, mask []uint64) native.Case {
	values := func(n int) []byte {
		xs := make([]uint64, n)
		for i := range xs {
			xs[i] = rng.Uint64()
		}
		return pack(t.Elem, xs)
	}
	first, end := activeEnds(mask)
	mem := new(interp.Memory)
	x := mem.AllocReadOnly("x", values(t.Lanes))
	out := mem.Alloc("out", values(end-first))
	return native.Case{Fn: fn, Mem: mem, Args: []interp.Value{x.Ptr(0), out.Ptr(0)}}
}
