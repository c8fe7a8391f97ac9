package promote

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// Elements side by side are compared with other memory as one, and so is what an iteration
// touches side by side, as far as it lies within the step from iteration to iteration. A
// test that asks for more than it must costs iterations, none is wrong.

// coalesce makes few tests of many.
func (l *Loop) coalesce() {
	for before := -1; before != len(l.overlaps); { // what has grown may go with what came before it
		before = len(l.overlaps)
		for i := 0; i < len(l.overlaps); i++ {
			l.absorb(i)
		}
	}
}

// absorb makes one test of test i and those behind it that go with it.
func (l *Loop) absorb(i int) {
	for k := i + 1; k < len(l.overlaps); k++ {
		if both, ok := together(l.overlaps[i], l.overlaps[k]); ok {
			l.overlaps[i] = both
			l.overlaps = slices.Delete(l.overlaps, k, k+1)
			k = i
		}
	}
}

// together is one test for two that have a side in common.
func together(o, p plan.Overlap) (plan.Overlap, bool) {
	if !plain(o) || !plain(p) || o.A.Param == o.B.Param || p.A.Param == p.B.Param {
		return o, false
	}
	var ok bool
	switch {
	case o.A.Same(&p.A):
		o.B, ok = hull(o.B, p.B)
	case o.B.Same(&p.B):
		o.A, ok = hull(o.A, p.A)
	}
	return o, ok
}

func plain(o plan.Overlap) bool { return o.Disjoint && !o.Follows }

// hull is a stream around two.
func hull(a, b plan.Stream) (plan.Stream, bool) {
	d, ok := scev.Diff(b.Off, a.Off) // how far b lies behind a
	if !ok || !a.SameWalk(&b) {
		return a, false
	}
	size := max(a.Size, d+b.Size) - min(0, d)
	if size > max(a.Size+b.Size, a.Step, -a.Step) {
		return a, false
	}
	if d < 0 {
		a.Off = b.Off
	}
	a.Size = size
	return a, true
}
