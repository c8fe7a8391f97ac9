package vectorize

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/reroll"
	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// rerolling names the passes that bring a body into the form in which copies in it are
// looked for.
var rerolling = []string{"ifconv", "simplify", "stores", "unmask", "resimplify"}

// rollCosts is what a rolled loop may be estimated at, of the time of the loop as written
// in lanes. Estimates see the larger blocks of that one, which hardly matter. They do not
// see what is in front of and behind them: tests of subscripts, and iterations left over.
const rollCosts = 1.2

// rerolled is the kernel of r with its copies rolled up, if that is better than u, or than
// nothing; else nil.
func rerolled(r *plan.Region, u *pass.Unit, err error, opt Options) *pass.Unit {
	var refusal *pass.Refusal
	if opt.rolled || err != nil && (!errors.As(err, &refusal) || refusal.Args["error"] == true) {
		return nil
	}
	l := rolled(r, u)
	if l == nil {
		return nil
	}
	opt.rolled, opt.whole, opt.copies, opt.turns = true, true, l.Unit(), l.Turns
	v, failed := once(l.Region, u.Target, opt)
	if failed != nil {
		return nil
	}
	cost := number(v, "cost") * float64(l.Copies)
	if err == nil && cost > rollCosts*number(u, "cost") {
		return nil
	}
	if v.Kernel = l.Restore(v.Kernel); v.Kernel == nil {
		return nil
	}
	simplify.Func(v.Kernel.Fn, func() bool { return true })
	if opt.Verify {
		if err := verify.Func(v.Kernel.Fn); err != nil {
			panic(fmt.Sprintf("reroll: %v\n%s", err, v.Kernel.Fn))
		}
	}
	opt.made("reroll", r, u.Target, v.Kernel)
	v.Summary = maps.Clone(v.Summary)
	v.Summary["min"], v.Summary["cost"], v.Summary["scalar"] = v.Kernel.Min, cost, number(v, "scalar")*float64(l.Copies)
	v.Note("reroll:Rolled", r.Pos, map[string]any{"copies": l.Copies}, "an iteration does the same %d times, which is done as %d iterations", l.Copies, l.Copies)
	return v
}

// rolled is the rolled loop of r, nil when there is none.
func rolled(r *plan.Region, u *pass.Unit) *reroll.Loop {
	if r.Once {
		return nil
	}
	v := pass.NewUnit(r, u.Target, pass.Limit{})
	runner := pass.Runner{}
	for _, p := range passes {
		if slices.Contains(rerolling, p.Name) {
			runner.Passes = append(runner.Passes, p)
		}
	}
	if runner.Run(v) != nil {
		return nil
	}
	return reroll.Split(v.Region)
}
