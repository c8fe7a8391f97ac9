package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// loads packs loads whose addresses differ by constants: neighbours in any order are a
// vector of memory and a shuffle, others elements of a stretch of memory, all of which is
// between two accesses, so that it may be read.
func (g *Graph) loads(vs []*vir.Value) *node {
	if !all(vs, func(v *vir.Value) bool { return v.Op == vir.OpLoad && isAccess(v) && v.Type.Elem != vir.Ptr }) {
		return nil
	}
	some := present(vs)
	at := g.elements(some)
	if at == nil {
		return nil
	}
	top := slices.Max(at)
	n := &node{kind: load, op: vir.OpLoad, scalars: vs}
	cost, ok := 0.0, false
	if top == len(some)-1 && slices.IsSorted(at) && !slices.Contains(vs[:len(some)], nil) {
		cost, ok = g.opt.Costs.Vector(n)
	}
	if !ok {
		g.apart = true
		if t := g.tile(vs); t != nil {
			return t
		}
	}
	if top < g.reach(n) && len(some) > 1 && (!ok || len(some) < len(vs)) {
		s := &node{kind: span, op: vir.OpLoad, scalars: vs, lanes: spread(vs, at)}
		if c, legal := g.opt.Costs.Vector(s); legal && (!ok || c < cost) {
			n, ok = s, true
		}
	}
	if !ok {
		return nil
	}
	return g.pack(n)
}

// spread gives each lane that somebody looks at its number, -1 to others.
func spread(vs []*vir.Value, at []int) []int {
	lanes := make([]int, len(vs))
	for i, v := range vs {
		lanes[i] = -1
		if v != nil {
			lanes[i], at = at[0], at[1:]
		}
	}
	return lanes
}

// reach is the number of elements that a span may have: two of the widest vectors.
func (g *Graph) reach(n *node) int { return 2 * g.opt.Bytes / n.element().Size() }

// elements is where accesses are, in elements from the lowest one; nil when they are not
// whole elements apart, or not all different.
func (g *Graph) elements(vs []*vir.Value) []int {
	size := int64(vs[0].Access().Size())
	offs := make([]int64, len(vs))
	for i, v := range vs {
		d, ok := g.behind(vs[0], v)
		if !ok || d%size != 0 || v.Access() != vs[0].Access() {
			return nil
		}
		offs[i] = d / size
	}
	low := slices.Min(offs)
	at := make([]int, len(vs))
	for i, o := range offs {
		if o-low > 1<<16 || slices.Index(offs, o) != i {
			return nil
		}
		at[i] = int(o - low)
	}
	return at
}

// stores packs stores to neighbours in order.
func (g *Graph) stores(vs []*vir.Value) *node {
	if !all(vs, func(v *vir.Value) bool { return v.Op == vir.OpStore && isAccess(v) }) {
		return nil
	}
	n := &node{kind: store, op: vir.OpStore, scalars: vs}
	for i, v := range vs {
		if v == nil {
			continue
		}
		if d, ok := g.behind(n.first(), v); !ok || v.Access() != n.first().Access() || d != int64(i*v.Access().Size()) {
			return nil
		}
	}
	if _, ok := g.opt.Costs.Vector(n); !ok || g.pack(n) == nil {
		return nil
	}
	n.args = []*node{g.build(operand(vs, 0))}
	return n
}
