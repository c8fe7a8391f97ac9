package extremes

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// A form is how the values of a chain are kept. Behind the loop they stay so through parts of
// vectors and through the operation itself, and are made what they were for everybody else.
type form struct {
	f    *vir.Func
	loop *loops.Loop
	op   vir.Op // of the chain, as it was
	kept map[*vir.Value]bool
	// part has to do with a part u of what is kept, operation with the operation u on
	// something kept.
	part, operation func(u *vir.Value)
	// plain makes what v, which is kept, was, in front of an instruction.
	plain  func(v, at *vir.Value) *vir.Value
	plains map[*vir.Value]*vir.Value
}

func newForm(f *vir.Func, c *chain) *form {
	m := &form{f: f, loop: c.loop, op: c.ops[0].Op, kept: map[*vir.Value]bool{c.phi: true}, plains: make(map[*vir.Value]*vir.Value)}
	for _, op := range c.ops {
		m.kept[op] = true
	}
	return m
}

// follow has all behind the loop read what is right.
func (m *form) follow() {
	var phis []*vir.Value
	for _, b := range loops.RPO(m.f) {
		if m.loop.Contains(b) {
			continue
		}
		phis = append(phis, b.Phis()...)
		for _, u := range slices.Clone(b.Insts[len(b.Phis()):]) {
			m.read(u)
		}
	}
	for _, u := range phis { // of which some are read before what they read
		m.read(u)
	}
}

// read makes u something kept or has it read what is right.
func (m *form) read(u *vir.Value) {
	switch {
	case !slices.ContainsFunc(u.Args, func(a *vir.Value) bool { return m.kept[a] }):
	case u.Op == vir.OpSubvec:
		m.part(u)
		m.kept[u] = true
	case u.Op == m.op:
		m.operation(u)
		m.kept[u] = true
	default:
		for k, a := range u.Args {
			if m.kept[a] {
				u.Args[k] = m.plainOf(a)
			}
		}
	}
}

// plainOf is what v was, behind v, or behind the loop.
func (m *form) plainOf(v *vir.Value) *vir.Value {
	if m.plains[v] == nil {
		b, k := v.Block, slices.Index(v.Block.Insts, v)+1
		if m.loop.Contains(b) {
			b = m.loop.Exits[0].To
			k = len(b.Phis())
		}
		m.plains[v] = m.plain(v, b.Insts[k])
	}
	return m.plains[v]
}

// before puts an operation in front of another instruction.
func before(f *vir.Func, at *vir.Value, op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
	v := f.NewValue(op, t, args...)
	v.Pos = at.Pos
	edit.Before(v, at)
	return v
}
