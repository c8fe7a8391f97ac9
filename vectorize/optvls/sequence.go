package optvls

import (
	"math"
	"slices"
)

// Sequence finds instructions that do the accesses of the group with loads or
// stores of successive lanes, and shuffles. Of all that it tries it returns what
// costs least, and of those the first. It finds none when a member does not fit a
// register, when stores overlap each other, when lanes are so far from each other that no two can
// be in memory at a time, and when the client lacks the accesses.
func Sequence(g *Group, c Client) (*Code, bool) {
	if g.Stride < -farthest || g.Stride > farthest {
		return nil, false
	}
	for _, m := range g.Members {
		if m.Type.Bytes() > g.Vector {
			return nil, false
		}
	}
	if g.Access.Store && g.overlaps() {
		return nil, false
	}
	asker := &asker{Client: c, known: make(map[string]int)}
	s := &search{layout: newLayout(g), client: asker, networks: make(map[int]*network)}
	s.scratch = newScratch(s.tags)
	s.cheapest = s.cheapestShuffle()
	for _, c := range []*cover{{}, {wide: true}, {masks: true}, {spill: true}} {
		if c.spill && (!g.Access.Store || g.Access.Indexed || g.Access.Masked) || c.wide && g.Access.Store {
			continue
		}
		c.layout, c.client, c.widest = s.layout, s.client, s.full
		for _, p := range s.plans(c) {
			s.try(p)
		}
		for _, p := range s.ownPlans(c) {
			s.try(p)
		}
		s.tryGrids(c)
		s.tryRotations(c)
	}
	if s.best == nil {
		return nil, false
	}
	return s.code(s.best), true
}

// farthest is the largest distance of lanes, in bytes; distances of several are no trouble then.
const farthest = 1 << 40

// A search keeps the best code so far.
type search struct {
	*layout
	client   Client
	scratch  *scratch
	cheapest int              // cost of a shuffle of two sources at least
	networks map[int]*network // by slot bits
	done     [][]piece        // what strategies were tried on
	best     *found
}

// What was found: the vectors of a net, of which the results are those of the members,
// or what the pieces store.
type found struct {
	*net
	pieces  []piece
	results []int
	cost    int
}

// A plan is a set of loads or stores and a way to compute, in a net whose sources
// are the loads or the members, the members or what is stored.
type plan struct {
	pieces []piece
	run    func(n *net) []int
}

// plans are the ways to load or store: in one go, lane by lane of the memrefs, where
// a member is contiguous itself, that too, and along a network.
func (s *search) plans(c *cover) []plan {
	var plans []plan
	add := func(p []piece) {
		if p == nil || slices.ContainsFunc(s.done, func(q []piece) bool { return samePieces(p, q) }) {
			return
		}
		s.done = append(s.done, p)
		for _, try := range strategies {
			plans = append(plans, s.plan(p, try))
		}
	}
	flat := c.pieces(s.areas...)
	add(flat)
	if direct := s.direct(c); flat != nil && direct != nil {
		add(slices.Concat(flat, direct))
	}
	add(c.pieces(s.rows...))
	return append(plans, s.halvesPlans(c)...)
}

func samePieces(p, q []piece) bool {
	return slices.EqualFunc(p, q, func(x, y piece) bool {
		return x.row == y.row && x.off == y.off && len(x.tags) == len(y.tags) && x.masked == y.masked
	})
}

func (s *search) plan(pieces []piece, try strategy) plan {
	return plan{pieces, func(n *net) []int {
		if s.g.Access.Store {
			return try(n, s.full, counted(len(s.members)), tagsOf(pieces))
		}
		return try(n, s.full, counted(len(pieces)), s.members)
	}}
}

// direct loads the members that are contiguous.
func (s *search) direct(c *cover) []piece {
	if s.g.Access.Store || s.g.Access.Indexed {
		return nil
	}
	var all []piece
	for i, m := range s.g.Members {
		if s.g.Stride != int64(m.Type.Bits/8) {
			continue
		}
		p := c.piece(&s.areas[0], m.Offset/int64(s.unit), m.Type.Lanes*m.Type.Bits/8/s.unit)
		for k := range p.rows {
			p.rows[k] = k * s.unit * 8 / m.Type.Bits
		}
		p.tags, p.masked = s.members[i], s.g.Access.Masked
		if p.price(c) {
			all = append(all, p)
		}
	}
	return all
}

