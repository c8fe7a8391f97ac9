package vectorize

import (
	"reflect"
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/jump"
	"github.com/lanewise/lanewise/vectorize/rows"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/unswitch"
	"github.com/lanewise/lanewise/vir/plan"
)

// ByLength makes one kernel for r of two: of outer, whose lanes are iterations of r, for calls in which
// the loop inside has at most short iterations, and of the one that Rows makes, for others. Without that one, others
// are left to the loop inside. The result is nil where it cannot be told before a call, or there is but one way.
//
//	for i := range out {                       br %w <= short, outer, rows
//		for j := range w { ... x[i+j] }   ==>  outer:  x[i+j], x[i+1+j], ...
//		out[i] = ...                           rows:   x[i+j], x[i+j+1], ...
//	}
func ByLength(r *plan.Region, outer *plan.Kernel, short int64, t *target.Target, opt Options) *plan.Kernel {
	trip, ok := innerTrip(r)
	if !ok || outer.Inner != nil {
		return nil // iterations differ
	}
	along, _ := Rows(r, r.Clauses, t, opt)
	if along == nil {
		k := *outer
		k.Inner, k.Short = &trip, short
		return &k
	}
	tree := unswitch.AtMost(r, trip, short)
	if tree == nil || along.Adjoining || size(t, outer)+size(t, along) > versionCode {
		return nil
	}
	// A bound of all iterations that rows look at one by one ends both kinds of calls.
	for _, b := range outer.Bounds {
		if !b.Conditional && !slices.ContainsFunc(along.Bounds, func(x plan.Bound) bool { return reflect.DeepEqual(x, b) }) {
			along.Bounds = append(slices.Clip(along.Bounds), b)
		}
	}
	k := unswitch.Join(r, tree, []*plan.Kernel{outer, along})
	if k == nil {
		return nil
	}
	k.Short = short
	k.Redo, k.RedoApart = outer.Redo, outer.RedoApart // rows, which leave none over, may be done again as well
	opt.tidy("bylength", k)
	opt.made("bylength", r, t, k)
	return k
}

// innerTrip is how often the loop inside of r's runs in each iteration in which the edges do not hold it back.
func innerTrip(r *plan.Region) (t plan.Trip, ok bool) {
	if t, ok = rows.Trip(r); ok {
		return t, true
	}
	if between := jump.Within(r); between != nil {
		return rows.Trip(between.Region)
	}
	return atMost(r)
}

// atMost is how often the loop inside of r's runs at most, if it is one that may be left before.
func atMost(r *plan.Region) (t plan.Trip, ok bool) {
	sc := scev.New(r)
	var last *plan.Expr
	inside, left := 0, false
	for _, l := range sc.Loops().All {
		if l.Depth > 1 {
			inside++
			left = !l.EndsAtHeader()
			last = sc.Last(l)
		}
	}
	if inside != 1 || !left || last == nil || last.Op == plan.ExprConst {
		return t, false
	}
	return plan.Trip{Cond: plan.Less, Start: plan.Const(0), Limit: scev.Simplify(plan.Add(last, plan.Const(1))), Step: 1}, true
}
