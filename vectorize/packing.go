package vectorize

import (
	"fmt"
	"strings"

	"github.com/lanewise/lanewise/backend/target"
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
	res := slp.Run(f, slp.Options{
		Costs: slp.OnTarget(u.Target, f), Bytes: u.Target.VectorBytes,
		Reassoc: u.Region.Clauses.Reassoc, Testable: kernelize.Testable(f, u.Region.Once), Count: u.Count,
	})
	u.Apart = append(u.Apart, res.Apart...)
	u.Summary = map[string]any{"trees": len(res.Trees)}
	if len(res.Trees) == 0 {
		if forced(u.Region.Clauses) {
			return nil
		}
		return pass.Refuse("slp:NoGroups", nil, "no operations stand side by side that are equal")
	}
	var lanes []string
	for _, t := range res.Trees {
		lanes = append(lanes, fmt.Sprintf("%d %s", t.Lanes, t.Seed))
		u.Note("slp:Tree", t.Pos, map[string]any{"tree": t.Text, "cost": t.Cost}, "%d lanes of %s, cost %+.3g:\n%s", t.Lanes, t.Seed, t.Cost, strings.TrimSuffix(t.Text, "\n"))
	}
	u.Summary["lanes"], u.Summary["saved"] = strings.Join(lanes, ", "), -res.Cost
	return nil
}

func forced(c plan.Clauses) bool { return c.Force || c.Require }

// worthwhile refuses a kernel that takes longer than what it replaces, which is r.
func worthwhile(u *pass.Unit, r *plan.Region) error {
	scalar := func(v *vir.Value, readers int) target.Cost { return u.Target.ScalarCost(v, readers) }
	vector := func(v *vir.Value, readers int) target.Cost {
		if v.Type.IsVector() || len(v.Args) > 0 && v.Args[0].Type.IsVector() {
			return u.Target.CostValue(v)
		}
		return u.Target.ScalarCost(v, readers)
	}
	before, after := estimate.Cycles(r.Fn, scalar, r.Once), estimate.Cycles(u.Kernel.Fn, vector, false)
	call := 0.0
	if r.Once {
		call = u.Target.CallCost(len(u.Kernel.Fn.Params), len(u.Kernel.Fn.Results))
	}
	u.Summary["scalar"], u.Summary["vector"], u.Summary["cost"] = before, after, after+call
	switch {
	case forced(r.Clauses) || after+call < before:
		return nil
	case after < before:
		return pass.Refuse("slp:Call", nil, "vectors would take %.3g cycles instead of %.3g, and the call of a kernel %.3g", after, before, call)
	}
	return pass.Refuse("slp:NoGain", nil, "vectors would take %.3g cycles instead of %.3g", after, before)
}

// packed is the remark about a kernel.
func packed(u *pass.Unit) diag.Remark {
	msg := "one kernel call, no groups"
	if lanes := u.Summary["lanes"]; lanes != nil {
		msg = fmt.Sprintf("%s side by side", lanes)
	}
	return u.Remark(diag.Passed, "slp:Vectorized", vir.Pos{}, u.Summary, msg)
}
