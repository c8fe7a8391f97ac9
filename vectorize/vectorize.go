// Package vectorize turns scalar regions into vector kernels, or says why not.
// This file is the table of contents: which passes run and in what order.
//
// Conditions that are known before a loop are dealt with around all passes: see
// versions.go.
//
// It knows vir, plans and targets. It must not know Go syntax, instructions or
// how a kernel is called beyond what plan.Kernel says.
package vectorize

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/align"
	"github.com/lanewise/lanewise/vectorize/canon"
	"github.com/lanewise/lanewise/vectorize/contract"
	"github.com/lanewise/lanewise/vectorize/decide"
	"github.com/lanewise/lanewise/vectorize/dep"
	"github.com/lanewise/lanewise/vectorize/even"
	"github.com/lanewise/lanewise/vectorize/extremes"
	"github.com/lanewise/lanewise/vectorize/flag"
	"github.com/lanewise/lanewise/vectorize/hoist"
	"github.com/lanewise/lanewise/vectorize/ifconv"
	"github.com/lanewise/lanewise/vectorize/jump"
	"github.com/lanewise/lanewise/vectorize/keep"
	"github.com/lanewise/lanewise/vectorize/late"
	"github.com/lanewise/lanewise/vectorize/limits"
	"github.com/lanewise/lanewise/vectorize/loopvec"
	"github.com/lanewise/lanewise/vectorize/narrow"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/peel"
	"github.com/lanewise/lanewise/vectorize/privatize"
	"github.com/lanewise/lanewise/vectorize/reciprocal"
	"github.com/lanewise/lanewise/vectorize/reload"
	"github.com/lanewise/lanewise/vectorize/ring"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vectorize/slide"
	"github.com/lanewise/lanewise/vectorize/stride"
	"github.com/lanewise/lanewise/vectorize/through"
	"github.com/lanewise/lanewise/vectorize/transpose"
	"github.com/lanewise/lanewise/vectorize/unsign"
	"github.com/lanewise/lanewise/vectorize/upfront"
	"github.com/lanewise/lanewise/vectorize/whole"
	"github.com/lanewise/lanewise/vectorize/words"
	"github.com/lanewise/lanewise/vectorize/wrap"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// passes are run in this order. Options name them.
