package vectest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// An Assumption is what two regions need to be the same.
type Assumption struct {
	Peel   int64        // iterations that are done before
	Bounds []plan.Bound // of the iterations
	// Early says that the second region may end in a check before the first one does: it is
	// for a kernel, which hands over what it does not like.
	Early bool
}

// SameRegions runs two regions with the same parameters on an input and compares what they leave
// behind. known is the outcome of all of the first one; the outcome is that of the part that is
// compared. Where that is no good (see Usable) nothing is.
func SameRegions(from, to *plan.Region, a Assumption, in Input, known Outcome, inexact ...int) (Outcome, error) {
	bounds := slices.DeleteFunc(slices.Clone(a.Bounds), func(b plan.Bound) bool { return b.Conditional })
	mem, args, err := in.Mem.Clone(), in.Args, error(nil)
	if a.Peel > 0 {
		if args, err = (&Twin{Region: from}).scalar(mem, args, a.Peel); err != nil {
			return Outcome{mem, args, err}, nil
		}
	}
	n := int64(manyIterations)
	for _, b := range bounds {
		n = within(b, params(args), n)
	}
	first := Input{Mem: mem, Args: args}
	want := known
	if a.Peel > 0 || n < manyIterations {
		want = iterations(from, first, n)
	}
	if !want.Usable() {
		return want, nil
	}
	first.Steps = 4 * MaxSteps // a form may take more steps than the one before
	got := iterations(to, first, n)
	if k, ends := endsIn(got.Err); a.Early && ends {
		if before, ends := endsIn(want.Err); ends && before < k {
			return want, fmt.Errorf("ended with %v, not %v", got.Err, want.Err)
		}
		want, got = iterations(from, first, k-1), iterations(to, first, k-1)
	}
	return want, Same(from, want, got, inexact...)
}

// iterations runs at most n of them.
func iterations(r *plan.Region, in Input, n int64) Outcome {
	if n >= manyIterations {
		return Scalar(r, in)
	}
	mem := in.Mem.Clone()
	res, err := (&Twin{Region: r}).scalar(mem, in.Args, n)
	if err == nil {
		res = statesOf(r, res)
	}
	return Outcome{mem, res, err}
}

// endsIn is the iteration, from 1 on, that a check ends in.
func endsIn(err error) (int64, bool) {
	if p, ok := errors.AsType[interp.Panic](err); ok {
		return int64(p.Iter), true
	}
	if x, ok := errors.AsType[interp.Exit](err); ok {
		return int64(x.Iter), true
	}
	return 0, false
}

// statesOf are the state variables among arguments to go on with.
func statesOf(r *plan.Region, args []interp.Value) (out []interp.Value) {
	for _, s := range r.State {
		out = append(out, args[s.Param])
	}
	return out
}

// Usable reports whether something can be compared with o: whether the region has come to an end
// without accesses outside of its memory, of which the input has not enough then.
func (o Outcome) Usable() bool {
	return !errors.As(o.Err, new(interp.StepLimit)) && !errors.As(o.Err, new(interp.Fault))
}
