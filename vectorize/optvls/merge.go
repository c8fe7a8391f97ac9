package optvls

import (
	"cmp"
	"fmt"
	"slices"
)

// A testMerge is what merging b into a would be: b's edges behind a's.
type testMerge struct {
	a, b  *node
	lanes []int
	cost  int
	pays  bool // costs less than both
}

func (m *testMerge) String() string {
	return fmt.Sprintf("%d can be merged with %d %s COST: %d", m.a.id, m.b.id, angle(m.lanes, " "), m.cost)
}

// merge commits test merges, cheapest first and earlier ones before later ones of
// the same cost, as long as there are any. With paying it commits only merges that
// cost less than the two nodes. It says whether it committed any, and any that does
// not pay.
func (g *graph) merge(c Client, paying bool) (any, lossy bool) {
	for {
		tests := g.testMerges(c)
		if paying {
			tests = slices.DeleteFunc(tests, func(m testMerge) bool { return !m.pays })
		}
		if len(tests) == 0 {
			return any, lossy
		}
		slices.SortStableFunc(tests, func(x, y testMerge) int { return cmp.Compare(x.cost, y.cost) })
		gone := make(map[*node]bool)
		for _, m := range tests {
			if !gone[m.a] && !gone[m.b] {
				g.commit(m.a, m.b)
				any, lossy = true, lossy || !m.pays
				gone[m.a], gone[m.b] = true, true
			}
		}
	}
}

// testMerges simulates the merges of all pairs of nodes that split made, where the
// sources of one are among those of the other and both together fit a register.
func (g *graph) testMerges(c Client) []testMerge {
	var inner []*node
	var from [][]*node
	for _, n := range g.nodes[len(g.results):] {
		if n.source < 0 && len(n.edges) > 0 {
			inner = append(inner, n)
			from = append(from, n.sources())
		}
	}
	var tests []testMerge
	for i, a := range inner {
		for j := i + 1; j < len(inner); j++ {
			if a.bits()+inner[j].bits() > g.widest {
				continue
			}
			if s := common(from[i], from[j]); s != nil {
				tests = append(tests, g.testMerge(c, a, inner[j], s))
			}
		}
	}
	return tests
}

// common is one of two sets of sources if it has all of the other, and all of one
// type; else nil.
func common(from, fewer []*node) []*node {
	if len(from) < len(fewer) {
		from, fewer = fewer, from
	}
	for _, s := range fewer {
		if !slices.Contains(from, s) {
			return nil
		}
	}
	for _, s := range from {
		if s.bits() != from[0].bits() {
			return nil
		}
	}
	return from
}

// testMerge simulates merging b into a.
func (g *graph) testMerge(c Client, a, b *node, from []*node) testMerge {
	m := testMerge{a: a, b: b}
	t := Type{g.lane, from[0].bits() / g.lane}
	one, other := g.mask(a.edges, from), g.mask(b.edges, from)
	m.lanes = slices.Concat(one, other)
	m.cost = c.Shuffle(t, m.lanes)
	m.pays = m.cost < c.Shuffle(t, one)+c.Shuffle(t, other)
	return m
}

// mask gives the lanes that edges take from the sources one behind the other.
func (g *graph) mask(edges []edge, from []*node) []int {
	var lanes []int
	for _, e := range edges {
		l := -1
		if e.src != nil {
			l = (slices.Index(from, e.src)*from[0].bits() + e.bits.index) / g.lane
		}
		lanes = append(lanes, l)
	}
	return lanes
}

// commit puts b's edges behind a's, and lets users of b use a.
func (g *graph) commit(a, b *node) {
	shift := a.bits()
	a.edges = append(a.edges, b.edges...)
	b.edges = nil
	for _, n := range g.nodes {
		for i, e := range n.edges {
			if e.src == b {
				n.edges[i] = edge{a, bitRange{e.bits.index + shift, e.bits.bits}}
			}
		}
	}
}
