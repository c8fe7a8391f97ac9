package ifconv

import "github.com/lanewise/lanewise/vir"

// A literal is a bool or its complement; the zero literal is true.
type literal struct {
	v   *vir.Value
	neg bool
}

type nodePair struct{ node, dom int }

// value makes the literal a value.
func (c *converter) value(l literal) *vir.Value {
	switch {
	case l.v == nil:
		return c.b.Const(vir.Scalar(vir.Bool), 1)
	case !l.neg:
		return l.v
	}
	return c.b.Op(vir.OpNot, vir.Scalar(vir.Bool), l.v)
}

// under is the condition under which b runs, in all.
func (s *scope) under(b *vir.Block) literal {
	return s.c.and(s.base, s.predicate(s.at[b], s.root))
}

// predicate is the condition under which node i runs, given that its dominator d
// does. Instructions that compute it go to the current point; they are shared
// because of the cache.
//
//	predicate(b, dom) = true                        if b post-dominates dom
//	                    predicate(i, dom) and
//	                      or of the edges from i    with i = idom(b)
func (s *scope) predicate(i, d int) literal {
	if s.pdom[d][i] {
		return literal{}
	}
	key := nodePair{i, d}
	if l, ok := s.preds[key]; ok {
		return l
	}
	near := s.idom[i]
	l := s.fromEdges(i, near)
	if near != d {
		l = s.c.and(s.predicate(near, d), l)
	}
	s.preds[key] = l
	return l
}

// fromEdges is the condition that node i runs given that its immediate dominator does.
func (s *scope) fromEdges(i, near int) literal {
	if s.pdom[near][i] {
		return literal{}
	}
	n := s.nodes[i]
	_, edges := s.entries(n)
	l := s.edge(n.block, edges[0], near)
	for _, k := range edges[1:] {
		l = s.c.or(l, s.edge(n.block, k, near))
	}
	return l
}

// edge is the condition that control takes edge k into b, given that dom runs.
func (s *scope) edge(b *vir.Block, k int, dom int) literal {
	p := b.Preds[k]
	i := s.at[p]
	l := s.predicate(i, dom)
	if in := s.nodes[i].inner; in != nil {
		return s.c.and(l, in.left(p, b))
	}
	return s.c.and(l, s.c.taken(p, b, k))
}

// taken is the condition that the branch at the end of p takes edge k into b.
func (c *converter) taken(p, b *vir.Block, k int) literal {
	if len(p.Succs) == 1 {
		return literal{}
	}
	cond := literal{v: c.now(p.Term().Args[0])}
	switch {
	case p.Succs[0] == p.Succs[1]: // both edges: the first operand is for true
		cond.neg = b.PredIndex(p) != k
	case p.Succs[1] == b:
		cond.neg = true
	}
	return cond
}

func (c *converter) and(x, y literal) literal {
	switch {
	case x.v == nil:
		return y
	case y.v == nil || x == y:
		return x
	}
	return literal{v: c.b.Op(vir.OpAnd, vir.Scalar(vir.Bool), c.value(x), c.value(y))}
}

func (c *converter) or(x, y literal) literal {
	switch {
	case x.v == nil || y.v == nil:
		return literal{}
	case x == y:
		return x
	case x.v == y.v: // complements
		return literal{}
	}
	return literal{v: c.b.Op(vir.OpOr, vir.Scalar(vir.Bool), c.value(x), c.value(y))}
}
