package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Stores makes one store of several of an iteration to one address in the straight body that Run
// made.
//
//	store %a, [p] mask %c               %s = select %c, %a, %b
//	store %b, [p] mask %nc      ==>     store %s, [p]
//
// It is under the or of their masks: "stored on every path". Nothing is stored that was not
// stored before.
//
// Requires: one body block, equal values shared (the addresses are compared by
// value). What it does not see: stores of different sizes to one address.
func Stores(u *pass.Unit) error {
	m := newMemory(u)
	for m.mergeOne() {
	}
	return nil
}

// Unmask takes masks off loads. A load under a mask runs in every iteration when something before it
// has shown that its address is good in every iteration.
//
// Requires: the same.
func Unmask(u *pass.Unit) error {
	newMemory(u).speculate()
	return nil
}

func newMemory(u *pass.Unit) *memory { return &memory{u: u, body: u.Region.Fn.Blocks[2]} }

type memory struct {
	u    *pass.Unit
	body *vir.Block
}

// mergeOne merges the first pair of stores that can be merged.
func (m *memory) mergeOne() bool {
	for j, second := range m.body.Insts {
		if !second.Op.IsStore() {
			continue
		}
		if i := m.partner(j); i >= 0 && m.u.Count() {
			m.merge(i, j)
			return true
		}
	}
	return false
}

// partner finds a store before position j that can move down to it: to the
// same address, with nothing in between that would notice.
func (m *memory) partner(j int) int {
	second := m.body.Insts[j]
	for i := j - 1; i >= 0; i-- {
		first := m.body.Insts[i]
		if first.Op.IsStore() && sameAddress(first, second) && !slices.ContainsFunc(m.body.Insts[i+1:j], func(w *vir.Value) bool { return notices(w, first) }) {
			return i
		}
	}
	return -1
}

// notices reports whether w behind store s may tell that s happens later.
func notices(w, s *vir.Value) bool {
	switch {
	case !w.Op.IsLoad() && !w.Op.IsStore() && !w.Op.IsCheck():
		return false
	case w.Op.IsLoad() && w.Base().Param.Immutable:
		return false
	}
	return w.Mask() == nil || s.Mask() == nil || !boolean.Disjoint(w.Mask(), s.Mask())
}

func sameAddress(v, w *vir.Value) bool {
	return v.Base() == w.Base() && v.Index() == w.Index() && v.Scale == w.Scale && v.Disp == w.Disp && v.Access() == w.Access()
}

// merge replaces the stores at i < j by one at j.
func (m *memory) merge(i, j int) {
	first, second := m.body.Insts[i], m.body.Insts[j]
	rest := slices.Clone(m.body.Insts[j+1:])
	m.body.Insts = slices.Delete(m.body.Insts, i, i+1)[:j-1]
	b := vir.NewBuilder(m.u.Region.Fn, m.body)
	b.Pos = second.Pos
	x, mask := second.Stored(), second.Mask()
	if mask != nil {
		x = b.Op(vir.OpSelect, x.Type, mask, second.Stored(), first.Stored())
		mask = either(b, first.Mask(), mask)
	}
	b.Store(vir.OpStore, x, second.Addr(), mask)
	m.body.Insts = append(m.body.Insts, rest...)
}

// either is x or y, where nil is true.
func either(b *vir.Builder, x, y *vir.Value) *vir.Value {
	if x == nil || y == nil || boolean.Exhaustive(x, y) {
		return nil
	}
	return b.Op(vir.OpOr, x.Type, x, y)
}

// speculate takes the mask off loads whose address is known to be good.
func (m *memory) speculate() {
	for i, v := range m.body.Insts {
		if !v.Op.IsLoad() || !v.Masked {
			continue
		}
		good := func(w *vir.Value) bool { return shows(w, v) }
		if (m.alwaysInside(v) || slices.ContainsFunc(m.body.Insts[:i], good)) && !m.turnsWithStore(v) && m.u.Count() {
			v.Args = v.Args[:len(v.Args)-1]
			v.Masked = false
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