var passes = []pass.Pass{
	{Name: "constants", Doc: "branches whose way constants tell", Run: decide.Constants},
	{Name: "canon", Doc: "inner loops compare their counters themselves", Run: canon.Run},
	{Name: "slide", Doc: "inner loops over windows that go along with the outer one count from 0", Run: slide.Run},
	{Name: "even", Doc: "rows of slices of slices are as long as the first one; where that is better only", Run: even.Run},
	{Name: "align", Doc: "inner loops that begin at numbers of their own are begun together; where that is better only", Run: align.Run},
	{Name: "through", Doc: "counters of inner loops that go on around them become inductions", Run: through.Run},
	{Name: "unsign", Doc: "divisions of what branches keep from being negative are unsigned", Run: unsign.Run},
	{Name: "ifconv", Doc: "straight-line body, control dependence as masks", Required: true, Run: ifconv.Run},
	{Name: "simplify", Doc: "fold, share, cheaper operations", Required: true, Run: simplify.Run},
	{Name: "words", Doc: "numbers that are put together from bytes are loaded at once", Run: words.Run},
	{Name: "wrap", Doc: "variables that lag behind the inductions become formulas", Run: wrap.Run},
	{Name: "settle", Doc: "conditions that hold once variables have been set for the first time, or are in order", Run: loopvec.Settle},
	{Name: "arms", Doc: "what is loaded in front of two arms is not loaded again in one of them", Run: reload.Arms},
	{Name: "stores", Doc: "stores of both arms become one", Run: ifconv.Stores},
	{Name: "early", Doc: "checks that the iteration makes in any case are made at once", Run: ifconv.Early},
	{Name: "unmask", Doc: "safe loads lose their mask", Run: ifconv.Unmask},
	{Name: "resimplify", Doc: "what has no mask any more", Run: simplify.Run},
	{Name: "reload", Doc: "what was loaded or stored is not loaded again behind stores to other memory", Run: reload.Run},
	{Name: "keep", Doc: "elements that inner loops load again by the place they have chosen are kept", Run: keep.Run},
	{Name: "whole", Doc: "elements that a counter places are stored as a whole", Run: whole.Run},
	{Name: "room", Doc: "exits where a counter has reached a limit become checks", Run: loopvec.Room},
	{Name: "reduce", Doc: "one operation between a variable and its next value", Run: loopvec.Reductions},
	{Name: "late", Doc: "what comes from the iteration before is combined last", Run: late.Run},
	{Name: "enumerate", Doc: "variables that take few values are numbers of states; where that is better only", Run: loopvec.Enumerate},
	{Name: "confine", Doc: "variables of the loop in no more bits than their range needs", Run: loopvec.Confine},
	{Name: "narrow", Doc: "integers in no more bits than needed", Run: narrow.Run},
	{Name: "innersigns", Doc: "divisions of what conditions of inner loops keep from being negative are unsigned", Run: unsign.Inner},
	{Name: "clean", Doc: "what reduce made visible", Run: simplify.Run},
	{Name: "speculate", Doc: "numbers in recurrences of minima and maxima are small; where that is better only", Run: loopvec.Speculate},
	{Name: "hoist", Doc: "what inner loops compute alike in each turn, in front of them", Run: hoist.Run},
	{Name: "common", Doc: "checks of inner loops that all lanes do together", Run: loopvec.CommonChecks},
	{Name: "transpose", Doc: "inner loops do several elements of their rows at a time; where that is better only", Run: transpose.Run},
	{Name: "depgraph", Doc: "changes nothing; -dump shows the dependences", Run: func(*pass.Unit) error { return nil }},
	{Name: "loopvec", Doc: "lanes: the kernel", Required: true, Run: loopvec.Run},
	{Name: "reciprocal", Doc: "divisions of integers by what is the same in all lanes become products", Required: true, Run: reciprocal.Run},
	{Name: "tidy", Doc: "simplify the kernel", Run: simplify.Run},
	{Name: "decide", Doc: "branches whose way is known", Run: decide.Run},
	{Name: "extremes", Doc: "reductions by minima and maxima in fewer instructions", Run: extremes.Run},
	{Name: "limits", Doc: "minima and maxima with what is the same in all iterations", Run: limits.Run},
	{Name: "contract", Doc: "products and sums in one operation, where the product is exact or the clause allows it", Run: contract.Run},
}

