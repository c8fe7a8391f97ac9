package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Displacements that are not the same in all members of a group:
//
//	%b = ptradd ptr %x, %start                      %b = ptradd ptr %x, %start
//	                                                %d = ptradd ptr %b, %c
//	%p = load.unit f32x8 [%b + %t*4]                %p = load.unit f32x8 [%d + %t*4]
//	%q = load.unit f32x8 [%b + %t*4 + 4]            %q = load.unit f32x8 [%d + %t*4 + 4]
//	%r = load.unit f32x8 [%b + %t*4 + 64]           %r = load.unit f32x8 [%b + %t*4 + 64]
//
// The leader's stay, and members say by how many bytes theirs are larger, which is added to
// the base ahead of loops. What is larger by as much in every member has the parameter
// in common, and what has the same base, too, the sum. Callers must not add: their pointers
// are to stay inside of objects.

// further is by how many bytes memory operation v of the leader has larger displacements in
// the members, if that is not nothing in all of them.
func (g *group) further(v *vir.Value) (atoms []atom, ok bool) {
	for i, m := range g.members {
		w := v
		if i > 0 {
			if w = m.matching.of[v]; w == nil {
				return nil, false
			}
		}
		atoms = append(atoms, atom{bits: uint64(w.Disp - v.Disp)})
		ok = ok || w.Disp != v.Disp
	}
	return atoms, ok
}

// move adds what holes are to the bases of memory operations of f, a copy of the leader's
// function with its values.
func move(f *vir.Func, hs []*hole, values map[*vir.Value]*vir.Value) {
	for _, h := range hs {
		m := mover{f: f, by: h.value, moved: make(map[*vir.Value]*vir.Value)}
		for _, v := range h.moves {
			v = values[v]
			v.SetBase(m.sum(v.Base()))
		}
	}
}

// A mover adds a number to addresses.
type mover struct {
	f     *vir.Func
	by    *vir.Value
	moved map[*vir.Value]*vir.Value
}

// sum is p plus the number, computed behind p. Sums outside of the entry, where a loop may
// compute them again and again, are sums of what is further from the start.
func (m *mover) sum(p *vir.Value) *vir.Value {
	if m.moved[p] != nil {
		return m.moved[p]
	}
	var s *vir.Value
	if p.Op == vir.OpPtradd && p.Block != m.f.Entry() {
		s = m.f.NewValue(vir.OpPtradd, p.Type, m.sum(p.Args[0]), p.Args[1])
	} else {
		s = m.f.NewValue(vir.OpPtradd, p.Type, p, m.by)
	}
	m.moved[p] = s
	m.insert(s, p)
	return s
}

// insert puts s behind p, and behind the number.
func (m *mover) insert(s, p *vir.Value) {
	s.Block = p.Block
	if p.Op == vir.OpParam {
		s.Block = m.f.Entry()
	}
	b := s.Block
	at := max(slices.Index(b.Insts, p), slices.Index(b.Insts, m.by), len(b.Phis())-1)
	b.Insts = slices.Insert(b.Insts, at+1, s)
}