// halvesPlans pairs the pieces of the lower and of the upper half of the rows in
// registers, so that later shuffles need not cross halves.
func (s *search) halvesPlans(c *cover) []plan {
	if s.g.Lanes%2 != 0 || s.full < 2 {
		return nil
	}
	half := *c
	half.widest = s.full / 2
	var parts [2][]piece
	for i, rows := range [][]area{s.layout.rows[:s.g.Lanes/2], s.layout.rows[s.g.Lanes/2:]} {
		if !s.g.Access.Indexed {
			all := area{}
			for _, r := range rows {
				all.units = append(all.units, r.units...)
			}
			all.sort()
			rows = []area{all}
		}
		parts[i] = half.pieces(rows...)
	}
	if parts[0] == nil || !slices.EqualFunc(parts[0], parts[1], func(x, y piece) bool { return len(x.tags) == len(y.tags) }) {
		return nil
	}
	var pieces []piece
	for i := range parts[0] {
		pieces = append(pieces, parts[0][i], parts[1][i])
	}
	if slices.ContainsFunc(s.done, func(q []piece) bool { return samePieces(pieces, q) }) {
		return nil
	}
	s.done = append(s.done, pieces)
	var plans []plan
	packHalves := func(n *net, full int, f []int, w [][]tag) []int { return pack(n, full, f, w, 2) }
	for _, try := range append(slices.Clip(strategies), packHalves) {
		plans = append(plans, plan{pieces, func(n *net) []int { return s.runHalves(n, pieces, try) }})
	}
	return plans
}

// runHalves joins pairs of pieces, or cuts them out of what a strategy gives.
func (s *search) runHalves(n *net, pieces []piece, try strategy) []int {
	var pairs [][]tag
	for i := 0; i < len(pieces); i += 2 {
		pairs = append(pairs, slices.Concat(pieces[i].tags, pieces[i+1].tags))
	}
	if !s.g.Access.Store {
		var from []int
		for i, p := range pairs {
			v, _ := n.shuffle(p, 2*i, 2*i+1)
			from = append(from, v)
		}
		return try(n, s.full, from, s.members)
	}
	var results []int
	for i, v := range try(n, s.full, counted(len(s.members)), pairs) {
		for _, p := range pieces[2*i : 2*i+2] {
			r, _ := n.shuffle(p.tags, v, v)
			results = append(results, r)
		}
	}
	return results
}

// try runs a plan and keeps its code if it costs less than the best.
func (s *search) try(p plan) {
	if s.hopeless(p.pieces) || s.g.Access.Store && !s.written(p.pieces) {
		return
	}
	sources, want := s.members, tagsOf(p.pieces)
	if !s.g.Access.Store {
		sources, want = want, sources
	}
	n := newNet(s.unit*8, s.client, s.scratch, sources)
	n.limit, n.least = math.MaxInt, s.cheapest
	if s.best != nil {
		n.limit = s.best.cost - s.leastCost(p.pieces)
	}
	results := p.run(n)
	if results == nil {
		return
	}
	n, results = n.relaxed(results, want, len(sources))
	cost := n.cost(results)
	live := n.live(results)
	for i, p := range p.pieces {
		if s.g.Access.Store || live[i] {
			cost += p.cost
		}
	}
	if (s.best == nil || cost < s.best.cost) && n.delivers(results, want) {
		s.best = &found{n, p.pieces, results, cost}
	}
}

func tagsOf(pieces []piece) [][]tag {
	tags := make([][]tag, 0, len(pieces))
	for _, p := range pieces {
		tags = append(tags, p.tags)
	}
	return tags
}

// delivers recomputes all lanes from the sources on and says whether the results
// are what is wanted.
func (n *net) delivers(results []int, want [][]tag) bool {
	vals := make([][]tag, len(n.vecs))
	for v := range n.vecs {
		x := &n.vecs[v]
		vals[v] = x.tags
		if len(x.args) == 0 {
			continue
		}
		vals[v] = make([]tag, len(x.lanes))
		w := len(vals[x.args[0]])
		for k, l := range x.lanes {
			vals[v][k] = none
			if l >= 0 {
				vals[v][k] = vals[x.args[l/w]][l%w]
			}
		}
	}
	for i, w := range want {
		got := vals[results[i]]
		if len(got) != len(w) {
			return false
		}
		for k, t := range w {
			if t != none && got[k] != t {
				return false
			}
		}
	}
	return true
}