// orders are the constraints on the order of passes.
var orders = []pass.Order{
	{First: "constants", Then: "align", Why: "what is never done is not prepared for"},
	{First: "constants", Then: "ifconv", Why: "the same"},
	{First: "canon", Then: "slide", Why: "windows are found by their counters"},
	{First: "align", Then: "ifconv", Why: "lanes that have not begun wait under a mask"},
	{First: "slide", Then: "align", Why: "lanes that run a loop as often need not wait for each other"},
	{First: "even", Then: "ifconv", Why: "lanes leave loops along rows together"},
	{First: "through", Then: "ifconv", Why: "what is carried from loop to loop is no lane that has to wait"},
	{First: "through", Then: "simplify", Why: "sums are written out naively"},
	{First: "unsign", Then: "ifconv", Why: "branches say what is not negative"},
	{First: "ifconv", Then: "simplify", Why: "conditions are written out naively"},
	{First: "ifconv", Then: "stores", Why: "it works on one body block"},
	{First: "simplify", Then: "words", Why: "addresses are compared by value"},
	{First: "words", Then: "stores", Why: "loads of bytes are masked alike"},
	{First: "simplify", Then: "wrap", Why: "what branches decide is in selects, and those that decide nothing are gone"},
	{First: "simplify", Then: "settle", Why: "what branches decide is in selects"},
	{First: "settle", Then: "resimplify", Why: "conditions that are known go away"},
	{First: "wrap", Then: "stores", Why: "addresses are compared by value"},
	{First: "simplify", Then: "stores", Why: "addresses are compared by value"},
	{First: "simplify", Then: "arms", Why: "addresses are compared by value"},
	{First: "arms", Then: "stores", Why: "stores of one arm go in front of loads of the other one if there are none"},
	{First: "stores", Then: "early", Why: "what every iteration checks is no reason to keep stores apart"},
	{First: "early", Then: "unmask", Why: "loads need no mask behind a check without"},
	{First: "unmask", Then: "reload", Why: "what is loaded always is known under conditions, too"},
	{First: "stores", Then: "loopvec", Why: "a mask that is not needed is a masked store"},
	{First: "resimplify", Then: "reload", Why: "what stores are known not to touch is shared already"},
	{First: "reload", Then: "keep", Why: "what is loaded once is one value"},
	{First: "keep", Then: "narrow", Why: "places are compared by value"},
	{First: "reload", Then: "clean", Why: "what is computed of both is the same"},
	{First: "ifconv", Then: "reduce", Why: "chains are followed through selects"},
	{First: "simplify", Then: "reduce", Why: "integer minima must be seen as such"},
	{First: "reduce", Then: "late", Why: "reductions are seen as they are written"},
	{First: "reduce", Then: "narrow", Why: "the items of reductions are starting points"},
	{First: "narrow", Then: "innersigns", Why: "an unsigned division of a number that may be negative needs all of its bits"},
	{First: "narrow", Then: "clean", Why: "what was computed wide is unused then"},
	{First: "reload", Then: "whole", Why: "what is loaded once is one value"},
	{First: "whole", Then: "reduce", Why: "counters are seen as they are written"},
	{First: "simplify", Then: "room", Why: "what branches decide is in selects"},
	{First: "room", Then: "reduce", Why: "counters are seen as they are written"},
	{First: "room", Then: "clean", Why: "masks are written out naively"},
	{First: "reduce", Then: "clean", Why: "items are written out naively"},
	{First: "clean", Then: "loopvec", Why: "operands must be shared to be computed once"},
	{First: "ifconv", Then: "hoist", Why: "loops are entered from one block, and nothing depends on branches"},
	{First: "narrow", Then: "hoist", Why: "what it computes in fewer bits is moved as well"},
	{First: "hoist", Then: "transpose", Why: "what is left in loops moves with their counters"},
	{First: "simplify", Then: "enumerate", Why: "what branches decide is in selects"},
	{First: "enumerate", Then: "narrow", Why: "numbers of states are compared in bytes"},
	{First: "enumerate", Then: "clean", Why: "comparisons of states are written out naively"},
	{First: "late", Then: "speculate", Why: "what does not depend on the variable stands together"},
	{First: "clean", Then: "speculate", Why: "minima and maxima must be seen as such, and stay as they are written"},
	{First: "speculate", Then: "loopvec", Why: "it makes the form that lanes are combined in"},
	{First: "common", Then: "transpose", Why: "lanes have to be in a loop together"},
	{First: "transpose", Then: "depgraph", Why: "it shows what loopvec gets"},
	{First: "depgraph", Then: "loopvec", Why: "it shows what loopvec gets"},
	{First: "loopvec", Then: "reciprocal", Why: "it works on the kernel"},
	{First: "reciprocal", Then: "tidy", Why: "what it makes may be there already"},
	{First: "loopvec", Then: "tidy", Why: "tidy works on the kernel"},
	{First: "tidy", Then: "decide", Why: "equal conditions are one"},
	{First: "tidy", Then: "contract", Why: "folding and sharing see sums and products"},
	{First: "tidy", Then: "limits", Why: "what folds minima and maxima sees them"},
	{First: "tidy", Then: "extremes", Why: "the same"},
	{First: "extremes", Then: "limits", Why: "what a variable is at first is the operation of its loop still"},
}

func init() {
	if err := pass.CheckOrder(passes, orders); err != nil {
		panic(err)
	}
}

// Text is the function of r behind a pass, with what the pass has found out about its
// instructions.
func Text(r *plan.Region, behind string, f *vir.Func) string {
	var opt vir.PrintOptions
	if behind == "depgraph" {
		c := *r
		c.Fn = f
		opt.Note = dep.Analyze(&c, scev.New(&c), dep.Options{}).Note
	}
	text := f.Text(opt)
	if behind == "slp" && f.Remark != "" {
		text = "// " + strings.ReplaceAll(strings.TrimSpace(f.Remark), "\n", "\n// ") + "\n" + text
	}
	return text
}

