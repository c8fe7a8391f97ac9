package main

import (
	"math/rand/v2"
	"time"
)

// A contender is one way to do the work of a row. Those that can be repeated work on
// the same data: where elements do not stay in the caches next to the core, their pages
// decide about as much as the code does.
type contender struct {
	name string
	call func() // the work on the next window of the data
	// repeat, if set, is n calls in a loop of its own, where a call more would count.
	repeat func(n int)
	// reset restores data that call destroys; a sample then has at most calls
	// calls. Both are zero for work that can be repeated.
	reset func()
	calls int
	// rough says that it is an approximation.
	rough bool
	// stored, if set, is what the first call has stored.
	stored func() any
}

// sampleTime is the aim for one uninterrupted sample: long against the clock's
// resolution, short against a time slice, so that many samples see no other job.
const sampleTime = 20 * time.Microsecond

// enough is the time after which a row with long samples makes do with fewer
// rounds, but no less than a tenth of them.
const enough = 500 * time.Millisecond

// measure returns nanoseconds per call: the minimum over interleaved rounds of
// samples, one of each contender per round. Interleaving lets all contenders
// meet the same disturbances; the minimum drops them. Each round has an order of its
// own, as contenders find in the caches what the one before them left there.
func measure(cs []contender, rounds int) []float64 {
	calls := make([]int, len(cs))
	best := make([]float64, len(cs))
	for i, c := range cs {
		calls[i] = calibrate(c)
		best[i] = sample(c, calls[i])
	}
	order := rand.New(rand.NewPCG(1, 2))
	start := time.Now()
	for r := range rounds {
		if r > rounds/10 && time.Since(start) > enough {
			break
		}
		for _, i := range order.Perm(len(cs)) {
			best[i] = min(best[i], sample(cs[i], calls[i]))
		}
	}
	return best
}

// calibrate finds how many calls fill a sample. It takes the fastest of three
// tries: one that was interrupted would settle for too few.
func calibrate(c contender) int {
	n := 1
	for {
		ns := min(sample(c, n), sample(c, n), sample(c, n))
		if time.Duration(ns*float64(n)) >= sampleTime {
			return n
		}
		if c.calls > 0 && n >= c.calls {
			return c.calls
		}
		n *= 2
		if c.calls > 0 {
			n = min(n, c.calls)
		}
	}
}

// sample is the time per call of n calls, in nanoseconds.
func sample(c contender, n int) float64 {
	if c.reset != nil {
		c.reset()
	}
	start := time.Now()
	if c.repeat != nil {
		c.repeat(n)
	} else {
		for range n {
			c.call()
		}
	}
	return float64(time.Since(start)) / float64(n)
}
