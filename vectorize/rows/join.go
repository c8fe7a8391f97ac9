package rows

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// A joiner writes the kernel of the outer loop into its scalar function.
type joiner struct {
	*Nest
	k    *plan.Kernel // of the inner loop
	gain float64      // cycles that an iteration of it takes less than as written
	b    *vir.Builder
	zero *vir.Value
	one  *vir.Value

	t, fuel *vir.Value            // phis: iterations done, and what is left to use up
	start   *vir.Block            // of an iteration
	exprs   map[string]*vir.Value // constants
	made    map[string]bool       // comparisons of the row
	asked   map[*vir.Value]bool   // tests of rows
	idle    *vir.Block            // follows where a row has no iterations
	n       *vir.Value            // iterations of the row
	unknown bool                  // lengths of rows are, before they begin
	fail    *vir.Block            // where tests lead that fail
	todo    *vir.Value            // iterations asked for
	delayed []*vir.Value          // stores that wait for the tests of the row

	// Where rows adjoin:
	wide  *vir.Value // phi: not 0 as long as all rows are done together
	stays *vir.Value // what it is for the next iteration
	rows  *vir.Value // iterations that are done together
}

// rowTime is what an iteration of the outer loop is taken to need besides the inner
// loop, in ns.
const rowTime = 60

// Join makes the kernel of the nest out of that of the inner loop, an iteration of which takes so many cycles
// less than as written. The nest is used up.
func (n *Nest) Join(k *plan.Kernel, gain float64) (*plan.Kernel, error) {
	switch {
	case !k.Complete || k.Partial || k.Timed || k.Peel > 0 || k.Recurs() || k.Ends():
		return nil, pass.Refuse(id, nil, "the kernel of the inner loop leaves iterations over")
	case k.Strip < 64:
		return nil, pass.Refuse(id, nil, "the kernel of the inner loop takes long")
	}
	j := &joiner{Nest: n, k: k, gain: gain, exprs: make(map[string]*vir.Value), made: make(map[string]bool), asked: make(map[*vir.Value]bool), fail: n.exit()}
	if err := j.exact(); err != nil {
		return nil, err
	}
	out := &plan.Kernel{
		Fn: n.fn(), Level: k.Level, Trip: n.trip, Bounds: n.bounds,
		Min: 1, Block: 1, Strip: 1 << 30, Partial: true, Timed: true,
	}
	if n.flat != nil && !n.flat.fits(k) {
		n.flat = nil
	}
	j.inner(out)
	if out.Inner != nil && n.flat == nil {
		turns, known := out.Inner.Turns(nil, out.InnerMin)
		if known && turns < out.InnerMin {
			return nil, pass.Refuse(id, nil, "the loop inside has %d iterations, %d are worth it", turns, out.InnerMin)
		}
	}
	j.header1(out)
	if err := j.hoistChecks(); err != nil {
		return nil, err
	}
	j.checks()
	j.row()
	j.finish(out)
	return out, nil
}

// inner says when a call is worth it, by the length of rows.
func (j *joiner) inner(out *plan.Kernel) {
	t, grows, ok := j.innerTrip(j.k.Trip, true)
	if f := j.flat; f != nil {
		t, grows, ok = f.trip(), 0, true
		out.InnerEqual, out.Adjoining = f.equations(), true
		out.Pause = pauseRows
	}
	j.unknown = !ok
	if j.unknown {
		out.Pause, out.Min, out.Few = pauseUnknown, leastUnknown, true
	}
	if ok {
		out.Inner, out.InnerGrows, out.InnerMin = &t, grows, j.least()
		out.InnerTotal, out.InnerEach = j.total(), j.each()-1
		if j.flat != nil {
			out.InnerJoined = j.joined()
		}
		if j.flat == nil && j.k.Resumes { // each row is two runs
			out.InnerMin = max(out.InnerMin, j.k.Min)
		}
		if j.flat == nil && j.stalls() {
			out.InnerMin = max(out.InnerMin, j.k.Min, stallRow)
		}
	}
}