// Passes are the names and descriptions of the passes in order.
func Passes() []pass.Pass { return append([]pass.Pass(nil), passes...) }

// Options of Run; the zero value is right for production.
type Options struct {
	// Dump, if set, sees the function after each pass, before it is verified.
	Dump   func(pass string, f *vir.Func)
	Verify bool       // verify after each pass
	Limit  pass.Limit // stop a pass after so many transformations
	Skip   []string   // passes to leave out, unless required
	// Generous lets Straight make whatever kernel it can, with all groups that it finds,
	// as if scalars were slow: for tests.
	Generous bool
	// Brief lets calls of kernels of loops end as soon as they may, where usually time
	// ends them: for tests of how the next calls go on.
	Brief bool
	// Watch, if set, sees each step of each attempt, also of those that are given up: for
	// tests.
	Watch func(Step)

	align  bool         // inner loops are begun together: see package align
	blocks bool         // see pass.Unit.Transpose
	even   bool         // rows are of one length: see package even
	small  bool         // see pass.Unit.Speculate
	states bool         // see pass.Unit.Enumerate
	whole  bool         // see pass.Unit
	bounds []plan.Bound // the same
	peel   int64        // the same
	rolled bool         // copies have been rolled up: see package reroll
	copies int          // see pass.Unit
	turns  []int        // the same

	divisions []*vir.Value // the same
}

// A Step is a region, or a kernel, behind a pass.
type Step struct {
	// Pass is the name of the pass in its table, behind that of the table: loops/ifconv. What is
	// done around whole tables has names of its own: unswitch, promote.
	Pass string
	From *plan.Region // what the attempt began with
	Unit *pass.Unit   // what has become of it; only as it is now
}

// watch makes Watch a check of a runner.
func (opt Options) watch(table string, from *plan.Region) func(string, *pass.Unit) error {
	if opt.Watch == nil {
		return nil
	}
	return func(name string, u *pass.Unit) error {
		opt.Watch(Step{table + "/" + name, from, u})
		return nil
	}
}

// made shows Watch a kernel of r that has been made of others.
func (opt Options) made(name string, r *plan.Region, t *target.Target, k *plan.Kernel) {
	if opt.Watch != nil {
		u := pass.NewUnit(r, t, pass.Limit{})
		u.Kernel = k
		opt.Watch(Step{name, r, u})
	}
}

// Run vectorizes r for t. The kernel is nil when the region stays scalar. Among
// the remarks is exactly one of kind Passed (with a kernel) or Missed (without).
// r is not changed. A broken invariant is a Missed remark too, with an ID of
// internal:... and the pass in its arguments.
func Run(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	k, remarks := attempt(r, t, opt)
	if k == nil {
		return nil, remarks
	}
	testCopies(k, r)
	if k.Recurs() {
		k.Ring = ringOf(r)
	}
	k.Again = k.Again && !storesSomething(r.Fn) // also in iterations that the kernel leaves to the loop as written
	return k, remarks
}

func storesSomething(f *vir.Func) bool {
	for v := range f.Values {
		if v.Op.IsStore() {
			return true
		}
	}
	return false
}

// ringOf is the table that the loop of r goes round in, at remainders or along with a variable.
func ringOf(r *plan.Region) *plan.Ring {
	if t := ring.Of(r); t != nil {
		return t
	}
	if s := jump.Split(r); s != nil && len(s.Circles) == 1 {
		return ring.Along(s.Region, s.Circles[0])
	}
	return nil
}

