package loops_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// graph builds a function from lines "a: b c": block and successors. Blocks
// without successors return.
func graph(lines ...string) *vir.Func {
	f := vir.NewFunc("g")
	for _, l := range lines {
		name, _, _ := strings.Cut(l, ":")
		f.NewBlock(name)
	}
	cond := f.AddParam("c", vir.Scalar(vir.Bool))
	for i, l := range lines {
		_, to, _ := strings.Cut(l, ":")
		b := vir.NewBuilder(f, f.Blocks[i])
		switch s := strings.Fields(to); len(s) {
		case 0:
			b.Ret()
		case 1:
			b.Jmp(f.Block(s[0]))
		default:
			b.Br(cond, f.Block(s[0]), f.Block(s[1]))
		}
	}
	return f
}

func randomGraph(rng *rand.Rand) *vir.Func {
	n := 1 + rng.IntN(9)
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("b%d:", i)
		for range rng.IntN(3) {
			lines[i] += fmt.Sprintf(" b%d", rng.IntN(n))
		}
	}
	return graph(lines...)
}

// reaches reports whether a walk leads from a to one of the ends without
// entering the block avoid; a itself counts as a walk.
func reaches(a *vir.Block, end func(*vir.Block) bool, avoid *vir.Block) bool {
	seen := map[*vir.Block]bool{avoid: true}
	var walk func(b *vir.Block) bool
	walk = func(b *vir.Block) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		if end(b) {
			return true
		}
		for _, s := range b.Succs {
			if walk(s) {
				return true
			}
		}
		return false
	}
	return walk(a)
}

func is(b *vir.Block) func(*vir.Block) bool {
	return func(x *vir.Block) bool { return x == b }
}

func returns(b *vir.Block) bool { return len(b.Succs) == 0 }

// TestDominatorsByDefinition: a dominates b when taking a away cuts b off.
func TestDominatorsByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		f := randomGraph(rng)
		dom := loops.DomTree(f)
		for _, b := range f.Blocks {
			if reachable := reaches(f.Entry(), is(b), nil); dom.Has(b) != reachable {
				t.Fatalf("%s reachable %v in\n%s", b.Name, reachable, f)
			} else if !reachable {
				continue
			}
			for _, a := range f.Blocks {
				want := dom.Has(a) && (a == b || !reaches(f.Entry(), is(b), a))
				if got := dom.Dominates(a, b); got != want {
					t.Fatalf("%s dominates %s: %v in\n%s", a.Name, b.Name, got, f)
				}
				if dom.Has(a) {
					checkCommon(t, f, dom, a, b)
				}
			}
			checkIdom(t, f, dom, b)
		}
	}
}

func checkIdom(t *testing.T, f *vir.Func, dom *loops.Dom, b *vir.Block) {
	t.Helper()
	i := dom.Idom(b)
	for _, a := range f.Blocks {
		if a == b || !dom.Dominates(a, b) {
			continue
		}
		if i == nil || !dom.Dominates(a, i) {
			t.Fatalf("%s dominates %s but not its immediate dominator in\n%s", a.Name, b.Name, f)
		}
	}
}

func checkCommon(t *testing.T, f *vir.Func, dom *loops.Dom, a, b *vir.Block) {
	t.Helper()
	c := dom.Common(a, b)
	for _, d := range f.Blocks {
		if dom.Dominates(d, a) && dom.Dominates(d, b) && !dom.Dominates(d, c) {
			t.Fatalf("%s dominates %s and %s but not %v in\n%s", d.Name, a.Name, b.Name, c, f)
		}
	}
}

