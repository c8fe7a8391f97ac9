package loopvec

import (
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
)

// An inOrder is the variables that an iteration cannot compute before it knows them from
// the iteration before: sums and products of floats, which rounding keeps in order, and
// recurrences like s = s*a + x[i]. What is added is computed in lanes, and then added lane
// by lane, with scalars:
//
//	s += x[i] / y[i]             %q = fdiv f32x8 %x, %y
//	                             %s1 = fadd f32 %s, extract %q, 0
//	                             %s2 = fadd f32 %s1, extract %q, 1 ...
//
// What is read of a variable in the iteration is put together of the lanes again.
type inOrder struct {
	*serial              // from the variables to their next values; without accesses
	terms   []*vir.Value // what else these are computed from
	groups  []*activeGroup
}

// holdInOrder finds the variables that are nothing else. Around inner loops nobody else may
// read them: they are computed at the end of a block, where all terms are.
func (l *loop) holdInOrder() {
	if !l.distribute {
		return
	}
	var left []*vir.Value
	for i, phi := range l.header.Phis() {
		if l.holder[phi] == nil && !l.onlyCounts(phi) && l.isLeft(phi, l.region.State[i].Live) {
			left = append(left, phi)
		}
	}
	if o := l.findInOrder(left); o != nil {
		l.order = o
		for v := range o.values {
			l.members[v] = o.serial
		}
		for _, phi := range o.vars {
			l.members[phi] = o.serial
		}
		l.addHeld(o)
	}
}

// isLeft reports whether lanes cannot do the variable of phi in any other way.
func (l *loop) isLeft(phi *vir.Value, live bool) bool {
	if !l.isNest() {
		if s := l.findSeries(phi); s != nil && l.wantsSeries(s, live) {
			return false
		}
	}
	if !l.isNest() && l.restarts(phi) {
		return false
	}
	switch l.sc.Phi(phi) {
	case scev.Reduction:
		_, err := l.findReduction(phi, l.next(phi))
		return live && err != nil
	case scev.Recurrence:
		if l.isNest() {
			return l.seriesAhead(phi) == nil && l.carryAhead(phi) == nil
		}
	default:
		return false
	}
	m := newMatcher(l.region, l.sc)
	m.follow(phi)
	if m.bound[l.next(phi)] && l.staysInside(m, phi) {
		_, err := l.findReduction(phi, l.next(phi))
		return err != nil
	}
	s, _ := l.findCarry(m, phi)
	return s == nil
}

// findInOrder is the variables left and those that they depend on; nil when there are
// none or lanes cannot do them one after the other.
func (l *loop) findInOrder(left []*vir.Value) *inOrder {
	if len(left) == 0 {
		return nil
	}
	bound := make(map[*vir.Value]bool)
	for _, phi := range left {
		m := newMatcher(l.region, l.sc)
		m.follow(phi)
		for v, b := range m.bound {
			bound[v] = bound[v] || b
		}
	}
	o := &inOrder{serial: &serial{values: make(map[*vir.Value]bool), slot: len(l.held)}}
	ok := true
	var visit func(v *vir.Value)
	visit = func(v *vir.Value) {
		switch {
		case o.has(v) || slices.Contains(o.terms, v):
		case !bound[v]:
			o.terms = append(o.terms, v)
		case v.Op == vir.OpPhi && v.Block == l.header:
			ok = ok && l.holder[v] == nil
			o.vars = append(o.vars, v)
			visit(l.next(v))
		case v.Op == vir.OpPhi || l.inside(v) || !l.serialOperation(v):
			ok = false
		default:
			o.values[v] = true
			for _, a := range v.Args {
				visit(a)
			}
		}
	}
	for _, phi := range left {
		visit(phi)
	}
	if !ok {
		return nil
	}
	return o
}

// orderRules refuses what cannot be done around inner loops.
func (l *loop) orderRules() error {
	if !l.isNest() || l.order == nil {
		return nil
	}
	for v := range l.demand {
		if l.order.has(v) {
			phi := l.order.vars[0]
			return l.recurrence(state{phi: phi, next: l.next(phi)})
		}
	}
	return nil
}

// has reports whether v is one of the variables or on the way to its next value.
func (o *inOrder) has(v *vir.Value) bool {
	return o != nil && (o.values[v] || slices.Contains(o.vars, v))
}

func (o *inOrder) need(l *loop) {
	for _, v := range o.terms {
		l.need(v)
	}
}

// next is what the variables are behind the block of w, in a block of its own behind inner
// loops: the one that follows a loop counts as a part of it.
func (o *inOrder) next(w *widener, _ []*vir.Value) []*vir.Value {
	if w.e.l.isNest() {
		rest := w.split()
		delete(w.e.depths, rest)
		w.b.Jmp(rest)
		w.e.place(w.b, rest)
	}
	vars := make(map[*vir.Value]*vir.Value)
	for _, g := range o.groups {
		for i, x := range w.activeLanes(o, g) {
			vars[g.vars[i]] = x
		}
	}
	var next []*vir.Value
	for _, phi := range o.vars {
		x := vars[phi]
		if x == nil {
			x = w.scalarOf(w.single(w.e.l.next(phi), w.lanes-1))
		}
		next = append(next, x)
	}
	return next
}

// describe says in a remark what is done lane by lane, beside so many other recurrences.
func (o *inOrder) describe(l *loop, others int) string {
	counts, nouns := map[string]int{"recurrence": others}, []string{"sum", "product", "recurrence"}
	for _, phi := range o.vars {
		m := newMatcher(l.region, l.sc)
		m.follow(phi)
		noun := "recurrence"
		if c, f := m.family(phi, l.next(phi)); c != nil && f.float {
			noun = f.noun
		}
		counts[noun]++
	}
	var parts []string
	for _, noun := range nouns {
		switch n := counts[noun]; {
		case n > 0 && noun == "recurrence":
			parts = append(parts, plural(n, noun)+" lane by lane")
		case n > 0:
			parts = append(parts, plural(n, noun)+" in order")
		}
	}
	return strings.Join(parts, ", ")
}
