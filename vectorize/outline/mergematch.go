package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// choices is the number of operations of which both orders of operands are tried.
const choices = 200

// A matching pairs the values of two functions that do the same: what has an effect one by
// one in order, and from there the operands. Inputs are not paired but found at operands:
// see inputs.
type matching struct {
	leader, member *subject
	blocks         map[*vir.Block]*vir.Block
	of             map[*vir.Value]*vir.Value // by value of the leader
	back           map[*vir.Value]*vir.Value
	crossed        map[*vir.Value]bool       // values of the leader whose operands the member has the other way round
	params         map[*vir.Value]*vir.Value // of the leader
	paramsBack     map[*vir.Value]*vir.Value
	slack          slack
	prints, others *prints      // of the leader's values, and of the member's
	trail          []*vir.Value // values and parameters of the leader in the order in which they were paired
	choices        int
}

// A subject is a function with what comparing it with others takes.
type subject struct {
	f            *vir.Func
	exact, moved *prints // with displacements, and without
	ahead        map[*vir.Value]int
}

func newSubject(f *vir.Func) *subject {
	return &subject{f, printsOf(f, false), printsOf(f, true), effects(f)}
}

// prints are those of values that may stand for each other with as much slack.
func (s *subject) prints(with slack) *prints {
	if with == displacements {
		return s.moved
	}
	return s.exact
}

// A pair is a value of the leader and one of the member that must do the same.
type pair struct{ v, w *vir.Value }

// match pairs the values of two functions; nil when they are not congruent.
func match(leader, member *subject, s slack) *matching {
	prints, others := leader.prints(s), member.prints(s)
	if prints.whole != others.whole || leader.f.InOrder != member.f.InOrder {
		return nil
	}
	m := &matching{
		leader: leader, member: member, slack: s, prints: prints, others: others, choices: choices,
		blocks: make(map[*vir.Block]*vir.Block),
		of:     make(map[*vir.Value]*vir.Value), back: make(map[*vir.Value]*vir.Value),
		params: make(map[*vir.Value]*vir.Value), paramsBack: make(map[*vir.Value]*vir.Value),
		crossed: make(map[*vir.Value]bool),
	}
	if len(leader.f.Results) != len(member.f.Results) {
		return nil
	}
	for i, t := range leader.f.Results {
		if t != member.f.Results[i] {
			return nil
		}
	}
	work, ok := m.roots()
	if !ok || !m.solve(work) {
		return nil
	}
	return m
}

// roots pairs blocks, and lists the pairs of what has effects.
func (m *matching) roots() (work []pair, ok bool) {
	bs, cs := reached(m.leader.f), reached(m.member.f)
	if len(bs) != len(cs) {
		return nil, false
	}
	for i, b := range bs {
		m.blocks[b] = cs[i]
	}
	for i, b := range bs {
		c := cs[i]
		if !m.sameEdges(b, c) {
			return nil, false
		}
		x, y := withEffects(b), withEffects(c)
		if len(x) != len(y) {
			return nil, false
		}
		for k := range x {
			work = append(work, pair{x[k], y[k]})
		}
	}
	return work, true
}

// sameEdges reports whether edges lead from b and c to blocks that are pairs, and to b
// and c from such.
func (m *matching) sameEdges(b, c *vir.Block) bool {
	if len(b.Succs) != len(c.Succs) || len(b.Preds) != len(c.Preds) {
		return false
	}
	for k, s := range b.Succs {
		if m.blocks[s] != c.Succs[k] {
			return false
		}
	}
	for _, p := range b.Preds {
		if m.edge(b, c, p) < 0 {
			return false
		}
	}
	return true
}

