package avx2

import (
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Stores of some lanes of a register, by a mask that is known: in pieces that
// instructions can store. There is nothing to decide when the kernel runs.
//
//	lanes of 4 bytes     X Y Z - | X Y Z -
//	pieces               VMOVSD 0, VEXTRACTPS 8, VEXTRACTI128, VMOVSD 16, VEXTRACTPS 24

// partialStore stores the active lanes of r, lanes of one part of type t, at m.
func (s *selector) partialStore(t vir.Type, active []bool, r vec, m operand.Mem) {
	for _, p := range target.Pieces(active, t.Elem.Size()) {
		s.storePiece(r, p, m.Offset(p.Offset))
	}
}

// maxPieces is the number of pieces up to which memory that is used once, rather than
// in a loop, is better loaded so than by the instruction under a mask: what was
// stored before in other pieces takes no detour.
const maxPieces = 3

// partialLoad loads the active lanes of a part of type t from m, if there is a good way
// without a mask.
func (s *selector) partialLoad(t vir.Type, active []bool, m operand.Mem) (vec, bool) {
	pieces := target.Pieces(active, t.Elem.Size())
	if t.Elem.Size() >= 4 && !(s.fn.InOrder && len(pieces) <= maxPieces) {
		return nil, false
	}
	var halves [2]vec
	for _, p := range pieces {
		at, h := m.Offset(p.Offset), p.Offset/16
		switch {
		case p.Bytes == 32:
			return s.load(at, 32), true
		case p.Bytes == 16:
			halves[h] = s.load(at, 16)
		default:
			halves[h] = s.loadPiece(halves[h], t.Elem, p, at)
		}
	}
	switch {
	case halves[1] == nil && halves[0] == nil:
		return s.zero(), true
	case halves[1] == nil:
		return halves[0], true
	case halves[0] == nil:
		halves[0] = s.zero()
	}
	return s.join(halves[0], halves[1]), true
}

// loadPiece puts a piece of at most 8 bytes of memory into half a register.
func (s *selector) loadPiece(r vec, e vir.Elem, p target.Piece, m operand.Mem) vec {
	at := p.Offset % 16
	if r == nil && at == 0 {
		return s.load(m, p.Bytes)
	}
	if r == nil {
		r = s.zero()
	}
	unit := vir.IntElem(p.Bytes)
	if e.IsFloat() && p.Bytes == 4 {
		unit = vir.F32
	} else if e.IsFloat() && at == 8 {
		unit = vir.F64
	}
	return s.nextLane(unit, r, at/p.Bytes, m)
}

// storePiece stores a piece of r at m.
func (s *selector) storePiece(r vec, p target.Piece, m operand.Mem) {
	if p.Offset >= 16 {
		r = s.upper(r)
	}
	at := p.Offset % 16
	switch {
	case at == 0:
		s.store(r, m, p.Bytes)
	case p.Bytes == 8:
		s.op("VMOVHPD", r.AsX(), m)
	case p.Bytes == 4:
		s.op("VEXTRACTPS", operand.U8(at/4), r.AsX(), m)
	case p.Bytes == 2:
		s.op("VPEXTRW", operand.U8(at/2), r.AsX(), m)
	default:
		s.op("VPEXTRB", operand.U8(at), r.AsX(), m)
	}
}
