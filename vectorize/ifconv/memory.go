package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Unmask widens masks of loads. A load under a mask runs in every iteration when something before it
// has shown that its address is good in every iteration, and wherever a condition holds when it runs there
// in any case, once in each arm.
//
// Requires: one body block, equal values shared, as Stores does.
func Unmask(u *pass.Unit) error {
	newMemory(u).speculate()
	return nil
}

func newMemory(u *pass.Unit) *memory { return &memory{u: u, body: u.Region.Fn.Blocks[2]} }

type memory struct {
	u    *pass.Unit
	body *vir.Block
}

// speculate widens the masks of loads where their address is known to be good.
func (m *memory) speculate() {
	for i, v := range m.body.Insts {
		if !v.Op.IsLoad() || !v.Masked || m.turnsWithStore(v) {
			continue
		}
		before := m.body.Insts[:i]
		good := func(w *vir.Value) bool { return !w.Masked && shows(w, v) }
		if m.alwaysInside(v) || slices.ContainsFunc(before, good) {
			if m.u.Count() {
				v.DropMask()
			}
			continue
		}
		p := together(m.loadsLike(v, m.body.Insts[i+1:]))
		goodThere := func(w *vir.Value) bool { return w.Masked && shows(w, v) && boolean.Implies(p, w.Mask()) }
		if p != nil && slices.ContainsFunc(before, goodThere) && m.u.Count() {
			v.SetMask(p)
		}
	}
}

// loadsLike are the masks of load v and of those of insts that load the same.
func (m *memory) loadsLike(v *vir.Value, insts []*vir.Value) []*vir.Value {
	masks := []*vir.Value{v.Mask()}
	for _, w := range insts {
		if w.Op.IsLoad() && w.Masked && sameAddress(v, w) {
			masks = append(masks, w.Mask())
		}
	}
	return masks
}

// turnsWithStore reports whether iterations that make load v do not make a store to the same
// memory. Its mask says that it does not wait for that.
func (m *memory) turnsWithStore(v *vir.Value) bool {
	return slices.ContainsFunc(m.body.Insts, func(s *vir.Value) bool {
		return s.Op.IsStore() && s.Masked && s.Base() == v.Base() && boolean.Disjoint(s.Mask(), v.Mask())
	})
}

// alwaysInside reports whether load v stays in memory of known size that its
// parameter points to: a variable, or a constant element of an array. That the
// pointer is not nil is a condition for running a kernel, unless the region
// checks it.
func (m *memory) alwaysInside(v *vir.Value) bool {
	checksNil := func(w *vir.Value) bool { return w.Op == vir.OpCheckNil && w.Args[0] == v.Base() }
	p := v.Base().Param
	if p.FixedLen == 0 || slices.ContainsFunc(m.body.Insts, checksNil) {
		return false
	}
	size := p.FixedLen * int64(p.ElemSize)
	off := v.Disp
	if x := v.Index(); x != nil {
		c, ok := x.ConstInt()
		if !ok || c < 0 || c > p.FixedLen {
			return false
		}
		off += c * v.Scale
	}
	return off >= 0 && off+int64(v.Type.Size()) <= size
}

// shows reports whether w proves the address of load v where it is done.
func shows(w, v *vir.Value) bool {
	switch {
	case w.Op.IsLoad() || w.Op.IsStore():
		return sameAddress(w, v)
	case w.Op == vir.OpCheckIndex:
		p := v.Base().Param
		return p.Len != nil && w.Args[0] == v.Index() && w.Args[1] == p.Len && int(v.Scale) == p.ElemSize && v.Disp == 0 && v.Type.Size() <= p.ElemSize
	}
	return false
}
