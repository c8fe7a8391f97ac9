package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// maxNodes is the number of groups of a tree.
const maxNodes = 4000

// maxRounds is how often the seeds of a block are looked through: a tree that was refused
// may gain when what uses it, or what it uses, has been packed.
const maxRounds = 3

// seeds tries all groups that trees may end in, block by block from the last one on.
func (g *Graph) seeds() {
	blocks := loops.RPO(g.f)
	slices.Reverse(blocks)
	for _, b := range blocks {
		for range maxRounds {
			before := len(g.trees)
			g.seedsOf(b)
			if len(g.trees) == before {
				break
			}
		}
	}
}

// seedsOf tries the groups of one block.
func (g *Graph) seedsOf(b *vir.Block) {
	for _, c := range g.chains(b) {
		g.chain(c)
	}
	g.variables(b)
	g.reductions(b)
	g.results(b)
	g.fields(b)
	g.choicesOf(b)
	g.indices(b)
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
	g.apart = false
	for _, a := range []attempt{{}, {inOrder: true}, {tiles: true}} {
		if a.inOrder && !best.moves || a.tiles && !g.apart {
			continue
		}
		start := g.spent
		g.throttled(m, &a, grow)
		if a.gain > best.gain+least {
			best = a
		}
		best.moves = best.moves || a.moves
		if g.short(g.spent - start) {
			break
		}
	}
	defer g.setCuts(nil)
	if best.gain == least || !g.exploring && !g.opt.Count() {
		return false
	}
	g.inOrder, g.tiles = best.inOrder, best.tiles
	g.setCuts(best.cuts)
	grow()
	g.keep(seed, m, -best.gain)
	g.trees[len(g.trees)-1].Cuts = len(best.cuts)
	return true
}

// An attempt is a way to grow a tree: with groups in the order of the program, with
// tiles, with cuts.
type attempt struct {
	inOrder, tiles bool
	cuts           [][]*vir.Value
	gain           float64
	moves          bool // lanes are moved about
}

// throttled grows a tree with all that it reaches, or cut where that is better.
func (g *Graph) throttled(m mark, a *attempt, grow func() bool) {
	g.inOrder, g.tiles = a.inOrder, a.tiles
	var cuts [][]*vir.Value
	for round := range maxCuts + 1 {
		g.setCuts(cuts)
		start := g.spent
		ok := grow()
		gain := m.total - g.total
		if ok && (round == 0 || gain > a.gain+least) {
			a.cuts, a.gain = cuts, gain
		}
		a.moves = a.moves || ok && slices.ContainsFunc(g.nodes[m.nodes:], func(n *node) bool { return n.kind == shuffle })
		var more [][]*vir.Value
		if ok && len(a.cuts) == len(cuts) && round < maxCuts {
			more = g.cutsOf(m)
		}
		g.rollback(m)
		if len(more) == 0 || g.short(g.spent-start) {
			return
		}
		cuts = slices.Concat(cuts, more)
	}
}

// better does what gains more, the first of equals. Ways that the budget would not last
// for are not tried when one gains.
func (g *Graph) better(ways ...func()) {
	if len(ways) == 1 {
		ways[0]()
		return
	}
	m := g.mark()
	best, gain, from := -1, 0.0, 0
	outer := g.exploring
	g.exploring = true
	for i, f := range ways {
		start := g.spent
		f()
		if d := m.total - g.total; d > gain+least {
			best, gain, from = i, d, start
		}
		g.rollback(m)
		if best >= 0 && g.short(g.spent-start) {
			break
		}
	}
	g.exploring = outer
	if best >= 0 { // the same again, as far as the budget went
		spent := g.spent
		g.spent = from
		ways[best]()
		g.spent = spent + g.spent - from
	}
}

// short reports whether the budget does not last for several times so many steps.
func (g *Graph) short(steps int) bool { return g.spent+4*steps > budget }

// least is what a tree must gain: less is the inexactness of sums of costs.
const least = 1e-6

// budget is the number of steps for all trees of a function: a second, or less.
const budget = 1 << 25

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
