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
	if o.Measure != nil {
		o.Measure = remembering(o.Measure)
	}
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

// Routines looks for code that fs have in common. The given functions are not changed. The
// error is that of Measure for the given functions.
func Routines(fs []*vir.Func, o Options) (*Outlining, error) {
	codes, err := o.Measure(fs)
	if err != nil {
		return nil, err
	}
	out := &Outlining{Funcs: fs, Before: total(codes), After: total(codes)}
	for _, stages := range o.Level.orders() {
		s := &selection{Options: o, now: slices.Clone(fs), codes: codes}
		for _, run := range stages {
			if next, err := run(s); err == nil && next.total() < s.total() {
				s = next
			}
		}
		// Callers choose the registers of a routine together: only now is known which.
		if err := s.measure(); err == nil && s.total() < out.After {
			out.Funcs, out.Routines, out.After = s.now, s.routines, s.total()
		}
	}
	out.settle()
	return out, nil
}

// settle divides what is saved by all routines together among them, as each seemed to
// save when it was taken.
func (out *Outlining) settle() {
	sum := 0
	for _, r := range out.Routines {
		sum += r.Gain
	}
	left := out.Before - out.After
	for i := range out.Routines {
		r := &out.Routines[i]
		gain := r.Gain
		r.Gain = gain * left / sum
		left, sum = left-r.Gain, sum-gain
	}
}

// A stage goes on with a selection, of which it makes another one.
type stage func(*selection) (*selection, error)

// whole searches the functions as they are.
func whole(s *selection) (*selection, error) {
	next := &selection{
		Options: s.Options, now: slices.Clone(s.now), codes: slices.Clone(s.codes),
		routines: slices.Clone(s.routines), bytes: s.bytes,
	}
	next.search()
	return next, nil
}

// pieces searches with long vectors in pieces. Functions for which nothing comes of it
// stay as they are.
func pieces(s *selection) (*selection, error) {
	allow := allowed(s.now, s.Level)
	next := &selection{Options: s.Options, routines: slices.Clone(s.routines)}
	for i, f := range s.now {
		next.now = append(next.now, inPieces(f, func(b *vir.Block) bool { return allow(i, b) }))
	}
	if err := next.measure(); err != nil {
		return nil, err
	}
	next.search()
	for i, f := range next.now {
		if calls(f) == calls(s.now[i]) {
			next.now[i] = s.now[i]
		}
	}
	return next, next.measure()
}

// measure finds out how long everything is.
func (s *selection) measure() error {
	all := slices.Clone(s.now)
	for _, r := range s.routines {
		all = append(all, r.Fn)
	}
	codes, err := s.Measure(all)
	if err == nil {
		s.codes, s.bytes = codes[:len(s.now)], total(codes[len(s.now):])
	}
	return err
}

func total(codes []Code) (bytes int) {
	for _, c := range codes {
		bytes += c.Bytes
	}
	return bytes
}

// remembering measures kernels without calls once: nothing but the kernel has a say in what
// these take, and no function changes once it has been measured.
func remembering(measure func([]*vir.Func) ([]Code, error)) func([]*vir.Func) ([]Code, error) {
	known := make(map[*vir.Func]Code)
	return func(fs []*vir.Func) ([]Code, error) {
		var ask []*vir.Func
		for _, f := range fs {
			if _, ok := known[f]; !ok {
				ask = append(ask, f)
			}
		}
		codes, err := measure(ask)
		if err != nil {
			return nil, err
		}
		out := make([]Code, len(fs))
		for i, f := range fs {
			if c, ok := known[f]; ok {
				out[i] = c
				continue
			}
			out[i], codes = codes[0], codes[1:]
			if !f.Local && calls(f) == 0 {
				known[f] = out[i]
			}
		}
		return out, nil
	}
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
