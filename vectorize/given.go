package vectorize

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// given tries a refused loop again for the case that the steps which are known at run
// time only are 1, or what they are likely to be: those of the counter, i += inc, and of subscripts, x[i*inc]. The
// caller tests that before the loop, and has the loop as written for the rest. The
// kernel is nil when there are no such steps, or the loop is refused still.
func given(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	steps := unknownSteps(r)
	if len(steps) == 0 {
		return nil, nil
	}
	numbers := usual(r, steps)
	one := *r
	one.Fn = withNumbers(r, numbers)
	if storesInPlace(&one) && !storesInPlace(r) {
		return nil, nil // a matrix of one column, whose elements are all the same
	}
	if storesAgain(&one) {
		return nil, nil // rows of several elements, not one behind the other
	}
	var names []string
	for _, i := range steps {
		names = append(names, r.Fn.Params[i].Name)
		opt.bounds = append(opt.bounds, plan.Bound{Start: plan.Param(i), Lo: plan.Const(numbers[i]), Hi: plan.Const(numbers[i] + 1)})
	}
	k, remarks := run(&one, t, opt)
	if k == nil {
		return nil, nil
	}
	opt.made("given", r, t, k)
	last := &remarks[len(remarks)-1]
	last.Args["given"] = names
	last.Msg += ", where " + sayNumbers(names, steps, numbers)
	return k, remarks
}

// storesInPlace reports whether some store goes to one element in all iterations.
func storesInPlace(r *plan.Region) bool {
	sc := scev.New(r)
	for v := range r.Fn.Values {
		if v.Op.IsStore() && v.Index() != nil {
			if a, ok := sc.Affine(v.Index()); ok && a.Step == 0 {
				return true
			}
		}
	}
	return false
}

// storesAgain reports whether iterations store to elements that others have stored to before: by two stores that are a multiple of
// the step apart.
func storesAgain(r *plan.Region) bool {
	sc := scev.New(r)
	type stored struct {
		base, scale, step int64
		start             *plan.Expr
		disp              int64
	}
	var all []stored
	for v := range r.Fn.Values {
		if !v.Op.IsStore() || v.Index() == nil {
			continue
		}
		a, ok := sc.Affine(v.Index())
		if !ok || a.Step == 0 {
			continue
		}
		s := stored{int64(v.Base().ID()), v.Scale, a.Step, a.Start, v.Disp}
		for _, t := range all {
			d, known := scev.Diff(s.start, t.start)
			if known && s.base == t.base && s.scale == t.scale && s.step == t.step {
				if d = d*s.scale + s.disp - t.disp; d != 0 && d%(s.step*s.scale) == 0 {
					return true
				}
			}
		}
		all = append(all, s)
	}
	return false
}

// usual are the numbers that steps are likely to be.
func usual(r *plan.Region, steps []int) map[int]int64 {
	numbers := make(map[int]int64)
	for _, i := range steps {
		if numbers[i] = r.Usual[i]; numbers[i] == 0 {
			numbers[i] = 1
		}
	}
	return numbers
}

// sayNumbers says which number each of steps is, by name.
func sayNumbers(names []string, steps []int, numbers map[int]int64) string {
	var all []string
	ones := true
	for k, i := range steps {
		all = append(all, fmt.Sprintf("%s is %d", names[k], numbers[i]))
		ones = ones && numbers[i] == 1
	}
	if ones && len(names) > 1 {
		return strings.Join(names, " and ") + " are 1"
	}
	return strings.Join(all, " and ")
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

// withNumbers is the function of r with numbers for parameters in its loop. What is computed in front of that stays as it
// is, like the number of iterations: callers count before they know what is given.
func withNumbers(r *plan.Region, numbers map[int]int64) *vir.Func {
	f := r.Fn.Clone()
	b := vir.NewBuilder(f, nil)
	for _, i := range slices.Sorted(maps.Keys(numbers)) {
		var number *vir.Value
		edit.InFront(b, f.Entry().Insts[0], func() { number = b.Int(vir.Scalar(vir.I64), numbers[i]) })
		for _, blk := range f.Blocks[1:] {
			for _, v := range blk.Insts {
				for k, a := range v.Args {
					if a == f.Params[i] {
						v.Args[k] = number
					}
				}
			}
		}
	}
	return f
}
