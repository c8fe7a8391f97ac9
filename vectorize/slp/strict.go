package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A strictTree is a balanced tree of one operation, as written.
type strictTree struct {
	chain, leaves []*vir.Value
}

// strict packs the leaves of the tree that ends in v, whose operations may not be done
// in another order. Lanes that are combined with each other must be operands of one
// operation:
//
//	(a + b) + (c + d)      a b c d by neighbours, or a c b d by halves
func (g *Graph) strict(v *vir.Value) {
	f := family{op: v.Op}
	most := 2 * g.widest(v.Type)
	height := 0
	for h := g.height(v, v, f); height < h && 2<<height <= most; {
		height++
	}
	for ; height > 0; height-- {
		t := &strictTree{}
		t.leaves, _ = g.balanced(v, v, height, t)
		byHalves := func() {
			g.try("tree", func() bool { return g.reduceStrict(f, v, t, false) })
		}
		if len(t.leaves) == most {
			g.better(byHalves)
		} else {
			g.better(byHalves, func() { g.try("tree", func() bool { return g.reduceStrict(f, v, t, true) }) })
		}
		if !g.unused(v) {
			return
		}
	}
}

// height is that of the largest balanced tree of x in the tree of root.
func (g *Graph) height(x, root *vir.Value, f family) int {
	if x != root && !g.inChain(x, root, f) {
		return 0
	}
	return 1 + min(g.height(x.Args[0], root, f), g.height(x.Args[1], root, f))
}

// balanced collects a tree of so many levels from left to right. Of two subtrees the one
// with lower addresses comes first; the load with the lowest is the last result.
func (g *Graph) balanced(x, root *vir.Value, height int, t *strictTree) (leaves []*vir.Value, low *vir.Value) {
	if height == 0 {
		return []*vir.Value{x}, leftmostLoad(x)
	}
	t.chain = append(t.chain, x)
	first, l := g.balanced(x.Args[0], root, height-1, t)
	second, r := g.balanced(x.Args[1], root, height-1, t)
	if l != nil && r != nil {
		if d, ok := g.behind(l, r); ok && d < 0 {
			first, second, l = second, first, r
		}
	}
	return append(first, second...), l
}

// leftmostLoad is the first load that x is computed of, if it is near.
func leftmostLoad(x *vir.Value) *vir.Value {
	for range 8 {
		switch {
		case x.Op == vir.OpLoad && isAccess(x):
			return x
		case len(x.Args) == 0 || !lanewise(x.Op):
			return nil
		}
		x = x.Args[0]
	}
	return nil
}

// reduceStrict packs the leaves of t, in one vector or two halves of one.
func (g *Graph) reduceStrict(f family, v *vir.Value, t *strictTree, pairwise bool) bool {
	leaves := t.leaves
	if !pairwise {
		leaves = bitReversed(leaves)
	}
	s := &reduction{family: f, root: v, chain: t.chain, pairwise: pairwise}
	if !g.beginSum(s) {
		return false
	}
	lanes := min(len(leaves), g.widest(v.Type))
	for ; len(leaves) > 0; leaves = leaves[lanes:] {
		n := g.build(slices.Clone(leaves[:lanes]))
		if !n.packs() && n.kind != shuffle {
			return false
		}
		s.groups = append(s.groups, part{node: n})
	}
	g.endSum(s)
	return true
}

// bitReversed puts what is at i where i with its bits in reverse order is.
func bitReversed(vs []*vir.Value) []*vir.Value {
	if len(vs) == 1 {
		return vs
	}
	var even, odd []*vir.Value
	for i, v := range vs {
		if i%2 == 0 {
			even = append(even, v)
		} else {
			odd = append(odd, v)
		}
	}
	return append(bitReversed(even), bitReversed(odd)...)
}
