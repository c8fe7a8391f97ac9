package optvls

import (
	"fmt"
	"slices"
	"strings"
)

// A bitRange is a number of bits from a bit on.
type bitRange struct{ index, bits int }

func (r bitRange) String() string { return fmt.Sprintf("[%d:%d]", r.index, r.index+r.bits-1) }

// An edge moves a range of bits out of a source. Without source it is a gap: bits of
// any value.
type edge struct {
	src  *node
	bits bitRange
}

// A node is a vector: a source, or what its incoming edges give one behind the
// other.
type node struct {
	id     int
	source int // which source it is, or -1
	size   int // bits of a source
	edges  []edge
}

func (n *node) bits() int {
	if n.source >= 0 {
		return n.size
	}
	sum := 0
	for _, e := range n.edges {
		sum += e.bits.bits
	}
	return sum
}

// sources lists the nodes that edges come from, each once, in the order of their
// edges.
func (n *node) sources() []*node {
	var all []*node
	for _, e := range n.edges {
		if e.src != nil && !slices.Contains(all, e.src) {
			all = append(all, e.src)
		}
	}
	return all
}

// A graph says how results are rearranged from sources. At first each result takes
// all its bits from sources; split makes nodes of two sources at most, and merge
// lets one node do the work of two:
//
//	loads  V5 V6 V7 V8      V5   V6    V7   V8        V5   V6    V7   V8
//	        \  \ /  /        \  /       \  /           |\  /|     |\  /|
//	         \ | | /         V9 ..      V10 ..         V9 V11     V10 V12
//	           V1 ..          \         /               | \  ...  / |
//	                            V1  ..                  V1   V2  V3  V4
//	          initial            split                      merged
type graph struct {
	lane    int // bits that each edge moves
	widest  int // bits of a register
	results []*node
	nodes   []*node // by id: results, sources, then what split made
}

// newGraph draws the initial graph: each result takes its tags from the sources. It
// is nil when a tag is nowhere.
func newGraph(lane, widest, tags int, sources, want [][]tag) *graph {
	g := &graph{lane: lane, widest: widest}
	for range want {
		g.results = append(g.results, g.node(-1))
	}
	from := make([]edge, tags)
	for i, s := range sources {
		n := g.node(i)
		n.size = len(s) * lane
		for k, t := range s {
			if t != none && from[t].src == nil {
				from[t] = edge{n, bitRange{k * lane, lane}}
			}
		}
	}
	for i, w := range want {
		for _, t := range w {
			e := edge{bits: bitRange{0, lane}}
			if t != none {
				e = from[t]
			}
			if t != none && e.src == nil {
				return nil
			}
			g.results[i].edges = append(g.results[i].edges, e)
		}
	}
	return g
}

func (g *graph) node(source int) *node {
	n := &node{id: len(g.nodes) + 1, source: source}
	g.nodes = append(g.nodes, n)
	return n
}

// String prints sources first, then the other nodes, each with its edges.
func (g *graph) String() string {
	var b strings.Builder
	for _, n := range g.nodes {
		if n.source >= 0 {
			fmt.Fprintf(&b, "V%d: Load\n", n.id)
		}
	}
	for _, n := range g.nodes {
		if n.source >= 0 || len(n.edges) == 0 {
			continue // printed above, or merged into another
		}
		fmt.Fprintf(&b, "V%d:\n", n.id)
		at := 0
		for _, e := range n.edges {
			from := "undefined"
			if e.src != nil {
				from = fmt.Sprintf("V%d%s", e.src.id, e.bits)
			}
			fmt.Fprintf(&b, " %s = %s\n", bitRange{at, e.bits.bits}, from)
			at += e.bits.bits
		}
	}
	return b.String()
}

// verify reports the first thing wrong with a graph that shall become code: nodes
// have at most two sources, edges stay inside their sources, and no node needs
// itself.
func (g *graph) verify() error {
	for _, n := range g.nodes {
		if s := n.sources(); len(s) > 2 {
			return fmt.Errorf("V%d has %d sources", n.id, len(s))
		}
		for _, e := range n.edges {
			if e.bits.bits != g.lane || e.src != nil && e.bits.index+e.bits.bits > e.src.bits() {
				return fmt.Errorf("V%d takes %s of V%d, which has %d bits", n.id, e.bits, e.src.id, e.src.bits())
			}
		}
	}
	if _, ok := g.order(); !ok {
		return fmt.Errorf("a node needs itself")
	}
	return nil
}

// order lists the nodes that results need, sources before uses; false when there
// is a cycle.
func (g *graph) order() ([]*node, bool) {
	var list []*node
	state := make(map[*node]int)
	var visit func(n *node) bool
	visit = func(n *node) bool {
		switch state[n] {
		case 1:
			return false
		case 2:
			return true
		}
		state[n] = 1
		for _, s := range n.sources() {
			if !visit(s) {
				return false
			}
		}
		state[n] = 2
		list = append(list, n)
		return true
	}
	for _, r := range g.results {
		if !visit(r) {
			return nil, false
		}
	}
	return list, true
}
