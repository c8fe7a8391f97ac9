package shuffle

import "slices"

// A node is an instruction over nodes, or a source.
type node struct {
	call
	n    int // source of a leaf
	a, b *node
	reg  Reg     // what it leaves
	from uint64  // sources of reg
	cost float64 // throughput of the tree
}

// cheapest is a lower bound of the cost of an instruction.
const cheapest = 0.33

// A search composes instructions. Results are kept for later searches.
type search struct {
	done map[key]*result
}

type key struct {
	want  Reg
	depth int
}

// A result is the best node found within a budget, nil if there was none.
type result struct {
	best   *node
	budget float64
}

// lower is a lower bound of the cost to make want: sources have to be joined, and
// if some byte is not in its place, one instruction moves it.
func lower(want *Reg) float64 {
	joins, moves := -1, 0.0
	var seen uint64
	for i, w := range want {
		if w < 0 {
			continue
		}
		if bit := uint64(1) << min(w.source(), 63); seen&bit == 0 {
			seen |= bit
			joins++
		}
		switch k := w.offset(); {
		case k == i:
		case k/Half != i/Half:
			moves = 0.75 // VINSERTI128
		default:
			moves = max(moves, 0.6)
		}
	}
	switch {
	case joins < 0:
		return 0
	case moves > 0:
		return cheapest*float64(max(joins-1, 0)) + moves
	}
	return cheapest * float64(joins)
}

// leafOf is the source that is want as it stands, nil if there is none.
func leafOf(want *Reg) *node {
	n := -1
	for i, w := range want {
		switch {
		case w == Any:
		case w == Zero || w.offset() != i || n >= 0 && n != w.source():
			return nil
		default:
			n = w.source()
		}
	}
	return leafNode(max(n, 0))
}

func leafNode(n int) *node { return &node{n: n, reg: source(n), from: 1 << min(n, 63)} }

// make is the cheapest node for want of at most depth instructions one behind
// the other that costs less than budget, or nil.
func (s *search) make(want *Reg, depth int, budget float64) *node {
	if n := leafOf(want); n != nil {
		return n
	}
	if depth == 0 || budget <= lower(want) {
		return nil
	}
	k := key{*want, depth}
	if r := s.done[k]; r != nil {
		if r.best != nil {
			if r.best.cost < budget {
				return r.best
			}
			return nil
		}
		if r.budget >= budget {
			return nil
		}
	}
	g := &goal{s: s, want: *want, grain: want.grain(), depth: depth, bound: budget, low: want.low()}
	g.run()
	s.done[k] = &result{g.best, budget}
	return g.best
}

// A goal is one register being made.
type goal struct {
	s     *search
	want  Reg
	grain int
	depth int
	low   bool
	best  *node
	bound float64 // what comes must cost less
}

func (g *goal) run() {
	leaves := leavesOf(&g.want)
	g.fromUnary(leaves)
	g.fromPairs(leaves, leaves)
	if g.depth < 2 {
		return
	}
	arranged, all := g.known(leaves)
	g.fromUnary(all)
	both := append(leaves[:len(leaves):len(leaves)], arranged...)
	g.fromPairs(both, both)
	g.backward()
}

// leavesOf are the sources that want names.
func leavesOf(want *Reg) (ns []*node) {
	for _, w := range want {
		if w >= 0 && !slices.ContainsFunc(ns, func(n *node) bool { return n.n == w.source() }) {
			ns = append(ns, leafNode(w.source()))
		}
	}
	return ns
}

// offer takes an instruction on a and b if it is cheaper than what there is.
func (g *goal) offer(c *call, a, b *node) {
	cost := infos[c.op].Cost.Throughput + a.cost
	if b != nil && b != a {
		cost += b.cost
	}
	if cost >= g.bound {
		return
	}
	n := instruction(*c, a, b)
	if !n.reg.fits(&g.want) {
		return
	}
	g.best, g.bound = n, n.cost
}

