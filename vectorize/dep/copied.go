package dep

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// Copies are the tests that r, with all loops inside of it, stores to no memory that stands for a copy of it. However many lanes
// a kernel has, it must not run otherwise.
func Copies(r *plan.Region, sc *scev.Info) ([]plan.Overlap, *scev.Refusal) {
	var tests []plan.Overlap
	for i, p := range r.Fn.Params {
		if !p.Param.Copied {
			continue
		}
		copied, known := sc.Whole(i)
		tested := make(map[int]bool)
		for v := range r.Fn.Values {
			if !v.Op.IsStore() {
				continue
			}
			base := slices.Index(r.Fn.Params, alias.Root(v.Base()))
			if base < 0 || !known {
				return nil, &scev.Refusal{Pos: v.Pos, ID: "dep:Copy", Msg: notKnown}
			}
			stored, known := sc.Whole(base)
			if !known {
				return nil, &scev.Refusal{Pos: v.Pos, ID: "dep:Copy", Msg: notKnown}
			}
			if !tested[base] {
				tests = append(tests, plan.Overlap{A: copied, B: stored, Disjoint: true})
			}
			tested[base] = true
		}
	}
	return tests, nil
}

const notKnown = "the loop works on a copy of memory, and may store to that: it is not known before how much memory it is"
