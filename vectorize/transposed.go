package vectorize

import (
	"errors"
	"slices"

	"github.com/lanewise/lanewise/vectorize/even"
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

// evenGain is what rows of one length have to be better by, since others are left to scalar code.
const evenGain = 1.5

// evened takes rows of slices of slices to be of one length, if that is much better than what u is; nil when it is
// not.
func evened(r *plan.Region, u *pass.Unit, err error, opt Options) *pass.Unit {
	var refusal *pass.Refusal
	if err != nil && (!errors.As(err, &refusal) || refusal.Args["error"] == true) || slices.Contains(opt.Skip, "even") || !even.Applies(r) {
		return nil
	}
	opt.even = true
	v, failed := once(r, u.Target, opt)
	if w := transposed(r, v, failed, opt); w != nil {
		v, failed = w, nil
	}
	if failed != nil || err == nil && number(v, "cost")*evenGain >= number(u, "cost") {
		return nil
	}
	return v
}
