package optvls

import "slices"

// hopeless says that a plan with these pieces cannot cost less than the best so far.
func (s *search) hopeless(pieces []piece) bool {
	if s.best == nil {
		return false
	}
	cost := s.leastCost(pieces)
	return cost >= s.best.cost || cost+s.cheapest*s.leastShuffles(pieces) >= s.best.cost
}

// leastCost is what loads or stores cost at least: loads that have a tag which no
// other has cannot be left out.
func (s *search) leastCost(pieces []piece) int {
	cost := 0
	times := make([]int8, s.tags)
	if !s.g.Access.Store {
		for _, p := range pieces {
			for _, t := range p.tags {
				if t != none {
					times[t] = min(times[t]+1, 2)
				}
			}
		}
	}
	for _, p := range pieces {
		if s.g.Access.Store || slices.ContainsFunc(p.tags, func(t tag) bool { return t != none && times[t] == 1 }) {
			cost += p.cost
		}
	}
	return cost
}

// leastShuffles is how many shuffles of two sources there must be at least: one for
// each result that no source has all of, and for those with tags of more than two
// sources, inner ones with room for all tags but those of one source.
func (s *search) leastShuffles(pieces []piece) int {
	sources, want := s.members, tagsOf(pieces)
	if !s.g.Access.Store {
		sources, want = want, sources
	}
	results, through, most, times := 0, 0, 0, 0
	seen := make([]bool, s.tags)
	for i, w := range want {
		if slices.ContainsFunc(want[:i], func(x []tag) bool { return slices.Equal(x, w) }) {
			continue
		}
		all := s.scratch.marked(w)
		one, two := s.overlap(sources)
		if one == all {
			continue
		}
		results++
		if two < all {
			through += all - one
			most = max(most, all-one)
		}
		for _, t := range w {
			if t != none && seen[t] {
				times++
			}
			if t != none {
				seen[t] = true
			}
		}
	}
	if times > 0 {
		through = most // one tag may serve several results
	}
	return results + (through+s.full-1)/s.full
}

// overlap is how many marked tags the source with the most has, and the two with
// the most together at most.
func (s *search) overlap(sources [][]tag) (one, two int) {
	second := 0
	for _, x := range sources {
		c := 0
		for _, t := range x {
			if s.scratch.has(t) {
				c++
			}
		}
		if c > one {
			one, second = c, one
		} else {
			second = max(second, c)
		}
	}
	return one, one + second
}

// cheapestShuffle asks for the cost of masks of two sources that machines are likely
// to have.
func (s *search) cheapestShuffle() int {
	n := s.full
	if n == 1 {
		return 0
	}
	masks := [][]int{counted(2 * n)[n/2 : n+n/2], counted(2 * n)[1 : n+1]}
	for _, f := range []func(k int) int{
		func(k int) int { return k + k%2*n },                         // select
		func(k int) int { return k&^1 + k%2*n },                      // transpose
		func(k int) int { return k/2 + k%2*n },                       // unpack
		func(k int) int { return 2 * k },                             // even
		func(k int) int { return k%(n/2) + k/(n/2)*n },               // halves
		func(k int) int { return k/(n/2)*(n/2) + k%(n/2)/2 + k%2*n }, // unpack in halves
	} {
		mask := make([]int, n)
		for k := range mask {
			mask[k] = f(k)
		}
		masks = append(masks, mask)
	}
	t := Type{s.unit * 8, n}
	least := s.client.Shuffle(Type{t.Bits, n / 2}, counted(n)) // concat
	for _, m := range masks {
		least = min(least, s.client.Shuffle(t, m))
	}
	return max(least, 0)
}
