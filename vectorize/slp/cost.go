package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Costs are what trees are judged by, in any unit.
type Costs interface {
	// Scalar is the cost of v as it is.
	Scalar(v *vir.Value) float64
	// Vector is the cost of a node that packs scalars; false when there is no such
	// operation.
	Vector(n *node) (cost float64, ok bool)
	// Build is the cost of a node that puts lanes together.
	Build(n *node) float64
	// Extract is the cost of getting a lane out of a vector of type t.
	Extract(t vir.Type, lane int) float64
	// Reduce is the cost of combining all lanes of a vector of type t by op, in the
	// cheaper way: halves, or neighbours.
	Reduce(op vir.Op, t vir.Type) (cost float64, pairwise bool)
}

// cost is that of all trees: vector minus scalar.
func (g *Graph) cost() float64 {
	total := 0.0
	for _, n := range g.nodes {
		total += g.costOf(n)
	}
	needed := g.needed()
	for _, n := range g.nodes {
		total += g.extracts(n, needed)
	}
	for _, s := range g.sums {
		total += s.cost(g.opt.Costs)
	}
	return total
}

// costOf is the cost of a node by itself.
func (g *Graph) costOf(n *node) float64 {
	if !n.packs() {
		return g.opt.Costs.Build(n)
	}
	c, _ := g.opt.Costs.Vector(n)
	for _, v := range n.scalars {
		if v != nil {
			c -= g.opt.Costs.Scalar(v)
		}
	}
	return c
}

// needed are packed scalars that something else uses one by one.
func (g *Graph) needed() map[*vir.Value]bool {
	needed := make(map[*vir.Value]bool)
	for _, s := range g.sums {
		for _, v := range s.rest {
			needed[v] = needed[v] || g.of[v] != nil
		}
	}
	for _, n := range g.nodes {
		switch {
		case n.kind == gather || n.kind == splat:
			for _, v := range n.scalars {
				needed[v] = needed[v] || g.of[v] != nil
			}
		case n.packs():
			for _, v := range n.scalars {
				if v != nil && slices.ContainsFunc(g.uses[v], func(u *vir.Value) bool { return g.usesScalar(u, v) }) {
					needed[v] = true
				}
			}
			if n.uniform != nil && g.of[n.uniform] != nil {
				needed[n.uniform] = true
			}
		}
	}
	return needed
}

// usesScalar reports whether u uses v other than as a lane of a vector.
func (g *Graph) usesScalar(u, v *vir.Value) bool {
	n := g.of[u]
	switch {
	case n == nil:
		return g.inSum[u] == nil
	case u.Op == vir.OpLoad || u.Op == vir.OpStore: // only the address of the lowest lane remains
		return n.lowest() == u && slices.Contains(u.Args[addressArg(u):], v)
	}
	return false
}

// addressArg is the first operand of a memory operation that is part of its address.
func addressArg(v *vir.Value) int {
	if v.Op == vir.OpStore {
		return 1
	}
	return 0
}

// lowest is the access of a load, span or store with the lowest address.
func (n *node) lowest() *vir.Value {
	if n.kind == span {
		return n.scalars[slices.Index(n.lanes, 0)]
	}
	return n.scalars[0]
}

// extracts is the cost of the lanes of n that are needed one by one. Loads are just
// done again.
func (g *Graph) extracts(n *node, needed map[*vir.Value]bool) float64 {
	total := 0.0
	for i, v := range n.scalars {
		if v == nil || !n.packs() || !needed[v] {
			continue
		}
		c := g.opt.Costs.Extract(n.typ(), i)
		if v.Op == vir.OpLoad {
			c = min(c, g.opt.Costs.Scalar(v))
		}
		total += c
	}
	return total
}
