package vectorize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// given tries a refused loop again for the case that the steps which are known at run
// time only are 1: those of the counter, i += inc, and of subscripts, x[i*inc]. The
// caller tests that before the loop, and has the loop as written for the rest. The
// kernel is nil when there are no such steps, or the loop is refused still.
func given(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	steps := unknownSteps(r)
	if len(steps) == 0 {
		return nil, nil
	}
	one := *r
	one.Fn = withOnes(r, steps)
	var names []string
	for _, i := range steps {
		names = append(names, r.Fn.Params[i].Name)
		opt.bounds = append(opt.bounds, plan.Bound{Start: plan.Param(i), Lo: plan.Const(1), Hi: plan.Const(2)})
	}
	k, remarks := run(&one, t, opt)
	if k == nil {
		return nil, nil
	}
	opt.made("given", r, t, k)
	last := &remarks[len(remarks)-1]
	last.Args["given"] = names
	last.Msg += fmt.Sprintf(", where %s %s 1", strings.Join(names, " and "), map[bool]string{true: "is", false: "are"}[len(names) == 1])
	return k, remarks
}

// unknownSteps are the parameters of r that are steps of counters or subscripts, in
// ascending order.
func unknownSteps(r *plan.Region) []int {
	sc := scev.New(r)
	trip, _, _ := sc.Trip()
	var steps []int
	add := func(x *plan.Expr) {
		for _, i := range stepParams(x) {
			if isStep(r, i) && !isLimit(trip, i) && !slices.Contains(steps, i) {
				steps = append(steps, i)
			}
		}
	}
	for _, phi := range r.Fn.Blocks[1].Phis() {
		if a, ok := sc.Evolution(phi); ok && a.StepExpr != nil {
			add(a.StepExpr)
		}
	}
	for v := range r.Fn.Values {
		if !v.Op.IsLoad() && !v.Op.IsStore() || v.Index() == nil {
			continue
		}
		if a, ok := sc.Evolution(v.Index()); ok && a.StepExpr != nil {
			add(a.StepExpr)
		}
	}
	slices.Sort(steps)
	return steps
}

// stepParams are the parameters of which x is a multiple or a sum.
func stepParams(x *plan.Expr) []int {
	if x == nil {
		return nil
	}
	if x.Op == plan.ExprParam {
		return []int{x.Param}
	}
	return append(stepParams(x.X), stepParams(x.Y)...)
}

// isStep reports whether parameter i may be a step that is often 1: an int of the user's
// that stays what it is. Lengths are not, and what a loop around counts with is 1 once at most.
func isStep(r *plan.Region, i int) bool {
	return !slices.Contains(r.Counters, i) && r.IsNumber(i)
}

// isLimit reports whether parameter i ends the loop: where it is 1 there is no second iteration. So it is with
// elements of a column in a square matrix.
func isLimit(t plan.Trip, i int) bool {
	return t.Limit != nil && t.Limit.Op == plan.ExprParam && t.Limit.Param == i
}

// withOnes is the function of r with 1 for the parameters.
func withOnes(r *plan.Region, params []int) *vir.Func {
	f := r.Fn.Clone()
	h := f.Blocks[1]
	b := vir.NewBuilder(f, h)
	one := b.Int(vir.Scalar(vir.I64), 1)
	n := len(h.Phis())
	h.Insts = slices.Insert(h.Insts[:len(h.Insts)-1], n, one)
	for _, blk := range f.Blocks[1:] {
		for _, v := range blk.Insts {
			for k, x := range v.Args {
				if i := slices.Index(f.Params, x); i >= 0 && slices.Contains(params, i) {
					v.Args[k] = one
				}
			}
		}
	}
	return f
}
