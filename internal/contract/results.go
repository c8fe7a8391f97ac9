//go:build amd64 && unix

package contract

import "testing"

// SameResult is rule 1: the same bits for special values of each kind in every lane,
// in calls of every length from 0 to 200 and around those of blocks and strips. Where
// floats may be reordered, values are used of which sums are exact.
func SameResult(t *testing.T, all []Function) {
	eachPair(t, all, func(t *testing.T, p *pair) {
		var n tally
		for length := range 201 {
			p.valuesAt(t, length, &n)
		}
		for _, length := range blocks {
			if length != p.longest(length) {
				break
			}
			for _, st := range []style{special, random, below} {
				p.compare(t, p.usual(length, p.serie(st, length, length)), &n)
			}
		}
		Count(t, "reordered", p.reordered())
		Count(t, "calls", n.calls)
		Count(t, "returned", n.returned)
	})
}

// valuesAt calls with slices of one length, with all values in all places.
func (p *pair) valuesAt(t *testing.T, length int, n *tally) {
	if length != p.longest(length) {
		return
	}
	step := 1
	if length > 70 {
		step = 5
	}
	for start := length % step; start < period; start += step {
		l := p.usual(length, p.serie(special, length, start))
		if start%4 == 3 {
			l.number = func(site int) int { return [...]int{length - 1, length + 1, length / 2, 1, 0, 3, -1}[(start/4+site)%7] }
		}
		p.compare(t, l, n)
	}
	for st := exact; st < numStyles; st++ {
		p.compare(t, p.usual(length, p.serie(st, length, length)), n)
	}
}

// serie is a series of values that the function may be compared for.
func (p *pair) serie(st style, n, start int) series {
	if p.Approx && (st == special || st == random) {
		st = exact
	}
	s := series{style: st, stride: 1 + n%3, start: start % period}
	switch st {
	case below:
		s.n, s.start = p.lengthOf(n), start%2
	case random:
		s.start = start % 2
	case constant:
		s.part, s.start, s.stride = start%len(constants), 0, 1
	}
	return s
}

// lengthOf is the shortest slice for n.
func (p *pair) lengthOf(n int) int {
	if p.fit >= 2 {
		return root(n)
	}
	return n
}

// reordered shows that rounding tells: it counts calls of functions with a clause whose
// float results are not those of the original, as they may be. No other function may
// have any, and if these had none, the values would be to blame.
func (p *pair) reordered() (n int) {
	if !p.Approx {
		return 0
	}
	for length := 50; length < 200; length++ {
		l := p.usual(length, series{style: random, stride: 1, start: length})
		w, g := p.arrange(memories[0], l), p.arrange(memories[1], l)
		wo, o := call(p.want, w.args), call(p.got, g.args)
		strict := *p
		strict.Approx = false
		if strict.differ(w, g, wo, o) != "" {
			n++
		}
	}
	return n
}
