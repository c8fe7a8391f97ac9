package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// maxNodes is the number of groups of a tree.
const maxNodes = 4000

// seeds tries all groups that trees may end in, block by block from the last one on.
func (g *Graph) seeds() {
	blocks := loops.RPO(g.f)
	slices.Reverse(blocks)
	for _, b := range blocks {
		for _, c := range g.chains(b) {
			g.chain(c)
		}
		g.variables(b)
		g.reductions(b)
		g.results(b)
		g.indices(b)
	}
}

// try grows a tree from each root and keeps them all if they gain together.
func (g *Graph) try(seed string, grow func() bool) bool {
	if g.spent > budget {
		return false
	}
	m := g.mark()
	g.growing = maxNodes
	if grow() {
		if delta := g.total - m.total; delta < -least && g.opt.Count() {
			g.keep(seed, m, delta)
			return true
		}
	}
	g.rollback(m)
	return false
}

// least is what a tree must gain: less is the inexactness of sums of costs.
const least = 1e-6

// budget is the number of steps for all trees of a function: a second, or less.
const budget = 1 << 24

// root grows the tree that ends in the group vs.
func (g *Graph) root(vs []*vir.Value) bool { return g.group(vs) != nil }

// keep notes a tree.
func (g *Graph) keep(seed string, m mark, delta float64) {
	t := Tree{Seed: seed, Cost: delta, Text: g.text(g.nodes[m.nodes:], g.sums[m.sums:])}
	if len(g.sums) > m.sums {
		s := g.sums[m.sums]
		t.Pos, t.Lanes = s.root.Pos, s.leaves.width()
	} else {
		n := g.nodes[m.nodes]
		t.Pos, t.Lanes = n.first().Pos, n.width()
	}
	g.trees = append(g.trees, t)
}

// chain packs stores of a chain with as many lanes as is best for all of it.
func (g *Graph) chain(c chain) {
	best, gain := 0, 0.0
	for lanes := g.widest(c[0].Access()); lanes >= 2; lanes /= 2 {
		m := g.mark()
		g.cut(c, lanes)
		if d := m.total - g.total; d > gain+least {
			best, gain = lanes, d
		}
		g.rollback(m)
	}
	if best > 0 {
		g.cut(c, best)
	}
}

// widest is the number of lanes of the widest vector of t.
func (g *Graph) widest(t vir.Type) int { return g.opt.Bytes / t.Elem.Size() }

// cut packs so many neighbours of a chain at a time, at every offset where that gains;
// what is left in between gets fewer lanes. Where no part gains by itself, all of them
// may together.
func (g *Graph) cut(c chain, lanes int) {
	if len(c) < 2 || lanes < 2 {
		return
	}
	left := 0 // where the part begins that nothing was done with
	for i := 0; i+lanes <= len(c); {
		part := c[i : i+lanes]
		if !g.try("stores", func() bool { return g.root(part) }) {
			i++
			continue
		}
		g.cut(c[left:i], lanes/2)
		i += lanes
		left = i
	}
	if left == 0 && len(c) >= 2*lanes && g.try("stores", func() bool { return g.together(c, lanes) }) {
		left = len(c) / lanes * lanes
	}
	if rest := c[left:]; lanes/2 < len(rest) && len(rest) < lanes && g.padded(rest, lanes) {
		return
	}
	g.cut(c[left:], lanes/2)
}

// together grows trees from all parts of a chain.
func (g *Graph) together(c chain, lanes int) bool {
	for ; len(c) >= lanes; c = c[lanes:] {
		if !g.root(c[:lanes]) {
			return false
		}
	}
	return true
}

// padded packs fewer stores than there are lanes.
func (g *Graph) padded(c chain, lanes int) bool {
	vs := make([]*vir.Value, lanes)
	copy(vs, c)
	return g.try("stores", func() bool { return g.root(vs) })
}

// variables packs phis of a block, by type.
func (g *Graph) variables(b *vir.Block) { g.list("variables", b.Phis()) }

// results packs what a function returns.
func (g *Graph) results(b *vir.Block) {
	if t := b.Term(); t.Op == vir.OpRet {
		g.list("results", t.Args)
	}
}

// list packs scalars of equal type, as many at a time as possible.
func (g *Graph) list(seed string, vs []*vir.Value) {
	byType := make(map[vir.Type][]*vir.Value)
	var types []vir.Type
	for _, v := range vs {
		if v.Block == nil || v.Type.IsVector() || v.Type.Elem == vir.Ptr || v.Type.Elem == vir.Bool || g.of[v] != nil {
			continue
		}
		if byType[v.Type] == nil {
			types = append(types, v.Type)
		}
		if !slices.Contains(byType[v.Type], v) {
			byType[v.Type] = append(byType[v.Type], v)
		}
	}
	for _, t := range types {
		g.parts(seed, byType[t], g.widest(t))
	}
}

// parts packs so many scalars at a time, and fewer of the rest.
func (g *Graph) parts(seed string, vs []*vir.Value, lanes int) {
	for ; lanes >= 2; lanes /= 2 {
		for i := 0; i+lanes <= len(vs); {
			part := vs[i : i+lanes]
			if !slices.ContainsFunc(part, func(v *vir.Value) bool { return g.of[v] != nil }) &&
				g.try(seed, func() bool { return g.root(part) }) {
				i += lanes
			} else {
				i++
			}
		}
	}
}

// indices packs what selects the elements of one object that loads read, as in
// g[a[0]-b[0]] + g[a[1]-b[1]]: those that are not found from each other by adding a
// constant.
func (g *Graph) indices(b *vir.Block) {
	byRoot := make(map[*vir.Value][]*vir.Value)
	var roots []*vir.Value
	for _, v := range b.Insts {
		if v.Op != vir.OpLoad || !v.Indexed || v.Index().Op == vir.OpConst || g.of[v] != nil {
			continue
		}
		root := alias.Root(v.Base())
		if byRoot[root] == nil {
			roots = append(roots, root)
		}
		byRoot[root] = append(byRoot[root], v)
	}
	for _, root := range roots {
		g.list("indices", g.unrelated(byRoot[root]))
	}
}

// unrelated are the indices of loads whose addresses differ by no constant from those of
// others.
func (g *Graph) unrelated(loads []*vir.Value) []*vir.Value {
	var all []*vir.Value
	for i, v := range loads {
		alone := true
		for k, w := range loads {
			_, known := g.behind(v, w)
			alone = alone && (i == k || !known)
		}
		if alone && !slices.Contains(all, v.Index()) {
			all = append(all, v.Index())
		}
	}
	return all
}
