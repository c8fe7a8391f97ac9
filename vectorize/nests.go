package vectorize

import (
	"errors"
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/decide"
	"github.com/lanewise/lanewise/vectorize/loopvec"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/rows"
	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vectorize/stride"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// InnerTrips is how often an inner loop is taken to run in the costs of a nest.
const InnerTrips = loopvec.InnerTrips

// Rows makes a kernel of r that runs the kernel of the one loop inside of it, for
// callers who know that the inner loop is the one to be vectorized. Clauses are those
// of the inner loop. The kernel is nil when each iteration of r needs a call of its
// own; the remark, of kind Analysis either way, says why, or with "inner" what an iteration of the inner loop takes in it, in
// cycles, 0 if that is not known.
func Rows(r *plan.Region, clauses plan.Clauses, t *target.Target, opt Options) (*plan.Kernel, diag.Remark) {
	whole, bounds := onwards(r, opt)
	k, remark := rowsAnyhow(whole, clauses, t, opt)
	if k != nil {
		k.Bounds = append(k.Bounds, bounds...)
		testCopies(k, r)
	}
	return k, remark
}

// rowsAnyhow is Rows for r as it is, or with its steps taken apart.
func rowsAnyhow(r *plan.Region, clauses plan.Clauses, t *target.Target, opt Options) (*plan.Kernel, diag.Remark) {
	k, remark := rowsOf(r, clauses, t, opt)
	if k != nil || slices.Contains(opt.Skip, "stride") {
		return k, remark
	}
	l := stride.Split(r)
	if l == nil {
		return nil, remark
	}
	k, said := rowsOf(l.Region, clauses, t, opt)
	if k == nil || l.Restore(k) == nil {
		return nil, remark
	}
	k.Bounds = append(k.Bounds, l.Bounds...)
	opt.made("stride", r, t, k)
	return k, said
}

func rowsOf(r *plan.Region, clauses plan.Clauses, t *target.Target, opt Options) (*plan.Kernel, diag.Remark) {
	u := pass.NewUnit(r, t, opt.Limit)
	adjoining, cost := false, 0.0
	runner := pass.Runner{Passes: []pass.Pass{
		{Name: "rows", Required: true, Run: func(u *pass.Unit) error {
			n, err := rows.Split(u.Region, clauses)
			if err != nil {
				return err
			}
			n.Brief = opt.Brief
			k, cycles, scalar, err := inner(n.Inner, t, Options{Verify: opt.Verify, Limit: opt.Limit, Skip: opt.Skip, Watch: opt.Watch, whole: true})
			if err != nil {
				return err
			}
			u.Kernel, err = n.Join(k, scalar-cycles)
			adjoining, cost = n.Adjoining(), cycles
			return err
		}},
		{Name: "tidyrows", Required: true, Run: simplify.Run},
		{Name: "decide", Run: decide.Run},
	}, Dump: opt.Dump, Verify: opt.Verify, Check: opt.watch("nests", r)}
	if err := runner.Run(u); err != nil {
		m := missed(u, err)
		m.Kind = diag.Analysis
		return nil, m
	}
	args := map[string]any{"inner": cost}
	if adjoining {
		return u.Kernel, u.Remark(diag.Analysis, "loopvec:RowsAsOne", vir.Pos{}, args, "a kernel call does many iterations: rows adjoin, and the loop inside goes through all of them")
	}
	return u.Kernel, u.Remark(diag.Analysis, "loopvec:RowsInKernel", vir.Pos{}, args, "a kernel call does many iterations, each with the loop inside of it")
}

// inner is a kernel of the inner loop, and what an iteration takes in it and as written.
func inner(r *plan.Region, t *target.Target, opt Options) (k *plan.Kernel, cost, scalar float64, err error) {
	u, err := once(r, t, opt)
	if v := rerolled(r, u, err, opt); v != nil {
		u, err = v, nil
	}
	var refusal *pass.Refusal
	if errors.As(err, &refusal) && inMemory(refusal.ID) {
		if k, remarks := promoted(r, t, opt); k != nil {
			return k, cycles(remarks), estimated(remarks, "scalar"), nil
		}
	}
	return u.Kernel, number(u, "cost"), number(u, "scalar"), err
}
