package generate

import (
	"fmt"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vir/plan"
)

// Loops over arrays. Thresholds of kernels are where they begin to gain, as far as
// estimates go; a loop that never has many more iterations is better left to the compiler,
// which knows how many there are and may clear or copy such an array with an instruction or two.

// briefGain is how much better kernels of loops should be that end soon at any rate.
const briefGain = 1.25

// brief reports whether n has a kernel for a loop of which it is known that it ends soon,
// after count iterations at the latest, and that gains next to nothing with all of them.
func (n *nest) brief() (count int64, brief bool) {
	if !n.voluntary() || n.kernel.Adjoining {
		return 0, false
	}
	cost, scalar, ok := n.cycles()
	if !ok {
		return 0, false
	}
	count, known := n.trips(briefMost + 1)
	if !known {
		if count, known = n.within(); !known {
			return 0, false
		}
	}
	return count, n.speedupOf(count, scalar, cost) < briefGain
}

// briefMost is the largest number of iterations of brief loops.
const briefMost = 16

// A kernel of a loop inside of another one that gains hardly anything, and that with many iterations only, costs those with few more: sums over
// the elements of sparse rows.
const (
	longLeast = 48
	longGain  = 1.3
)

// dropLong drops such kernels of loops inside of n.
func (n *nest) dropLong() {
	for _, k := range n.inside {
		k.dropLong()
		if n.kernel == nil {
			k.dropIfLong()
		}
	}
}

func (n *nest) dropIfLong() {
	if !n.voluntary() || len(n.inside) > 0 || n.kernel.Adjoining || n.kernel.Min < longLeast {
		return
	}
	cost, scalar, ok := n.cycles()
	if _, known := n.trips(mostShort); !ok || known || scalar >= longGain*cost {
		return
	}
	r := n.region
	n.drop(diag.Remark{
		Kind: diag.Missed, ID: "loopvec:Unprofitable", Pos: r.Pos, Func: r.Func, Twin: r.Twin,
		Msg: fmt.Sprintf("lanes are estimated at %.3g cycles per iteration, the scalar loop at %.3g, with %d iterations or more, which loops inside of others seldom have", cost, scalar, n.kernel.Min),
	})
}

// within is the number of iterations behind which some index is out of the bounds of its array.
func (a *attempt) within() (int64, bool) {
	most, known := int64(briefMost), false
	for _, b := range a.kernel.Bounds {
		if b.Conditional || b.Step == 0 || b.Lo.Op != plan.ExprConst || b.Hi.Op != plan.ExprConst {
			continue
		}
		size, step := b.Hi.Const-b.Lo.Const, max(b.Step, -b.Step)
		if 0 < size && 0 < step && step < 1<<30 && size <= most*step {
			most, known = (size+step-1)/step, true
		}
	}
	return most, known
}
