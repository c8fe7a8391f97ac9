package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// A scope is one iteration of a loop as a directed acyclic graph: its blocks, with
// each loop inside it as a single node. It starts at the header, but for the region,
// whose header stays apart.
type scope struct {
	c     *converter
	loop  *loops.Loop
	base  literal // under which node root runs
	root  int
	nodes []*node // in topological order
	at    map[*vir.Block]int
	idom  []int    // immediate dominators by position; 0 is its own
	pdom  [][]bool // pdom[i][j]: j post-dominates i
	preds map[nodePair]literal
}

// A node is a block or an inner loop.
type node struct {
	block *vir.Block // header of inner if that is there
	inner *inner     // nil for a block
}

// newScope makes the graph of an iteration of l from start on.
func (c *converter) newScope(l *loops.Loop, start *vir.Block) (*scope, error) {
	s := &scope{c: c, loop: l, at: make(map[*vir.Block]int), preds: make(map[nodePair]literal)}
	if err := s.visit(start, make(map[*vir.Block]bool)); err != nil {
		return nil, err
	}
	slices.Reverse(s.nodes)
	for i, n := range s.nodes {
		s.at[n.block] = i
		if n.inner != nil {
			for _, b := range n.inner.loop.Blocks {
				s.at[b] = i
			}
		}
	}
	s.dominators()
	s.postDominators()
	return s, nil
}

// visit appends the nodes from that of b on in post-order.
func (s *scope) visit(b *vir.Block, seen map[*vir.Block]bool) error {
	seen[b] = true
	n := &node{block: b}
	if l := s.c.forest.Of(b); l != s.loop {
		in, err := s.c.newInner(l, s.loop)
		if err != nil {
			return err
		}
		n.inner = in
	}
	for _, to := range s.succs(n) {
		if s.inside(to) && !seen[to] {
			if err := s.visit(to, seen); err != nil {
				return err
			}
		}
	}
	s.nodes = append(s.nodes, n)
	return nil
}

// inside reports whether an edge to b stays in the iteration.
func (s *scope) inside(b *vir.Block) bool { return b != s.loop.Header && s.loop.Contains(b) }

// succs are the blocks to which control goes from n.
func (s *scope) succs(n *node) []*vir.Block {
	if n.inner == nil {
		return n.block.Succs
	}
	var out []*vir.Block
	for _, e := range n.inner.loop.Exits {
		out = append(out, e.To)
	}
	return out
}

// entries are the blocks from which control comes to node n, with the positions
// of these edges among the predecessors of its block.
func (s *scope) entries(n *node) (from []*vir.Block, edges []int) {
	for k, p := range n.block.Preds {
		if n.inner == nil || !n.inner.loop.Contains(p) {
			from, edges = append(from, p), append(edges, k)
		}
	}
	return from, edges
}

// dominators solves idom(b) = nearest common dominator of the predecessors of b.
// One sweep is enough without cycles.
func (s *scope) dominators() {
	s.idom = make([]int, len(s.nodes))
	for i, n := range s.nodes[1:] {
		d := -1
		from, _ := s.entries(n)
		for _, p := range from {
			if j := s.at[p]; d < 0 {
				d = j
			} else {
				d = s.common(d, j)
			}
		}
		s.idom[i+1] = d
	}
}

func (s *scope) common(i, j int) int {
	for i != j {
		if i > j {
			i = s.idom[i]
		} else {
			j = s.idom[j]
		}
	}
	return i
}

// postDominators solves pdom(b) = {b} + intersection of pdom over the successors.
// Nothing but itself post-dominates a node from which the loop is left.
func (s *scope) postDominators() {
	n := len(s.nodes)
	s.pdom = make([][]bool, n)
	for i := n - 1; i >= 0; i-- {
		set := make([]bool, n)
		first := true
		for _, to := range s.succs(s.nodes[i]) {
			if to == s.loop.Header {
				continue
			}
			in := s.inside(to)
			for j := range set {
				set[j] = in && s.pdom[s.at[to]][j] && (first || set[j])
			}
			first = false
		}
		set[i] = true
		s.pdom[i] = set
	}
}

// refuseShape refuses a loop inside the region that is not in normal form.
func refuseShape(l *loops.Loop) error {
	return pass.Refuse("ifconv:InnerLoop", l.Header.Term(), "the loop contains a loop with more than one way back")
}
