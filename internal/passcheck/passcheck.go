// Package passcheck runs regions and kernels in the interpreter behind every pass and
// compares them with what the pass began with, so that a pass that gives a wrong result is
// named. What passes through is the whole pipeline: lanes, nests, rows, straight-line code,
// versions, and the sharing of code in the end.
//
// Region functions are compared as they are: memory, results, panics with what was stored
// before. For kernels the interpreter plays the twin. Poison that reaches a store, an
// address, a mask or a branch is an error of the interpreter, and a result may have less
// of it, never more.
//
// It must not know what passes do; of their units it knows what they take for granted
// and which of them make another region.
package passcheck

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize"
	"github.com/lanewise/lanewise/vectorize/kernelize"
	"github.com/lanewise/lanewise/vectorize/outline"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// A Checker looks at what passes do.
type Checker struct {
	Inputs int // per function behind a pass
	Seed   uint64

	Report func(error) // is told what is wrong
	// Input makes the n-th input of a size for a region; nil for random ones, which regions with
	// other parameters get at any rate.
	Input func(r *plan.Region, n, size int) vectest.Input

	Stats            map[string]*Stats // by pass
	Errors           int
	Usable, Unusable int // runs of what passes begin with

	seen    int // regions so far: calls of the kernels of every other one end as soon as they may
	name    string
	inexact []int // states of the region that may be rounded differently
	units   map[*pass.Unit]*progress
}

// Stats counts what a pass has done.
type Stats struct {
	Runs    int // of the pass
	Changed int // functions
	Inputs  int // that these were compared on
	Panics  int // of them
	Vector  int64
}

// progress is what is known of a unit.
type progress struct {
	ref   *plan.Region // what the unit is compared with
	text  string
	known map[known]outcome // what ref does, as far as it has been asked for
}

// A known input is the n-th of a size.
type known struct{ n, size int }

type outcome struct {
	in   vectest.Input
	want vectest.Outcome
}

// outcome is what ref does with an input.
func (p *progress) outcome(c *Checker, n, size int) outcome {
	o, ok := p.known[known{n, size}]
	if !ok {
		o.in = c.input(p.ref, n, size)
		o.want = vectest.Scalar(p.ref, o.in)
		p.known[known{n, size}] = o
	}
	return o
}

// against makes ref what the unit is compared with.
func (p *progress) against(ref *plan.Region) {
	p.ref, p.known = ref, make(map[known]outcome)
}

// Passes are the names under which passes are counted.
func Passes() (names []string) {
	for _, p := range vectorize.Passes() {
		names = append(names, "loops/"+p.Name)
	}
	for _, p := range vectorize.StraightPasses() {
		names = append(names, "straight/"+p.Name)
	}
	return append(names, "nests/rows", "nests/tidyrows", "unswitch", "given", "peel", "promote", "reroll", "stride", "outline")
}

// Region sends r through everything that makes kernels of a region and returns those that came out.
// inexact are states that may be rounded differently.
func (c *Checker) Region(name string, r *plan.Region, inexact ...int) (ks []*plan.Kernel) {
	c.name, c.inexact, c.units = name, inexact, make(map[*pass.Unit]*progress)
	t := target.AVX2()
	opt := vectorize.Options{Verify: true, Watch: c.watch, Brief: c.seen%2 == 1}
	c.seen++
	attempt := func(run func() *plan.Kernel) {
		defer func() {
			if x := recover(); x != nil {
				c.fail("panic", r.Fn, nil, fmt.Errorf("%v\n%s", x, debug.Stack()))
			}
		}()
		if k := run(); k != nil {
			ks = append(ks, k)
		}
	}
	if !r.Once {
		attempt(func() *plan.Kernel {
			k, remarks := vectorize.Run(r, t, opt)
			c.blame(r, remarks[len(remarks)-1])
			return k
		})
		attempt(func() *plan.Kernel {
			k, remark := vectorize.Rows(r, r.Clauses, t, opt)
			c.blame(r, remark)
			return k
		})
	}
	attempt(func() *plan.Kernel {
		forced := *r
		forced.Clauses.Force = true
		opt := opt
		opt.Generous = true
		k, remarks := vectorize.Straight(&forced, t, opt)
		c.blame(r, remarks[len(remarks)-1])
		return k
	})
	return ks
}

// blame fails if what is said of r is that an invariant broke.
func (c *Checker) blame(r *plan.Region, said diag.Remark) {
	if said.Broken() {
		c.fail(said.ID, r.Fn, nil, fmt.Errorf("%s: %v", said.Msg, said.Args["error"]))
	}
}

func (c *Checker) fail(pass string, before, after *vir.Func, err error) {
	text := ""
	if after != nil {
		text = "\nbehind it:\n" + after.String()
	}
	c.Errors++
	c.Report(fmt.Errorf("%s, pass %s: %w\nit began with:\n%s%s", c.name, pass, err, before, text))
}

