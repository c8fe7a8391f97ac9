package vectorize

import (
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir/plan"
)

// Straight makes a kernel of r that runs its iterations one by one, with groups of equal
// operations within an iteration done as vectors. The kernel is nil when r stays
// scalar. Among the remarks is exactly one of kind Passed (with a kernel) or Missed
// (without), as for Run.
func Straight(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	u := pass.NewUnit(r, t, opt.Limit)
	return nil, append(u.Remarks(), missed(u, pass.Refuse("slp:NoGroups", nil, "no operations stand side by side that are equal")))
}
