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
	n := &node{kind: load, op: vir.OpLoad, scalars: vs}
	top := slices.Max(at)
	switch {
	case top == len(some)-1 && slices.IsSorted(at) && !slices.Contains(vs[:len(some)], nil):
	case top < g.reach(n) && len(some) == len(vs):
		n.kind, n.lanes = span, at
	default:
		return nil
	}
	if _, ok := g.opt.Costs.Vector(n); !ok {
		return nil
	}
	return g.pack(n)
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

// A chain is stores to neighbours, by address.
type chain []*vir.Value

// chains are the chains of the stores of b, longest runs of neighbours, in the order of
// their first stores. Of several stores to one place each begins a chain of its own.
func (g *Graph) chains(b *vir.Block) []chain {
	var stores []*vir.Value
	for _, v := range b.Insts {
		if v.Op == vir.OpStore && isAccess(v) && v.Access().Elem != vir.Ptr && v.Access().Elem != vir.Bool {
			stores = append(stores, v)
		}
	}
	next := make(map[*vir.Value]*vir.Value)
	follows := make(map[*vir.Value]bool)
	for i, v := range stores {
		if w := g.neighbour(stores, i); w != nil {
			next[v] = w
			follows[w] = true
		}
	}
	var all []chain
	used := make(map[*vir.Value]bool)
	for _, v := range stores {
		if follows[v] || next[v] == nil {
			continue
		}
		var c chain
		for w := v; w != nil && !used[w]; w = next[w] {
			used[w] = true
			c = append(c, w)
		}
		all = append(all, c)
	}
	return all
}

// neighbour is the store behind store i in memory. Where there are several, the next one
// in the program, else the last one before: the stores that were written together.
func (g *Graph) neighbour(stores []*vir.Value, i int) *vir.Value {
	v := stores[i]
	is := func(w *vir.Value) bool {
		d, ok := g.behind(v, w)
		return ok && w.Access() == v.Access() && d == int64(v.Access().Size())
	}
	for _, w := range stores[i+1:] {
		if is(w) {
			return w
		}
	}
	for k := i - 1; k >= 0; k-- {
		if is(stores[k]) {
			return stores[k]
		}
	}
	return nil
}
