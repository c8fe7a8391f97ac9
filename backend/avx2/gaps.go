package avx2

import (
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Stores of some lanes of a register, by a mask that is known: in pieces that
// instructions can store, or by the instruction under a mask. There is nothing to
// decide when the kernel runs.
//
//	lanes of 4 bytes     X Y Z - | X Y Z -
//	pieces               VMOVSD 0, VEXTRACTPS 8, VEXTRACTI128, VMOVSD 16, VEXTRACTPS 24

// partialStore stores the active lanes of r, lanes of one part of type t, at m.
func (s *selector) partialStore(t vir.Type, active []bool, r vec, m operand.Mem) {
	width := t.Elem.Size()
	pieces, c := s.t.PartialStore(active, width)
	if len(pieces) == 0 && c.Throughput > 0 {
		size := registerSize(partBytes(t))
		lanes := make([]uint64, regBytes/width)
		for i, on := range active {
			if on {
				lanes[i] = ^uint64(0)
			}
		}
		mask := s.inReg(s.konst(listEntry(width, lanes)), size)
		s.op(maskMove(t.Elem), sized(r, size), sized(mask, size), m)
		return
	}
	for _, p := range pieces {
		s.storePiece(r, p, m.Offset(p.Offset))
	}
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
