package reroll

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A node is a value of the rolled loop: what lanes, one value per copy, are.
type node struct {
	lanes []*vir.Value
	args  []*node
	kind  kind
	made  *vir.Value

	start *plan.Expr // of integers, and of the index of an access, in the first copy
	step  int64      // of both, per copy
	scale int64      // of the index
	at    linear     // of an access
}

type kind uint8

const (
	invariant kind = iota // the same in all copies and iterations
	counted               // an integer that goes on
	variable              // a phi of the header, and what the copies before have made of it
	operation
	access // a load or store at an address that goes on
)

// A variable that the rolled loop carries.
type carriedVar struct {
	phi   *vir.Value
	team  []*vir.Value // phis, when each copy has a variable of its own, phi being the first
	lanes []*vir.Value // what copies make of it
	after *node
	made  *vir.Value
}

// A matcher looks for g copies.
type matcher struct {
	*lifter
	g     int
	nodes map[string]*node // nil where copies differ
	all   []*node          // accesses
	vars  map[*vir.Value]*carriedVar
}

// roll makes the rolled loop for g copies; nil when there are none.
func (l *lifter) roll(g int) *Loop {
	m := &matcher{lifter: l, g: g, nodes: make(map[string]*node), vars: make(map[*vir.Value]*carriedVar)}
	if !m.copies() || len(m.all) == 0 {
		return nil
	}
	overlaps, ok := m.order()
	if !ok {
		return nil
	}
	out := m.build()
	out.overlaps = overlaps
	return out
}

// copies matches everything that an iteration does.
func (m *matcher) copies() bool {
	for _, c := range m.classes() {
		cols := m.columns(c, m.g)
		if cols == nil {
			return false
		}
		for _, col := range cols {
			if m.match(col) == nil {
				return false
			}
		}
	}
	teams, ok := m.teams(m.g)
	if !ok {
		return false
	}
	for _, phis := range teams {
		if !m.team(phis) {
			return false
		}
	}
	for _, c := range m.chains {
		if len(c.values)%m.g != 0 {
			continue
		}
		var lanes []*vir.Value
		for k := 1; k <= m.g; k++ {
			lanes = append(lanes, c.values[k*len(c.values)/m.g-1])
		}
		if !m.carry(c.phi, lanes) {
			return false
		}
	}
	return m.last()
}

// team matches what copies make of phis, a variable of each.
func (m *matcher) team(phis []*vir.Value) bool {
	n := &node{lanes: phis, kind: variable}
	m.nodes[key(phis)] = n
	c := &carriedVar{phi: phis[0], team: phis}
	for _, phi := range phis {
		m.vars[phi] = c
		c.lanes = append(c.lanes, m.next(phi))
	}
	c.after = m.match(c.lanes)
	return c.after != nil
}

// last finds variables that are set anew in each copy.
func (m *matcher) last() bool {
	for i, phi := range m.header.Phis() {
		if !m.carried(phi) || m.vars[phi] != nil || m.sc.Phi(phi) == scev.Anew && !m.region.State[i].Live {
			continue
		}
		next := m.next(phi)
		if !m.find(phi, next) {
			return false
		}
	}
	return true
}

// find finds what becomes of phi among what has been matched: next in the last copy.
func (m *matcher) find(phi, next *vir.Value) bool {
	for _, v := range m.body.Insts {
		for _, n := range m.sorted() {
			if n.lanes[0] == v && n.lanes[m.g-1] == next {
				m.vars[phi] = &carriedVar{phi: phi, lanes: n.lanes, after: n}
				return true
			}
		}
	}
	return false
}

