package unswitch

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Ask is the tree whose version 0 is for live-ins of r that all are c, and version 1 for
// others.
func Ask(r *plan.Region, params []int, c int64) *Tree {
	scratch := vir.NewFunc("ask")
	b := vir.NewBuilder(scratch, scratch.NewBlock("entry"))
	var all *vir.Value
	for _, i := range params {
		p := r.Fn.Params[i]
		is := b.Cmp(vir.OpIcmpEq, p, b.Int(p.Type, c))
		if all == nil {
			all = is
		} else {
			all = b.Same(vir.OpAnd, all, is)
		}
	}
	return &Tree{cond: all, fn: r.Fn, yes: &Tree{Version: 0}, no: &Tree{Version: 1}}
}
