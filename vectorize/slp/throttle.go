package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Trees are throttled: where the part above a node costs more than to put the node's
// scalars together one by one, the tree ends there (Porpodas, Jones, "Throttling Automatic
// Vectorization: When Less is More", PACT 2015).
//
//	store   -1               store   -1
//	  add   -1                 add   -1
//	    load   -0.8    ->        load   -0.8
//	    mul  -1                  gather  +0.6
//	      gather +1.9
//	      gather +1.9
//
// From the leaves on, each node is worth the less of two: what it costs with all that it
// is computed from, or what it costs to gather it. Nodes with several users are counted
// with the first. Then the tree is grown again with the cuts; what it costs then counts.

// maxCuts is how often a tree is throttled.
const maxCuts = 3

// A cutter looks for cuts in the nodes behind a mark.
type cutter struct {
	*Graph
	fresh map[*node]bool // not looked at yet
	cuts  [][]*vir.Value
}

// cutsOf are the groups at which the tree behind m should end; nil when it should grow
// as it does.
func (g *Graph) cutsOf(m mark) [][]*vir.Value {
	c := &cutter{Graph: g, fresh: make(map[*node]bool)}
	used := make(map[*node]bool)
	for _, n := range g.nodes[m.nodes:] {
		c.fresh[n] = true
		for _, a := range n.args {
			used[a] = true
		}
	}
	for _, s := range g.sums[m.sums:] {
		for _, p := range s.groups {
			used[p.node] = false
		}
	}
	for _, n := range g.nodes[m.nodes:] {
		if !used[n] {
			c.whole(n)
		}
	}
	return c.cuts
}

// whole is what n costs with all that it is made of, cut where that is best.
func (c *cutter) whole(n *node) float64 {
	delete(c.fresh, n)
	total := n.price + c.extracts(n) + c.awaits(n)
	for _, a := range n.args {
		total += c.best(a)
	}
	return total
}

// best is the least that n costs, nothing if that was counted before.
func (c *cutter) best(n *node) float64 {
	if !c.fresh[n] {
		return 0
	}
	before := len(c.cuts)
	total := c.whole(n)
	if !n.packs() || n.kind == phis || n.kind == store {
		return total
	}
	alone := c.costOf(&node{kind: gather, scalars: n.scalars})
	if alone >= total-least {
		return total
	}
	c.cuts = append(c.cuts[:before], n.scalars)
	return alone
}

// setCuts makes groups end trees.
func (g *Graph) setCuts(cuts [][]*vir.Value) {
	clear(g.cuts)
	for _, vs := range cuts {
		k := lowestID(vs)
		g.cuts[k] = append(g.cuts[k], vs)
	}
}

// isCut reports whether trees end with vs, in whatever order.
func (g *Graph) isCut(vs []*vir.Value) bool {
	if len(g.cuts) == 0 {
		return false
	}
	return slices.ContainsFunc(g.cuts[lowestID(vs)], func(cut []*vir.Value) bool {
		return len(cut) == len(vs) && !slices.ContainsFunc(vs, func(v *vir.Value) bool { return !slices.Contains(cut, v) })
	})
}

// lowestID is the value of vs with the lowest number.
func lowestID(vs []*vir.Value) (low *vir.Value) {
	for _, v := range vs {
		if v != nil && (low == nil || v.ID() < low.ID()) {
			low = v
		}
	}
	return low
}
