package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vir"
)

// variables packs phis of a block, by type.
func (g *Graph) variables(b *vir.Block) { g.list("variables", b.Phis()) }

// results packs what a function returns.
func (g *Graph) results(b *vir.Block) {
	if t := b.Term(); t.Op == vir.OpRet {
		g.list("results", t.Args)
	}
}

// fields packs what is stored to places that are no neighbours, such as fields of one
// type with others in between, in the order of the places.
func (g *Graph) fields(b *vir.Block) {
	byRoot := make(map[*vir.Value][]*vir.Value)
	var roots []*vir.Value
	for _, v := range b.Insts {
		if v.Op != vir.OpStore || !isAccess(v) || g.of[v] != nil {
			continue
		}
		root := alias.Root(v.Base())
		if byRoot[root] == nil {
			roots = append(roots, root)
		}
		byRoot[root] = append(byRoot[root], v)
	}
	for _, root := range roots {
		stores := byRoot[root]
		slices.SortStableFunc(stores, func(v, w *vir.Value) int {
			d, _ := g.behind(w, v)
			return int(max(-1, min(1, d)))
		})
		g.list("fields", operand(stores, 0))
	}
}

// choicesOf packs selects and comparisons.
func (g *Graph) choicesOf(b *vir.Block) {
	var selects, comparisons []*vir.Value
	for _, v := range b.Insts {
		switch r := v.Op.Info().Rule; {
		case r == vir.RuleSelect:
			selects = append(selects, v)
		case r == vir.RuleIntCmp || r == vir.RuleFloatCmp:
			comparisons = append(comparisons, v)
		}
	}
	g.list("selects", selects)
	g.list("comparisons", comparisons)
}

// list packs scalars of equal type, as many at a time as possible, in the order given
// or in that in which each goes best with the one before.
func (g *Graph) list(seed string, vs []*vir.Value) {
	byType := make(map[vir.Type][]*vir.Value)
	var types []vir.Type
	for _, v := range vs {
		t, ok := laneType(v)
		if !ok || !g.unused(v) {
			continue
		}
		if byType[t] == nil {
			types = append(types, t)
		}
		if !slices.Contains(byType[t], v) {
			byType[t] = append(byType[t], v)
		}
	}
	for _, t := range types {
		if some := byType[t]; len(some) > 1 {
			given := func() { g.parts(seed, some, g.widest(t)) }
			if sorted := g.sorted(some); slices.Equal(sorted, some) {
				given()
			} else {
				g.better(given, func() { g.parts(seed, sorted, g.widest(t)) })
			}
		}
	}
}

// laneType is the type of which v would be a lane; bools are as wide as what they
// compare.
func laneType(v *vir.Value) (vir.Type, bool) {
	t := v.Type
	if r := v.Op.Info().Rule; r == vir.RuleIntCmp || r == vir.RuleFloatCmp {
		t = v.Args[0].Type
	}
	return t, v.Block != nil && !t.IsVector() && t.Elem != vir.Ptr && t.Elem != vir.Bool
}

// parts packs so many scalars at a time, and fewer of the rest.
func (g *Graph) parts(seed string, vs []*vir.Value, lanes int) {
	for ; lanes >= 2; lanes /= 2 {
		for i := 0; i+lanes <= len(vs); {
			part := vs[i : i+lanes]
			if !slices.ContainsFunc(part, func(v *vir.Value) bool { return !g.unused(v) }) &&
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
