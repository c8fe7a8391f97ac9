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
// stored before. The first store moves down to the second one where nothing between would notice, or
// the second one up, with what it is computed from, where both arms store to several places:
//
//	store %a, [p] mask %c               %s = select %c, %a, %b
//	store %d, [q] mask %c               store %s, [p]
//	store %b, [p] mask %nc      ==>     store %d, [q] mask %c
//	store %e, [q] mask %nc              store %e, [q] mask %nc
//
// Requires: one body block, equal values shared (the addresses are compared by
// value). What it does not see: stores of different sizes to one address.
func Stores(u *pass.Unit) error {
	m := newMemory(u)
	for m.mergeOne() {
	}
	return nil
}

// mergeOne merges the first pair of stores that can be merged.
func (m *memory) mergeOne() bool {
	for j, second := range m.body.Insts {
		if !second.Op.IsStore() {
			continue
		}
		for i := j - 1; i >= 0; i-- {
			first := m.body.Insts[i]
			if !first.Op.IsStore() || !sameAddress(first, second) {
				continue
			}
			if up, ok := m.order(i, j); ok && m.u.Count() {
				m.merge(i, j, up)
				return true
			}
		}
	}
	return false
}

// order is what of the instructions between stores i < j of one address comes before a store that does
// the work of both; the others come behind it. It reports false where there is no such order.
func (m *memory) order(i, j int) (up []*vir.Value, ok bool) {
	first, second, between := m.body.Insts[i], m.body.Insts[j], m.body.Insts[i+1:j]
	if !slices.ContainsFunc(between, func(w *vir.Value) bool { return notices(w, first) }) {
		return between, true
	}
	needed := make(map[*vir.Value]bool)
	need := func(v *vir.Value) {
		for _, a := range v.Args {
			needed[a] = true
		}
	}
	need(second)
	for _, v := range slices.Backward(between) {
		comes := notices(v, second) || slices.ContainsFunc(up, func(w *vir.Value) bool { return notices(v, w) })
		switch {
		case !comes && !needed[v]:
			continue
		case v.Op == vir.OpExit, notices(v, first):
			return nil, false
		}
		need(v)
		up = append(up, v)
	}
	slices.Reverse(up)
	return up, true
}

// notices reports whether w may tell on which side of it s is done, an access or a check.
func notices(w, s *vir.Value) bool {
	switch {
	case !observes(w) || !observes(s) || w.Op.IsLoad() && s.Op.IsLoad():
		return false
	case w.Op.IsLoad() && w.Base().Param.Immutable || s.Op.IsLoad() && s.Base().Param.Immutable:
		return false
	}
	return w.Mask() == nil || s.Mask() == nil || !boolean.Disjoint(w.Mask(), s.Mask())
}

func observes(v *vir.Value) bool { return v.Op.IsLoad() || v.Op.IsStore() || v.Op.IsCheck() }

func sameAddress(v, w *vir.Value) bool {
	return v.Base() == w.Base() && v.Index() == w.Index() && v.Scale == w.Scale && v.Disp == w.Disp && v.Access() == w.Access()
}

// merge replaces the stores at i < j by one, behind up, which lies between them.
func (m *memory) merge(i, j int, up []*vir.Value) {
	first, second := m.body.Insts[i], m.body.Insts[j]
	var behind []*vir.Value
	for _, v := range m.body.Insts[i+1:] {
		if v != second && !slices.Contains(up, v) {
			behind = append(behind, v)
		}
	}
	m.body.Insts = append(m.body.Insts[:i:i], up...)
	b := vir.NewBuilder(m.u.Region.Fn, m.body)
	b.Pos = second.Pos
	x, mask := second.Stored(), second.Mask()
	if mask != nil {
		x = b.Op(vir.OpSelect, x.Type, mask, second.Stored(), first.Stored())
		mask = either(b, first.Mask(), mask)
	}
	b.Store(vir.OpStore, x, second.Addr(), mask)
	m.body.Insts = append(m.body.Insts, behind...)
}

// either is x or y, where nil is true.
func either(b *vir.Builder, x, y *vir.Value) *vir.Value {
	if x == nil || y == nil || boolean.Exhaustive(x, y) {
		return nil
	}
	return b.Op(vir.OpOr, x.Type, x, y)
}
