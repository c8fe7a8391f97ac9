package loops_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

func names(blocks []*vir.Block) (s []string) {
	for _, b := range blocks {
		s = append(s, b.Name)
	}
	return s
}

// TestInfluence: the region of a latch in a loop with two exits is the loop and
// what lies between its exits and their common end; the latch is no entry of it.
func TestInfluence(t *testing.T) {
	f := graph("entry: h", "h: l x", "l: h y", "x: end", "y: end", "end:")
	r := loops.Whole(f)
	if got, want := names(r.Influence(r.PostDom(), f.Block("l"))), []string{"h", "l", "y", "x"}; !sameNames(got, want) {
		t.Errorf("influence region %v, want %v", got, want)
	}
	if got := names(r.Influence(r.PostDom(), f.Block("entry"))); got != nil {
		t.Errorf("influence region of a jump: %v", got)
	}
}

func sameNames(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// TestBodyEndsAtHeader: one iteration of a loop has no way around it, and its
// exits and back edges post-dominate nothing.
func TestBodyEndsAtHeader(t *testing.T) {
	f := graph("entry: h", "h: b exit", "b: c d", "c: exit l", "d: l", "l: h", "exit:")
	r := loops.Find(f).Of(f.Block("h")).Body()
	if len(r.Cycles().All) != 0 {
		t.Error("an iteration goes around")
	}
	if got, want := names(r.Influence(r.PostDom(), f.Block("b"))), []string{"c", "d", "l"}; !sameNames(got, want) {
		t.Errorf("influence region %v, want %v", got, want)
	}
}

// TestCycles compares nests with their definition on random graphs, and with
// natural loops where all are natural.
func TestCycles(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	irreducible := 0
	for range 20000 {
		f := randomGraph(rng)
		if len(f.Entry().Preds) > 0 {
			continue
		}
		r := loops.Whole(f)
		c := r.Cycles()
		if !sameNames(names(c.Order), names(r.Blocks)) {
			t.Fatalf("order %v of\n%s", names(c.Order), f)
		}
		several := false
		for _, q := range c.All {
			several = several || len(q.Entries) > 1
			checkCycle(t, f, r, q)
		}
		for _, b := range r.Blocks {
			for _, s := range r.Succs(b) {
				if q := c.Common(b, s); !c.Before(b, s) && (q == nil || q.Header != s) {
					t.Fatalf("edge from %s back to %s, which is no header, in\n%s", b.Name, s.Name, f)
				}
			}
		}
		forest := loops.Find(f)
		if several {
			irreducible++
		}
		if several != forest.Irreducible {
			t.Fatalf("cycles with several entries %v, irreducible %v:\n%s", several, forest.Irreducible, f)
		}
		if several {
			continue
		}
		if len(c.All) != len(forest.All) {
			t.Fatalf("%d cycles, %d natural loops in\n%s", len(c.All), len(forest.All), f)
		}
		for _, b := range r.Blocks {
			l, q := forest.Of(b), c.Of(b)
			if (l == nil) != (q == nil) || l != nil && (l.Header != q.Header || l.Depth != q.Depth || !sameNames(names(l.Blocks), names(q.Blocks))) {
				t.Fatalf("%s is in another cycle than loop in\n%s", b.Name, f)
			}
		}
	}
	if irreducible < 100 {
		t.Errorf("only %d irreducible graphs", irreducible)
	}
}

// checkCycle: all blocks reach each other inside, without the header of a cycle around.
func checkCycle(t *testing.T, f *vir.Func, r *loops.Region, q *loops.Cycle) {
	t.Helper()
	for _, b := range q.Blocks {
		around := r.Reach(r.Succs(b), func(x *vir.Block) bool { return !q.Contains(x) })
		if !sameNames(names(around), names(q.Blocks)) {
			t.Fatalf("cycle of %s is not connected in\n%s", q.Header.Name, f)
		}
		if b != q.Header && r.Entry == b {
			t.Fatalf("the entry is inside of a cycle in\n%s", f)
		}
	}
	if q.Blocks[0] != q.Header || !slices.Contains(q.Entries, q.Header) || q.Parent != nil && q.Contains(q.Parent.Header) {
		t.Fatalf("cycle of %s is no cycle of a nest in\n%s", q.Header.Name, f)
	}
}