// TestPostDominatorsByDefinition: a post-dominates b when taking a away cuts b
// off from every return. Blocks that never return only must be in the tree.
func TestPostDominatorsByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		f := randomGraph(rng)
		endless := false
		for _, b := range loops.RPO(f) {
			endless = endless || !reaches(b, returns, nil)
		}
		post := loops.PostDomTree(f)
		for _, b := range loops.RPO(f) {
			if !post.Has(b) {
				t.Fatalf("%s is not in the tree of\n%s", b.Name, f)
			}
			for _, a := range loops.RPO(f) {
				want := a == b || !reaches(b, returns, a)
				if got := post.Dominates(a, b); got != want && !endless {
					t.Fatalf("%s post-dominates %s: %v in\n%s", a.Name, b.Name, got, f)
				}
			}
		}
	}
}

// TestLoopsByDefinition: b is in the loop of h when h dominates b and a walk
// leads from b over a latch back to h without passing h before.
func TestLoopsByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	found, irreducible := 0, 0
	for range 3000 {
		f := randomGraph(rng)
		forest := loops.Find(f)
		if forest.Irreducible {
			irreducible++
		}
		dom := loops.DomTree(f)
		byHeader := make(map[*vir.Block]*loops.Loop)
		for _, l := range forest.All {
			byHeader[l.Header] = l
			checkNesting(t, f, l)
		}
		found += len(byHeader)
		for _, h := range loops.RPO(f) {
			latch := func(b *vir.Block) bool {
				for _, s := range b.Succs {
					if s == h && dom.Dominates(h, b) {
						return true
					}
				}
				return false
			}
			for _, b := range f.Blocks {
				want := dom.Dominates(h, b) && (reaches(b, latch, h) || b == h && anyLatch(f, latch))
				l := byHeader[h]
				if got := l != nil && l.Contains(b); got != want {
					t.Fatalf("%s in loop of %s: %v in\n%s", b.Name, h.Name, got, f)
				}
			}
		}
	}
	if found < 500 || irreducible < 20 {
		t.Errorf("poor sample: %d loops, %d irreducible graphs", found, irreducible)
	}
}

func anyLatch(f *vir.Func, latch func(*vir.Block) bool) bool {
	for _, b := range f.Blocks {
		if latch(b) {
			return true
		}
	}
	return false
}

func checkNesting(t *testing.T, f *vir.Func, l *loops.Loop) {
	t.Helper()
	if l.Blocks[0] != l.Header {
		t.Fatalf("loop of %s starts with %s in\n%s", l.Header.Name, l.Blocks[0].Name, f)
	}
	if l.Parent == nil {
		if l.Depth != 1 {
			t.Fatalf("outermost loop of depth %d", l.Depth)
		}
		return
	}
	if l.Depth != l.Parent.Depth+1 {
		t.Fatalf("depth %d inside %d", l.Depth, l.Parent.Depth)
	}
	for _, b := range l.Blocks {
		if !l.Parent.Contains(b) {
			t.Fatalf("%s of the loop of %s is not in the loop around in\n%s", b.Name, l.Header.Name, f)
		}
	}
}

func TestNest(t *testing.T) {
	f := graph("entry: h1", "h1: h2 exit", "h2: b2 l1", "b2: h2 l2", "l2: h2", "l1: h1", "exit:")
	forest := loops.Find(f)
	if len(forest.Top) != 1 || len(forest.All) != 2 || forest.Irreducible {
		t.Fatalf("%d loops, %d outermost, irreducible %v", len(forest.All), len(forest.Top), forest.Irreducible)
	}
	outer, inner := forest.All[0], forest.All[1]
	if inner.Parent != outer || len(outer.Children) != 1 || forest.Of(f.Block("l2")) != inner || forest.Of(f.Block("l1")) != outer {
		t.Error("wrong nesting")
	}
	if len(inner.Latches) != 2 {
		t.Errorf("%d latches of a loop with two back edges", len(inner.Latches))
	}
	if len(inner.Exits) != 1 || inner.Exits[0] != (loops.Edge{From: f.Block("h2"), To: f.Block("l1")}) {
		t.Errorf("exits %v", inner.Exits)
	}
}
