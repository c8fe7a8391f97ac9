package target_test

import (
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
)

func every(first, by, n int) (lanes []int) {
	for i := range n {
		lanes = append(lanes, first+i*by)
	}
	return lanes
}

// TestRearrangementCosts states what is free and what is cheaper than what.
func TestRearrangementCosts(t *testing.T) {
	tgt := target.AVX2()
	f32x8, i8x32 := vir.Vec(vir.F32, 8), vir.Vec(vir.I8, 32)
	free := func(what string, c target.Cost) {
		if c != (target.Cost{}) {
			t.Errorf("%s costs %v", what, c)
		}
	}
	less := func(what string, a, b target.Cost) {
		if a.Throughput <= 0 || a.Throughput >= b.Throughput {
			t.Errorf("%s: %v and %v", what, a, b)
		}
	}
	free("joining registers", tgt.ConcatCost(f32x8, 4))
	free("a register of several", tgt.SubvecCost(vir.Vec(vir.F32, 32), 8, 8))
	free("lanes in place", tgt.ShuffleCost(every(0, 1, 8), f32x8))
	free("lanes nobody looks at", tgt.ShuffleCost([]int{-1, -1, -1, -1}, f32x8))
	less("halves of registers", tgt.ConcatCost(vir.Vec(vir.F32, 4), 2), tgt.ConcatCost(vir.Vec(vir.F32, 2), 4))
	two := tgt.ShuffleCost(every(0, 2, 8), f32x8)
	less("stride 2 and 4", two, tgt.ShuffleCost(every(0, 4, 8), f32x8))
	less("stride 2 and a gather", two, tgt.GatherCost(f32x8, vir.I32, false))
	less("within halves and across", tgt.ShuffleCost([]int{1, 0, 3, 2, 5, 4, 7, 6}, f32x8), tgt.ShuffleCost(every(7, -1, 8), f32x8))
	less("bytes apart and one by one", tgt.ShuffleCost(every(0, 3, 32), i8x32), tgt.GatherCost(i8x32, vir.I32, false))
	less("tables of 16 and 256 bytes", tgt.PermuteCost(i8x32, 16), tgt.PermuteCost(i8x32, 256))
	less("256 bytes in registers and loads", tgt.PermuteCost(i8x32, 256), tgt.GatherCost(i8x32, vir.I32, false))
	less("gather and scatter", tgt.GatherCost(f32x8, vir.I32, false), tgt.ScatterCost(f32x8, false))
	less("scatter without and with a mask", tgt.ScatterCost(f32x8, false), tgt.ScatterCost(f32x8, true))
}

// TestCostValueSeesLists asks for the cost of values.
func TestCostValueSeesLists(t *testing.T) {
	tgt := target.AVX2()
	f := vir.NewFunc("f")
	p := f.AddParam("p", vir.Scalar(vir.Ptr))
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	x := b.Load(vir.OpLoadUnit, vir.Vec(vir.F32, 8), vir.Addr{Base: p}, nil)
	i := b.Load(vir.OpLoadUnit, vir.Vec(vir.I32, 8), vir.Addr{Base: p}, nil)
	k := b.Op(vir.OpAdd, i.Type, i, i)
	j := b.Load(vir.OpLoadUnit, i.Type, vir.Addr{Base: p}, nil)
	again := b.Gather(x.Type, vir.Addr{Base: p, Index: j, Scale: 4}, nil)
	if c := tgt.CostValue(again); c.Throughput >= tgt.GatherCost(x.Type, vir.I32, false).Throughput {
		t.Errorf("a gather with the index in memory costs %v", c)
	}
	for _, c := range []struct {
		v    *vir.Value
		want target.Cost
	}{
		{b.Shuffle(x.Type, every(0, 2, 8), x, x), tgt.ShuffleCost(every(0, 2, 8), x.Type)},
		{b.Concat(vir.Vec(vir.F32, 16), x, x), target.Cost{}},
		{b.Gather(x.Type, vir.Addr{Base: p, Index: k, Scale: 4}, nil), tgt.GatherCost(x.Type, vir.I32, false)},
		{b.Gather(x.Type, vir.Addr{Base: p, Index: i, Scale: 4}, nil), tgt.GatherCost(x.Type, vir.I32, false)}, // others read it
		{b.Gather(x.Type, vir.Addr{Base: p, Index: k, Scale: 12}, nil), tgt.GatherCost(x.Type, vir.I64, false)},
		{b.Scatter(x, vir.Addr{Base: p, Index: i, Scale: 4}, nil), tgt.ScatterCost(x.Type, false)},
		{b.Permute(x, i), tgt.PermuteCost(x.Type, 8)},
	} {
		if got := tgt.CostValue(c.v); got != c.want || !tgt.LegalValue(c.v) {
			t.Errorf("%s: %v, want %v", c.v.Inst(), got, c.want)
		}
	}
}