func (c *Checker) stats(pass string) *Stats {
	if c.Stats == nil {
		c.Stats = make(map[string]*Stats)
	}
	if c.Stats[pass] == nil {
		c.Stats[pass] = &Stats{}
	}
	return c.Stats[pass]
}

// watch looks at a unit behind a pass.
func (c *Checker) watch(s vectorize.Step) {
	st := c.stats(s.Pass)
	st.Runs++
	p := c.units[s.Unit]
	if p == nil {
		p = &progress{text: s.From.Fn.String()}
		p.against(s.From)
		c.units[s.Unit] = p
	}
	text := s.Unit.Func().String()
	if text == p.text {
		return
	}
	p.text = text
	st.Changed++
	u := s.Unit
	switch s.Pass {
	case "straight/registers": // that is another region, which is compared when it is the old one again
		p.against(copied(u.Region))
		return
	case "straight/restore":
		if u.Restore != nil {
			p.against(s.From)
		}
	}
	if u.Kernel == nil {
		c.regions(s, p, st)
	} else {
		c.kernel(s.Pass, p, u, st)
	}
}

func copied(r *plan.Region) *plan.Region {
	c := *r
	c.Fn = r.Fn.Clone()
	c.State = slices.Clone(r.State)
	return &c
}

// rand is for the n-th input behind a pass: all passes of a unit have the same.
func (c *Checker) rand(n int) *rand.Rand { return rand.New(rand.NewPCG(c.Seed, uint64(n))) }

// input is the n-th input of a size: of random ones every other is in range.
func (c *Checker) input(r *plan.Region, n, size int) vectest.Input {
	if c.Input != nil {
		if in := c.Input(r, n, size); len(in.Args) == len(r.Fn.Params) { // of a loop as it came
			return in
		}
	}
	if n%2 == 0 {
		return vectest.Roomy(r, c.rand(n), size)
	}
	return vectest.Random(r, c.rand(n), size)
}

// early are passes that check earlier than the program does: blocks are handed over then.
var early = []string{"loops/common", "loops/even", "loops/hoist", "loops/speculate", "loops/transpose"}

// checksEarly reports whether pass, or one before it, has made checks of what is none.
func checksEarly(u *pass.Unit, pass string) bool {
	for _, before := range []string{"confine", "early", "enumerate", "even", "room", "settle"} {
		if u.Counts()[before] > 0 {
			return true
		}
	}
	return slices.Contains(early, pass)
}

func (c *Checker) regions(s vectorize.Step, p *progress, st *Stats) {
	u := s.Unit
	a := vectest.Assumption{Peel: u.Peel, Bounds: u.Bounds, Early: checksEarly(u, s.Pass)}
	for n := range c.Inputs {
		o := p.outcome(c, n, 12)
		if len(u.Kept) > 0 && meet(p.ref, o.in) {
			continue // what is kept is right where it is not stored to
		}
		want, err := vectest.SameRegions(p.ref, u.Region, a, o.in, o.want, c.inexact...)
		if !c.count(st, want, p.ref) {
			continue
		}
		if err != nil {
			c.fail(s.Pass, p.ref.Fn, u.Region.Fn, fmt.Errorf("input %d: %w\narguments %v", n, err, o.in.Args))
			return
		}
	}
}

// count counts a run, and reports whether it is one to be compared.
func (c *Checker) count(st *Stats, want vectest.Outcome, ref *plan.Region) bool {
	if !want.Usable() {
		c.Unusable++
		return false
	}
	if errors.As(want.Err, new(interp.Poison)) {
		c.fail("(none)", ref.Fn, nil, want.Err)
		return false
	}
	c.Usable++
	st.Inputs++
	if want.Err != nil {
		st.Panics++
	}
	return true
}

// mostIterations is the most that inputs of kernels have, however large their blocks are.
const mostIterations = 200

// kernel compares the kernel of u with ref.
func (c *Checker) kernel(name string, p *progress, u *pass.Unit, st *Stats) {
	if u.Turns != nil {
		return // variables of the region take turns, as the whole loop does only
	}
	k := u.Kernel
	if len(u.Apart) > 0 {
		guarded := guard(u)
		if guarded == nil {
			return
		}
		k = guarded.Kernel
	}
	if strings.HasPrefix(name, "straight/") {
		c := *k
		c.Min = 1 // whether that pays is no matter
		k = &c
	}
	size := sizeFor(k)
	if strings.HasPrefix(name, "straight/") || p.ref.Once {
		size = 12
	}
	c.compare(name, p, k, u.Copies, size, st)
}

// sizeFor is a size of inputs of which the blocks of k get to do something.
func sizeFor(k *plan.Kernel) int { return min(2*int(max(k.Block, k.Min))+8, mostIterations) }

