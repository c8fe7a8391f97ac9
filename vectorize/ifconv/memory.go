package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Unmask takes masks off loads. A load under a mask runs in every iteration when something before it
// has shown that its address is good in every iteration.
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

// speculate takes the mask off loads whose address is known to be good.
func (m *memory) speculate() {
	for i, v := range m.body.Insts {
		if !v.Op.IsLoad() || !v.Masked {
			continue
		}
		good := func(w *vir.Value) bool { return shows(w, v) }
		if (m.alwaysInside(v) || slices.ContainsFunc(m.body.Insts[:i], good)) && !m.turnsWithStore(v) && m.u.Count() {
			v.DropMask()
		}
	}
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

// shows reports whether w, having been executed, proves the address of load v.
func shows(w, v *vir.Value) bool {
	switch {
	case w.Masked:
		return false
	case w.Op.IsLoad() || w.Op.IsStore():
		return sameAddress(w, v)
	case w.Op == vir.OpCheckIndex:
		p := v.Base().Param
		return p.Len != nil && w.Args[0] == v.Index() && w.Args[1] == p.Len && int(v.Scale) == p.ElemSize && v.Disp == 0 && v.Type.Size() <= p.ElemSize
	}
	return false
}
