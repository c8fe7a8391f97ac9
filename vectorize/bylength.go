package vectorize

import (
	"reflect"
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/unswitch"
	"github.com/lanewise/lanewise/vir/plan"
)

// ByLength makes one kernel for r of two: of outer, whose lanes are iterations of r, for calls in which
// the loop inside has at most short iterations, and of the one that Rows makes, for others. The result is nil where
// that cannot be told before a call, or there is but one way.
//
//	for i := range out {                       br %w <= short, outer, rows
//		for j := range w { ... x[i+j] }   ==>  outer:  x[i+j], x[i+1+j], ...
//		out[i] = ...                           rows:   x[i+j], x[i+j+1], ...
//	}
func ByLength(r *plan.Region, outer *plan.Kernel, short int64, t *target.Target, opt Options) *plan.Kernel {
	if outer.Inner != nil {
		return nil // iterations differ
	}
	rows, _ := Rows(r, r.Clauses, t, opt)
	if rows == nil || rows.Inner == nil || rows.Adjoining || size(t, outer)+size(t, rows) > versionCode {
		return nil
	}
	tree := unswitch.AtMost(r, *rows.Inner, short)
	if tree == nil {
		return nil
	}
	// A bound of all iterations that rows look at one by one ends both kinds of calls.
	for _, b := range outer.Bounds {
		if !b.Conditional && !slices.ContainsFunc(rows.Bounds, func(x plan.Bound) bool { return reflect.DeepEqual(x, b) }) {
			rows.Bounds = append(slices.Clip(rows.Bounds), b)
		}
	}
	k := unswitch.Join(r, tree, []*plan.Kernel{outer, rows})
	if k == nil {
		return nil
	}
	k.Short = short
	k.Redo, k.RedoApart = outer.Redo, outer.RedoApart // rows, which leave none over, may be done again as well
	opt.tidy("bylength", k)
	opt.made("bylength", r, t, k)
	return k
}