// pauseRows is the number of rows that are left to the caller when rows together were
// refused: for a reason that is most likely one for all of them.
const pauseRows = 16

// pauseUnknown is the number of rows that are left to the caller where one was too short, of which
// nothing was known before: others are likely to be short as well, and the caller has kernels
// for those that are not.
const pauseUnknown = 8

// leastUnknown is the fewest rows for which the kernel of the nest is called where nothing is known of their lengths. The kernel
// of the loop inside has fewer: a call may be for nothing, and takes as long as several short rows.
const leastUnknown = 6

// nestCycles is what a call for a nest takes beside its rows, in the cycles that gains are estimated in: what they have in common is
// computed first. On Zen 4 it was about 28 cycles, with rows of 4 to 8 elements, of which the loops as written took up to
// twice as many cycles as estimated.
const nestCycles = 24.0

// total is the number of iterations, beyond what each row takes for itself, of all rows of a call that is worth it.
func (j *joiner) total() int64 {
	return int64(math.Ceil(nestCycles / max(j.gain, 0.1)))
}

// joined is the number of iterations of all rows of a call that is worth it where they adjoin: the tests of
// rows cost about as much as those of a call again, and checks beside them some more.
func (j *joiner) joined() int64 {
	return j.k.Min*7/4 + 2*int64(len(j.flat.late))
}

// header1 makes the header count: it goes on while iterations and fuel are left.
// What the header computed moves to the start of the iteration.
func (j *joiner) header1(out *plan.Kernel) {
	f, h := j.fn(), j.outerHeader()
	i64 := vir.Scalar(vir.I64)
	j.todo = f.AddParam(j.fn().UnusedName("n"), i64)
	for i := range f.Params {
		a := plan.Arg{Kind: plan.ArgParam, Index: i}
		if i == len(f.Params)-1 {
			a = plan.Arg{Kind: plan.ArgCount}
		}
		out.Args = append(out.Args, a)
	}
	j.b = vir.NewBuilder(f, f.Entry())
	j.b.Pos = j.region.Pos
	j.zero, j.one = j.constant(0), j.constant(1)

	old := h.Term()
	body := old.Block.Succs[0]
	j.start = edit.InsertBlock(f.Entry(), "start")
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *vir.Block) bool { return b == j.start })
	f.Blocks = slices.Insert(f.Blocks, 2, j.start)
	phis := len(h.Phis())
	for _, v := range h.Insts[phis:] {
		if v != old {
			v.Block = j.start
			j.start.Insts = append(j.start.Insts, v)
		}
	}
	h.Insts = h.Insts[:phis:phis]
	exit := h.Succs[1]
	exit.Preds = nil
	j.b.Cur = h
	j.t, j.fuel = j.b.Phi(i64), j.b.Phi(i64)
	at := h.PredIndex(f.Entry())
	j.t.Args, j.fuel.Args = make([]*vir.Value, 2), make([]*vir.Value, 2)
	j.t.Args[at], j.fuel.Args[at] = j.zero, j.constant(j.tank())
	if j.flat != nil {
		j.wide = j.b.Phi(i64)
		j.wide.Args = []*vir.Value{j.one, j.one}
	}
	left := j.b.Cmp(vir.OpIcmpSlt, j.t, j.todo)
	more := edit.InsertBlock(h, "more")
	j.b.Br(left, more, exit)
	j.b.Cur = more
	j.b.Br(j.b.Cmp(vir.OpIcmpSlt, j.zero, j.fuel), j.start, exit)
	body.Preds[body.PredIndex(h)] = j.start
	j.b.Cur = j.start
	j.start.Insts = append(j.start.Insts, j.fn().NewValue(vir.OpJmp, vir.Type{}))
	j.start.Insts[len(j.start.Insts)-1].Block = j.start
	j.start.Succs = []*vir.Block{body}
}

