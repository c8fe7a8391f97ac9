package ifconv

import "github.com/lanewise/lanewise/vir"

// A literal is a bool or its complement; the zero literal is true.
type literal struct {
	v   *vir.Value
	neg bool
}

type blockPair struct{ b, dom int }

// value makes the literal a value; it must not be the zero literal.
func (c *converter) value(l literal) *vir.Value {
	if !l.neg {
		return l.v
	}
	return c.b.Op(vir.OpNot, vir.Scalar(vir.Bool), l.v)
}

// predicate is the condition under which b runs, given that its dominator dom
// does. Instructions that compute it go to the end of the new body; they are
// shared because of the cache.
//
//	predicate(b, dom) = true                        if b post-dominates dom
//	                    predicate(i, dom) and
//	                      or of the edges from i    with i = idom(b)
func (c *converter) predicate(b, dom *vir.Block) literal {
	i, d := c.at[b], c.at[dom]
	if c.pdom[d][i] {
		return literal{}
	}
	key := blockPair{i, d}
	if l, ok := c.preds[key]; ok {
		return l
	}
	near := c.order[c.idom[i]]
	l := c.fromEdges(b, near)
	if near != dom {
		l = c.and(c.predicate(near, dom), l)
	}
	c.preds[key] = l
	return l
}

// fromEdges is the condition that b runs given that its immediate dominator does.
func (c *converter) fromEdges(b, near *vir.Block) literal {
	if c.pdom[c.at[near]][c.at[b]] {
		return literal{}
	}
	l := c.edge(b, 0, near)
	for k := 1; k < len(b.Preds); k++ {
		l = c.or(l, c.edge(b, k, near))
	}
	return l
}

// edge is the condition that control takes edge k into b, given that dom runs.
func (c *converter) edge(b *vir.Block, k int, dom *vir.Block) literal {
	p := b.Preds[k]
	l := c.predicate(p, dom)
	if len(p.Succs) == 1 {
		return l
	}
	cond := literal{v: p.Term().Args[0]}
	switch {
	case p.Succs[0] == p.Succs[1]: // both edges: the first operand is for true
		cond.neg = b.PredIndex(p) != k
	case p.Succs[1] == b:
		cond.neg = true
	}
	if r := c.repl[cond.v]; r != nil {
		cond.v = r
	}
	return c.and(l, cond)
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
