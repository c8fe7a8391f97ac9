package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// Lanes of a nest know variables that go on from iteration to iteration, as those of other loops do, where they follow from what
// stands in front of the loops inside and of all conditions:
//
//	for i := range x {
//		s += x[i]                             lanes of s: a scan of x
//		for j := range w { ... s ... }
//	}
//
// They are made there, as the blocks behind may be entered, left and entered again.

// holdAhead finds these variables.
func (l *loop) holdAhead() {
	for _, phi := range l.header.Phis() {
		if l.holder[phi] != nil || l.onlyCounts(phi) || l.sc.Phi(phi) != scev.Recurrence {
			continue
		}
		if s := l.seriesAhead(phi); s != nil {
			l.holdSeries(s)
		} else if s := l.carryAhead(phi); s != nil {
			l.holdCarry(s)
		}
	}
}

// seriesAhead is the series of phi, if a nest knows it in front.
func (l *loop) seriesAhead(phi *vir.Value) *series {
	s := l.findSeries(phi)
	if s == nil || slices.ContainsFunc(s.vals, func(a affineValue) bool { return !l.isAhead(a.v) }) {
		return nil
	}
	return s
}

// carryAhead is the same for a carry.
func (l *loop) carryAhead(phi *vir.Value) *carry {
	m := newMatcher(l.region, l.sc)
	m.follow(phi)
	s, err := l.findCarry(m, phi)
	if err != nil || s == nil || !l.isAhead(s.after) || slices.ContainsFunc(s.made(), func(v *vir.Value) bool { return !l.isAhead(v) }) {
		return nil
	}
	return s
}

// isAhead reports whether v is computed in front of loops inside and conditions, or before the loop.
func (l *loop) isAhead(v *vir.Value) bool {
	return v.Block == l.blocks[0] || v.Block == l.header || !slices.Contains(l.blocks, v.Block)
}

// carried makes the lanes of variables that go on as v, which has just been written.
func (n *nestWriter) carried(v *vir.Value) {
	for _, phi := range n.e.l.header.Phis() {
		if s := n.e.l.carries[phi]; s != nil && s.after == v && n.e.l.demand[phi] {
			n.value(phi)
		}
	}
}
