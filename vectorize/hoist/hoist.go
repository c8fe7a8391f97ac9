// Package hoist brings the bodies of nests into a better order. What an inner loop computes anew in
// each turn, and always alike, goes in front of it:
//
//	for j := range n {                  row := i * n
//		s += a[i*n+j]          ==>      for j := range n {
//	}                                       s += a[row+j]
//
// So do, in loops that only read, checks of subscripts that stay, and loads behind them.
//
// Checks go before all loads of their block that they do not need, up to a store or an exit, so that loads may
// be made together, where the first of them stands:
//
//	check %i; load [%a + %i]            check %i; check %k
//	check %k; load [%a + %k]   ==>      load [%a + %i]; load [%a + %k]
//
// A check that fails hands the block of iterations over; whatever it comes before is done again.
//
// Requires: a region behind if-conversion, so that an inner loop is entered from one block.
// Comparisons and divisions stay in loops, see edit.Invariant.
//
// Not handled: sums of which only a part can be moved after changing their order.
package hoist

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Run goes from inner loops to outer ones, so that what depends on neither leaves both.
func Run(u *pass.Unit) error {
	forest := loops.Find(u.Region.Fn)
	if len(forest.All) < 2 {
		return nil
	}
	invariants(u, forest)
	for _, b := range u.Region.Fn.Blocks {
		checksFirst(u, b)
	}
	return nil
}

func invariants(u *pass.Unit, forest *loops.Forest) {
	for _, f := range slices.Backward(forest.All) {
		if f.Depth < 2 || len(f.Header.Preds) != 2 || len(f.Latches) != 1 {
			continue
		}
		m := &mover{u: u, f: f, pre: f.Header.Preds[1-f.Header.PredIndex(f.Latches[0])], passed: make(map[[2]*vir.Value]bool)}
		if m.memory = m.onlyReads(); m.memory {
			m.pass(u.Region)
		}
		for _, b := range f.Blocks { // operands come before what needs them
			for _, v := range slices.Clone(b.Insts) {
				m.move(v)
			}
		}
	}
}

// A mover moves values of loop f to its end of pre.
type mover struct {
	u      *pass.Unit
	f      *loops.Loop
	pre    *vir.Block
	memory bool                   // checks and loads may be moved as well
	passed map[[2]*vir.Value]bool // subscripts and lengths of checks that have been
}

// onlyReads reports whether f, with one block besides its header, stores nothing and is not left on the way. What
// its turns check alike may then be checked before them, even if there are none.
func (m *mover) onlyReads() bool {
	return len(m.f.Blocks) == 2 && len(m.pre.Succs) == 1 && m.f.OnlyReads()
}

// pass takes note of what the condition of the region's loop says: its counter, which counts up from a number that is not
// negative, is less than a length.
func (m *mover) pass(r *plan.Region) {
	h := r.Fn.Blocks[1]
	c := h.Term().Args
	if len(c) == 0 || c[0].Op != vir.OpIcmpSlt {
		return
	}
	k := slices.Index(h.Phis(), c[0].Args[0])
	if k < 0 || r.State[k].Init == nil || *r.State[k].Init < 0 {
		return
	}
	if a, ok := scev.New(r).Affine(c[0].Args[0]); ok && a.Step > 0 {
		m.passed[[2]*vir.Value(c[0].Args)] = true
	}
}

func (m *mover) outside(v *vir.Value) bool { return v.Block == nil || !m.f.Contains(v.Block) }

func (m *mover) move(v *vir.Value) {
	check := m.memory && v.Op == vir.OpCheckIndex && !v.Masked && m.outside(v.Args[0]) && m.outside(v.Args[1])
	if !check && !edit.Invariant(v, m.outside) && !m.mayLoad(v) || !m.u.Count() {
		return
	}
	if check {
		m.passed[[2]*vir.Value(v.Args)] = true
	}
	edit.Move(v, m.pre)
}

// mayLoad reports whether v loads an element of a slice at a subscript that has been checked before the loop.
func (m *mover) mayLoad(v *vir.Value) bool {
	if !m.memory || v.Op != vir.OpLoad || v.Masked || v.Index() == nil || v.Base().Op != vir.OpParam || !m.outside(v.Index()) {
		return false
	}
	p := v.Base().Param
	element := int(v.Scale) == p.ElemSize && v.Disp >= 0 && v.Disp+int64(v.Type.Size()) <= int64(p.ElemSize)
	return p.Len != nil && element && m.passed[[2]*vir.Value{v.Index(), p.Len}]
}

// checksFirst puts the checks of each part of b, with what they need, before the rest of it.
func checksFirst(u *pass.Unit, b *vir.Block) {
	var out []*vir.Value
	for rest := b.Insts; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(v *vir.Value) bool { return v.Op.IsStore() || v.Op == vir.OpExit || v.Op.Info().Term }) + 1
		out = append(out, sorted(u, rest[:n])...)
		rest = rest[n:]
	}
	b.Insts = out
}

// sorted is a part of a block with its checks first. What ends the part stays there.
func sorted(u *pass.Unit, part []*vir.Value) []*vir.Value {
	last := -1 // check that stands behind a load
	loaded := false
	for i, v := range part {
		loaded = loaded || v.Op.IsLoad()
		if v.Op.IsCheck() && loaded && i < len(part)-1 {
			last = i
		}
	}
	if last < 0 || !u.Count() {
		return part
	}
	first := make(map[*vir.Value]bool)
	for _, v := range slices.Backward(part[:last+1]) {
		if v.Op.IsCheck() || v.Op == vir.OpPhi || v.Op == vir.OpIter {
			first[v] = true
		}
		if first[v] && v.Op != vir.OpPhi {
			for _, a := range v.Args {
				first[a] = true
			}
		}
	}
	var ahead, behind []*vir.Value
	for _, v := range part {
		if first[v] {
			ahead = append(ahead, v)
		} else {
			behind = append(behind, v)
		}
	}
	return append(ahead, behind...)
}
