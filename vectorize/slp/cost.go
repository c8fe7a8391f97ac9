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
	// Extract is the cost of getting a lane out of a vector of type t, for a store and
	// nothing else if it is stored.
	Extract(t vir.Type, lane int, stored bool) float64
	// Reduce is the cost of combining all lanes of a vector of type t by op: neighbours,
	// or halves.
	Reduce(op vir.Op, t vir.Type, pairwise bool) float64
	// Combine is the cost of op on two vectors of type t.
	Combine(op vir.Op, t vir.Type) float64
	// Wait is the cost of a load whose bytes no store by itself has that was done just before.
	Wait() float64
}

// wants notes that scalars are wanted one by one so many times more.
func (g *Graph) wants(vs []*vir.Value, times int) {
	for _, v := range vs {
		if v != nil {
			g.wanted[v] += times
			g.extract(v)
		}
	}
}

// wanted are the scalars that a node is made of that packs nothing.
func (n *node) wanted() []*vir.Value {
	if n.kind == gather || n.kind == splat {
		return n.scalars
	}
	return nil
}

// reprice looks again at what it costs to have vs, and what they are computed from, one
// by one, as what packs vs changed.
func (g *Graph) reprice(vs []*vir.Value) {
	for _, v := range vs {
		if v == nil {
			continue
		}
		g.extract(v)
		for _, a := range v.Args {
			g.extract(a)
		}
	}
}

// extract brings the cost of having v by itself up to date.
func (g *Graph) extract(v *vir.Value) {
	now := 0.0
	if n := g.of[v]; n != nil && g.needs(v) {
		now = g.extraction(n, g.lane[v])
	}
	if before := g.extracted[v]; now != before {
		g.total += now - before
		g.extracted[v] = now
		if v.Op == vir.OpLoad {
			for _, a := range v.Args { // wanted as well, or no more
				g.extract(a)
			}
		}
	}
}

// extraction is the cost of a lane of n by itself. Loads are just done again.
func (g *Graph) extraction(n *node, lane int) float64 {
	v := n.scalars[lane]
	u := g.uses[v]
	c := g.opt.Costs.Extract(n.typ(), lane, len(u) == 1 && u[0].Op == vir.OpStore && u[0].Stored() == v)
	if v.Op == vir.OpLoad {
		return min(c, g.opt.Costs.Scalar(v)) * g.weight(v)
	}
	return c * g.takenOut(v)
}

// takenOut is how often v, which is packed, is taken out of its vector: where it is wanted
// if that is one block, say behind the loop that it is computed in.
func (g *Graph) takenOut(v *vir.Value) float64 {
	times := g.weight(v)
	var in *vir.Block
	for _, u := range g.uses[v] {
		switch {
		case !g.usesScalar(u, v):
		case u.Op == vir.OpPhi || in != nil && u.Block != in:
			return times
		default:
			in = u.Block
		}
	}
	if g.wanted[v] > 0 || in == nil {
		return times
	}
	return min(times, g.opt.Weight(in))
}

// needs reports whether something uses v, which is packed, by itself.
func (g *Graph) needs(v *vir.Value) bool {
	g.spent += len(g.uses[v])
	return g.wanted[v] > 0 || slices.ContainsFunc(g.uses[v], func(u *vir.Value) bool { return g.usesScalar(u, v) })
}

// weight is how often v is computed; what stands in no block is there once.
func (g *Graph) weight(v *vir.Value) float64 {
	if v.Block == nil {
		return 1
	}
	return g.opt.Weight(v.Block)
}

// runs is how often a node is: where the last of its lanes is known, which is in the
// innermost loop that one of them is in.
func (g *Graph) runs(n *node) float64 {
	if n.packs() {
		return g.weight(n.first())
	}
	times := 0.0
	for _, v := range n.scalars {
		if v != nil && v.Op != vir.OpConst {
			times = max(times, g.weight(v))
		}
	}
	return times
}

// costOf is the cost of a node by itself.
func (g *Graph) costOf(n *node) float64 { return g.runs(n) * g.costOnce(n) }

func (g *Graph) costOnce(n *node) float64 {
	if !n.packs() {
		return g.opt.Costs.Build(n)
	}
	c, _ := g.opt.Costs.Vector(n)
	for _, v := range n.scalars {
		if v != nil {
			c -= g.opt.Costs.Scalar(v)
		}
	}
	for _, v := range n.inner {
		c -= g.opt.Costs.Scalar(v)
	}
	return c
}

// usesScalar reports whether u uses v other than as a lane of a vector.
func (g *Graph) usesScalar(u, v *vir.Value) bool {
	n := g.of[u]
	switch {
	case n == nil:
		return g.inSum[u] == nil && g.inner[u] == nil
	case u.Op == vir.OpLoad || u.Op == vir.OpStore: // the address of the lowest lane remains
		return slices.Contains(u.Args[addressArg(u):], v) && (n.lowest() == u || g.repeats(u))
	}
	return false
}

// repeats reports whether v, which is packed, is a load that is done by itself as well:
// where that is cheaper than to take it out of its vector.
func (g *Graph) repeats(v *vir.Value) bool {
	n := g.of[v]
	return v.Op == vir.OpLoad && n != nil && g.needs(v) && g.opt.Costs.Scalar(v) < g.opt.Costs.Extract(n.typ(), g.lane[v], false)
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

// extracts is the cost of the lanes of n that are needed one by one.
func (g *Graph) extracts(n *node) float64 {
	total := 0.0
	if n.packs() {
		for _, v := range n.scalars {
			total += g.extracted[v]
		}
	}
	return total
}
