package main

import "testing"

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
