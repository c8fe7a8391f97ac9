package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Lanes by number are loaded from the frame. A vector is stored there in front of the loop that asks for its lanes, or when its own block
// asks for the first of them.

// A laneSlot is a part of the frame for vectors of several blocks, of which none comes on every way to another one: where lanes of
// one are read, no other one has been stored behind it.
type laneSlot struct {
	mem    operand.Mem
	size   int
	blocks []*vir.Block
}

// keepLanes stores the vectors of which blocks behind b read lanes, at the end of b.
func (s *selector) keepLanes(b *vir.Block) {
	for _, v := range s.a.lanes[b] {
		s.lanesIn(v)
	}
}

// findLanes finds the vectors that lanes are read of in other blocks, by the last block that comes on all ways to these and
// is in no more loops than that of the vector.
func (a *analysis) findLanes(f *vir.Func) {
	for v := range f.Values {
		var at *vir.Block
		for _, u := range a.uses[v] {
			switch {
			case u.Op != vir.OpLane || u.Args[0] != v || a.rpo[u.Block] == a.rpo[v.Block]:
			case at == nil:
				at = u.Block
			default:
				at = a.common(at, u.Block)
			}
		}
		if at == nil {
			continue
		}
		for a.depth[at] > a.depth[v.Block] {
			at = a.idom[a.inner[at]]
		}
		a.lanes[at] = append(a.lanes[at], v)
	}
}

// lanesIn is where the lanes of v are, which it stores unless that has been done.
func (s *selector) lanesIn(v *vir.Value) operand.Mem {
	if m, ok := s.kept[v]; ok {
		return m
	}
	m := s.laneSlot(v.Type.Size()).mem
	for p := range numParts(v.Type) {
		s.op("VMOVUPS", sized(s.part(v, p), registerSize(partBytes(v.Type))), m.Offset(p*regBytes))
	}
	s.kept[v] = m
	return m
}

// laneSlot is a slot for vectors of so many bytes, of at least one register, that this block stores.
func (s *selector) laneSlot(size int) *laneSlot {
	size = max(size, 16)
	for _, x := range s.laneSlots {
		if x.size >= size && !slices.ContainsFunc(x.blocks, func(b *vir.Block) bool { return s.a.dominates(b, s.block) || s.a.dominates(s.block, b) }) {
			x.blocks = append(x.blocks, s.block)
			return x
		}
	}
	x := &laneSlot{s.f.Local(size), size, []*vir.Block{s.block}}
	s.laneSlots = append(s.laneSlots, x)
	return x
}

// laneMem is where v, a lane by number, is.
func (s *selector) laneMem(v *vir.Value) operand.Mem {
	return s.lanesIn(v.Args[0]).Idx(s.gp(v.Args[1]), uint8(v.Type.Elem.Size()))
}

// lanePart loads a float.
func lanePart(c partOf) vec {
	d := c.s.f.Vec(16)
	c.s.op(scalarMove(c.elem()), c.s.laneMem(c.v), d.AsX())
	return d
}

// inFrame reports whether v is a lane by number that its only reader may take from the frame.
func (s *selector) inFrame(v *vir.Value) bool {
	return v.Op == vir.OpLane && v.Block == s.block && len(s.a.uses[v]) == 1 && s.vecs[v] == nil
}
