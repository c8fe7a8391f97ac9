package outline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRepeats compares with all pairs of places, on texts of few letters.
func TestRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		text := make([]int, rng.IntN(40))
		for i := range text {
			text[i] = rng.IntN(3) - 1
		}
		got := repeats(text, len(text))
		slices.SortFunc(got, func(a, b repeat) int {
			if a.length != b.length {
				return a.length - b.length
			}
			return slices.Compare(a.starts, b.starts)
		})
		if d := cmp.Diff(naive(text), got, cmp.AllowUnexported(repeat{})); d != "" {
			t.Fatalf("%v (-want +got)\n%s", text, d)
		}
	}
}

// naive finds for every sequence where it stands, and keeps those with two places that
// no letter follows everywhere.
func naive(text []int) (found []repeat) {
	for n := 1; n < len(text); n++ {
		seen := make(map[int]bool)
		for i := 0; i+n <= len(text); i++ {
			if seen[i] {
				continue
			}
			r := repeat{length: n}
			next := make(map[int]bool)
			for j := i; j+n <= len(text); j++ {
				if !slices.Equal(text[i:i+n], text[j:j+n]) {
					continue
				}
				seen[j] = true
				r.starts = append(r.starts, j)
				follows := -99
				if j+n < len(text) {
					follows = text[j+n]
				}
				next[follows] = true
			}
			if len(r.starts) > 1 && len(next) > 1 {
				found = append(found, r)
			}
		}
	}
	slices.SortFunc(found, func(a, b repeat) int {
		if a.length != b.length {
			return a.length - b.length
		}
		return slices.Compare(a.starts, b.starts)
	})
	return found
}

func TestSuffixesBanana(t *testing.T) {
	order := suffixes([]int{2, 1, 3, 1, 3, 1})
	if want := []int{5, 3, 1, 0, 4, 2}; !slices.Equal(order, want) {
		t.Errorf("suffixes of banana: %v, want %v", order, want)
	}
	if lcp := commonPrefixes([]int{2, 1, 3, 1, 3, 1}, order); !slices.Equal(lcp, []int{0, 1, 3, 0, 0, 2}) {
		t.Errorf("common prefixes of banana: %v", lcp)
	}
}
