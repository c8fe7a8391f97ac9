// Package dep finds the memory accesses of a region and tells which order
// between them a vector program may change.
//
// A vector block runs op by op: all lanes of one access, then all lanes of the
// next, in the order of Result.Accesses. The blocks of the vector program and
// the lanes of one access keep their order. So with access A before B in both
// programs, the only thing that changes is B in iteration t against A in a later
// iteration u of the same block. That order is the one of the program, or one in which
// fewer dependences between iterations are turned round; see order.go. With B before A
// in the program, B in iteration t against A in the same iteration changes as well.
//
// The package knows scalar evolution and plain data of plan. It knows neither
// the vector program nor the machine. Accesses are sorted by the Kind of their
// address; pointers that are loaded are refused.
//
// What is not known is assumed to conflict: an access whose index may be anything
// is in order with others of the same memory only when they use different parts
// of its elements, and must be disjoint from other memory as a whole.
package dep

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Kind is how the address of an access changes from iteration to iteration.
type Kind uint8

const (
	Linear   Kind = iota // by a constant: all of it is in Stream
	Symbolic             // by Access.Step, known before the loop: x[i*n+j]
	Periodic             // by an index that repeats: x[i&3], x[i%5]
	Indexed              // by an index that may be anything: x[idx[i]]
	Counted              // by one element when a condition holds: x[k]; k++; or by one or two
)

var kindNames = [...]string{"linear", "symbolic", "periodic", "indexed", "counted"}

func (k Kind) String() string { return kindNames[k] }

// An Access is one load or store of the loop. In iteration t it is at
// Stream.Param + Stream.Off + t*Stream.Step, plus t*Step when Symbolic, plus
// Index*Scale when Periodic or Indexed; Stream.Step is 0 for these three. A Counted
// access is at Stream.Param + Stream.Off + c*Stream.Step with c from 0 to t: it may
// stay behind its stream.
type Access struct {
	Inst        *vir.Value
	Program     int         // position among the accesses of the program
	Stream      plan.Stream // where it goes, from the current state on
	Store       bool
	Conditional bool         // under a mask or in a block that not every iteration runs
	Wrap        []plan.Bound // conditions under which Stream and the rest are right

	serial int // one more than the place in Result.Serials; 0 for none
	update int // the same in Result.Updates

	Kind  Kind
	Step  *plan.Expr   // bytes per iteration, of a Symbolic access; else nil
	Index *vir.Value   // i64 value of the loop, what is left of the subscript without its linear parts; else nil
	Scale int64        // bytes per unit of Index, not 0
	Count scev.Counted // of a Counted access, whose Index it describes
	// A Periodic Index lies in [0, Modulus) and repeats every Period iterations,
	// and no earlier.
	Modulus, Period int64
}

// Uniform reports whether every iteration uses the same address.
func (a *Access) Uniform() bool { return a.Kind == Linear && a.Stream.Step == 0 }

// Result is the answer for one region.
type Result struct {
	// Accesses are in the order of the vector program, which must keep it.
	Accesses []Access
	// Order is the nodes of Graph in the order of the vector program; nil for that of
	// the program: reverse post-order of the blocks, then order in the block.
	Order []*vir.Value
	// Graph has the dependences of a body of one block; nil when there are none to be
	// respected.
	Graph *Graph
	// MaxLanes is the largest number of lanes of a vector block (VF*UF) that
	// keeps the order of all accesses whose distance is known; 0 when there is
	// no limit. It need not be a power of two.
	MaxLanes int
	// Limit says what MaxLanes comes from; nil when there is no limit.
	Limit *scev.Refusal
	// Wrap are the bounds of all accesses, each once.
	Wrap []plan.Bound
	// Splits limit the iterations that may be done in one go.
	Splits []Split
	// Refusal is set when no number of lanes above one is legal or an address is
	// not understood; then the rest may be incomplete.
	Refusal *scev.Refusal
	// Nest says that loops inside of the region's store: see nest.go.
	Nest bool

	// Rows are loads that are no Accesses: from rows whose pointers the loop loads. Where they are is known when
	// they are made; the stores of a block come later, and must not touch the same bytes.
	Rows []*vir.Value

	// Serials are the cycles that are done lane by lane, each in the order of the
	// program; see Options.Distribute.
	Serials [][]*vir.Value

	// Updates are elements that iterations share: see update.go.
	Updates []Update

	region *plan.Region
	sc     *scev.Info
	pairs  []pair
	fixed  []plan.Overlap // tests for any number of lanes

	rowTests []*rowTest   // how long rows must be in a nest
	crossed  [][2]*nested // pairs of a nest that lanes one after the other keep in order
	lastIter *plan.Expr   // last iteration of the region's loop in a nest, nil when not known

	whole, resumes, distribute bool
	kept                       map[*vir.Value][]*vir.Value // see Options
	// ordered are pairs of which runsAway decides: loads come first.
	ordered []pair
}

// Options of Analyze.
type Options struct {
	Whole bool // runs of iterations must not be split where accesses meet

	// Resumes has them split where they go on in the same call nevertheless.
	Resumes bool

	// Distribute has cycles of dependences between neighbouring iterations done lane
	// by lane, where that is possible: see serial.go.
	Distribute bool

	// Kept are accesses with stores to other memory that must not touch their bytes in the same
	// iteration either.
	Kept map[*vir.Value][]*vir.Value
}

// Analyze finds the accesses of r and their dependences. With the clause
// independent, accesses are reported but nothing limits their order.
func Analyze(r *plan.Region, sc *scev.Info, opt Options) *Result {
	res := &Result{region: r, sc: sc, whole: opt.Whole, resumes: opt.Resumes, distribute: opt.Distribute, kept: opt.Kept}
	res.findAccesses(sc)
	if res.checkRows(); res.Refusal != nil {
		return res
	}
	res.shareIndexes()
	res.Wrap = distinct(res.Accesses)
	if r.Clauses.Independent {
		return res
	}
	if res.storesInside() {
		res.analyzeNest()
		return res
	}
	res.findUpdates()
	for i := range res.Accesses {
		res.checkSelf(&res.Accesses[i])
	}
	res.Graph = res.graph(familiesOf(res.Accesses))
	res.order()
	families := familiesOf(res.Accesses)
	for _, f := range families {
		res.checkKnown(f)
	}
	res.checkPairs(families)
	return res
}

// Access is the access that v makes, nil when v is none.
func (r *Result) Access(v *vir.Value) *Access {
	for i := range r.Accesses {
		if r.Accesses[i].Inst == v {
			return &r.Accesses[i]
		}
	}
	return nil
}

// Overlaps lists the run-time tests that make a vector block of the given
// number of lanes legal (which must not exceed MaxLanes), each pair of streams
// once. Of rows that have to be long it asks what a block of inRows lanes needs: see RowTests.
func (r *Result) Overlaps(lanes, inRows int) []plan.Overlap {
	if lanes < 2 && r.kept == nil {
		return nil
	}
	tests := slices.Clone(r.fixed)
	for _, p := range r.pairs {
		tests = append(tests, p.tests(lanes)...)
	}
	tests = append(tests, r.rowOverlaps(inRows)...)
	return tests
}

// refuse keeps the first reason.
func (r *Result) refuse(v *vir.Value, id, msg string) {
	if r.Refusal == nil {
		r.Refusal = &scev.Refusal{Pos: r.pos(v), ID: id, Msg: msg}
	}
}

func (r *Result) pos(v *vir.Value) vir.Pos {
	if v.Pos.IsValid() {
		return v.Pos
	}
	return r.region.Pos
}
