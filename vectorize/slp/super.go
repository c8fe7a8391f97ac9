package slp

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A super-node takes chains of one operation and its inverse as one operation with many
// operands, if nothing else uses what is in between. Operands change places within their
// lanes so that they become groups, each with its sign:
//
//	a[0] = b0 - c0 + d0           b0 b1   d0 d1   c0 c1
//	a[1] = d1 - c1 + b1             +       +       -
//
// Multi-nodes of Look-Ahead SLP (Porpodas, Rocha, Góes, CGO 2018) have the one operation
// only; Super-Node SLP (Porpodas, Rocha, Brevnov, Góes, Mattson, CGO 2019) has inverses.
// A position where some lanes add and others subtract takes two operations and a blend.

// maxTerms is the number of operands of a super-node.
const maxTerms = 16

// scoreSign is what equal signs of terms count: less than equal terms.
const scoreSign = scoreSame << lookAhead

// maxChoices is how deep super-nodes are tried below others, or below nodes that could
// have been ones, with and without: each level doubles the work.
const maxChoices = 2

// chained packs lanes that end chains: as a super-node, or operation by operation,
// whatever costs less. Nil if they are no chains.
func (g *Graph) chained(vs []*vir.Value) *node {
	sn, inner := g.super(vs)
	if sn == nil {
		return nil
	}
	g.choices++
	defer func() { g.choices-- }()
	m := g.mark()
	plain := g.plainly(vs, inner)
	cost := g.total
	if plain != nil && g.choices > maxChoices {
		return plain
	}
	g.rollback(m)
	if n := g.finishSuper(sn); n != nil && (plain == nil || g.total < cost-least) {
		return n
	}
	g.rollback(m)
	if plain == nil {
		return nil
	}
	return g.plainly(vs, inner)
}

// plainly packs operation by operation what is in chains.
func (g *Graph) plainly(vs, inner []*vir.Value) *node {
	for _, x := range inner {
		g.plain[x]++
	}
	for _, v := range vs {
		g.plain[v]++
	}
	n := g.operations(vs)
	for _, x := range inner {
		g.plain[x]--
	}
	for _, v := range vs {
		g.plain[v]--
	}
	return n
}

// super is the super-node with these roots, not yet in the graph, and the operations
// between its roots and its terms. Nil if there is none.
func (g *Graph) super(vs []*vir.Value) (sn *node, inner []*vir.Value) {
	root := (&node{scalars: vs}).first()
	f, ok := g.familyOf(root)
	if !ok || !all(vs, func(v *vir.Value) bool { return f.has(v) && g.plain[v] == 0 }) {
		return nil, nil
	}
	terms := maxTerms
	for _, v := range vs {
		if v != nil {
			_, ts := g.terms(v, f, maxTerms)
			terms = min(terms, len(ts))
		}
	}
	if terms < 3 {
		return nil, nil
	}
	lanes := make([][]term, len(vs))
	for i, v := range vs {
		if v == nil {
			continue
		}
		chain, ts := g.terms(v, f, terms)
		inner = append(inner, chain[1:]...)
		lanes[i] = ts
		if slices.ContainsFunc(ts, func(t term) bool { return slices.Contains(vs, t.v) }) {
			return nil, nil
		}
	}
	cols := g.matched(lanes, terms)
	sn = &node{kind: super, op: f.op, alt: f.op, scalars: vs, inner: inner, terms: cols}
	if f.inverse != vir.OpInvalid {
		sn.alt = f.inverse
	}
	return sn, inner
}

// finishSuper puts a super-node into the graph, with its operands; nil if it cannot be.
func (g *Graph) finishSuper(n *node) *node {
	if _, ok := g.opt.Costs.Vector(n); !ok || g.pack(n) == nil {
		return nil
	}
	for _, col := range n.terms {
		vs := make([]*vir.Value, len(col))
		for i, t := range col {
			vs[i] = t.v
		}
		n.args = append(n.args, g.build(vs))
	}
	return n
}

// matched puts the terms of lanes into columns: each term goes where it suits that of the
// lane before best. The first column is added in all lanes; then come those that are
// added everywhere, variables of loops last, those that are subtracted, and the others.
func (g *Graph) matched(lanes [][]term, terms int) [][]term {
	cols := make([][]term, terms)
	for k := range cols {
		cols[k] = make([]term, len(lanes))
	}
	var last []term
	for i, ts := range lanes {
		if ts == nil {
			continue
		}
		if last != nil {
			ts = g.assigned(last, ts)
		}
		for k, t := range ts {
			cols[k][i] = t
		}
		last = ts
	}
	leadingPlus(cols)
	slices.SortStableFunc(cols, func(a, b []term) int { return columnRank(a) - columnRank(b) })
	return cols
}

// assigned is ts in the order in which they go with last, best pairs first.
func (g *Graph) assigned(last, ts []term) []term {
	n := len(ts)
	scores := make([]int, n*n)
	for i, l := range last {
		for k, t := range ts {
			s := g.score(l.v, t.v, lookAhead)
			if l.minus == t.minus {
				s += scoreSign
			}
			scores[i*n+k] = s
		}
	}
	out := make([]term, n)
	placed, used := make([]bool, n), make([]bool, n)
	for range n {
		best, at := -1, 0
		for i, s := range scores {
			if !placed[i/n] && !used[i%n] && s > best {
				best, at = s, i
			}
		}
		out[at/n] = ts[at%n]
		placed[at/n], used[at%n] = true, true
	}
	return out
}

// leadingPlus makes sure that there is a column that is added in all lanes, by swaps
// within lanes: the first term of every lane is added.
func leadingPlus(cols [][]term) {
	minuses := func(col []term) (n int) {
		for _, t := range col {
			if t.minus {
				n++
			}
		}
		return n
	}
	best := cols[0]
	for _, col := range cols {
		if minuses(col) < minuses(best) {
			best = col
		}
	}
	for i, t := range best {
		if !t.minus {
			continue
		}
		for _, col := range cols {
			if !col[i].minus {
				best[i], col[i] = col[i], best[i]
				break
			}
		}
	}
}

// columnRank is where a column comes among others.
func columnRank(col []term) int {
	plus, minus, phi := false, false, false
	for _, t := range col {
		if t.v != nil {
			plus, minus = plus || !t.minus, minus || t.minus
			phi = phi || t.v.Op == vir.OpPhi
		}
	}
	switch {
	case plus && minus:
		return 3
	case minus:
		return 2
	case phi:
		return 1
	}
	return 0
}

// signs says of each column of a super-node whether its terms are added in some lanes,
// and whether they are subtracted in some.
func (n *node) signs(col int) (plus, minus bool) {
	for _, t := range n.terms[col] {
		if t.v != nil {
			plus, minus = plus || !t.minus, minus || t.minus
		}
	}
	return plus, minus
}
