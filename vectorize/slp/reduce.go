package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A reduction is a chain of operations of one family whose terms become lanes:
//
//	a   b             a b c d     e f g h
//	 \ /               \ \ \ \   / / / /      whole vectors first
//	  +  c              a+e  b+f  c+g  d+h
//	   \ /                 \ \ / /            then halves, or neighbours
//	    +  ...                +
//
// Chains of floats that must stay as written become lanes where they are balanced trees
// (strict.go).
type reduction struct {
	family
	root     *vir.Value
	chain    []*vir.Value // operations of the tree with the root
	groups   []part       // widest first
	rest     []term       // that are added one by one
	pairwise bool
}

// A part is a vector of terms of one sign.
type part struct {
	node  *node
	minus bool
}

func (s *reduction) typ() vir.Type { return s.groups[0].node.typ() }

// cost of reducing lanes instead of the operations of the chain.
func (s *reduction) cost(c Costs) float64 {
	total := c.Reduce(s.op, s.typ(), s.pairwise)
	for _, p := range s.groups[1:] {
		total += c.Combine(s.op, p.node.typ())
	}
	total += c.Scalar(s.root) * float64(len(s.rest))
	for _, x := range s.chain {
		total -= c.Scalar(x)
	}
	return total
}

// alone are the terms that are added one by one.
func (s *reduction) alone() []*vir.Value {
	vs := make([]*vir.Value, len(s.rest))
	for i, t := range s.rest {
		vs[i] = t.v
	}
	return vs
}

// reductions packs the terms of sums in block b, those nearest to the end first: each sum
// by itself, or several sums of equal form as lanes, whatever gains more.
func (g *Graph) reductions(b *vir.Block) {
	g.better(func() { g.eachSum(b) }, func() {
		g.list("sums", g.sumRoots(b))
		g.eachSum(b)
	})
}

func (g *Graph) eachSum(b *vir.Block) {
	for i := len(b.Insts) - 1; i >= 0 && g.spent <= budget; i-- {
		v := b.Insts[i]
		switch f, ok := g.familyOf(v); {
		case !g.unused(v):
		case ok && !g.feedsSame(v, f):
			g.sum(v, f)
		case v.Op == vir.OpFadd || v.Op == vir.OpFmul:
			g.strict(v)
		}
		if g.unused(v) {
			g.pair(v)
		}
	}
}

// sumRoots are the ends of chains of at least three terms in b.
func (g *Graph) sumRoots(b *vir.Block) (roots []*vir.Value) {
	for _, v := range b.Insts {
		f, ok := g.familyOf(v)
		if !ok && !v.Type.IsVector() && (v.Op == vir.OpFadd || v.Op == vir.OpFmul) {
			f, ok = family{op: v.Op}, true
		}
		if ok && g.unused(v) && v.Type.Elem != vir.Bool && !g.feedsSame(v, f) {
			if _, ts := g.terms(v, f, 3); len(ts) == 3 {
				roots = append(roots, v)
			}
		}
	}
	return roots
}

// feedsSame reports whether v is part of the chain of its one user.
func (g *Graph) feedsSame(v *vir.Value, f family) bool {
	u := g.uses[v]
	return len(u) == 1 && f.has(u[0]) && u[0].Block == v.Block && u[0].Type == v.Type && g.unused(u[0])
}

// maxSum is the number of terms of a sum.
const maxSum = 1024

// sum packs the terms of the chain that ends in v.
func (g *Graph) sum(v *vir.Value, f family) {
	chain, ts := g.terms(v, f, maxSum)
	lists := [2][]*vir.Value{}
	for _, t := range ts {
		k := 0
		if t.minus {
			k = 1
		}
		lists[k] = append(lists[k], t.v)
	}
	lists[0], lists[1] = g.sorted(lists[0]), g.sorted(lists[1])
	var ways []func()
	for lanes := g.widestTerm(ts); lanes >= 2; lanes /= 2 {
		ways = append(ways, func() {
			g.try("sum", func() bool { return g.reduce(&reduction{family: f, root: v, chain: chain}, lists, lanes) })
		})
	}
	g.better(ways...)
}

