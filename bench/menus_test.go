package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMenusRun runs every contender of the menus at few and at awkwardly many elements.
func TestMenusRun(t *testing.T) {
	names := make(map[string]bool)
	for _, r := range menus() {
		if names[r.name] {
			t.Errorf("two rows named %s", r.name)
		}
		names[r.name] = true
		for _, n := range []int{1, 33} {
			cs := r.contenders(n)
			if len(cs) < 3 {
				t.Errorf("%s: no library", r.name)
			}
			for _, c := range cs {
				c.call()
			}
		}
	}
}

// TestConfidence takes the median of blocks, and all but the outermost ones.
func TestConfidence(t *testing.T) {
	got := confident([]float64{9, 1, 2, 8, 3, 7, 4, 6, 5, 10})
	if want := (estimate{mid: 5.5, lo: 2, hi: 9}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestMatchOfEquals has contenders that take the same time, disturbed by as much as
// another job on the core does: no library may come out ahead for being one of several.
func TestMatchOfEquals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cs := []contender{{name: "original"}, {name: "twin"}, {name: "a"}, {name: "b"}, {name: "c"}}
	const rows = 200
	lost, mean := 0, 0.0
	for range rows {
		times := make([][]float64, len(cs))
		for i := range times {
			for range blocks {
				times[i] = append(times[i], 1+r.Float64())
			}
		}
		m, _ := matched(cs, times, false)
		if m.gain.hi < 1 {
			lost++
		}
		mean += math.Log(m.gain.mid) / rows
	}
	if math.Exp(mean) < 0.9 || lost > rows/20 {
		t.Errorf("libraries as fast as the twin: ratio %.2f in the mean, %d of %d surely faster", math.Exp(mean), lost, rows)
	}
}
