package outline

import (
	"cmp"
	"slices"
)

// suffixes sorts the suffixes of a text by doubling the length of the prefixes they are
// sorted by (U. Manber and G. Myers, Suffix arrays, 1990).
func suffixes(text []int) []int {
	order := make([]int, len(text))
	for i := range order {
		order[i] = i
	}
	letters := func(i, j int) int { return cmp.Compare(text[i], text[j]) }
	rank, distinct := ranks(order, letters)
	for width := 1; distinct < len(text); width *= 2 {
		behind := func(i int) int {
			if i+width < len(rank) {
				return rank[i+width]
			}
			return -1 // the end comes first
		}
		rank, distinct = ranks(order, func(i, j int) int {
			return cmp.Or(cmp.Compare(rank[i], rank[j]), cmp.Compare(behind(i), behind(j)))
		})
	}
	return order
}

// ranks sorts order and gives each of its elements the number of different ones below it.
func ranks(order []int, compare func(i, j int) int) (rank []int, distinct int) {
	slices.SortStableFunc(order, compare)
	rank = make([]int, len(order))
	for k, i := range order {
		if k == 0 || compare(order[k-1], i) != 0 {
			distinct++
		}
		rank[i] = distinct - 1
	}
	return rank, distinct
}

// commonPrefixes gives for every suffix in order how many letters it has in common with
// the one before (T. Kasai and others, Linear-time longest-common-prefix computation in
// suffix arrays, 2001).
func commonPrefixes(text, order []int) []int {
	rank := make([]int, len(order))
	for k, i := range order {
		rank[i] = k
	}
	lcp := make([]int, len(order))
	n := 0
	for i, k := range rank {
		if k == 0 {
			n = 0
			continue
		}
		j := order[k-1]
		for i+n < len(text) && j+n < len(text) && text[i+n] == text[j+n] {
			n++
		}
		lcp[k] = n
		n = max(n-1, 0)
	}
	return lcp
}

// A repeat is a sequence that a text has several times and that is followed by
// different things.
type repeat struct {
	length int
	starts []int // ascending
}

// repeats lists the repeats of a text, the inner nodes of its suffix tree: each is an
// interval of the suffix array whose least common prefix is its length. The intervals are
// found with a stack (M. Abouelhoda and others, Replacing suffix trees with enhanced suffix
// arrays, 2004). Of longer ones the first letters count, up to longest.
func repeats(text []int, longest int) (found []repeat) {
	order := suffixes(text)
	lcp := commonPrefixes(text, order)
	type open struct{ length, from int }
	stack := []open{{}}
	for k := 1; k <= len(order); k++ {
		n, from := 0, k-1
		if k < len(order) {
			n = min(lcp[k], longest)
		}
		for top := stack[len(stack)-1]; top.length > n; top = stack[len(stack)-1] {
			starts := slices.Sorted(slices.Values(order[top.from:k]))
			found = append(found, repeat{top.length, starts})
			from = top.from
			stack = stack[:len(stack)-1]
		}
		if n > stack[len(stack)-1].length {
			stack = append(stack, open{n, from})
		}
	}
	return found
}
