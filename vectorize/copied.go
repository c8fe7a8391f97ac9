package vectorize

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// testCopies adds to k, a kernel of r, the tests that r stores to no memory that stands for a copy of it. They are those of all of
// r, whatever k was made of: passes take such memory for immutable.
func testCopies(k *plan.Kernel, r *plan.Region) {
	if !slices.ContainsFunc(r.Fn.Params, func(p *vir.Value) bool { return p.Param.Copied }) {
		return
	}
	var stored []int
	for v := range r.Fn.Values {
		if v.Op.IsStore() {
			stored = append(stored, slices.Index(r.Fn.Params, alias.Root(v.Base())))
		}
	}
	slices.Sort(stored)
	stored = slices.Compact(stored)
	sc := scev.New(r)
	for i, p := range r.Fn.Params {
		if !p.Param.Copied {
			continue
		}
		for _, s := range stored {
			k.Overlaps = append(k.Overlaps, plan.Overlap{A: allOf(sc, i), B: allOf(sc, s), Disjoint: true})
		}
	}
}

// allOf is all memory of a parameter, of which a region with copies says how much it is.
func allOf(sc *scev.Info, param int) plan.Stream {
	all, ok := sc.Whole(param)
	if !ok {
		panic("vectorize: the size of memory beside a copy is not known")
	}
	return all
}
