package generate

import (
	"fmt"
	"math"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Whether iterations of the outer loop or of the one inside had better be lanes depends on how many
// there are inside: the first ones have no beginning and no end per iteration of the outer loop, the others mostly
// take less for each inside.

// What a choice at run time has to be about: fewer iterations are hardly ever exceeded, more hardly ever reached.
const (
	leastShort = 4
	mostShort  = 1 << 10
)

// worthBoth is the gain from which on short loops inside are worth a kernel of their own: what is tested before a call
// is what both need.
const worthBoth = 2

// byLength gives n a kernel for short loops inside and for long ones, if both promise something.
func (g *packager) byLength(n *nest) (gain float64, ok bool) {
	if g.stages.byLength == nil || n.region.Once || n.asked() || n.forced() || len(n.inside) != 1 || labelled(n.region.Loop) {
		return 0, false
	}
	inner := n.inside[0]
	if len(inner.inside) > 0 || n.gain() <= worthBoth || inner.gain() <= surely {
		return 0, false
	}
	short, ok := n.shortest(inner)
	if !ok {
		return 0, false
	}
	var k *plan.Kernel
	g.try(func() { k = g.stages.byLength(&n.region.Region, n.kernel, short, g.Passes) })
	if k == nil {
		return 0, false
	}
	n.kernel = k
	r := n.region
	n.remarks = append(n.remarks, diag.Remark{
		Kind: diag.Analysis, ID: "loopvec:ByLength", Pos: r.Pos, Func: r.Func, Twin: r.Twin, Args: map[string]any{"short": short},
		Msg: fmt.Sprintf("where the loop inside has more than %d iterations, these are lanes", short),
	})
	return min(n.gain(), inner.gain()), true
}

// shortest is the number of iterations of k, the loop inside of n, from which on it had better be k that is
// vectorized, if that depends on it.
func (n *nest) shortest(k *nest) (short int64, ok bool) {
	if _, known := k.trips(mostShort); known {
		return 0, false
	}
	outer, _, ok := n.cycles()
	inner, _, ok2 := k.cycles()
	saved := outer/vectorize.InnerTrips - inner // by the kernel of k in each of its iterations
	if !ok || !ok2 || saved <= 0 {
		return 0, false
	}
	least := math.Ceil(calling / saved)
	if k.isLeft() {
		least = max(least, leftOften*float64(k.kernel.Min))
	}
	return int64(least), leastShort <= least && least <= mostShort
}

// leftOften is how many times the iterations from which on its kernel begins a loop should have that may be left before: where that
// happens earlier, they are done one by one.
const leftOften = 2

// isLeft reports whether the loop may be left from inside.
func (n *nest) isLeft() bool {
	for v := range n.region.Fn.Values {
		if v.Op == vir.OpExit {
			return true
		}
	}
	return false
}

// A second kernel for loops of few iterations with long ones inside is worth it if that of many begins at manyLanes
// iterations, and it promises muchInside.
const (
	manyLanes  = 8
	muchInside = 4
)

// leavesFew leaves calls in which n has too few iterations for its kernel to the kernel of the one loop inside, if that
// promises much, and reports whether there are such calls.
func (n *nest) leavesFew() bool {
	if n.region.Once || n.asked() || n.forced() || len(n.inside) != 1 || n.kernel.Min < manyLanes || labelled(n.region.Loop) {
		return false
	}
	k := n.inside[0]
	if _, known := n.trips(mostShort); known || len(k.inside) > 0 || k.gain() < muchInside {
		return false
	}
	few := *n.kernel
	few.Few = true
	n.kernel = &few
	return true
}
