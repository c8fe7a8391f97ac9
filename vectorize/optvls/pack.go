package optvls

import (
	"math/bits"
	"slices"
)

// A packing looks for networks of few inner shuffles, each of which may serve several
// results, where it does not matter which lanes they have: the elements only have to
// fit. So three members at VF 4 take 5 shuffles, while each by itself would take 2:
//
//	loads   a = x0 y0 z0 x1   b = y1 z1 x2 y2   c = z2 x3 y3 z3
//	inner   t = {y0 y1 z0 z1} of a b   u = {x2 x3 y2 y3} of b c
//	x of a u, y of t u, z of t c
//
// It is for registers, or segments of registers that all do the same, of a few lanes
// and tries the lanes of inner shuffles for low costs.
type packing struct {
	net      *net
	full     int
	from     []int
	want     [][]tag
	segments int
	lanes    int // of a segment
	elements []tag
	sources  []uint64 // the elements of each source, as bits
	wants    []uint64
	effort   int
	inner    [][2]int // two earlier vectors for each inner shuffle
	reach    []sets   // what sources and inner shuffles can have without the inner ones of a set
	chosen   [][2]int // two vectors for each result
	best     []int
	cost     int
}

const (
	packLanes   = 4 // of a segment, at most
	packSources = 4
	packInner   = 3
	packEffort  = 20000
)

// pack tries networks of inner shuffles, as few as may do.
func pack(n *net, full int, from []int, want [][]tag, segments int) []int {
	p := &packing{net: n, full: full, from: from, want: want, segments: segments, effort: packEffort}
	if !p.suits() {
		return nil
	}
	for m := p.least(); m <= packInner && p.best == nil && p.bound(m) < n.limit; m++ {
		p.extend(m)
	}
	return p.best
}

// suits numbers the elements of the first segment, and checks that the others are
// alike.
func (p *packing) suits() bool {
	if len(p.from) < 3 || len(p.from) > packSources || len(p.want) > packSources {
		return false
	}
	all := len(p.net.vecs[p.from[0]].tags)
	p.lanes = all / p.segments
	if p.lanes > packLanes || all%p.segments != 0 {
		return false
	}
	for _, w := range p.want {
		if len(w) != all {
			return false
		}
		s, ok := p.set(w[:p.lanes], true)
		if !ok {
			return false
		}
		p.wants = append(p.wants, s)
	}
	for _, f := range p.from {
		tags := p.net.vecs[f].tags
		if len(tags) != all {
			return false
		}
		s, _ := p.set(tags[:p.lanes], false)
		p.sources = append(p.sources, s)
		var all sets
		for set := range all {
			all[set] = s
		}
		p.reach = append(p.reach, all)
	}
	return p.alike()
}

// set numbers tags; ones that are not known yet are added or left out.
func (p *packing) set(tags []tag, add bool) (uint64, bool) {
	s := uint64(0)
	for _, t := range tags {
		if t == none {
			continue
		}
		i := slices.Index(p.elements, t)
		if i < 0 && !add {
			continue
		}
		if i < 0 {
			i = len(p.elements)
			p.elements = append(p.elements, t)
		}
		if i >= 64 {
			return 0, false
		}
		s |= 1 << i
	}
	return s, true
}

// alike says whether each segment of the results takes the same lanes of its segment
// of the sources.
func (p *packing) alike() bool {
	for s := 1; s < p.segments; s++ {
		for _, w := range p.want {
			for k := range p.lanes {
				if w[k+s*p.lanes] != p.moved(w[k], s) {
					return false
				}
			}
		}
	}
	return true
}

// moved is the element of another segment that is where an element is in the first.
func (p *packing) moved(t tag, segment int) tag {
	for _, f := range p.from {
		tags := p.net.vecs[f].tags
		if i := slices.Index(tags[:p.lanes], t); i >= 0 && t != none {
			return tags[i+segment*p.lanes]
		}
	}
	return none
}

// least is how many inner shuffles it takes at least: results with elements of more
// than two sources get all but those of one through inner shuffles.
func (p *packing) least() int {
	through := 0
	for _, w := range p.wants {
		if !p.two(w) {
			most := 0
			for _, s := range p.sources {
				most = max(most, bits.OnesCount64(w&s))
			}
			through += bits.OnesCount64(w) - most
		}
	}
	return (through + p.lanes - 1) / p.lanes
}

// bound is what a network with m inner shuffles costs at least.
func (p *packing) bound(m int) int {
	for i, w := range p.wants {
		one := slices.ContainsFunc(p.sources, func(s uint64) bool { return w&^s == 0 })
		if !one && !slices.Contains(p.wants[:i], w) {
			m++
		}
	}
	return m * p.net.least
}

func (p *packing) two(w uint64) bool {
	for _, x := range p.sources {
		for _, y := range p.sources {
			if w&^(x|y) == 0 {
				return true
			}
		}
	}
	return false
}

// A sets has for each set of inner shuffles the elements of something about it.
type sets [1 << packInner]uint64

// extend adds m inner shuffles in all ways.
func (p *packing) extend(m int) {
	if m == 0 {
		p.choose(sets{})
		return
	}
	for x := range len(p.reach) {
		for y := range x {
			var without sets // what the new one can have without those of a set
			for set := range without {
				if set>>len(p.inner)&1 == 0 {
					without[set] = p.reach[x][set] | p.reach[y][set]
				}
			}
			p.inner = append(p.inner, [2]int{x, y})
			p.reach = append(p.reach, without)
			p.extend(m - 1)
			p.inner = p.inner[:len(p.inner)-1]
			p.reach = p.reach[:len(p.reach)-1]
		}
	}
}

