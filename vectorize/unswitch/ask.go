package unswitch

import (
	"maps"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Ask is the tree whose version 0 is for live-ins of r that all are certain numbers, and version 1 for
// others.
func Ask(r *plan.Region, numbers map[int]int64) *Tree {
	scratch := vir.NewFunc("ask")
	b := vir.NewBuilder(scratch, scratch.NewBlock("entry"))
	var all *vir.Value
	for _, i := range slices.Sorted(maps.Keys(numbers)) {
		p := r.Fn.Params[i]
		is := b.Cmp(vir.OpIcmpEq, p, b.Int(p.Type, numbers[i]))
		if all == nil {
			all = is
		} else {
			all = b.Same(vir.OpAnd, all, is)
		}
	}
	return &Tree{cond: all, fn: r.Fn, yes: &Tree{Version: 0}, no: &Tree{Version: 1}}
}

// AtMost is the tree whose version 0 is for calls before which t, over live-ins of r, has at most n iterations,
// and version 1 for others. It is nil where t has no end that can be told in a kernel.
func AtMost(r *plan.Region, t plan.Trip, n int64) *Tree {
	if t.Start == nil || t.Limit == nil || t.Start.Loads() || t.Limit.Loads() {
		return nil
	}
	scratch := vir.NewFunc("ask")
	b := vir.NewBuilder(scratch, scratch.NewBlock("entry"))
	i64 := vir.Scalar(vir.I64)
	from, to := t.Start.EmitOver(b, r.Fn.Params), t.Limit.EmitOver(b, r.Fn.Params)
	step := t.Step
	if step < 0 {
		from, to, step = to, from, -step
	}
	distance := b.Op(vir.OpSub, i64, to, from)
	few := b.Cmp(vir.OpIcmpSle, distance, b.Int(i64, n*step))
	return &Tree{cond: few, fn: r.Fn, yes: &Tree{Version: 0}, no: &Tree{Version: 1}}
}
