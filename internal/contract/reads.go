//go:build amd64 && unix

package contract

import "testing"

// SameReads is rule 3 for what is read, and for what is written outside: slices start
// and end where accessible memory does, all of them and each one alone, with nothing
// between their length and their capacity.
func SameReads(t *testing.T, all []Function) {
	eachPair(t, all, func(t *testing.T, p *pair) {
		var n tally
		for length := range 201 {
			if length != p.longest(length) {
				break
			}
			for st := range numStyles {
				s := p.serie(st, length, length)
				for _, where := range p.places(length) {
					l := p.usual(length, s)
					l.place = where
					if st%2 == 0 {
						l.slack = 1 + length%40
					}
					if _, ok := p.compare(t, l, &n); !ok && l.slack > 0 {
						l.slack = 0 // the function appends
						p.compare(t, l, &n)
					}
				}
			}
		}
		for size := 1; size <= 64; size++ {
			// One slice may fill its page, with nothing on both sides.
			length := page / size
			if length != p.longest(length) || page%size != 0 && size%4 != 0 {
				continue
			}
			l := p.usual(length, p.serie(style(size)%numStyles, length, size))
			l.tight, l.place = true, func(int) place { return place(1 + size%2) }
			p.compare(t, l, &n)
		}
		Count(t, "calls", n.calls)
		Count(t, "returned", n.returned)
	})
}

// places are all at the end, all at the start, and in turns one apart from the others.
func (p *pair) places(length int) []func(leaf int) place {
	odd := length % max(p.shape.leaves, 1)
	return []func(int) place{
		func(int) place { return atEnd },
		func(int) place { return atStart },
		func(leaf int) place {
			if leaf == odd {
				return atStart
			}
			return atEnd
		},
	}
}
