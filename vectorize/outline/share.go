package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Shared are kernels that share code.
type Shared struct {
	Kernels []*plan.Kernel // as they are now, in the order given
	Merged  []Merged
	// Outlining is what became of the functions of Kernels; nil when nobody knows what
	// code costs.
	Outlining *Outlining
}

// Share lets the kernels of a package share code: whole ones first, then what is left of
// them. The kernels given are not changed. The error is that of Measure.
func Share(ks []*plan.Kernel, o Options) (*Shared, error) {
	out := &Shared{}
	out.Kernels, out.Merged = Whole(ks, o)
	if o.Measure == nil || o.Level == None {
		return out, nil
	}
	var fs []*vir.Func
	number := make(map[*vir.Func]int)
	for _, k := range out.Kernels {
		if _, ok := number[k.Fn]; !ok {
			number[k.Fn] = len(fs)
			fs = append(fs, k.Fn)
		}
	}
	var err error
	if out.Outlining, err = Routines(fs, o); err != nil {
		return nil, err
	}
	for i, r := range out.Outlining.Routines {
		out.Outlining.Routines[i].First = slices.IndexFunc(out.Kernels, func(k *plan.Kernel) bool { return number[k.Fn] == r.First })
	}
	for i, k := range out.Kernels {
		with := *k
		with.Fn = out.Outlining.Funcs[number[k.Fn]]
		out.Kernels[i] = &with
	}
	return out, nil
}

// An Outlining is a set of functions that share routines.
type Outlining struct {
	Funcs    []*vir.Func // as given, or with calls
	Routines []Routine
	// Before and After are the bytes of all functions and routines.
	Before, After int
}

// A Routine is code that functions share.
type Routine struct {
	Fn     *vir.Func
	First  int // number of the first function, or kernel, that calls it
	Places int // calls of it
	Gain   int // bytes less by it
}

// Routines looks for code that fs have in common, with long vectors in pieces first, and as
// they are if nothing comes of that. The given functions are not changed. The error is that
// of Measure for the given functions.
func Routines(fs []*vir.Func, o Options) (*Outlining, error) {
	before, err := o.Measure(fs)
	if err != nil {
		return nil, err
	}
	out := &Outlining{Funcs: fs, Before: total(before), After: total(before)}
	if o.Level == None {
		return out, nil
	}
	for _, find := range []func() (*Outlining, error){
		func() (*Outlining, error) { return inParts(fs, o) },
		func() (*Outlining, error) { return routines(fs, o) },
	} {
		if better, err := find(); err == nil && better.After < out.After {
			better.Before = out.Before
			return better, nil
		}
	}
	return out, nil
}

func total(codes []Code) (bytes int) {
	for _, c := range codes {
		bytes += c.Bytes
	}
	return bytes
}

// inParts outlines the functions with long vectors in pieces. Those for which nothing
// comes of it stay as they are.
func inParts(fs []*vir.Func, o Options) (*Outlining, error) {
	allow := allowed(fs, o.Level)
	cut := make([]*vir.Func, len(fs))
	for i, f := range fs {
		cut[i] = inPieces(f, func(b *vir.Block) bool { return allow(i, b) })
	}
	out, err := routines(cut, o)
	if err != nil {
		return nil, err
	}
	for i, f := range out.Funcs {
		if calls(f) == 0 {
			out.Funcs[i] = fs[i]
		}
	}
	all := slices.Clone(out.Funcs)
	for _, r := range out.Routines {
		all = append(all, r.Fn)
	}
	codes, err := o.Measure(all)
	out.After = total(codes)
	return out, err
}

// calls is how many calls f has.
func calls(f *vir.Func) (n int) {
	for v := range f.Values {
		if v.Op == vir.OpCall {
			n++
		}
	}
	return n
}

// allowed tells which blocks may be outlined from: at level Merge those that run at most
// once per call.
func allowed(fs []*vir.Func, level Level) func(fn int, b *vir.Block) bool {
	if level == Size {
		return func(int, *vir.Block) bool { return true }
	}
	forests := make([]*loops.Forest, len(fs))
	for fn, f := range fs {
		forests[fn] = loops.Find(f)
	}
	return func(fn int, b *vir.Block) bool { return forests[fn].Of(b) == nil }
}
