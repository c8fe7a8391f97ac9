package dep

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// Moved says what makes it legal to do access b before access a in a vector block
// of the given number of lanes, although a comes first in the program: that it may
// be done at all, and tests at run time in addition to those of Overlaps.
//
// With a in iteration t and b in iteration u of one block, only the order for
// u >= t changes: with d the address of b minus that of a in one iteration, and
// both moving by step, they must not meet for any j = u-t from 0 on:
//
//	-size of b < d + j*step < size of a
//
// Where Overlaps asks for memory to be disjoint in all iterations nothing else is
// needed.
func (r *Result) Moved(a, b *Access, lanes int) (tests []plan.Overlap, ok bool) {
	params := r.region.Fn.Params
	switch {
	case !a.Store && !b.Store, !mayOverlap(params[a.Stream.Param], params[b.Stream.Param]), r.apart(a, b), r.parted(a, b):
		return nil, true
	}
	if r.region.Clauses.Independent {
		lanes = 1 // other iterations are the user's word
	}
	if r.loadFirst(a, b) {
		return nil, false
	}
	d, known := scev.Diff(b.Stream.Off, a.Stream.Off)
	if movesWith(a, b) && known {
		return nil, r.movedInFamily(a, b, d, lanes)
	}
	switch {
	case a.Kind == Linear && b.Kind == Linear && a.Stream.Step == b.Stream.Step:
		near, away := int64(0), -int64(lanes-1)*a.Stream.Step
		lo, hi := min(near, away)-b.Stream.Size, max(near, away)+a.Stream.Size
		return []plan.Overlap{{A: a.Stream, B: b.Stream, Lo: lo, Hi: hi, Exact: true}}, true
	case r.region.Clauses.Independent:
		return nil, false // nothing is tested
	case a.Kind == Linear && b.Kind == Linear:
		return nil, true
	}
	return nil, a.Stream.Param != b.Stream.Param || a.bounded() && b.bounded()
}

// movedInFamily decides for accesses whose distance d is known.
func (r *Result) movedInFamily(a, b *Access, d int64, lanes int) bool {
	meet := func(d int64) bool { return -b.Stream.Size < d && d < a.Stream.Size }
	switch {
	case d < -far || d > far:
		return false
	case meet(d):
		return false
	case r.region.Clauses.Independent:
		return true
	case a.Kind == Symbolic:
		return true // Overlaps asks for a step that leads out of reach
	case a.Kind != Linear:
		return false
	}
	for j := range int64(lanes) {
		if meet(d + j*a.Stream.Step) {
			return false
		}
	}
	return true
}
