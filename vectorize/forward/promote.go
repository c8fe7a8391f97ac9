package forward

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// promote keeps c in registers.
func (s *scope) promote(c *cell) {
	load := s.initial(c)
	if load == nil {
		return
	}
	final, ok := s.final(c)
	if !ok {
		return
	}
	s.apart = append(s.apart, c.tests...)
	w := &writer{s: s, c: c, load: load, out: make(map[*vir.Block]*vir.Value), to: make(edit.Replaced)}
	w.run(final)
	s.all = slices.DeleteFunc(s.all, func(v *vir.Value) bool { return v.Block == nil })
	if !slices.Contains(s.all, load) {
		s.all = append(s.all, load)
	}
}

// initial is the load of what c holds before the iteration: the first access, or a new
// load in front of all of them; nil if the address is not known there.
func (s *scope) initial(c *cell) *vir.Value {
	d, first := c.home, c.accesses[0]
	donor := first
	switch {
	case first.Block == d && first.Op.IsLoad():
		return first
	case first.Block != d:
		if donor = s.donor(c, d); donor == nil {
			return nil
		}
	}
	b := vir.NewBuilder(s.f, d)
	b.Pos = donor.Pos
	var v *vir.Value
	edit.Ahead(b, d, func() { v = b.Load(vir.OpLoad, donor.Access(), donor.Addr(), nil) })
	if first.Block == d { // in front of it
		v.Remove()
		edit.Before(v, first)
	}
	return v
}

// donor is an access whose address is known at the end of block d.
func (s *scope) donor(c *cell, d *vir.Block) *vir.Value {
	late := func(a *vir.Value) bool { return a.Block != nil && !s.dom.Dominates(a.Block, d) }
	for _, v := range c.accesses {
		if !slices.ContainsFunc(address(v), late) {
			return v
		}
	}
	return nil
}

// final is the store that stays when one is enough: the last one if every iteration runs
// it, once, or all others are in its block, else a new one at the end; nil when all stay, or there
// are none.
func (s *scope) final(c *cell) (store *vir.Value, ok bool) {
	var stores []*vir.Value
	for _, v := range c.accesses {
		if v.Op.IsStore() {
			stores = append(stores, v)
		}
	}
	if !c.sinks || len(stores) == 0 {
		return nil, true
	}
	last := stores[len(stores)-1]
	if s.top(last.Block) && s.always(last.Block) || s.together(c) {
		return last, true
	}
	donor := s.donor(c, s.it.Last)
	if donor == nil {
		return nil, false
	}
	b := vir.NewBuilder(s.f, s.it.Last)
	b.Pos = last.Pos
	var v *vir.Value
	edit.Ahead(b, s.it.Last, func() { v = b.Store(vir.OpStore, last.Stored(), donor.Addr(), nil) })
	return v, true
}

// A writer replaces the accesses of a cell by what it holds.
type writer struct {
	s    *scope
	c    *cell
	load *vir.Value
	out  map[*vir.Block]*vir.Value // what the cell holds behind a block
	to   edit.Replaced             // what stands for loads, and for phis that are none
	phis []*vir.Value
}

func (w *writer) run(final *vir.Value) {
	for _, b := range w.s.it.Blocks {
		w.block(b, final)
	}
	for _, phi := range w.phis {
		for _, p := range phi.Block.Preds {
			phi.Args = append(phi.Args, w.out[p])
		}
	}
	w.to.DropTrivial(w.phis)
	for v := range w.s.f.Values {
		for i, a := range v.Args {
			v.Args[i] = w.to.Now(a)
		}
	}
}

// block goes through b. Before the load nobody reads the cell.
func (w *writer) block(b *vir.Block, final *vir.Value) {
	cur := w.load
	switch {
	case b == w.s.it.First:
	case len(b.Preds) == 1:
		cur = w.out[b.Preds[0]]
	default:
		cur = w.s.f.NewValue(vir.OpPhi, w.c.accesses[0].Access())
		cur.Block, cur.Pos = b, w.c.accesses[0].Pos
		b.Insts = slices.Insert(b.Insts, 0, cur)
		w.phis = append(w.phis, cur)
	}
	for _, v := range slices.Clone(b.Insts) {
		switch {
		case v == w.load:
			cur = v
		case v == final:
			if slices.Contains(w.c.accesses, v) {
				cur = v.Stored()
			} else {
				v.Args[0] = cur
			}
		case !slices.Contains(w.c.accesses, v):
		case v.Op.IsStore():
			cur = v.Stored()
			if final != nil {
				v.Remove()
			}
		default:
			w.to[v] = cur
			v.Remove()
		}
	}
	w.out[b] = cur
}
