package optvls

// split makes nodes of more than two sources out of two nodes that have half of the
// sources each, until every node has two at most. Where a half is a single source,
// that source takes its place.
func (g *graph) split() {
	for i := 0; i < len(g.nodes); i++ {
		g.splitNode(g.nodes[i])
	}
}

func (g *graph) splitNode(n *node) {
	from := n.sources()
	if len(from) <= 2 {
		return
	}
	mid := (len(from) + 1) / 2
	g.takeOut(n, from[:mid])
	g.takeOut(n, from[mid:])
}

// takeOut moves the edges of n that come from the given sources to a new node.
func (g *graph) takeOut(n *node, from []*node) {
	if len(from) == 1 {
		return
	}
	in := make(map[*node]bool)
	for _, s := range from {
		in[s] = true
	}
	half := g.node(-1)
	for i, e := range n.edges {
		if e.src != nil && in[e.src] {
			n.edges[i] = edge{half, bitRange{half.bits(), e.bits.bits}}
			half.edges = append(half.edges, e)
		}
	}
}