// attempt vectorizes r as it is, or what it is made of.
func attempt(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	k, remarks := run(r, t, opt)
	if last := remarks[len(remarks)-1]; last.Args["error"] == true || last.Broken() {
		return k, remarks
	}
	if between, more := jumping(r, t, opt); better(between, more, k, remarks) {
		return between, more
	}
	if before, more := ended(r, t, opt); better(before, more, k, remarks) {
		return before, more
	}
	if others, more := stopped(r, t, opt); better(others, more, k, remarks) {
		return others, more
	}
	if sunk, more := sunken(r, t, opt); sunk != nil && (k == nil || cycles(more) < throughMemory*cycles(remarks)) {
		return sunk, more
	}
	if k == nil {
		if inMemory(remarks[len(remarks)-1].ID) {
			k, more := promoted(r, t, opt)
			if k != nil {
				return k, more
			}
			if more != nil {
				remarks = more // what else is in the way
			}
		}
	}
	inPart := k != nil && remarks[len(remarks)-1].Args["partial"] != nil
	if k == nil || inPart {
		for _, otherwise := range []func(*plan.Region, *target.Target, Options) (*plan.Kernel, []diag.Remark){strided, given, peeled, privatized} {
			if other, more := otherwise(r, t, opt); better(other, more, k, remarks) {
				return other, more
			}
		}
	}
	if k != nil && beginsInVain(k) {
		if behind, more := peeled(r, t, opt); behind != nil && cycles(more) <= cycles(remarks) {
			return behind, more
		}
	}
	if inPart {
		if other, more := promoted(r, t, opt); better(other, more, k, remarks) {
			return other, more
		}
	}
	return k, remarks
}

// throughMemory is by how much longer a kernel is taken for that hands a number on from turn to turn in memory. Estimates leave out
// that a load waits for the store of the turn before.
const throughMemory = 1.5

// beginsInVain reports whether a subscript that not every iteration evaluates, as x[i-1] where i > 0, may be out of range in the
// first block, which k leaves to scalar code then, with many iterations behind it.
func beginsInVain(k *plan.Kernel) bool {
	return slices.ContainsFunc(k.Bounds, func(b plan.Bound) bool { return b.Conditional })
}

// better reports whether there is kernel k, and it takes less time than another one, if there is that.
func better(k *plan.Kernel, remarks []diag.Remark, other *plan.Kernel, others []diag.Remark) bool {
	return k != nil && (other == nil || cycles(remarks) < cycles(others))
}

// cycles is what the remarks about a kernel estimate for an iteration.
func cycles(remarks []diag.Remark) float64 { return estimated(remarks, "cost") }

func estimated(remarks []diag.Remark, key string) float64 {
	c, _ := remarks[len(remarks)-1].Args[key].(float64)
	return c
}

// jumping tries a loop as it is between the iterations in which variables jump, or edges hold back what loops inside
// run over.
func jumping(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	if slices.Contains(opt.Skip, "jump") {
		return nil, nil
	}
	id, msg := "jump:Between", "iterations in which a variable jumps are done as written"
	between := jump.Split(r)
	if between == nil {
		between = jump.Within(r)
		id, msg = "jump:Edges", "iterations in which the edges hold back what a loop inside runs over are done as written"
	}
	if between == nil {
		return nil, nil
	}
	opt.bounds, opt.divisions = append(slices.Clip(opt.bounds), between.Bounds...), between.Divisions
	opt.Skip = append(slices.Clone(opt.Skip), "wrap") // behind a jump nothing follows from the position before
	k, remarks := run(between.Region, t, opt)
	if k == nil && inMemory(remarks[len(remarks)-1].ID) {
		k, remarks = promoted(between.Region, t, opt)
	}
	if k == nil || !k.Recurs() {
		return nil, nil
	}
	opt.made("jump", r, t, k)
	return k, noted(remarks, r, id, r.Pos, msg)
}

// ended tries a loop as it is before its last iterations, which compare the counter with its end.
func ended(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	if slices.Contains(opt.Skip, "jump") {
		return nil, nil
	}
	before, bounds := jump.Ends(r)
	if before == nil {
		return nil, nil
	}
	opt.bounds = append(slices.Clip(opt.bounds), bounds...)
	k, remarks := attempt(before, t, opt)
	if k == nil {
		return nil, nil
	}
	opt.made("jump", r, t, k)
	return k, noted(remarks, r, "jump:Ends", r.Pos, "iterations that compare the counter with its end are done as written")
}