func (c *Checker) compare(name string, p *progress, k *plan.Kernel, copies, size int, st *Stats) {
	for n := range c.Inputs {
		o := p.outcome(c, n, size)
		if !c.count(st, o.want, p.ref) {
			continue
		}
		twin := &vectest.Twin{Region: p.ref, Kernel: k, Rand: c.rand(-1 - n), Copies: int64(copies)}
		got := twin.Run(o.in)
		st.Vector += twin.Done
		if err := vectest.Same(p.ref, o.want, got, c.inexact...); err != nil {
			c.fail(name, p.ref.Fn, k.Fn, fmt.Errorf("input %d: %w\narguments %v", n, err, o.in.Args))
			return
		}
	}
}

// guard is a copy of u whose kernel tests what passes take for granted; nil when that
// cannot be tested.
func guard(u *pass.Unit) *pass.Unit {
	c, k := *u, *u.Kernel
	same := make(map[*vir.Value]*vir.Value)
	k.Fn = k.Fn.Clone()
	from := values(u.Kernel.Fn)
	for i, v := range values(k.Fn) {
		same[from[i]] = v
	}
	c.Kernel, c.Apart, c.Tested = &k, slices.Clone(u.Apart), slices.Clone(u.Tested)
	for i := range c.Apart {
		for _, r := range []**vir.Value{&c.Apart[i].A.Base, &c.Apart[i].A.Index, &c.Apart[i].B.Base, &c.Apart[i].B.Index} {
			if *r != nil {
				*r = same[*r]
			}
		}
	}
	for i := range c.Tested {
		d := &c.Tested[i]
		d.From, d.To, d.Terms = same[d.From], same[d.To], slices.Clone(d.Terms)
		for j := range d.Terms {
			d.Terms[j].Value = same[d.Terms[j].Value]
		}
	}
	if err := kernelize.Guard(&c); err != nil {
		return nil
	}
	return &c
}

func values(f *vir.Func) []*vir.Value {
	return append(slices.Clone(f.Params), slices.Collect(f.Values)...)
}

// A Made is a kernel with its region.
type Made struct {
	Name    string
	Region  *plan.Region
	Kernel  *plan.Kernel
	Inexact []int
}

// Outline has kernels share code as the files of a package do, and compares them again.
func (c *Checker) Outline(all []Made, measure func([]*vir.Func) ([]outline.Code, error)) {
	st := c.stats("outline")
	var ks []*plan.Kernel
	for i, m := range all {
		k := *m.Kernel
		k.Fn = k.Fn.Clone()
		k.Fn.Name = fmt.Sprintf("k%d", i)
		ks = append(ks, &k)
	}
	out, err := outline.Share(ks, outline.Options{Level: outline.Size, Measure: measure})
	if err != nil {
		c.fail("outline", all[0].Kernel.Fn, nil, err)
		return
	}
	for i, k := range out.Kernels {
		st.Runs++
		if k.Fn.String() == ks[i].Fn.String() {
			continue
		}
		st.Changed++
		m := all[i]
		c.name, c.inexact = m.Name, m.Inexact
		p := &progress{}
		p.against(m.Region)
		c.compare("outline", p, k, 0, sizeFor(k), st)
	}
}

// Table is a table of what the passes did.
func (c *Checker) Table() string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%-22s %8s %8s %8s %8s %10s\n", "pass", "runs", "changed", "inputs", "panics", "iterations")
	names := slices.Sorted(maps.Keys(c.Stats))
	var sum Stats
	for _, n := range names {
		s := c.Stats[n]
		fmt.Fprintf(&sb, "%-22s %8d %8d %8d %8d %10d\n", n, s.Runs, s.Changed, s.Inputs, s.Panics, s.Vector)
		sum.Runs, sum.Changed, sum.Inputs, sum.Panics, sum.Vector = sum.Runs+s.Runs, sum.Changed+s.Changed, sum.Inputs+s.Inputs, sum.Panics+s.Panics, sum.Vector+s.Vector
	}
	fmt.Fprintf(&sb, "%-22s %8d %8d %8d %8d %10d\n", "all", sum.Runs, sum.Changed, sum.Inputs, sum.Panics, sum.Vector)
	fmt.Fprintf(&sb, "runs that could be compared: %d, others: %d", c.Usable, c.Unusable)
	return sb.String()
}

// meet reports whether two slices or arrays of an input share memory.
func meet(r *plan.Region, in vectest.Input) bool {
	type extent struct{ from, to uint64 }
	var all []extent
	for i, p := range r.Fn.Params {
		if p.Type.Elem != vir.Ptr {
			continue
		}
		n := uint64(p.Param.FixedLen)
		if p.Param.Len != nil {
			n = in.Args[slices.Index(r.Fn.Params, p.Param.Len)].Bits[0]
		}
		e := extent{in.Args[i].Bits[0], in.Args[i].Bits[0] + n*uint64(p.Param.ElemSize)}
		if slices.ContainsFunc(all, func(x extent) bool { return x.from < e.to && e.from < x.to }) {
			return true
		}
		all = append(all, e)
	}
	return false
}