// limit is the fuel of a call, and the most iterations of a row, so that the row
// that uses up the fuel ends in time as well.
func (j *joiner) limit() int64 { return j.k.Strip / 2 }

// tank is the fuel that a call begins with.
func (j *joiner) tank() int64 {
	if j.Brief {
		return 1
	}
	return j.limit()
}

// constant is a 64-bit constant in the entry.
func (j *joiner) constant(c int64) *vir.Value {
	key := fmt.Sprint(c)
	if v := j.exprs[key]; v != nil {
		return v
	}
	v := j.fn().NewValue(vir.OpConst, vir.Scalar(vir.I64))
	v.Bits = []uint64{uint64(c)}
	e := j.fn().Entry()
	v.Block = e
	e.Insts = slices.Insert(e.Insts, len(e.Insts)-1, v)
	j.exprs[key] = v
	return v
}

// require goes on in a new block where ok holds; otherwise the iteration is handed
// over.
func (j *joiner) require(ok *vir.Value) {
	next := edit.InsertBlock(j.b.Cur, "ok")
	j.asked[ok] = true
	j.b.Br(ok, next, j.fail)
	j.b.Cur = next
}

// split moves what follows instruction i of b into a block of its own.
func (j *joiner) split(b *vir.Block, i int) *vir.Block {
	rest := edit.Split(b, i)
	if j.pre == b {
		j.pre = rest
	}
	return rest
}

// finish closes the outer loop and names the results.
func (j *joiner) finish(out *plan.Kernel) {
	f, h, latch := j.fn(), j.outerHeader(), j.latch()
	i64 := vir.Scalar(vir.I64)
	j.b.Cur = latch
	term := latch.Term()
	latch.Insts = latch.Insts[:len(latch.Insts)-1]
	unit := max(1, j.k.Strip*rowTime/pass.CallTime)
	at := h.PredIndex(latch)
	rows := j.one
	if j.flat != nil {
		rows = j.rows
		j.wide.Args[at] = j.stays
		j.advance(rows)
	}
	j.t.Args[at] = j.b.Op(vir.OpAdd, i64, j.t, rows)
	spent := j.b.Op(vir.OpAdd, i64, j.n, j.constant(unit))
	j.fuel.Args[at] = j.b.Op(vir.OpSub, i64, j.fuel, spent)
	latch.Insts = append(latch.Insts, term)

	exit := j.exit()
	results := []*vir.Value{j.t}
	for i, s := range j.region.State {
		phi := h.Phis()[i]
		results = append(results, j.out(out, phi, s)...)
	}
	exit.Insts = nil
	j.b.Cur = exit
	j.b.Ret(results...)
	f.Results = nil
	for _, r := range results {
		f.Results = append(f.Results, r.Type)
	}
	edit.Sweep(f)
	edit.Hoist(f)
	f.Blocks = append(f.Blocks, j.idle)
	j.front(exit)
}

// out says how a variable of the outer loop gets its value after a call, and returns
// it where it must be a result.
func (j *joiner) out(out *plan.Kernel, phi *vir.Value, s plan.State) []*vir.Value {
	o := plan.Out{Kind: plan.OutSame}
	original := j.original.Fn.Blocks[1].Phis()[len(out.Outs)]
	var results []*vir.Value
	switch kind := j.sc.Phi(original); {
	case kind == scev.Unchanged || kind == scev.Anew && !s.Live:
	case kind == scev.Main || kind == scev.Induction:
		a, _ := j.sc.Affine(original)
		o.Kind = plan.OutExpr
		o.Expr = plan.Add(a.Start, plan.Mul(plan.Done(), plan.Const(a.Step)))
	default:
		o.Kind, o.Index = plan.OutResult, 1
		for _, p := range out.Outs {
			if p.Kind == plan.OutResult {
				o.Index++
			}
		}
		results = []*vir.Value{phi}
	}
	out.Outs = append(out.Outs, o)
	return results
}
