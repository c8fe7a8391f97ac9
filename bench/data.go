package main

import "math/rand/v2"

const (
	// predictable is the number of elements behind a row without branches on
	// data: it stays in the first-level cache.
	predictable = 4096
	// unpredictable is the number behind a row whose original branches on its
	// data, unless calls are short: then a predictor learns what so many hold.
	unpredictable = 1 << 16
	// endless is the number behind a row whose twin branches too, if less often,
	// and behind short calls of all rows that branch. No predictor learns as many.
	endless = 1 << 20
	// settling is for rows whose original branches a few times and then settles,
	// like a maximum: unpredictable when calls are short, else predictable.
	settling = -1
)

// short is the largest length of a call whose branches a predictor could learn
// along with those of many other calls.
const short = 256

// elements is the number of elements behind a row for calls of n.
func elements(n, size int) int {
	switch {
	case size != predictable && n <= short:
		size = endless
	case size == settling:
		size = predictable
	}
	return max(n, size)
}

// A window walks over data that is longer than one call needs.
type window struct{ n, size, at int }

// next is the start of the next n elements.
func (w *window) next() int {
	at := w.at
	w.at += max(w.n, 1)
	if w.at+w.n > w.size {
		w.at = 0
	}
	return at
}

// number is what fill can make up.
type number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// fill gives n random integers of [lo, hi], reproducible from seed.
func fill[T number](n int, seed uint64, lo, hi int) []T {
	r := rand.New(rand.NewPCG(seed, 1))
	x := make([]T, n)
	for i := range x {
		x[i] = T(lo + r.IntN(hi-lo+1))
	}
	return x
}

// written is n elements of memory that has been written to. Elsewhere the system hands out pages while functions run, to the
// first of them that comes by.
func written[T any](n int) []T {
	x := make([]T, n)
	clear(x)
	return x
}