// sorted are the nodes in the order of their keys.
func (m *matcher) sorted() (ns []*node) {
	var keys []string
	for k, n := range m.nodes {
		if n != nil {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		ns = append(ns, m.nodes[k])
	}
	return ns
}

func key(lanes []*vir.Value) string {
	var b strings.Builder
	for _, v := range lanes {
		fmt.Fprint(&b, v.ID(), " ")
	}
	return b.String()
}

// match is the node of lanes, nil when they are not the same in all copies.
func (m *matcher) match(lanes []*vir.Value) *node {
	k := key(lanes)
	if n, ok := m.nodes[k]; ok {
		return n
	}
	n := &node{lanes: lanes}
	m.nodes[k] = n // which variables may come back to
	if !m.compare(n) {
		n = nil
		m.nodes[k] = nil
	}
	return n
}

// compare finds out what n is.
func (m *matcher) compare(n *node) bool {
	switch lanes, first := n.lanes, n.lanes[0]; {
	case m.same(lanes):
		n.kind = invariant
	case m.goesOn(n):
		n.kind = counted
	case first.Op == vir.OpPhi && first.Block == m.header && m.carried(first):
		n.kind = variable
		return m.carry(first, append(slices.Clone(lanes[1:]), m.next(first)))
	case first.Block != m.body || !m.alikeOps(lanes):
		return false
	case first.Op == vir.OpLoad || first.Op == vir.OpStore:
		n.kind = access
		m.all = append(m.all, n)
		return m.address(n) && m.operands(n)
	case first.Op.Info().Effect || first.Op.Info().Reads:
		return false
	default:
		n.kind = operation
		return m.operands(n)
	}
	return true
}

// carry notes that copies make lanes of phi.
func (m *matcher) carry(phi *vir.Value, lanes []*vir.Value) bool {
	if c := m.vars[phi]; c != nil {
		return c.team == nil && slices.Equal(c.lanes, lanes)
	}
	c := &carriedVar{phi: phi, lanes: lanes}
	m.vars[phi] = c
	c.after = m.match(lanes)
	return c.after != nil
}

// same reports whether lanes are one value that does not change.
func (m *matcher) same(lanes []*vir.Value) bool {
	first := lanes[0]
	if !m.sc.IsInvariant(first) {
		return false
	}
	x, isInt := m.sc.Invariant(first)
	for _, v := range lanes[1:] {
		if v == first {
			continue
		}
		if v.Type != first.Type || !m.sc.IsInvariant(v) {
			return false
		}
		if first.Op == vir.OpConst && v.Op == vir.OpConst && slices.Equal(first.Bits, v.Bits) {
			continue
		}
		y, ok := m.sc.Invariant(v)
		if !ok || !isInt {
			return false
		}
		if d, ok := scev.Diff(x, y); !ok || d != 0 {
			return false
		}
	}
	return true
}

// goesOn reports whether lanes are integers that go on from copy to copy as they do from
// iteration to iteration.
func (m *matcher) goesOn(n *node) bool {
	t := n.lanes[0].Type
	if !t.Elem.IsInt() || t.IsVector() {
		return false
	}
	first, ok := m.sc.Affine(n.lanes[0])
	if !ok || len(first.Wrap) > 0 || first.Step%int64(m.g) != 0 {
		return false
	}
	n.start, n.step = first.Start, first.Step/int64(m.g)
	for k, v := range n.lanes {
		a, ok := m.sc.Affine(v)
		if !ok || v.Type != t || len(a.Wrap) > 0 || a.Step != first.Step || !ahead(a.Start, first.Start, int64(k)*n.step) {
			return false
		}
	}
	return true
}

// ahead reports whether x is y + d.
func ahead(x, y *plan.Expr, d int64) bool {
	have, ok := scev.Diff(x, y)
	return ok && have == d
}

// alikeOps reports whether lanes are the same operation.
func (m *matcher) alikeOps(lanes []*vir.Value) bool {
	a := lanes[0]
	return !slices.ContainsFunc(lanes, func(v *vir.Value) bool {
		return v.Op != a.Op || v.Type != a.Type || v.Imm != a.Imm || v.Masked != a.Masked || len(v.Args) != len(a.Args) && !v.Op.IsStore() && !v.Op.IsLoad() ||
			v.Block != m.body || !slices.Equal(v.Bits, a.Bits)
	})
}

// address reports whether the addresses of n go on.
func (m *matcher) address(n *node) bool {
	v := n.lanes[0]
	first, ok := m.linear(v)
	if !ok || first.step%int64(m.g) != 0 {
		return false
	}
	n.at = first
	for k, w := range n.lanes {
		a, ok := m.linear(w)
		if !ok || w.Base() != v.Base() || w.Access() != v.Access() || a.step != first.step || !ahead(a.off, first.off, int64(k)*(first.step/int64(m.g))) {
			return false
		}
	}
	x := v.Index()
	if x == nil {
		return true
	}
	a, _ := m.sc.Affine(x)
	switch g := int64(m.g); {
	case a.Step%g == 0:
		n.start, n.step, n.scale = a.Start, a.Step/g, v.Scale
	case v.Scale%g == 0:
		n.start, n.step, n.scale = scev.Simplify(plan.Mul(a.Start, plan.Const(g))), a.Step, v.Scale/g
	default:
		return false
	}
	return true
}

// operands matches what n is made of: for accesses what is stored and the mask.
func (m *matcher) operands(n *node) bool {
	first := n.lanes[0]
	switch {
	case first.Op.IsStore() || first.Op.IsLoad():
		if first.Op.IsStore() && !m.operand(n, func(v *vir.Value) *vir.Value { return v.Stored() }) {
			return false
		}
		return !first.Masked || m.operand(n, func(v *vir.Value) *vir.Value { return v.Mask() })
	case first.Op.Info().Commutative && len(first.Args) == 2:
		return m.pair(n)
	}
	for i := range first.Args {
		if !m.operand(n, func(v *vir.Value) *vir.Value { return v.Args[i] }) {
			return false
		}
	}
	return true
}

func (m *matcher) operand(n *node, of func(v *vir.Value) *vir.Value) bool {
	lanes := make([]*vir.Value, m.g)
	for k, v := range n.lanes {
		lanes[k] = of(v)
	}
	a := m.match(lanes)
	n.args = append(n.args, a)
	return a != nil
}

// pair matches the operands of an operation for which their order does not matter: each
// copy has them in the order that looks more like that of the first.
func (m *matcher) pair(n *node) bool {
	x, y := n.lanes[0].Args[0], n.lanes[0].Args[1]
	swap := make(map[*vir.Value]bool)
	for _, v := range n.lanes[1:] {
		p, q := v.Args[0], v.Args[1]
		swap[v] = m.likeness(x, q, 4)+m.likeness(y, p, 4) > m.likeness(x, p, 4)+m.likeness(y, q, 4)
	}
	side := func(i int) func(v *vir.Value) *vir.Value {
		return func(v *vir.Value) *vir.Value {
			if swap[v] {
				return v.Args[1-i]
			}
			return v.Args[i]
		}
	}
	return m.operand(n, side(0)) && m.operand(n, side(1))
}

// likeness is how much v looks like w, up to some depth.
func (m *matcher) likeness(v, w *vir.Value, depth int) int {
	switch {
	case v == w:
		return 4
	case v.Op != w.Op || v.Type != w.Type:
		return 0
	case v.Op.IsLoad():
		if v.Base() == w.Base() {
			return 8
		}
		return 1
	}
	n := 1
	if depth > 0 && len(v.Args) == len(w.Args) {
		for i := range v.Args {
			n += m.likeness(v.Args[i], w.Args[i], depth-1)
		}
	}
	return n
}
