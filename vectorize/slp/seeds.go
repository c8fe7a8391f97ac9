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

// try grows a tree from each root and keeps them all if they gain together. Where lanes
// are moved about, their groups are tried in the order of the program as well, and where
// a part of the tree does not gain, the tree is tried without.
func (g *Graph) try(seed string, grow func() bool) bool {
	if g.spent > budget {
		return false
	}
	g.growing = maxNodes
	m := g.mark()
	best := attempt{gain: least}
	for _, order := range []bool{false, true} {
		a, moves := g.throttled(m, order, grow)
		if a.gain > best.gain+least {
			best = a
		}
		if !moves {
			break
		}
	}
	defer g.setCuts(nil)
	if best.gain == least || !g.opt.Count() {
		return false
	}
	g.inOrder = best.inOrder
	g.setCuts(best.cuts)
	grow()
	g.keep(seed, m, -best.gain)
	g.trees[len(g.trees)-1].Cuts = len(best.cuts)
	return true
}

// An attempt is a way to grow a tree, and what that gains.
type attempt struct {
	inOrder bool
	cuts    [][]*vir.Value
	gain    float64
}

// throttled is the best way to grow a tree with groups in the order of the program or
// not: with all that it reaches, or cut. It also tells whether lanes are moved about.
func (g *Graph) throttled(m mark, inOrder bool, grow func() bool) (best attempt, moves bool) {
	g.inOrder = inOrder
	var cuts [][]*vir.Value
	for round := range maxCuts + 1 {
		g.setCuts(cuts)
		ok := grow()
		gain := m.total - g.total
		if ok && (round == 0 || gain > best.gain+least) {
			best = attempt{inOrder, cuts, gain}
		}
		moves = moves || slices.ContainsFunc(g.nodes[m.nodes:], func(n *node) bool { return n.kind == shuffle })
		var more [][]*vir.Value
		if ok && len(best.cuts) == len(cuts) && round < maxCuts {
			more = g.cutsOf(m)
		}
		g.rollback(m)
		if len(more) == 0 || g.spent > budget {
			return best, ok && moves && g.spent <= budget
		}
		cuts = slices.Concat(cuts, more)
	}
	return best, moves
}

// least is what a tree must gain: less is the inexactness of sums of costs.
const least = 1e-6

// budget is the number of steps for all trees of a function: a second, or less.
const budget = 1 << 26

// root grows the tree that ends in the group vs.
func (g *Graph) root(vs []*vir.Value) bool { return g.group(vs) != nil }

// keep notes a tree.
func (g *Graph) keep(seed string, m mark, delta float64) {
	t := Tree{Seed: seed, Cost: delta, Text: g.text(g.nodes[m.nodes:], g.sums[m.sums:])}
	if len(g.sums) > m.sums {
		s := g.sums[m.sums]
		t.Pos, t.Lanes = s.root.Pos, s.typ().Lanes
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

// cut packs so many neighbours of a chain at a time, at every offset where that gains:
// first side by side from the first store on. A part may gain once those that use what it
// computes are packed, and where no part gains by itself all of them may together. What
// is left gets fewer lanes.
func (g *Graph) cut(c chain, lanes int) {
	if len(c) < 2 || lanes < 2 {
		return
	}
	some := false
	for g.pass(c, lanes, lanes) {
		some = true
	}
	if !some && len(c) >= 2*lanes {
		g.try("stores", func() bool { return g.together(c, lanes) })
	}
	for _, run := range g.free(c) {
		for g.pass(run, lanes, 1) {
		}
	}
	for _, run := range g.free(c) {
		if lanes/2 >= len(run) || len(run) >= lanes || !g.padded(run, lanes) {
			g.cut(run, lanes/2)
		}
	}
}

// pass tries parts of a chain, each that far behind one that is not packed.
func (g *Graph) pass(c chain, lanes, step int) (some bool) {
	for i := 0; i+lanes <= len(c); {
		part := c[i : i+lanes]
		if len(g.free(part)) == 1 && len(g.free(part)[0]) == lanes && g.try("stores", func() bool { return g.root(part) }) {
			some = true
			i += lanes
		} else {
			i += step
		}
	}
	return some
}

// free are the runs of stores in c that are not packed.
func (g *Graph) free(c chain) (runs []chain) {
	first := 0
	for i := 0; i <= len(c); i++ {
		if i == len(c) || g.of[c[i]] != nil {
			if first < i {
				runs = append(runs, c[first:i])
			}
			first = i + 1
		}
	}
	return runs
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