// fromUnary tries to end with an instruction on one of xs.
func (g *goal) fromUnary(xs []*node) {
	set := g.want.sources()
	for _, x := range xs {
		if x.cost+cheapest >= g.bound || set&^x.from != 0 {
			continue
		}
		unary(&g.want, &x.reg, g.grain, g.bound-x.cost, func(c *call) { g.offer(c, x, nil) })
	}
}

// fromPairs tries to end with an instruction on one of xs and one of ys.
func (g *goal) fromPairs(xs, ys []*node) {
	set := g.want.sources()
	for _, x := range xs {
		for _, y := range ys {
			if x.cost+y.cost+cheapest >= g.bound || set&^(x.from|y.from) != 0 || x == y && set&(set-1) != 0 {
				continue
			}
			binary(&g.want, &x.reg, &y.reg, g.grain, g.bound-x.cost-y.cost, func(c *call) { g.offer(c, x, y) })
		}
	}
}

// knownSources is how many sources are combined beforehand.
const knownSources = 4

// known are useful registers that one instruction makes of the sources: those
// with halves of sources, and in all also units of two sources next to each other.
func (g *goal) known(leaves []*node) (arranged, all []*node) {
	if len(leaves) > knownSources {
		return nil, nil
	}
	add := func(c call, a, b *node) {
		if infos[c.op].Cost.Throughput+cheapest < g.bound {
			all = append(all, instruction(c, a, b))
		}
	}
	for _, a := range leaves {
		if g.low {
			add(call{op: Extract128, imm: 1}, a, nil)
		} else {
			for _, imm := range []int{0x4e, 0x44, 0xee} {
				add(call{op: Permq, imm: imm}, a, nil)
			}
		}
		if len(leaves) == 1 {
			g.gathered(a, add)
		}
		for _, b := range leaves {
			if a == b || g.low {
				continue
			}
			add(call{op: Insert128, imm: 1}, a, b)
			add(call{op: Perm2i128, imm: 0x31}, a, b)
			add(call{op: Perm2i128, imm: 0x21}, a, b)
			add(call{op: Blendd, imm: 0xf0}, a, b)
		}
	}
	arranged = all
	for _, a := range leaves {
		for _, b := range leaves {
			if a == b {
				continue
			}
			for op := Punpcklbw; op <= Punpckhqdq; op++ {
				if infos[op].param >= g.grain {
					add(call{op: op}, a, b)
				}
			}
			if g.grain >= 4 {
				add(call{op: Shufps, imm: 0x88}, a, b)
				add(call{op: Shufps, imm: 0xdd}, a, b)
			}
		}
	}
	return arranged, all
}

// gathered moves the units that each half wants into that half, in ascending order.
func (g *goal) gathered(a *node, add func(call, *node, *node)) {
	if q := g.unitsWanted(8); len(q[0]) <= 2 && len(q[1]) <= 2 {
		imm := 0
		for h := range 2 {
			for j, k := range q[h] {
				imm |= k << (4*h + 2*j)
			}
		}
		add(call{op: Permq, imm: imm}, a, nil)
	}
	if q := g.unitsWanted(4); len(q[0]) <= 4 && len(q[1]) <= 4 {
		c := call{op: Permd}
		for h := range 2 {
			for j, k := range q[h] {
				c.ctl[h*Half+j*4] = byte(k)
			}
		}
		add(c, a, nil)
	}
}

// unitsWanted are the units of n bytes of the source that each half wants.
func (g *goal) unitsWanted(n int) (q [2][]int) {
	for h := range 2 {
		var seen [Size]bool
		for _, w := range g.want[h*Half:][:Half] {
			if w >= 0 {
				seen[w.offset()/n] = true
			}
		}
		for k, on := range seen {
			if on {
				q[h] = append(q[h], k)
			}
		}
	}
	return q
}