// choose finds two vectors for each further result. Through has for each set of inner
// shuffles the elements that cannot avoid it, which must fit.
func (p *packing) choose(through sets) {
	if p.effort--; p.effort < 0 {
		return
	}
	i := len(p.chosen)
	if i == len(p.wants) {
		p.realize()
		return
	}
	for x := range len(p.reach) {
		for y := range x + 1 {
			if next, ok := p.through(p.wants[i], x, y, through); ok {
				p.chosen = append(p.chosen, [2]int{x, y})
				p.choose(next)
				p.chosen = p.chosen[:i]
			}
		}
	}
}

func (p *packing) through(want uint64, x, y int, through sets) (sets, bool) {
	if want&^(p.reach[x][0]|p.reach[y][0]) != 0 {
		return through, false
	}
	for set := 1; set < 1<<len(p.inner); set++ {
		through[set] |= want &^ (p.reach[x][set] | p.reach[y][set])
		if bits.OnesCount64(through[set]) > p.lanes*bits.OnesCount(uint(set)) {
			return through, false
		}
	}
	return through, true
}

// realize gives every element of every result a way, so that no inner shuffle has
// more elements than lanes, and builds the network.
func (p *packing) realize() {
	content := make([]uint64, len(p.inner))
	var way func(want, elem int) bool
	way = func(want, elem int) bool {
		for want < len(p.wants) && p.wants[want]>>elem&1 == 0 {
			if elem++; elem == 64 {
				want, elem = want+1, 0
			}
		}
		if want == len(p.wants) {
			return true
		}
		p.effort--
		for _, r := range p.routes(p.chosen[want], 1<<elem) {
			old := slices.Clone(content)
			if p.effort > 0 && p.add(content, r, 1<<elem) && way(p.after(want, elem)) {
				return true
			}
			copy(content, old)
		}
		return false
	}
	if way(0, 0) {
		p.build(content)
	}
}

func (p *packing) after(want, elem int) (int, int) {
	if elem == 63 {
		return want + 1, 0
	}
	return want, elem + 1
}

// routes are the sets of inner shuffles through which an element can come.
func (p *packing) routes(from [2]int, elem uint64) []int {
	var all []int
	for _, v := range from {
		if v < len(p.sources) {
			if p.sources[v]&elem != 0 {
				all = append(all, 0)
			}
			continue
		}
		i := v - len(p.sources)
		for _, r := range p.routes(p.inner[i], elem) {
			all = append(all, r|1<<i)
		}
	}
	slices.SortFunc(all, func(a, b int) int { return bits.OnesCount(uint(a)) - bits.OnesCount(uint(b)) })
	return slices.Compact(all)
}

func (p *packing) add(content []uint64, route int, elem uint64) bool {
	for i := range content {
		if route>>i&1 != 0 {
			content[i] |= elem
			if bits.OnesCount64(content[i]) > p.lanes {
				return false
			}
		}
	}
	return true
}

// build makes the network with the elements of inner shuffles in any order, keeping
// the cheapest. It changes the order of one after the other as long as that helps.
func (p *packing) build(content []uint64) {
	orders := make([][]int, len(content)) // of each lane, which element it has
	for i, c := range content {
		for range p.lanes {
			e := -1
			if c != 0 {
				e = bits.TrailingZeros64(c)
				c &= c - 1
			}
			orders[i] = append(orders[i], e)
		}
	}
	cost := p.keep(orders)
	bound := p.bound(len(p.inner))
	for again := true; again && cost > bound; {
		again = false
		for i := range orders {
			start := slices.Clone(orders[i])
			best := slices.Clone(start)
			permute(p.lanes, func(perm []int) {
				for k, l := range perm {
					orders[i][k] = start[l]
				}
				if c := p.keep(orders); c < cost {
					cost, again = c, true
					copy(best, orders[i])
				}
			})
			copy(orders[i], best)
		}
	}
}

// keep builds the network and remembers the results if they cost less than others
// before; it returns the cost.
func (p *packing) keep(orders [][]int) int {
	mark := len(p.net.vecs)
	vecs := slices.Clone(p.from)
	for i, o := range orders {
		v, ok := p.net.shuffle(p.spread(o), vecs[p.inner[i][0]], vecs[p.inner[i][1]])
		if !ok {
			return p.cost
		}
		vecs = append(vecs, v)
	}
	results := make([]int, len(p.want))
	for i, c := range p.chosen {
		v, ok := p.net.shuffle(p.want[i], vecs[c[0]], vecs[c[1]])
		if !ok {
			return p.cost
		}
		results[i] = v
	}
	cost := p.net.cost(results)
	if p.best == nil || cost < p.cost {
		p.best, p.cost = results, cost
		return cost
	}
	p.net.forget(mark)
	return cost
}

// spread gives the elements of the first segment and those of the others alike.
func (p *packing) spread(order []int) []tag {
	tags := make([]tag, p.lanes*p.segments)
	for s := range p.segments {
		for k, e := range order {
			t := none
			if e >= 0 {
				t = p.elements[e]
				if s > 0 {
					t = p.moved(t, s)
				}
			}
			tags[s*p.lanes+k] = t
		}
	}
	return tags
}
