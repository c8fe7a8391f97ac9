package vectorize

import (
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/unswitch"
	"github.com/lanewise/lanewise/vir/plan"
)

// stepVersions makes one kernel of two for a loop with accesses whose steps are known at
// run time only, x[i*inc]: one for steps of 1, which are neighbours, or what they are likely to be, and u's, which gathers. The
// kernel is nil when there are no such steps, or nothing is gained.
func stepVersions(r *plan.Region, u *pass.Unit, opt Options) (*plan.Kernel, []diag.Remark) {
	steps := unknownSteps(r)
	if len(steps) == 0 {
		return nil, nil
	}
	numbers := usual(r, steps)
	one := *r
	one.Fn = withNumbers(r, numbers)
	v := &versioned{u: u, masked: true, opt: opt}
	v.add(&one)
	if k := v.kernels[0]; k != nil {
		sayAlike(k.Outs, u.Kernel.Outs, numbers)
	}
	v.units, v.kernels = append(v.units, u), append(v.kernels, u.Kernel)
	k := v.join(r, unswitch.Ask(r, numbers))
	if k == nil {
		return nil, nil
	}
	return k, v.remarks(r, k)
}

// sayAlike has variables of one go on as those of all do, where that is the same for these numbers.
func sayAlike(one, all []plan.Out, numbers map[int]int64) {
	given := func(x *plan.Expr) *plan.Expr {
		if c, ok := numbers[x.Param]; ok && x.Op == plan.ExprParam {
			return plan.Const(c)
		}
		return nil
	}
	for i, o := range all {
		if o.Kind == plan.OutExpr && one[i].Kind == plan.OutExpr && scev.Simplify(o.Expr.Map(given)).Same(scev.Simplify(one[i].Expr)) {
			one[i] = o
		}
	}
}
