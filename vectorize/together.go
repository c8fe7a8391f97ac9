package vectorize

import (
	"errors"
	"slices"

	"github.com/lanewise/lanewise/vectorize/align"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir/plan"
)

// together is the kernel of r whose lanes begin inner loops together, if that is better
// than u, or than nothing; else nil.
func together(r *plan.Region, u *pass.Unit, err error, opt Options) *pass.Unit {
	var refusal *pass.Refusal
	if err != nil && (!errors.As(err, &refusal) || refusal.Args["error"] == true) || slices.Contains(opt.Skip, "align") || !align.Applies(r) {
		return nil
	}
	opt.align = true
	v, failed := once(r, u.Target, opt)
	if failed != nil || err == nil && number(v, "cost") >= number(u, "cost") {
		return nil
	}
	return v
}
