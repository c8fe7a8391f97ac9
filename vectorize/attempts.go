package vectorize

import (
	"errors"
	"slices"

	"github.com/lanewise/lanewise/vectorize/align"
	"github.com/lanewise/lanewise/vectorize/even"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir/plan"
)

// Loops are tried in more than one way, by passes that are not always wanted. The unit of another way
// is nil where it is not better than what there is: u, or nothing because of err.

// another runs all passes in another way, as opt says by now, unless that is by a pass to be left out or
// something is wrong that it would not mend. The cost has to be less by a factor of gain.
func another(name string, r *plan.Region, u *pass.Unit, err error, opt Options, gain float64, more ...func(*pass.Unit, error) *pass.Unit) *pass.Unit {
	var refusal *pass.Refusal
	if err != nil && (!errors.As(err, &refusal) || refusal.Args["error"] == true) || slices.Contains(opt.Skip, name) {
		return nil
	}
	v, failed := once(r, u.Target, opt)
	for _, try := range more {
		if w := try(v, failed); w != nil {
			v, failed = w, nil
		}
	}
	if failed != nil || err == nil && number(v, "cost")*gain >= number(u, "cost") {
		return nil
	}
	return v
}

// together begins inner loops together.
func together(r *plan.Region, u *pass.Unit, err error, opt Options) *pass.Unit {
	if !align.Applies(r) {
		return nil
	}
	opt.align = true
	return another("align", r, u, err, opt, 1)
}

// transposed does inner loops along rows several elements at a time.
func transposed(r *plan.Region, u *pass.Unit, err error, opt Options) *pass.Unit {
	if !u.Transposable {
		return nil
	}
	opt.blocks = true
	return another("transpose", r, u, err, opt, 1)
}

// evenGain is what rows of one length have to be better by, since others are left to scalar code.
const evenGain = 1.5

// evened takes rows of slices of slices to be of one length, and does them several elements at a time where that
// is better.
func evened(r *plan.Region, u *pass.Unit, err error, opt Options) *pass.Unit {
	if !even.Applies(r) {
		return nil
	}
	opt.even = true
	strips := func(v *pass.Unit, failed error) *pass.Unit { return transposed(r, v, failed, opt) }
	return another("even", r, u, err, opt, evenGain, strips)
}

// smallPause is the iterations of scalar code behind one with a large number: there are more of them then.
const smallPause = 512

// smallGain is what lanes of small numbers have to be better by than scalar code, which is left to do where some
// are large, and lanes of states, which scalar code predicts.
const smallGain = 1.2

// speculated takes numbers in recurrences of minima and maxima to be small.
func speculated(r *plan.Region, u *pass.Unit, err error, opt Options) *pass.Unit {
	if !u.Speculative {
		return nil
	}
	opt.small = true
	v := another("speculate", r, u, err, opt, 1)
	if v == nil || number(v, "cost")*smallGain >= number(v, "scalar") {
		return nil
	}
	v.Kernel.Pause = max(v.Kernel.Pause, smallPause)
	return v
}

// enumerated takes variables of few values to be numbers of states.
func enumerated(r *plan.Region, u *pass.Unit, err error, opt Options) *pass.Unit {
	if !u.Enumerable {
		return nil
	}
	opt.states = true
	v := another("enumerate", r, u, err, opt, 1)
	asked := r.Clauses.Require || r.Clauses.Force || r.Clauses.Simdlen > 0
	if v == nil || !asked && number(v, "cost")*smallGain >= number(v, "scalar") {
		return nil
	}
	return v
}