// edge is the position of the way from p to b among the ways to c, its pair; -1 where it
// cannot be told.
func (m *matching) edge(b, c *vir.Block, p *vir.Block) int {
	at, q := -1, m.blocks[p]
	for i, x := range c.Preds {
		if x != q {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

func withEffects(b *vir.Block) (vs []*vir.Value) {
	for _, v := range b.Insts {
		if v.Op.Info().Effect {
			vs = append(vs, v)
		}
	}
	return vs
}

// solve pairs what is in work and all that it needs. When it fails, it takes back what it
// has paired.
func (m *matching) solve(work []pair) bool {
	mark := len(m.trail)
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		fresh, ok := m.pair(p)
		if !ok {
			m.undo(mark)
			return false
		}
		if !fresh {
			continue
		}
		straight, cross := m.orders(p)
		if straight && cross && m.choices > 0 {
			m.choices--
			first := m.nearer(p)
			if more, ok := m.operands(p, first); ok && m.solve(append(work[:len(work):len(work)], more...)) {
				return true
			}
			straight = first
		}
		ok = straight || cross
		var more []pair
		if ok {
			more, ok = m.operands(p, !straight)
		}
		if !ok {
			m.undo(mark)
			return false
		}
		work = append(work, more...)
	}
	return true
}

// pair notes that v and w are to do the same. It reports whether that is new, and whether
// it can be.
func (m *matching) pair(p pair) (fresh, ok bool) {
	if w, ok := m.of[p.v]; ok || m.back[p.w] != nil {
		return false, w == p.w
	}
	if !congruent(p.v, p.w) || p.v.Disp != p.w.Disp && m.slack < displacements ||
		m.prints.of[p.v] != m.others.of[p.w] || m.blocks[p.v.Block] != p.w.Block {
		return false, false
	}
	if fixed(p.v) && m.leader.ahead[p.v] != m.member.ahead[p.w] {
		return false, false
	}
	m.of[p.v], m.back[p.w] = p.w, p.v
	m.trail = append(m.trail, p.v)
	return true, true
}

// orders reports whether the operands of a pair may correspond one to one, and crosswise.
func (m *matching) orders(p pair) (straight, cross bool) {
	if !p.v.Op.Info().Commutative || len(p.v.Args) != 2 {
		return m.inputs(p, false), false
	}
	a, b := p.v.Args, p.w.Args
	x, y := m.prints.of, m.others.of
	straight = x[a[0]] == y[b[0]] && x[a[1]] == y[b[1]] && m.inputs(p, false)
	if a[0] != a[1] && b[0] != b[1] {
		cross = x[a[0]] == y[b[1]] && x[a[1]] == y[b[0]] && m.inputs(p, true)
	}
	return straight, cross
}

// nearer reports whether the operands of a pair that may correspond in both orders are more
// alike crosswise: with their displacements, not one by one.
func (m *matching) nearer(p pair) (cross bool) {
	a, b := p.v.Args, p.w.Args
	x, y := m.leader.exact.of, m.member.exact.of
	straight := x[a[0]] == y[b[0]] && x[a[1]] == y[b[1]]
	return !straight && x[a[0]] == y[b[1]] && x[a[1]] == y[b[0]]
}

// inputs reports whether the operands of a pair that are inputs may correspond.
func (m *matching) inputs(p pair, cross bool) bool {
	for k, a := range p.v.Args {
		b := m.operandOf(p.v, p.w, k, cross)
		if (isInput(a) || isInput(b)) && !m.input(p.v, k, a, b) {
			return false
		}
	}
	return true
}

// input reports whether a and b may stand at operand k of v and its pair.
func (m *matching) input(v *vir.Value, k int, a, b *vir.Value) bool {
	switch {
	case !alike(v.Op, a.Type, b.Type):
		return false
	case a.Op == vir.OpParam && b.Op == vir.OpParam:
		return a.Type == b.Type && (m.params[a] == nil && m.paramsBack[b] == nil || m.params[a] == b)
	case a.Op == vir.OpConst && b.Op == vir.OpConst && sameBits(a, b), a.Op == vir.OpPoison && b.Op == vir.OpPoison:
		return true
	}
	if a.Type != b.Type && (a.Op != vir.OpConst || b.Op != vir.OpConst) {
		return false // a parameter of the member is one of what they share, which has the leader's type
	}
	return (a.Op == vir.OpConst || b.Op == vir.OpConst) && m.slack >= constants && atNoCost(v, k) && isFree(a) && isFree(b)
}

// operandOf is what w, the pair of v, has for operand k of v.
func (m *matching) operandOf(v, w *vir.Value, k int, cross bool) *vir.Value {
	switch {
	case v.Op == vir.OpPhi:
		return w.Args[m.edge(v.Block, w.Block, v.Block.Preds[k])]
	case cross:
		return w.Args[1-k]
	}
	return w.Args[k]
}

// operands notes which parameters stand for each other at a pair, and lists the other
// operands.
func (m *matching) operands(p pair, cross bool) (work []pair, ok bool) {
	here := len(m.trail)
	m.crossed[p.v] = cross
	for k, a := range p.v.Args {
		b := m.operandOf(p.v, p.w, k, cross)
		switch {
		case !isInput(a) && !isInput(b):
			work = append(work, pair{a, b})
		case a.Op != vir.OpParam || b.Op != vir.OpParam || m.params[a] == b:
		case m.params[a] != nil || m.paramsBack[b] != nil:
			m.undo(here)
			return nil, false
		default:
			m.params[a], m.paramsBack[b] = b, a
			m.trail = append(m.trail, a)
		}
	}
	return work, true
}

// undo forgets all pairs but the first n.
func (m *matching) undo(n int) {
	for _, v := range m.trail[n:] {
		if v.Op == vir.OpParam {
			delete(m.paramsBack, m.params[v])
			delete(m.params, v)
			continue
		}
		delete(m.back, m.of[v])
		delete(m.of, v)
		delete(m.crossed, v)
	}
	m.trail = m.trail[:n]
}

// operand is what the member has for operand k of v.
func (m *matching) operand(v *vir.Value, k int) *vir.Value {
	return m.operandOf(v, m.of[v], k, m.crossed[v])
}

func sameBits(a, b *vir.Value) bool { return slices.Equal(a.Bits, b.Bits) }
