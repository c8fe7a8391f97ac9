package slp

import "github.com/lanewise/lanewise/vir"

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

// chain packs stores of a chain with as many lanes as is best for all of it, or in threes.
func (g *Graph) chain(c chain) {
	var ways []func()
	for lanes := g.widest(c[0].Access()); lanes >= 2; lanes /= 2 {
		ways = append(ways, func() { g.cut(c, lanes) })
	}
	if len(c) > 3 && g.widest(c[0].Access()) >= 4 {
		ways = append(ways, func() { g.threes(c) })
	}
	g.better(ways...)
}

// threes packs three stores at a time, and the rest of the chain as in cut.
func (g *Graph) threes(c chain) {
	for i := 0; i+3 <= len(c); {
		if part := c[i : i+3]; len(g.free(part)) == 1 && len(g.free(part)[0]) == 3 && g.padded(part, 4) {
			i += 3
		} else {
			i++
		}
	}
	for _, run := range g.free(c) {
		g.cut(run, g.widest(c[0].Access()))
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
