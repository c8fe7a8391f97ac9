// Package dep finds the memory accesses of a region and tells which order
// between them a vector program may change.
//
// A vector block runs op by op: all lanes of one access, then all lanes of the
// next, in the order of Result.Accesses. The blocks of the vector program and
// the lanes of one access keep their order. So with access A before B, the only
// thing that changes is B in iteration t against A in a later iteration u of the
// same block.
//
// The package knows scalar evolution and plain data of plan. It knows neither
// the vector program nor the machine. Accesses whose address does not change by
// a constant (gathers, scatters, pointers that are loaded) are refused.
package dep

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// An Access is one load or store of the loop.
type Access struct {
	Inst        *vir.Value
	Stream      plan.Stream // where it goes, from the current state on
	Store       bool
	Conditional bool         // under a mask or in a block that not every iteration runs
	Wrap        []plan.Bound // conditions under which Stream is right
}

// Uniform reports whether every iteration uses the same address.
func (a *Access) Uniform() bool { return a.Stream.Step == 0 }

// Result is the answer for one region.
type Result struct {
	// Accesses are in program order: reverse post-order of the blocks, then
	// order in the block. The vector program must keep it.
	Accesses []Access
	// MaxLanes is the largest number of lanes of a vector block (VF*UF) that
	// keeps the order of all accesses whose distance is known; 0 when there is
	// no limit. It need not be a power of two.
	MaxLanes int
	// Limit says what MaxLanes comes from; nil when there is no limit.
	Limit *scev.Refusal
	// Wrap are the bounds of all accesses, each once.
	Wrap []plan.Bound
	// Refusal is set when no number of lanes above one is legal or an address is
	// not understood; then the rest may be incomplete.
	Refusal *scev.Refusal

	region *plan.Region
	pairs  []pair
}

// Analyze finds the accesses of r and their dependences. With the clause
// independent, accesses are reported but nothing limits their order.
func Analyze(r *plan.Region, sc *scev.Info) *Result {
	res := &Result{region: r}
	if res.findAccesses(sc); res.Refusal != nil {
		return res
	}
	res.Wrap = distinct(res.Accesses)
	if r.Clauses.Independent {
		return res
	}
	for i := range res.Accesses {
		res.checkSelf(&res.Accesses[i])
	}
	families := familiesOf(res.Accesses)
	for _, f := range families {
		res.checkKnown(f)
	}
	res.pairs = pairsOf(r.Fn, families)
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
// once.
func (r *Result) Overlaps(lanes int) []plan.Overlap {
	if lanes < 2 {
		return nil
	}
	var tests []plan.Overlap
	for _, p := range r.pairs {
		tests = append(tests, p.test(lanes))
	}
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