// stopped tries a loop without the iterations that set a flag by which it ends.
func stopped(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	if slices.Contains(opt.Skip, "flag") {
		return nil, nil
	}
	others, flags := flag.Split(r)
	if others == nil {
		return nil, nil
	}
	k, remarks := attempt(others, t, opt)
	if k == nil {
		return nil, nil
	}
	opt.made("flag", r, t, k)
	for _, v := range flags {
		remarks = noted(remarks, r, "flag:Ends", v.Pos, "iterations that set "+v.Name+", by which the loop ends, are done as written")
	}
	return k, remarks
}

// peeled tries a refused loop again as it is behind its first iterations, which compare
// the counter with what it starts with.
func peeled(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	behind, n := peel.Split(r)
	if behind == nil {
		return nil, nil
	}
	opt.peel = n
	k, remarks := run(behind, t, opt)
	if k == nil {
		return nil, nil
	}
	opt.made("peel", r, t, k)
	return k, noted(remarks, r, "peel:First", r.Pos, fmt.Sprintf("iterations that compare the counter with what it starts with are done as written: %d", n))
}

// strided tries a loop whose counter goes on by a number that is known before it only as one that counts from 0.
func strided(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	if slices.Contains(opt.Skip, "stride") {
		return nil, nil
	}
	whole, bounds := onwards(r, opt)
	l := stride.Split(whole)
	if l == nil {
		return nil, nil
	}
	opt.bounds = slices.Concat(opt.bounds, bounds, l.Bounds)
	k, remarks := run(l.Region, t, opt)
	if between, more := jumping(l.Region, t, opt); better(between, more, k, remarks) {
		k, remarks = between, more
	}
	if k == nil || l.Restore(k) == nil {
		return nil, nil
	}
	opt.made("stride", r, t, k)
	return k, noted(remarks, r, "stride:Counter", r.Pos, "the counter goes on by a number that is known before the loop only")
}

// onwards is r without ways out that are known before it, under bounds, or as it is.
func onwards(r *plan.Region, opt Options) (*plan.Region, []plan.Bound) {
	if !slices.Contains(opt.Skip, "upfront") {
		if onwards, bounds := upfront.Split(r); onwards != nil {
			return onwards, bounds
		}
	}
	return r, nil
}

// privatized tries a loop whose variables go on in loops inside of it as one that reduces in each iteration by itself.
func privatized(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	if slices.Contains(opt.Skip, "privatize") {
		return nil, nil
	}
	private, variables := privatize.Split(r)
	if private == nil {
		return nil, nil
	}
	k, remarks := run(private, t, opt)
	if k == nil {
		return nil, nil
	}
	opt.made("privatize", r, t, k)
	for _, v := range variables {
		remarks = noted(remarks, r, "privatize:Reduction", v.Pos, fmt.Sprintf("what loops inside make of %s is reduced in each iteration by itself", v.Name))
	}
	return k, remarks
}

// noted are the remarks about a kernel, with one in front of the last that says in which way r was tried.
func noted(remarks []diag.Remark, r *plan.Region, id string, pos vir.Pos, msg string) []diag.Remark {
	return slices.Insert(remarks, len(remarks)-1, diag.Remark{Kind: diag.Analysis, ID: id, Pos: pos, Func: r.Func, Twin: r.Twin, Msg: msg})
}

// run is Run for what is known of r.
func run(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	u, err := once(r, t, opt)
	if v := together(r, u, err, opt); v != nil {
		return v.Kernel, append(v.Remarks(), passed(v))
	}
	if v := transposed(r, u, err, opt); v != nil {
		u, err = v, nil
	}
	if v := evened(r, u, err, opt); v != nil {
		return v.Kernel, append(v.Remarks(), passed(v))
	}
	if v := speculated(r, u, err, opt); v != nil {
		u, err = v, nil
	}
	if v := enumerated(r, u, err, opt); v != nil {
		u, err = v, nil
	}
	if v := rerolled(r, u, err, opt); v != nil {
		return v.Kernel, append(v.Remarks(), passed(v))
	}
	if k, remarks := versions(r, u, err, opt); k != nil {
		return k, remarks
	}
	if err != nil {
		return nil, append(u.Remarks(), missed(u, err))
	}
	if k, remarks := stepVersions(r, u, opt); k != nil {
		return k, remarks
	}
	return u.Kernel, append(u.Remarks(), passed(u))
}

