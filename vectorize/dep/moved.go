package dep

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// Moved says what makes it legal to do access b before access a in a vector block
// of the given number of lanes, although a comes first in Result.Accesses: that it may
// be done at all, and tests at run time in addition to those of Overlaps.
//
// With a in iteration t and b in iteration u of one block, the order changes for
// u >= t, or for u > t where b comes before a in the program: with d the address of b
// minus that of a in one iteration, and both moving by step, they must not meet for any
// such j = u-t:
//
//	-size of b < d + j*step < size of a
//
// Where Overlaps asks for memory to be disjoint in all iterations nothing else is
// needed.
func (r *Result) Moved(a, b *Access, lanes int) (tests []plan.Overlap, ok bool) {
	if !a.Store && !b.Store || !r.mayMeet(a, b) || r.parted(a, b) {
		return nil, true
	}
	from := b.first(a)
	if r.region.Clauses.Independent {
		lanes = 1 // other iterations are the user's word
	}
	if r.loadFirst(a, b) {
		return nil, false
	}
	d, known := scev.Diff(b.Stream.Off, a.Stream.Off)
	if movesWith(a, b) && known {
		return nil, r.movedInFamily(a, b, d, from, lanes)
	}
	switch {
	case a.Kind == Linear && b.Kind == Linear && a.Stream.Step == b.Stream.Step:
		lo, hi := window(-a.Stream.Step, a.Stream.Size, b.Stream.Size, lanes, from)
		return []plan.Overlap{{A: a.Stream, B: b.Stream, Lo: lo, Hi: hi, Below: b.Stream.Size, Above: a.Stream.Size}}, true
	case r.region.Clauses.Independent:
		return nil, false // nothing is tested
	case a.Kind == Linear && b.Kind == Linear:
		return nil, true
	}
	return nil, tested(a, b)
}

// movedInFamily decides for accesses whose distance d is known.
func (r *Result) movedInFamily(a, b *Access, d, from int64, lanes int) bool {
	meet := func(d int64) bool { return -b.Stream.Size < d && d < a.Stream.Size }
	switch {
	case d < -far || d > far:
		return false
	case from == 0 && meet(d):
		return false
	case r.region.Clauses.Independent:
		return true
	case a.Kind == Symbolic:
		return true // Overlaps asks for a step that leads out of reach
	case a.Kind != Linear:
		return false
	}
	for j := from; j < int64(lanes); j++ {
		if meet(d + j*a.Stream.Step) {
			return false
		}
	}
	return true
}

// Apart reports whether a and b never touch a common byte in iterations of one block
// of so many lanes, whatever the arguments are.
func (r *Result) Apart(a, b *Access, lanes int) bool {
	params := r.region.Fn.Params
	if !mayOverlap(params[a.Stream.Param], params[b.Stream.Param]) || r.otherParts(a, b) {
		return true
	}
	d, known := scev.Diff(b.Stream.Off, a.Stream.Off)
	if !known || a.Kind != Linear || !movesWith(a, b) || d < -far || d > far {
		return false
	}
	for j := int64(1 - lanes); j < int64(lanes); j++ {
		if e := d + j*a.Stream.Step; -b.Stream.Size < e && e < a.Stream.Size {
			return false
		}
	}
	return true
}
