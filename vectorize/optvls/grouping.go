package optvls

import (
	"cmp"
	"slices"
)

// Options of grouping.
type Options struct {
	Greedy bool // fill groups from the lowest address on, whatever the gaps
	Span   int  // bytes that a group may span where that is more than a vector
}

// Groups separates the memrefs, given in program order, into groups no member of
// which ends more than a vector of the given bytes behind where the first begins, and
// maps each memref to its group. Every memref is in one group, alone if need be.
//
// The memrefs of one group have the same access, lanes and stride, lie at constant
// distances, and can all move to the place of the group. Stores of one group do not
// overlap. Among those groupings the one with the fewest groups is taken, of these
// the one with the fewest bytes of gaps, of these the one that fills lower groups
// first. The greedy option fills each group as far as it goes, from the lowest
// address on. With a vector of 16 bytes:
//
//	bytes     0    4    8    12   16   20
//	greedy   [a    b         c ] [d    e ]
//	default  [a    b ]      [c    d    e ]
func Groups(memrefs []Memref, vector int, o Options) ([]*Group, map[Memref]*Group) {
	var groups []*Group
	for _, c := range classes(memrefs) {
		groups = append(groups, c.partition(vector, o)...)
	}
	of := make(map[Memref]*Group)
	order := make(map[Memref]int)
	for i, m := range memrefs {
		order[m] = i
	}
	for _, g := range groups {
		for _, m := range g.Members {
			of[m.Ref] = g
		}
	}
	slices.SortStableFunc(groups, func(a, b *Group) int { return cmp.Compare(order[a.Place], order[b.Place]) })
	return groups, of
}

// A class is a set of memrefs that may share a group as far as pairs can tell,
// sorted by distance from the leader.
type class struct {
	leader Memref
	refs   []placed
}

type placed struct {
	ref   Memref
	dist  int64 // from the leader
	order int   // in the program
}

// classes puts each memref into the first class whose leader it suits. Leaders are
// where the group would stand, so stores are visited from the last one on.
func classes(memrefs []Memref) []*class {
	var all []*class
	visit := func(i int) {
		m := memrefs[i]
		for _, c := range all {
			if d, ok := suits(m, c.leader); ok {
				c.refs = append(c.refs, placed{m, d, i})
				return
			}
		}
		all = append(all, &class{m, []placed{{m, 0, i}}})
	}
	for i, m := range memrefs {
		if !m.Access().Store {
			visit(i)
		}
	}
	for i := len(memrefs) - 1; i >= 0; i-- {
		if memrefs[i].Access().Store {
			visit(i)
		}
	}
	for _, c := range all {
		slices.SortFunc(c.refs, func(a, b placed) int {
			return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.order, b.order))
		})
	}
	return all
}

// suits says whether m may be in a group that stands at the leader, and how far
// from the leader it lies.
func suits(m, leader Memref) (dist int64, ok bool) {
	if m.Access() != leader.Access() || m.Type().Lanes != leader.Type().Lanes || !m.SameElements(leader) {
		return 0, false
	}
	if !m.Access().Indexed {
		s, ok := m.Stride()
		l, lok := leader.Stride()
		if !ok || !lok || s != l {
			return 0, false
		}
	}
	if dist, ok = m.Distance(leader); !ok {
		return 0, false
	}
	return dist, m.CanMoveTo(leader)
}

// many is the number of memrefs of a class from which on nobody waits for the best partition.
const many = 150

// partition cuts the sorted class into runs that can be groups.
func (c *class) partition(vector int, o Options) []*Group {
	if o.Greedy || len(c.refs) > many {
		return c.greedy(vector, o)
	}
	// best[i] is the best partition of the first i memrefs: its number of groups,
	// its gaps, and where its last group begins.
	type choice struct{ groups, gaps, from int }
	best := make([]choice, len(c.refs)+1)
	for to := 1; to < len(best); to++ {
		best[to].groups = -1
		for from := to - 1; from >= 0; from-- {
			if c.refs[to-1].dist-c.refs[from].dist >= int64(max(vector, o.Span)) {
				break
			}
			g, ok := c.group(from, to, vector, o)
			if !ok {
				continue
			}
			b := choice{best[from].groups + 1, best[from].gaps + g.gaps(), from}
			if now := best[to]; now.groups < 0 || cmp.Or(cmp.Compare(b.groups, now.groups), cmp.Compare(b.gaps, now.gaps)) < 0 {
				best[to] = b
			}
		}
	}
	var groups []*Group
	for to := len(c.refs); to > 0; to = best[to].from {
		g, _ := c.group(best[to].from, to, vector, o)
		groups = append(groups, g)
	}
	slices.Reverse(groups)
	return groups
}

func (c *class) greedy(vector int, o Options) []*Group {
	var groups []*Group
	for from := 0; from < len(c.refs); {
		to := from + 1
		last, _ := c.group(from, to, vector, o)
		for to < len(c.refs) {
			g, ok := c.group(from, to+1, vector, o)
			if !ok {
				break
			}
			last = g
			to++
		}
		groups = append(groups, last)
		from = to
	}
	return groups
}

// group makes a group of refs[from:to], or says that it cannot be one. A single
// memref always is.
func (c *class) group(from, to, vector int, o Options) (*Group, bool) {
	refs := c.refs[from:to]
	lead := refs[0].ref
	g := &Group{Access: lead.Access(), Lanes: lead.Type().Lanes, Vector: vector}
	if !g.Access.Indexed {
		g.Stride, _ = lead.Stride()
	}
	place := refs[0]
	for _, r := range refs {
		g.Members = append(g.Members, Member{r.ref, r.dist - refs[0].dist, r.ref.Type()})
		if r.order < place.order != g.Access.Store {
			place = r
		}
	}
	g.Place = place.ref
	if len(refs) == 1 {
		return g, true
	}
	if g.Span() > int64(max(vector, o.Span)) || g.Access.Store && g.overlaps() {
		return nil, false
	}
	for _, r := range refs {
		if r.ref != g.Place && !r.ref.CanMoveTo(g.Place) {
			return nil, false
		}
	}
	return g, true
}

// gaps counts the bytes of the span that no member touches.
func (g *Group) gaps() int {
	n := 0
	for _, m := range g.Mask() {
		if !m {
			n += g.unit()
		}
	}
	return n
}

// overlaps says whether two accesses of the group touch the same byte.
func (g *Group) overlaps() bool {
	seen := make(map[int64]bool)
	lanes := g.Lanes
	if g.Access.Indexed {
		lanes = 1 // other lanes may coincide, and the client answers for that
	}
	for k := range lanes {
		for _, m := range g.Members {
			for b := m.Offset; b < m.end(); b++ {
				at := int64(k)*g.Stride + b
				if seen[at] {
					return true
				}
				seen[at] = true
			}
		}
	}
	return false
}
