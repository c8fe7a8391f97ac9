package vectorize

import (
	"fmt"
	"math"
	"strings"

	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/estimate"
	"github.com/lanewise/lanewise/vectorize/kernelize"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/slp"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// pack makes vectors of groups of equal operations in the kernel of u. Without one the
// region is refused, unless it is to have a kernel at any rate.
func pack(u *pass.Unit) error {
	f := u.Func()
	costs := slp.OnTarget(u.Target, f)
	if u.Generous {
		costs = slp.Generous(costs)
	}
	res := slp.Run(f, slp.Options{
		Costs: costs, Bytes: u.Target.VectorBytes,
		Reassoc: u.Region.Clauses.Reassoc, Testable: kernelize.Testable(f, u.Region.Once), Count: u.Count, Weight: estimate.Weights(f),
	})
	u.Apart = append(u.Apart, res.Apart...)
	u.Summary = map[string]any{"trees": len(res.Trees)}
	if len(res.Trees) == 0 {
		if u.Generous || forced(u.Region.Clauses) {
			return nil
		}
		return pass.Refuse("slp:NoGroups", nil, "no operations stand side by side that are equal")
	}
	var lanes []string
	for _, t := range res.Trees {
		lanes = append(lanes, fmt.Sprintf("%d %s", t.Lanes, t.Seed))
		f.Remark += fmt.Sprintf("%d lanes of %s, cost %+.3g:\n%s", t.Lanes, t.Seed, t.Cost, t.Text)
		u.Note("slp:Tree", t.Pos, map[string]any{"tree": t.Text, "cost": t.Cost}, "%d lanes of %s, cost %+.3g:\n%s", t.Lanes, t.Seed, t.Cost, strings.TrimSuffix(t.Text, "\n"))
	}
	u.Summary["lanes"], u.Summary["saved"] = strings.Join(lanes, ", "), -res.Cost
	return nil
}

func forced(c plan.Clauses) bool { return c.Force || c.Require }

// worthwhile refuses a kernel that takes longer than what it replaces, which is r, with
// loops unrolled as those of u. u has r as the compiler simplifies it, but for memory,
// through which values go as written.
func worthwhile(u *pass.Unit, r *plan.Region) error {
	original := estimate.Of(u.Region.Fn, estimate.Compiled(u.Region.Fn, u.Target.ScalarCost), r.Once)
	original.Latency = estimate.Of(r.Fn, u.Target.ScalarCost, r.Once).Latency
	kernel := estimate.Of(u.Kernel.Fn, u.Target.MixedCost, false)
	turns := turnCost * float64(u.Region.Unrolled)
	before, after := original.Cycles()+turns, kernel.Cycles()
	call := u.Target.CallCost(len(u.Kernel.Fn.Params), len(u.Kernel.Fn.Results))
	if !r.Once { // iterations share the call
		before, after = original.Loop(turns*estimate.Turns), kernel.Loop(0)
		if !u.Generous {
			call += slotCost*float64(u.Slots) + resultWait*float64(len(u.Kernel.Fn.Results)-1)
			u.Kernel.Min = max(u.Kernel.Min, int64(math.Ceil(call*estimate.Turns/max(before-after, 1))))
		}
		call = 0
	}
	u.Summary["scalar"], u.Summary["vector"], u.Summary["cost"] = before, after, after+call
	switch {
	case u.Generous || forced(r.Clauses) || margin*(after+call) < before:
		return nil
	case after < before:
		return pass.Refuse("slp:Call", nil, "vectors would take %.3g cycles instead of %.3g, and the call of a kernel %.3g", after, before, call)
	}
	return pass.Refuse("slp:NoGain", nil, "vectors would take %.3g cycles instead of %.3g", after, before)
}

// margin is how much faster than the code as written a kernel should be: estimates are
// not better than that.
const margin = 1.05

// slotCost is what it takes to load an element into a register, where the call begins, and
// to store it again, in cycles.
const slotCost = 8

// resultWait is how long the caller waits for each variable of a loop: it goes into a register of several and out of
// it again, and both ways through memory, in cycles.
const resultWait = 3

// turnCost is what a turn of a loop takes besides its body, in cycles.
const turnCost = 1

// packed is the remark about a kernel.
func packed(u *pass.Unit) diag.Remark {
	msg := "one kernel call, no groups"
	if lanes := u.Summary["lanes"]; lanes != nil {
		msg = fmt.Sprintf("%s side by side", lanes)
	}
	return u.Remark(diag.Passed, "slp:Vectorized", vir.Pos{}, u.Summary, msg)
}
