package dep

import (
	"math/rand/v2"
	"testing"
)

// TestReachesAgainstTrials tries all numbers in random sums: one that comes between the
// ends must not be ruled out. Sizes of accesses are any, so that distances need not be multiples of them.
func TestReachesAgainstTrials(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	out := 0
	for range 20_000 {
		s := sum{c: rnd.Int64N(81) - 40}
		for range rnd.IntN(4) {
			s.add(rnd.Int64N(41)-20, rnd.Int64N(6))
		}
		lo, hi := -1-rnd.Int64N(8), 1+rnd.Int64N(8)
		may := s.reaches(lo, hi)
		if !may {
			out++
			if does(s.c, s.terms, lo, hi) {
				t.Fatalf("%d and %v come between %d and %d, which is ruled out", s.c, s.terms, lo, hi)
			}
		}
	}
	if out < 2000 {
		t.Errorf("only %d sums are ruled out", out)
	}
}

func does(c int64, terms []bounded, lo, hi int64) bool {
	if len(terms) == 0 {
		return lo < c && c < hi
	}
	for n := range terms[0].last + 1 {
		if does(c+n*terms[0].coef, terms[1:], lo, hi) {
			return true
		}
	}
	return false
}
