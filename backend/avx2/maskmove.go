package avx2

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// A masked store by instruction costs the same whatever the mask, so in loops
// one look at several parts together decides for all of them:
//
//	no lane of any part is active     nothing
//	all lanes of all parts are        plain stores
//	otherwise                         a masked store for each part
//
// A look at each part would mispredict as often per part.

// maxGroup is the number of parts behind one test. Their values and masks are
// live at the same time.
const maxGroup = 4

// maskMoves reports whether v is a masked store that is done by instruction.
func (s *selector) maskMoves(v *vir.Value) bool {
	if _, ok := target.ConstMask(v); ok {
		return false
	}
	return s.t.MaskMoveStores && !s.t.EVEX && v.Op.IsStore() && v.Op != vir.OpScatter && v.Op != vir.OpStoreCompress && v.Masked && v.Access().Elem.Size() >= 4
}

// groupParts is the number of parts of each group of a store of type t.
func groupParts(t vir.Type) int { return min(maxGroup, numParts(t)) }

// A maskedPart is a part of a store by instruction.
type maskedPart struct {
	value, mask vec
	to          operand.Mem
}

// storeGroup stores the parts of group g of v.
func (s *selector) storeGroup(v *vir.Value, g int) {
	t, n := v.Access(), groupParts(v.Access())
	parts := make([]maskedPart, n)
	for i := range parts {
		parts[i].value = s.part(v.Stored(), g*n+i)
	}
	var neg bool
	for i := range parts {
		parts[i].mask, neg = s.memoryMask(v, g*n+i)
	}
	s.forceLoads(s.block, v, s.lastIteration(v, (g+1)*n*partLanes(t)-1))
	for i := range parts {
		parts[i].value, parts[i].to = s.storeOperands(v, g*n+i, parts[i].value)
	}
	if s.a.depth[s.block] == 0 {
		s.moveParts(t, parts, neg)
		return
	}
	done, full := s.newBlock(0), s.newBlock(0)
	s.groupTests(t, parts, neg, done, full)
	s.moveParts(t, parts, neg)
	s.cur.Then = done
	s.goOn(full)
	for _, p := range parts {
		s.store(p.value, p.to, partBytes(t))
	}
	s.cur.Then = done
	s.goOn(done)
}

func (s *selector) moveParts(t vir.Type, parts []maskedPart, neg bool) {
	size := registerSize(partBytes(t))
	for _, p := range parts {
		s.op(maskMove(t.Elem), sized(p.value, size), sized(s.exactMask(p.mask, neg, t), size), p.to)
	}
}

// groupTests jumps to done if no lane is active and to full if all are; code goes
// on where some are. No lane at all is in the union of the masks, or of their
// complements when they are complemented; all are in the intersection.
func (s *selector) groupTests(t vir.Type, parts []maskedPart, neg bool, done, full *machine.Block) {
	width, lanes := t.Elem.Size(), partLanes(t)
	size := registerSize(partBytes(t))
	gather := func(name string) gpr {
		acc := parts[0].mask
		for _, p := range parts[1:] {
			acc = s.bin(name, size, acc, p.mask)
		}
		return s.cleanBits(s.bitsOf(acc, width, size), lanes, width, size, false)
	}
	none, all := done, full
	if neg {
		none, all = full, done
	}
	second, some := s.newBlock(0), s.newBlock(0)
	union := gather("VPOR")
	s.cur.EmitTest("TESTL", union.As32(), union.As32())
	s.branch("EQ", none, second)
	s.goOn(second)
	both := union
	if len(parts) > 1 {
		both = gather("VPAND")
	}
	s.cur.EmitTest("CMPL", both.As32(), imm32(fullBits(lanes, step(width))))
	s.branch("EQ", all, some)
	s.goOn(some)
}

func maskMove(e vir.Elem) string {
	switch e {
	case vir.F32:
		return "VMASKMOVPS"
	case vir.F64:
		return "VMASKMOVPD"
	case vir.I32:
		return "VPMASKMOVD"
	}
	return "VPMASKMOVQ"
}

// exactMask is a mask register that is not complemented and has no active lanes
// above the last.
func (s *selector) exactMask(r vec, neg bool, t vir.Type) vec {
	size, bytes := registerSize(partBytes(t)), partBytes(t)
	lanes := make([]uint64, regBytes)
	for i := range lanes {
		if i < bytes {
			lanes[i] = 0xff
		}
	}
	whole := s.konst(listEntry(1, lanes))
	switch {
	case neg:
		return s.bin("VPANDN", size, r, whole)
	case bytes < 16:
		return s.bin("VPAND", size, r, whole)
	}
	return r
}
