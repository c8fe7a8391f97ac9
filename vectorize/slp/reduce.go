package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A reduction is a tree of one associative operation whose leaves become lanes:
//
//	a   b             a b c d
//	 \ /               \ \ \ \
//	  +  c              halves, or neighbours
//	   \ /               \ /
//	    +  d              +
//	     \ /
//	      +
type reduction struct {
	op       vir.Op
	root     *vir.Value
	chain    []*vir.Value // operations of the tree with the root
	leaves   *node
	rest     []*vir.Value // leaves that are added one by one
	pairwise bool
}

// cost of reducing lanes instead of the operations of the tree.
func (s *reduction) cost(c Costs) float64 {
	total, _ := c.Reduce(s.op, s.leaves.typ())
	one := c.Scalar(s.root)
	return total + one*float64(len(s.rest)) - one*float64(len(s.chain))
}

// reductions packs the leaves of sums in block b, those nearest to the end first.
func (g *Graph) reductions(b *vir.Block) {
	for i := len(b.Insts) - 1; i >= 0; i-- {
		v := b.Insts[i]
		if g.associative(v) && g.unused(v) && !g.feedsSame(v) {
			g.sum(v)
		}
	}
}

// associative reports whether operands of v may be combined in any order.
func (g *Graph) associative(v *vir.Value) bool {
	switch v.Op {
	case vir.OpAdd, vir.OpMul, vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax:
		return !v.Type.IsVector()
	case vir.OpFadd, vir.OpFmul:
		return g.opt.Reassoc && !v.Type.IsVector()
	}
	return false
}

// feedsSame reports whether v is part of the tree of its one user.
func (g *Graph) feedsSame(v *vir.Value) bool {
	u := g.uses[v]
	return len(u) == 1 && u[0].Op == v.Op && u[0].Block == v.Block
}

// sum packs the leaves of the tree that ends in v.
func (g *Graph) sum(v *vir.Value) {
	chain, leaves := g.tree(v)
	leaves = g.sorted(leaves)
	for lanes := g.widest(v.Type); lanes >= 2; lanes /= 2 {
		for i := 0; i+lanes <= len(leaves); i++ {
			if g.try("sum", func() bool { return g.reduce(v, chain, leaves, i, lanes) }) {
				return
			}
		}
	}
}

// tree is the operations of the tree that ends in v, and its leaves from left to right.
func (g *Graph) tree(v *vir.Value) (chain, leaves []*vir.Value) {
	var walk func(x *vir.Value)
	walk = func(x *vir.Value) {
		if x != v && (x.Op != v.Op || !g.feedsSame(x) || !g.unused(x)) {
			leaves = append(leaves, x)
			return
		}
		chain = append(chain, x)
		walk(x.Args[0])
		walk(x.Args[1])
	}
	walk(v)
	return chain, leaves
}

// sorted puts leaves together that go together: each behind the one that it goes with
// best.
func (g *Graph) sorted(leaves []*vir.Value) []*vir.Value {
	left := slices.Clone(leaves)
	out := left[:0:0]
	for len(left) > 0 {
		best := 0
		if len(out) > 0 {
			top := -1
			for i, v := range left {
				if s := g.score(out[len(out)-1], v, lookAhead); s > top {
					best, top = i, s
				}
			}
		}
		out = append(out, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return out
}

// reduce makes lanes of so many leaves from number i on.
func (g *Graph) reduce(v *vir.Value, chain, leaves []*vir.Value, i, lanes int) bool {
	n := g.build(slices.Clone(leaves[i : i+lanes]))
	if !n.packs() && n.kind != shuffle {
		return false
	}
	s := &reduction{op: v.Op, root: v, chain: chain, leaves: n, rest: slices.Concat(leaves[:i], leaves[i+lanes:])}
	if _, s.pairwise = g.opt.Costs.Reduce(s.op, n.typ()); !g.region(v.Block).bundle(chain, true) {
		return false
	}
	for _, x := range chain {
		g.inSum[x] = s
	}
	g.sums = append(g.sums, s)
	g.total += s.cost(g.opt.Costs)
	g.wants(s.rest, 1)
	g.reprice(chain)
	return true
}

// dropSum makes the operations of s free again.
func (g *Graph) dropSum(s *reduction) {
	g.region(s.root.Block).release(s.chain)
	for _, x := range s.chain {
		delete(g.inSum, x)
	}
	g.wants(s.rest, -1)
	g.reprice(s.chain)
}
