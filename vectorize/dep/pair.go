package dep

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A group is accesses that move together: one base, one step, constant
// differences. Inside a group everything is known before run time.
type group struct {
	first   plan.Stream // of the first member
	members []member
}

type member struct {
	index  int   // in program order
	rel    int64 // address minus that of the first member
	size   int64
	stores bool
}

func groupsOf(accesses []Access) []*group {
	var groups []*group
next:
	for i, a := range accesses {
		m := member{index: i, size: a.Stream.Size, stores: a.Store}
		for _, g := range groups {
			if a.Stream.Param != g.first.Param || a.Stream.Step != g.first.Step {
				continue
			}
			if d, ok := scev.Diff(a.Stream.Off, g.first.Off); ok {
				m.rel = d
				g.members = append(g.members, m)
				continue next
			}
		}
		groups = append(groups, &group{first: a.Stream, members: []member{m}})
	}
	return groups
}

func (g *group) stores() bool {
	for _, m := range g.members {
		if m.stores {
			return true
		}
	}
	return false
}

// A pair is two groups, at least one of which stores.
type pair struct{ g, h *group }

func pairsOf(f *vir.Func, accesses []Access) []pair {
	groups := groupsOf(accesses)
	var pairs []pair
	for j, h := range groups {
		for _, g := range groups[:j] {
			if (g.stores() || h.stores()) && mayOverlap(f.Params[g.first.Param], f.Params[h.first.Param]) {
				pairs = append(pairs, pair{g, h})
			}
		}
	}
	return pairs
}

// mayOverlap reports whether memory behind two pointers may be the same and be
// written. Immutable memory is apart from everything that is stored to.
func mayOverlap(p, q *vir.Value) bool {
	return p == q || !p.Param.Immutable && !q.Param.Immutable
}

// test is the run-time condition for a block of the given number of lanes.
// Groups at the same step keep their distance, so the distance decides; others
// must be apart altogether.
func (p pair) test(lanes int) plan.Overlap {
	if p.g.first.Step == p.h.first.Step {
		lo, hi := p.window(lanes)
		return plan.Overlap{A: p.g.first, B: p.h.first, Lo: lo, Hi: hi}
	}
	return plan.Overlap{A: p.g.span(p.h.stores()), B: p.h.span(p.g.stores()), Disjoint: true}
}

// window is the hull of the windows of all pairs of members, moved to the
// difference of the first members.
func (p pair) window(lanes int) (lo, hi int64) {
	first := true
	for _, a := range p.g.members {
		for _, b := range p.h.members {
			if !a.stores && !b.stores {
				continue
			}
			l, h := between(a, b, p.g.first.Step, lanes)
			if first {
				lo, hi, first = l, h, false
			}
			lo, hi = min(lo, l), max(hi, h)
		}
	}
	return lo, hi
}

// between is the window for d, the address of the group of b minus that of the
// group of a, whichever of the members comes first in the program.
func between(a, b member, step int64, lanes int) (lo, hi int64) {
	shift := a.rel - b.rel
	if a.index < b.index {
		lo, hi = window(step, a.size, b.size, lanes)
		return lo + shift, hi + shift
	}
	// The window is for the difference the other way round.
	lo, hi = window(step, b.size, a.size, lanes)
	return shift - hi, shift - lo
}

// span is one stream around those members that matter: all of them against a
// group that stores, else the stores.
func (g *group) span(all bool) plan.Stream {
	s := g.first
	var lo, hi int64
	first := true
	for _, m := range g.members {
		if !all && !m.stores {
			continue
		}
		if first {
			lo, hi, first = m.rel, m.rel+m.size, false
		}
		lo, hi = min(lo, m.rel), max(hi, m.rel+m.size)
	}
	s.Off = scev.Simplify(plan.Add(s.Off, plan.Const(lo)))
	s.Size = hi - lo
	return s
}