// once runs all passes over r.
func once(r *plan.Region, t *target.Target, opt Options) (*pass.Unit, error) {
	u := pass.NewUnit(r, t, opt.Limit)
	u.Whole, u.Bounds, u.Peel = opt.whole, slices.Clone(opt.bounds), opt.peel
	u.Brief = opt.Brief
	u.Copies, u.Turns, u.Divisions = opt.copies, opt.turns, opt.divisions
	u.Transpose, u.Speculate, u.Enumerate = opt.blocks, opt.small, opt.states
	if v := rowOfLane(r); v != nil {
		return u, pass.Refuse("loopvec:Rows", v, "each iteration works on a slice of its own")
	}
	if !opt.align {
		opt.Skip = append(slices.Clone(opt.Skip), "align")
	}
	if !opt.even {
		opt.Skip = append(slices.Clone(opt.Skip), "even")
	}
	runner := pass.Runner{Passes: passes, Skip: opt.Skip, Dump: opt.Dump, Verify: opt.Verify, Check: opt.watch("loops", r)}
	return u, runner.Run(u)
}

// rowOfLane finds a pointer that an iteration loads and no loop inside of it reads from, or that it stores
// to; nil when there is none.
func rowOfLane(r *plan.Region) *vir.Value {
	sc := scev.New(r)
	read := make(map[*vir.Value]bool)
	for v := range r.Fn.Values {
		if (v.Op.IsLoad() || v.Op.IsStore()) && v.Base().Op.IsLoad() {
			if v.Op.IsStore() || sc.Depth(v) == 0 {
				return v.Base()
			}
			read[v.Base()] = true
		}
	}
	for v := range r.Fn.Values {
		if v.Op.IsLoad() && v.Type.Elem == vir.Ptr && sc.Depth(v) == 0 && !read[v] {
			return v
		}
	}
	return nil
}

func missed(u *pass.Unit, err error) diag.Remark {
	var refusal *pass.Refusal
	if errors.As(err, &refusal) {
		return u.Remark(diag.Missed, refusal.ID, refusal.Pos, refusal.Args, refusal.Msg)
	}
	var broken *pass.Broken
	if errors.As(err, &broken) {
		args := map[string]any{"pass": broken.Pass, "error": broken.Err.Error(), "ir": broken.IR}
		first, _, _ := strings.Cut(broken.Err.Error(), "\n")
		return u.Remark(diag.Missed, "internal:"+broken.Pass, vir.Pos{}, args, "an invariant of the vectorizer is broken: "+first)
	}
	return u.Remark(diag.Missed, "internal:error", vir.Pos{}, nil, err.Error())
}

// fromOn says which calls are worth it.
const fromOn = "from %v iterations on"

// Raised is m, which tells of a kernel, where that is worth a call from least iterations on instead.
func Raised(m diag.Remark, least int64) diag.Remark {
	m.Msg = strings.Replace(m.Msg, fmt.Sprintf(fromOn, m.Args["min"]), fmt.Sprintf(fromOn, least), 1)
	m.Args = maps.Clone(m.Args)
	m.Args["min"] = least
	return m
}

func passed(u *pass.Unit) diag.Remark {
	args := u.Summary
	msg := fmt.Sprintf("VF %v, unrolled by %v, %v, "+fromOn, args["vf"], args["uf"], args["memory"], args["min"])
	if n, ok := args["inner"]; ok {
		msg += fmt.Sprintf(" where a loop inside has %v", n)
	}
	if n, ok := args["versions"]; ok {
		msg += fmt.Sprintf(", %v versions", n)
	}
	if u.Target.EVEX {
		msg += ", on CPUs with AVX-512"
	}
	if part, ok := args["partial"]; ok {
		msg += fmt.Sprintf(", partial: %v", part)
	}
	return u.Remark(diag.Passed, "loopvec:Vectorized", u.Region.Pos, args, msg)
}
