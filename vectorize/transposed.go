package vectorize

import (
	"errors"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir/plan"
)

// transposed does inner loops along rows several elements at a time, if that is better than what u is;
// nil when it is not.
func transposed(r *plan.Region, u *pass.Unit, err error, opt Options) *pass.Unit {
	var refusal *pass.Refusal
	if !u.Transposable || err != nil && (!errors.As(err, &refusal) || refusal.Args["error"] == true) || slices.Contains(opt.Skip, "transpose") {
		return nil
	}
	opt.blocks = true
	v, failed := once(r, u.Target, opt)
	if failed != nil || err == nil && number(v, "cost") >= number(u, "cost") {
		return nil
	}
	return v
}
