package vectorize

import (
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/contract"
	"github.com/lanewise/lanewise/vectorize/forward"
	"github.com/lanewise/lanewise/vectorize/ifconv"
	"github.com/lanewise/lanewise/vectorize/kernelize"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/promote"
	"github.com/lanewise/lanewise/vectorize/reciprocal"
	"github.com/lanewise/lanewise/vectorize/simplify"
	"github.com/lanewise/lanewise/vectorize/unroll"
	"github.com/lanewise/lanewise/vectorize/words"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// straightPasses are run in this order over regions that are done iteration by iteration.
var straightPasses = []pass.Pass{
	{Name: "simplify", Doc: "fold, share, cheaper operations", Required: true, Run: simplify.Run},
	{Name: "words", Doc: "numbers that are put together from bytes are loaded at once", Run: words.Run},
	{Name: "unroll", Doc: "small loops inside as copies of their bodies", Run: unroll.Run},
	{Name: "fold", Doc: "what unroll made visible", Run: simplify.Run},
	{Name: "registers", Doc: "elements that every iteration loads and stores become variables of the loop", Run: promoteStraight},
	{Name: "choices", Doc: "small branches become choices, so that what is checked behind them is known before", Run: ifconv.Selects},
	{Name: "kernelize", Doc: "the kernel: checks first, then the iteration as it is", Required: true, Run: kernelize.Run},
	{Name: "loads", Doc: "what no iteration stores is loaded when a call begins", Run: kernelize.Loads},
	{Name: "forward", Doc: "memory that an iteration works on in registers", Run: forward.Run},
	{Name: "guard", Doc: "tests of what forward takes for granted of memory", Required: true, Run: kernelize.Guard},
	{Name: "selects", Doc: "small branches that loaded or checked something become choices", Run: ifconv.Selects},
	{Name: "clean", Doc: "what forward and selects made visible", Run: simplify.Run},
	{Name: "slp", Doc: "groups of equal operations as vectors", Required: true, Run: pack},
	{Name: "overlaps", Doc: "tests of what slp takes for granted of memory", Required: true, Run: kernelize.Guard},
	{Name: "restore", Doc: "elements in registers are loaded when a call begins, and stored when it ends", Required: true, Run: restoreStraight},
	{Name: "reciprocal", Doc: "divisions of integers by what is the same in all lanes become products", Required: true, Run: reciprocal.Run},
	{Name: "tidy", Doc: "simplify the kernel", Run: simplify.Run},
	{Name: "contract", Doc: "products and sums in one operation, where the product is exact or the clause allows it", Run: contract.Run},
}

// straightOrders are the constraints on their order.
var straightOrders = []pass.Order{
	{First: "simplify", Then: "words", Why: "addresses are compared by value"},
	{First: "unroll", Then: "fold", Why: "counters are constants in copies"},
	{First: "fold", Then: "registers", Why: "elements are told from each other by their addresses"},
	{First: "registers", Then: "kernelize", Why: "elements become variables of the region"},
	{First: "overlaps", Then: "restore", Why: "tests stand where an iteration begins"},
	{First: "restore", Then: "tidy", Why: "what is stored is compared"},
	{First: "slp", Then: "reciprocal", Why: "it works on vectors"},
	{First: "reciprocal", Then: "tidy", Why: "what it makes may be there already"},
	{First: "choices", Then: "kernelize", Why: "what branches decide is known late"},
	{First: "simplify", Then: "kernelize", Why: "what is checked is compared by value"},
	{First: "kernelize", Then: "loads", Why: "checks are bounds of a call, or come first"},
	{First: "loads", Then: "guard", Why: "it takes things for granted"},
	{First: "loads", Then: "slp", Why: "what is loaded once costs little"},
	{First: "kernelize", Then: "forward", Why: "nobody sees what memory holds within an iteration that has no checks any more"},
	{First: "forward", Then: "slp", Why: "what goes through memory is no group"},
	{First: "forward", Then: "guard", Why: "it takes things for granted"},
	{First: "forward", Then: "selects", Why: "loads of what is in registers are in nobody's way"},
	{First: "selects", Then: "clean", Why: "choices are written out naively"},
	{First: "selects", Then: "slp", Why: "groups are those of one block"},
	{First: "guard", Then: "clean", Why: "what is tested must still be there"},
	{First: "slp", Then: "overlaps", Why: "it takes things for granted"},
	{First: "overlaps", Then: "tidy", Why: "what is tested must still be there"},
	{First: "kernelize", Then: "tidy", Why: "tidy works on the kernel"},
	{First: "tidy", Then: "contract", Why: "folding and sharing see sums and products"},
}

func init() {
	if err := pass.CheckOrder(straightPasses, straightOrders); err != nil {
		panic(err)
	}
}

// StraightPasses are the names and descriptions of the passes of Straight in order.
func StraightPasses() []pass.Pass { return append([]pass.Pass(nil), straightPasses...) }

// Straight makes a kernel of r that runs its iterations one by one, with groups of equal
// operations within an iteration done as vectors. The kernel is nil when r stays
// scalar. Among the remarks is exactly one of kind Passed (with a kernel) or Missed
// (without), as for Run. Clauses that ask for a kernel whatever it costs get one without
// groups if there are none.
func Straight(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	k, remarks, registers := straight(r, t, opt)
	if k == nil && registers {
		opt.Skip = append(slices.Clone(opt.Skip), "registers")
		k, remarks, _ = straight(r, t, opt)
	}
	if k != nil {
		testCopies(k, r)
	}
	return k, remarks
}

// straight is Straight with the passes of opt, and reports whether elements were kept in
// registers.
func straight(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark, bool) {
	u := pass.NewUnit(r, t, opt.Limit)
	u.Generous, u.Brief = opt.Generous, opt.Brief
	runner := pass.Runner{Passes: straightPasses, Skip: opt.Skip, Dump: opt.Dump, Verify: opt.Verify, Check: opt.watch("straight", r)}
	err := runner.Run(u)
	if err == nil {
		err = worthwhile(u, unroll.Region(r))
	}
	if err != nil {
		return nil, append(u.Remarks(), missed(u, err)), u.Restore != nil
	}
	return u.Kernel, append(u.Remarks(), packed(u)), true
}

// promoteStraight makes variables of the loop of elements that its iterations load and
// store.
func promoteStraight(u *pass.Unit) error {
	if u.Region.Once {
		return nil
	}
	l := promote.Split(u.Region)
	if l == nil || !u.Count() {
		return nil
	}
	u.Region, u.Restore, u.Slots = l.Region, l.Restore, len(l.Names)+len(l.Along)
	u.Bounds = slices.Concat(u.Bounds, l.Bounds)
	u.Note("promote:Register", vir.Pos{}, nil, "%s in registers", kept(l))
	return nil
}

// restoreStraight makes a kernel of the region as it was.
func restoreStraight(u *pass.Unit) error {
	if u.Restore == nil {
		return nil
	}
	k := u.Restore(u.Kernel)
	if k == nil {
		return pass.Refuse("slp:Scalar", nil, "what the kernel needs to know is in memory")
	}
	u.Kernel = k
	return nil
}
