package extremes

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// A web is chains of one operation with all that goes on with their values behind the loops, as
// minima or maxima of parts of them, in blocks that may be passed by. It is kept in another form.
type web struct {
	f      *vir.Func
	op     vir.Op // as it was
	in     map[*vir.Value]bool
	chains map[*vir.Value]*chain // of its values in loops
	plains map[*vir.Value]*vir.Value
}

// A form is how the values of a web are kept.
type form interface {
	// phi is called for phis of the web first, value for all others in their order, edges for phis last.
	phi(v *vir.Value)
	value(v *vir.Value)
	edges(phi *vir.Value)
	// plain makes what v was, in front of an instruction.
	plain(v, at *vir.Value) *vir.Value
}

// newWeb is the web of chains of op.
func newWeb(f *vir.Func, op vir.Op, chains []*chain, forest *loops.Forest) *web {
	w := &web{f: f, op: op, in: make(map[*vir.Value]bool), chains: make(map[*vir.Value]*chain), plains: make(map[*vir.Value]*vir.Value)}
	var work []*vir.Value
	add := func(v *vir.Value) {
		if !w.in[v] {
			w.in[v] = true
			work = append(work, v)
		}
	}
	for _, c := range chains {
		for _, v := range append([]*vir.Value{c.phi}, c.ops...) {
			w.chains[v] = c
			add(v)
		}
		for _, v := range w.first(c) {
			add(v)
		}
	}
	heads := make(map[*vir.Block]bool)
	for _, l := range forest.All {
		heads[l.Header] = true
	}
	for uses := f.Uses(); len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range uses[v] {
			if w.joins(u, heads) {
				add(u)
			}
		}
	}
	return w
}

// first are the operations in front of c's loop that make what its variable is at first, of items
// for some of its lanes.
func (w *web) first(c *chain) (ops []*vir.Value) {
	var visit func(v *vir.Value)
	visit = func(v *vir.Value) {
		switch v.Op {
		case vir.OpConcat:
			ops = append(ops, v)
			for _, a := range v.Args {
				visit(a)
			}
		case w.op:
			ops = append(ops, v)
		}
	}
	visit(c.phi.Args[1-c.loop.Header.PredIndex(c.loop.Latches[0])])
	return ops
}

// joins reports whether u, which reads something in w, belongs to it. What is carried by a loop
// does in chains alone.
func (w *web) joins(u *vir.Value, heads map[*vir.Block]bool) bool {
	switch u.Op {
	case vir.OpPhi:
		return !heads[u.Block]
	case vir.OpBlend:
		return true
	}
	return u.Op == vir.OpSubvec || u.Op == w.op
}

// keep has w in form m, and all others read what is right.
func (w *web) keep(m form) {
	var phis, readers []*vir.Value
	for _, b := range loops.RPO(w.f) {
		for _, v := range slices.Clone(b.Insts) {
			switch {
			case !w.in[v]:
				readers = append(readers, v)
			case v.Op == vir.OpPhi:
				phis = append(phis, v)
				m.phi(v)
			}
		}
	}
	for _, b := range loops.RPO(w.f) {
		for _, v := range slices.Clone(b.Insts) {
			if w.in[v] && v.Op != vir.OpPhi {
				m.value(v)
			}
		}
	}
	for _, v := range phis {
		m.edges(v)
	}
	for _, u := range readers {
		for k, a := range u.Args {
			if w.in[a] {
				u.Args[k] = w.plainOf(m, a)
			}
		}
	}
}

// plainOf is what v was, behind v, or behind the loop of its chain.
func (w *web) plainOf(m form, v *vir.Value) *vir.Value {
	if w.plains[v] == nil {
		b := v.Block
		k := max(slices.Index(b.Insts, v)+1, len(b.Phis()))
		if c := w.chains[v]; c != nil {
			b = c.loop.Exits[0].To
			k = len(b.Phis())
		}
		w.plains[v] = m.plain(v, b.Insts[k])
	}
	return w.plains[v]
}

// before puts an operation in front of another instruction.
func before(f *vir.Func, at *vir.Value, op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
	v := f.NewValue(op, t, args...)
	v.Pos = at.Pos
	edit.Before(v, at)
	return v
}
