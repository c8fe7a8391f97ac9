package dep

import (
	"cmp"
	"math"
	"slices"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A family is accesses that move together: one base, one step or one index,
// constant differences. Inside a family everything is known before run time.
type family struct {
	first   plan.Stream // of the first member
	lead    *Access     // the first member
	members []member    // in the order of Result.Accesses
}

type member struct {
	*Access
	index  int   // in Result.Accesses
	rel    int64 // address minus that of the first member of the family
	size   int64
	stores bool
}

func familiesOf(accesses []Access) []*family {
	var families []*family
next:
	for i := range accesses {
		a := &accesses[i]
		m := member{Access: a, index: i, size: a.Stream.Size, stores: a.Store}
		for _, f := range families {
			if !movesWith(a, f.lead) {
				continue
			}
			if d, ok := scev.Diff(a.Stream.Off, f.first.Off); ok {
				m.rel = d
				f.members = append(f.members, m)
				continue next
			}
		}
		families = append(families, &family{first: a.Stream, lead: a, members: []member{m}})
	}
	return families
}

// movesWith reports whether the addresses of two accesses differ by the same in
// every iteration.
func movesWith(a, b *Access) bool {
	return a.Kind == b.Kind && a.Stream.Param == b.Stream.Param && a.Stream.Step == b.Stream.Step &&
		sameStep(a, b) && a.Index == b.Index && a.Scale == b.Scale
}

func sameStep(a, b *Access) bool {
	if a.Step == nil || b.Step == nil {
		return a.Step == b.Step
	}
	d, ok := scev.Diff(a.Step, b.Step)
	return ok && d == 0
}

// maxGap is the largest number of bytes between two members of a cluster.
const maxGap = 256

// clusters splits a family where its members lie far apart, so that what lies
// between two rows of a table is not taken for part of them. Each cluster gets
// one test; its addresses are still relative to the family's first member.
func (f *family) clusters() []*family {
	byAddress := slices.Clone(f.members)
	slices.SortStableFunc(byAddress, func(a, b member) int { return cmp.Compare(a.rel, b.rel) })
	var all []*family
	end := int64(0)
	for i, m := range byAddress {
		if i == 0 || m.rel > end+maxGap {
			all = append(all, &family{first: f.first, lead: f.lead})
			end = m.rel + m.size
		}
		c := all[len(all)-1]
		c.members = append(c.members, m)
		end = max(end, m.rel+m.size)
	}
	for _, c := range all {
		slices.SortFunc(c.members, func(a, b member) int { return cmp.Compare(a.index, b.index) })
	}
	slices.SortFunc(all, func(a, b *family) int { return cmp.Compare(a.members[0].index, b.members[0].index) })
	return all
}

func (f *family) stores() bool {
	return slices.ContainsFunc(f.members, func(m member) bool { return m.stores })
}

// A pair is two clusters of different families with accesses that conflict.
type pair struct {
	g, h *family
	res  *Result
}

// checkPairs makes tests of the families that may share memory.
func (r *Result) checkPairs(families []*family) {
	params := r.region.Fn.Params
	for j, second := range families {
		for _, first := range families[:j] {
			if mayOverlap(params[first.first.Param], params[second.first.Param]) && r.conflict(first, second) {
				r.checkPair(first, second)
			}
		}
	}
}

// conflict reports whether a member of g and one of h may touch a common byte,
// at least one of them storing.
func (r *Result) conflict(g, h *family) bool {
	for _, a := range g.members {
		for _, b := range h.members {
			if (a.stores || b.stores) && !r.apart(a.Access, b.Access) {
				return true
			}
		}
	}
	return false
}

func (r *Result) checkPair(first, second *family) {
	kinds := [2]Kind{first.lead.Kind, second.lead.Kind}
	switch {
	case r.split(first, second):
	case kinds == [2]Kind{Linear, Linear}:
		for _, g := range first.clusters() {
			for _, h := range second.clusters() {
				if r.conflict(g, h) {
					p := pair{g, h, r}
					switch _, ok := p.runsAway(); {
					case ok:
						r.ordered = append(r.ordered, p)
					case p.meets():
						r.limitPair(g, h, 1)
						continue
					}
					r.pairs = append(r.pairs, p)
				}
			}
		}
	case first.lead.Kind == Counted || second.lead.Kind == Counted:
		r.counted(first, second)
	case tested(first.lead, second.lead):
		r.disjoint(first, second)
	case kinds == [2]Kind{Symbolic, Symbolic}:
		r.interleaved(first, second)
	default:
		r.limitPair(first, second, 1)
	}
}

// limitPair limits the lanes because of the first members that conflict.
func (r *Result) limitPair(g, h *family, lanes int64) {
	for _, a := range g.members {
		for _, b := range h.members {
			if (a.stores || b.stores) && !r.apart(a.Access, b.Access) {
				if a.index > b.index {
					a, b = b, a
				}
				r.limit(a.Access, b.Access, lanes)
				return
			}
		}
	}
}

// mayOverlap reports whether memory behind two pointers may be the same and be
// written. Immutable memory is apart from everything that is stored to.
func mayOverlap(p, q *vir.Value) bool {
	return p == q || !p.Param.Immutable && !q.Param.Immutable
}

// tests are the run-time conditions for a block of the given number of lanes.
// Clusters at the same step keep their distance, so the distance decides; others
// must be apart altogether.
func (p pair) tests(lanes int) []plan.Overlap {
	if p.g.first.Step != p.h.first.Step || p.res.drift(p.g.first, p.h.first) {
		if o, ok := p.runsAway(); ok {
			return []plan.Overlap{o}
		}
		return []plan.Overlap{{A: p.g.span(p.h.stores()), B: p.h.span(p.g.stores()), Disjoint: true}}
	}
	var all []plan.Overlap
	for _, w := range p.windows(lanes) {
		below, above := p.reach()
		all = append(all, plan.Overlap{A: p.g.first, B: p.h.first, Lo: w.lo, Hi: w.hi, Below: below, Above: above})
	}
	return all
}

// drift reports whether the distance between two streams of one step may be another one when the kernel is called again:
// the scalar code may do several iterations as one, and variables move on by that one then. What both touch in as many
// iterations as there are stays in where it was.
func (r *Result) drift(a, b plan.Stream) bool {
	if _, ok := scev.Diff(b.Off, a.Off); ok || !r.region.Uneven {
		return false
	}
	return scev.Simplify(plan.Sub(b.Off, a.Off)).Has(func(x *plan.Expr) bool {
		return x.Op == plan.ExprParam && r.region.StateOf(x.Param) >= 0
	})
}

// meets reports whether what must be disjoint is known not to be after as few iterations as nothing is gained from. Tests come
// before the first one.
func (p pair) meets() bool {
	const few = 3 // iterations behind the first one
	a, b := p.g.span(p.h.stores()), p.h.span(p.g.stores())
	if a.Step == b.Step || a.Param != b.Param {
		return false
	}
	d, ok := p.res.region.Begin(plan.Sub(b.Off, a.Off))
	down, up := func(s plan.Stream) int64 { return min(0, few*s.Step) }, func(s plan.Stream) int64 { return s.Size + max(0, few*s.Step) }
	return ok && d+down(b) < up(a) && down(a) < d+up(b)
}

// A hull is the distances from lo to hi, both excluded, that must not be.
type hull struct{ lo, hi int64 }

func (w *hull) include(x hull, first bool) {
	if first {
		*w = x
	}
	w.lo, w.hi = min(w.lo, x.lo), max(w.hi, x.hi)
}

// reach is how far the first members of the clusters have to be apart in one iteration, the second one below or above, for all members to
// have no byte in common.
func (p pair) reach() (below, above int64) {
	glo, ghi := p.g.extent(p.h.stores())
	hlo, hhi := p.h.extent(p.g.stores())
	return hhi - glo, ghi - hlo
}

// windows are the hulls of the windows of the pairs of members, moved to the
// difference of the first members: one for the pairs that are in the order of
// the clusters and one for the others, where a gap lies between them. In that
// gap are clusters of equal addresses, as in a loop that works in place.
func (p pair) windows(lanes int) []hull {
	var ways [2]hull
	var n [2]int
	for _, a := range p.g.members {
		for _, b := range p.h.members {
			if !a.stores && !b.stores || p.res.apart(a.Access, b.Access) {
				continue
			}
			way := 0
			if a.index > b.index {
				way = 1
			}
			h := between(a, b, p.g.first.Step, lanes)
			if p.res.keeps(a.Inst, b.Inst) {
				h.include(hull{a.rel - b.rel - b.size, a.rel - b.rel + a.size}, false)
			}
			ways[way].include(h, n[way] == 0)
			n[way]++
		}
	}
	x, y := ways[0], ways[1]
	switch {
	case n[1] == 0:
		return []hull{x}
	case n[0] == 0:
		return []hull{y}
	case x.hi <= y.lo || y.hi <= x.lo:
		return []hull{x, y}
	}
	x.include(y, false)
	return []hull{x}
}

// keeps reports whether one of a and b is an access that the other one, a store, must not touch in
// the same iteration.
func (r *Result) keeps(a, b *vir.Value) bool {
	return slices.Contains(r.kept[a], b) || slices.Contains(r.kept[b], a)
}

// between is the window for d, the address of the family of b minus that of the
// family of a, whichever of the members is done first.
func between(a, b member, step int64, lanes int) hull {
	if a.inCycleOf(b.Access) {
		return around(a, b, step, lanes)
	}
	shift := a.rel - b.rel
	if a.index < b.index {
		lo, hi := window(step, a.size, b.size, lanes, a.first(b.Access))
		return hull{lo + shift, hi + shift}
	}
	// The window is for the difference the other way round.
	lo, hi := window(step, b.size, a.size, lanes, b.first(a.Access))
	return hull{shift - hi, shift - lo}
}

// span is one stream around those members that matter: all of them against a
// cluster that stores, else the stores.
func (g *family) span(all bool) plan.Stream {
	s := g.first
	lo, hi := g.extent(all)
	s.Off = scev.Simplify(plan.Add(s.Off, plan.Const(lo)))
	s.Size = hi - lo
	return s
}

// extent is from where to where all members lie, or the stores, relative to the first member of the family.
func (g *family) extent(all bool) (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	for _, m := range g.members {
		if all || m.stores {
			lo, hi = min(lo, m.rel), max(hi, m.rel+m.size)
		}
	}
	return lo, hi
}
