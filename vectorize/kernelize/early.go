package kernelize

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// early makes the checks of an iteration where it starts. Values that they need move
// there, loads among them: in front of a load the checks before it have passed.
func (m *maker) early() error {
	e := &early{maker: m, cur: m.start, dom: loops.DomTree(m.f), before: make(map[*vir.Value]int), movable: make(map[*vir.Value]bool)}
	e.order()
	for _, v := range e.all {
		if !v.Op.IsCheck() {
			continue
		}
		if err := e.check(v); err != nil {
			return err
		}
	}
	e.flush()
	m.k.Partial = e.branches > 0
	return nil
}

// An early moves checks to the start of the iteration.
type early struct {
	*maker
	cur      *vir.Block // where things move to
	dom      *loops.Dom
	all      []*vir.Value        // of the body, in an order in which an iteration may run them
	before   map[*vir.Value]int  // the same, by value
	movable  map[*vir.Value]bool // what late found nothing against
	pending  []check             // those that cur makes
	branches int
}

// order lists what the body does.
func (e *early) order() {
	for _, b := range loops.RPO(e.f) {
		if b == e.f.Entry() || b == e.start || b == e.fail || b == e.header() && !e.r.Once {
			continue
		}
		for _, v := range b.Insts {
			e.before[v] = len(e.all)
			e.all = append(e.all, v)
		}
	}
}

// check moves v.
func (e *early) check(v *vir.Value) error {
	under := e.under(v.Block)
	if e.inside(v.Block) && v.Op == vir.OpCheckIndex && e.late(v.Args[0]) != "" {
		if ends, ok := e.ends(v); ok {
			e.pend(v, under, ends...)
			return nil
		}
	}
	for _, a := range v.Args {
		if why := e.late(a); why != "" {
			return pass.Refuse("slp:LateCheck", v, "something is checked that %s", why)
		}
	}
	for _, a := range v.Args {
		e.move(a)
	}
	e.pend(v, under, v)
	return nil
}

// pend has checks made in the place of v.
func (e *early) pend(v *vir.Value, under []literal, checks ...*vir.Value) {
	for _, l := range under {
		e.move(l.v)
	}
	v.Remove()
	for _, w := range checks {
		e.pending = append(e.pending, check{w, under})
	}
}

// isEarly reports whether v is known where the iteration starts.
func (e *early) isEarly(v *vir.Value) bool {
	_, body := e.before[v]
	return !body
}

// late says why v cannot be known where the iteration starts; empty if it can.
func (e *early) late(v *vir.Value) string {
	switch {
	case e.isEarly(v), e.movable[v]:
		return ""
	case v.Op == vir.OpPhi:
		return "is known behind branches only"
	case edit.Divides(v.Op):
		if c, ok := v.Args[1].IsConst(); !ok || c == 0 {
			return "is known behind a division only"
		}
	case v.Op.IsLoad():
		if why := e.lateLoad(v); why != "" {
			return why
		}
	case v.Op.Info().Effect:
		return "is known late only"
	}
	for _, a := range v.Args {
		if why := e.late(a); why != "" {
			return why
		}
	}
	e.movable[v] = true // and stays so: nothing but what it needs moves, to the same place
	return ""
}

// lateLoad says why load v cannot be done first; empty if it can.
func (e *early) lateLoad(v *vir.Value) string {
	if !inEach(e.loop, e.forest, e.dom, v.Block) {
		return "is loaded under a condition"
	}
	if alias.IsHeader(e.f, v) {
		return ""
	}
	for _, s := range e.all {
		if s.Op.IsStore() && alias.Compare(v, s) != alias.Disjoint && e.precedes(s, v) {
			return "is loaded behind a store that may change it"
		}
	}
	return ""
}

// precedes reports whether an iteration may come by v behind s.
func (e *early) precedes(s, v *vir.Value) bool {
	if s.Block == v.Block && e.before[s] < e.before[v] {
		return true
	}
	seen := make(map[*vir.Block]bool)
	work := slices.Clone(s.Block.Succs)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == v.Block {
			return true
		}
		if !seen[b] && b != e.header() {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return false
}

// move moves v and what it is computed from to the start.
func (e *early) move(v *vir.Value) {
	if e.isEarly(v) {
		return
	}
	for _, a := range v.Args {
		e.move(a)
	}
	if v.Op.IsLoad() {
		e.flush()
	}
	edit.Move(v, e.cur)
	delete(e.before, v)
}
