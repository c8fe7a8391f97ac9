package sink

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// What an iteration stores before its inner loops, and stores again in some of their turns or behind them, is a variable
// of the iteration, stored once at its end. So is what it stores before loops that are left from inside:
//
//	for i := range out {                  for i := range out {
//		out[i] = -1                           v := -1
//		for j := range r {         ==>        for j := range r {
//			if x[i] < r[j] {                      if x[i] < r[j] {
//				out[i] = j                            v = j
//				break                                 break
//			}                                     }
//		}                                     }
//	}                                         out[i] = v
//	                                      }

// first makes variables of all elements that iterations store like that.
func (s *splitter) first() {
	forest := loops.Find(s.Region.Fn)
	if s.Region.Clauses.Independent && s.hasRows() {
		return
	}
	var all []*vir.Value
	for _, b := range loops.RPO(s.Region.Fn) {
		for _, v := range b.Insts {
			if v.Op.IsLoad() || v.Op.IsStore() {
				all = append(all, v)
			}
		}
	}
	for _, v := range all {
		if v.Block != nil && s.isFirst(v, forest) {
			if same, ok := s.accesses(v, all); ok && (storedAgain(same) || breaks(forest)) {
				s.variable(v, same)
			}
		}
	}
}

// hasRows reports whether memory is accessed by pointers that the region loads.
func (s *splitter) hasRows() bool {
	for v := range s.Region.Fn.Values {
		if (v.Op.IsLoad() || v.Op.IsStore()) && v.Base().Op != vir.OpParam {
			return true
		}
	}
	return false
}

// isFirst reports whether v is a store that each iteration does before loops inside.
func (s *splitter) isFirst(v *vir.Value, forest *loops.Forest) bool {
	l := forest.Of(v.Block)
	return v.Op == vir.OpStore && !v.Masked && l != nil && l.Depth == 1 && s.dom.Dominates(v.Block, plan.Latch(s.Region.Fn)) &&
		slices.ContainsFunc(l.Children, func(c *loops.Loop) bool { return s.dom.Dominates(v.Block, c.Header) })
}

// accesses are v, a store, and those behind it that access the same element. Others leave it alone, in the same slice for certain.
func (s *splitter) accesses(v *vir.Value, all []*vir.Value) (same []*vir.Value, ok bool) {
	for _, u := range all {
		switch {
		case u.Block == nil || u.Base() != v.Base():
		case u == v:
			same = append(same, u)
		case s.precedes(u, v): // it finds what was there
		case u.Op != vir.OpStore && u.Op != vir.OpLoad || u.Masked || !s.sameIndex(u, v):
			return nil, false
		case s.same(u, v) && s.precedes(v, u):
			same = append(same, u)
		case u.Disp < v.Disp+int64(v.Access().Size()) && v.Disp < u.Disp+int64(u.Access().Size()):
			return nil, false
		}
	}
	return same, true
}

// storedAgain reports whether there is more than one store. What loops only read may be stored before them as well.
func storedAgain(same []*vir.Value) bool {
	return slices.ContainsFunc(same[1:], func(v *vir.Value) bool { return v.Op.IsStore() })
}

// breaks reports whether loops inside are left from inside: lanes do that one after the other, with what they stored before.
func breaks(forest *loops.Forest) bool {
	return slices.ContainsFunc(forest.All, func(l *loops.Loop) bool { return l.Depth > 1 && !l.EndsAtHeader() })
}

// atEnd is the block that all iterations go through before the latch.
func (s *splitter) atEnd() *vir.Block {
	f := s.Region.Fn
	l := plan.Latch(f)
	if p := l.Preds[0]; len(l.Preds) == 1 && len(p.Succs) == 1 {
		return p
	}
	end := edit.InsertBlock(f.Blocks[len(f.Blocks)-3], "end")
	end.Insts, end.Preds = slices.Clone(l.Phis()), l.Preds
	for _, phi := range end.Insts {
		phi.Block = end
	}
	l.Insts, l.Preds = l.Insts[len(end.Insts):], nil
	for _, p := range end.Preds {
		p.Succs[slices.Index(p.Succs, l)] = end
	}
	vir.NewBuilder(f, end).Jmp(l)
	s.dom = loops.DomTree(f)
	return end
}

// variable replaces all accesses by a variable that begins with what v stores.
func (s *splitter) variable(v *vir.Value, all []*vir.Value) {
	w := &writer{splitter: s, first: v, all: all, out: make(map[*vir.Block]*vir.Value), to: make(edit.Replaced)}
	end, f := s.atEnd(), s.Region.Fn
	for _, b := range loops.RPO(f) {
		if s.dom.Dominates(v.Block, b) && b != plan.Latch(f) {
			w.block(b)
		}
	}
	for _, phi := range w.phis {
		for _, p := range phi.Block.Preds {
			phi.Args = append(phi.Args, w.out[p])
		}
	}
	w.to.DropTrivial(w.phis)
	for u := range f.Values {
		for i, a := range u.Args {
			u.Args[i] = w.to.Now(a)
		}
	}
	v.Args[0] = w.to.Now(w.out[end])
	edit.Move(v, end)
	s.stores = append(s.stores, v)
	s.Names = append(s.Names, v.Base().Name)
}

// A writer replaces accesses to an element by a variable.
type writer struct {
	*splitter
	first *vir.Value                // store
	all   []*vir.Value              // accesses, first included
	out   map[*vir.Block]*vir.Value // the variable behind a block
	to    edit.Replaced             // what stands for loads, and for phis that are none
	phis  []*vir.Value
}

// block replaces those in b, which is behind the first one or has it.
func (w *writer) block(b *vir.Block) {
	var cur *vir.Value // nil before the first
	switch {
	case b == w.first.Block:
	case len(b.Preds) == 1:
		cur = w.out[b.Preds[0]]
	default:
		cur = b.Func.NewValue(vir.OpPhi, w.first.Stored().Type)
		cur.Block, cur.Pos, cur.Name = b, w.first.Pos, w.first.Base().Name
		b.Insts = slices.Insert(b.Insts, len(b.Phis()), cur)
		w.phis = append(w.phis, cur)
	}
	for _, u := range slices.Clone(b.Insts) {
		switch {
		case u == w.first:
			cur = u.Stored()
		case cur == nil || !u.Op.IsLoad() && !u.Op.IsStore():
		case !slices.Contains(w.all, u):
			w.passed[u] = true
		case u.Op.IsStore():
			cur = u.Stored()
			u.Remove()
		default:
			w.to[u] = cur
			u.Remove()
		}
	}
	w.out[b] = cur
}