// widestTerm is the number of lanes of the widest vector of terms; bools have those of
// what they compare.
func (g *Graph) widestTerm(ts []term) int {
	v := ts[0].v
	if v.Type.Elem != vir.Bool {
		return g.widest(v.Type)
	}
	for _, t := range ts {
		if r := t.v.Op.Info().Rule; r == vir.RuleIntCmp || r == vir.RuleFloatCmp {
			if t := t.v.Args[0].Type; t.Elem.Size() > 0 {
				return g.widest(t)
			}
		}
	}
	return 0
}

// near is how far ahead terms are looked for that go together.
const near = 48

// sorted puts terms together that go together: each behind the one that it goes with
// best.
func (g *Graph) sorted(terms []*vir.Value) []*vir.Value {
	left := slices.Clone(terms)
	out := left[:0:0]
	for len(left) > 0 {
		best := 0
		if len(out) > 0 {
			top := -1
			for i, v := range left[:min(near, len(left))] {
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

// reduce makes vectors of so many terms of one sign each, and of fewer out of what is
// left.
func (g *Graph) reduce(s *reduction, lists [2][]*vir.Value, lanes int) bool {
	if !g.beginSum(s) {
		return false
	}
	for ; lanes >= 2; lanes /= 2 {
		for k, list := range lists {
			lists[k] = g.lanesOut(s, list, lanes, k == 1)
		}
		if len(s.groups) == 0 || s.root.Type.Elem == vir.Bool {
			break
		}
	}
	if len(s.groups) == 0 {
		return false
	}
	for k, list := range lists {
		for _, v := range list {
			s.rest = append(s.rest, term{v, k == 1})
		}
	}
	c := g.opt.Costs
	s.pairwise = c.Reduce(s.op, s.typ(), true) < c.Reduce(s.op, s.typ(), false)
	g.endSum(s)
	return true
}

// lanesOut takes groups of so many terms out of a list, and gives what is left. Groups
// behind the first one must gain by themselves.
func (g *Graph) lanesOut(s *reduction, list []*vir.Value, lanes int, minus bool) (left []*vir.Value) {
	if minus && len(s.groups) == 0 && s.root.Type.Elem.IsFloat() {
		return list // the sum of what is subtracted has another zero
	}
	one := g.opt.Costs.Scalar(s.root) * float64(lanes)
	for len(list) >= lanes && g.spent <= budget {
		m := g.mark()
		n := g.build(slices.Clone(list[:lanes]))
		gains := g.total-m.total+g.opt.Costs.Combine(s.op, n.typ()) < one-least
		if (n.packs() || n.kind == shuffle) && (len(s.groups) == 0 || gains) {
			s.groups = append(s.groups, part{n, minus})
			list = list[lanes:]
			continue
		}
		g.rollback(m)
		left = append(left, list[0])
		list = list[1:]
	}
	return append(left, list...)
}

// beginSum takes the operations of s out of the block, so that nothing wants its terms
// one by one; false when they cannot be done at one place.
func (g *Graph) beginSum(s *reduction) bool {
	if !g.region(s.root.Block).bundle(s.chain, true) {
		return false
	}
	for _, x := range s.chain {
		g.inSum[x] = s
	}
	g.sums = append(g.sums, s)
	g.reprice(s.chain)
	return true
}

// endSum counts what s costs.
func (g *Graph) endSum(s *reduction) {
	g.total += s.cost(g.opt.Costs) * g.weight(s.root)
	g.wants(s.alone(), 1)
}

// dropSum makes the operations of s free again.
func (g *Graph) dropSum(s *reduction) {
	g.region(s.root.Block).release(s.chain)
	for _, x := range s.chain {
		delete(g.inSum, x)
	}
	g.wants(s.alone(), -1)
	g.reprice(s.chain)
}

// pair packs the two operands of a binary operation, if they do the same.
func (g *Graph) pair(v *vir.Value) {
	if len(v.Args) != 2 || !lanewise(v.Op) || v.Type.IsVector() {
		return
	}
	x, y := v.Args[0], v.Args[1]
	if x == y || x.Block != v.Block || x.Op != y.Op || x.Type != y.Type || !lanewise(x.Op) || x.Type.Elem == vir.Bool || !g.unused(x) || !g.unused(y) {
		return
	}
	g.try("pair", func() bool { return g.root([]*vir.Value{x, y}) })
}
