package avx2

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Masked accesses never touch inactive lanes. Narrow loads and stores look at
// the mask of each part:
//
//	empty        nothing
//	full         one access
//	otherwise    lane by lane, for each set bit, to or from a stack copy
//
// Elements of 4 and 8 bytes have instructions, see maskmove.go.

// memoryMask is the mask of part p of access v as a register with the lanes in
// the order of memory, and whether it is complemented.
func (s *selector) memoryMask(v *vir.Value, p int) (vec, bool) {
	t := v.Access()
	r, neg := s.maskPart(v.Mask(), t.Elem.Size(), p)
	if v.Op == vir.OpLoadReverse || v.Op == vir.OpStoreReverse {
		r = s.reverse(r, t.Elem, partBytes(t))
	}
	return r, neg
}

// A scan is a copy of lanes in the stack, walked through by the bits of a mask.
type scan struct {
	bits   gpr
	neg    bool  // the bits are complemented
	full   int64 // the bits of a full mask
	own    int64 // those of them that stand for a lane each
	elem   int   // bytes
	scale  uint8
	atOnce int // lanes per iteration
}

// scanLanes is the number of lanes that a walk in a loop takes at once. More
// would be better for random masks, worse for regular and for sparse ones.
const scanLanes = 4

// activeScan is a scan with one bit for each active lane.
func (s *selector) activeScan(r vec, neg bool, t vir.Type) scan {
	c := s.newScan(r, neg, t)
	s.keepActive(c)
	return c
}

// keepActive leaves one bit for each active lane.
func (s *selector) keepActive(c scan) {
	if c.neg {
		s.op("XORL", imm32(c.full), c.bits.As32())
	}
	if c.own != c.full {
		s.op("ANDL", imm32(c.own), c.bits.As32())
	}
}

// newScan gathers the mask of one part of type t as it is.
func (s *selector) newScan(r vec, neg bool, t vir.Type) scan {
	e, n := t.Elem.Size(), partLanes(t)
	size := registerSize(n * e)
	bits := s.copyOf(s.bitsOf(r, e, size)) // the loop consumes them
	c := scan{bits: bits, neg: neg, full: fullBits(n, step(e)), elem: e, scale: uint8(e / step(e)), atOnce: 1}
	if n*e < size {
		s.op("ANDL", imm32(c.full), bits.As32())
	}
	c.own = c.full
	if step(e) == 2 {
		c.own &= 0x55555555
	}
	if s.a.depth[s.block] > 0 && n >= 2*scanLanes {
		c.atOnce = scanLanes
	}
	return c
}

// branch ends the current block with a conditional jump.
func (s *selector) branch(cond string, then, els *machine.Block) {
	s.cur.Jump, s.cur.Then, s.cur.Else = "J"+cond, then, els
}

// goOn continues in a block placed next.
func (s *selector) goOn(b *machine.Block) {
	s.f.Place(b)
	s.cur = b
}

func (s *selector) newBlock(deeper int) *machine.Block {
	return s.f.NewBlock(s.a.depth[s.block] + deeper)
}

// tests jumps to done if no lane is active and to full if all are; code goes on
// where some are, with one bit for each.
func (s *selector) tests(c scan, done, full *machine.Block) {
	zero, one := done, full
	if c.neg {
		zero, one = full, done
	}
	second, some := s.newBlock(0), s.newBlock(0)
	bits := c.bits.As32()
	s.cur.EmitTest("TESTL", bits, bits)
	s.branch("EQ", zero, second)
	s.goOn(second)
	s.cur.EmitTest("CMPL", bits, imm32(c.full))
	s.branch("EQ", one, some)
	s.goOn(some)
	s.keepActive(c)
}

// walk runs copyLane with the offset register of each active lane, then goes to
// next, which is not placed. In loops an iteration takes several lanes: how many
// times it runs is easier to predict than how many lanes are active, and a
// misprediction costs as much as a dozen lanes. When the bits run out in the
// middle, the first lane of the iteration is copied again, which nobody sees.
func (s *selector) walk(c scan, next *machine.Block, copyLane func(lane gpr)) {
	loop := s.newBlock(1)
	s.cur.Then = loop
	s.goOn(loop)
	first := s.f.GP()
	s.op("TZCNTL", c.bits.As32(), first.As32())
	copyLane(first)
	for range c.atOnce - 1 {
		lane := s.f.GP()
		s.op("BLSRL", c.bits.As32(), c.bits.As32())
		s.op("TZCNTL", c.bits.As32(), lane.As32()) // carry: there is none
		s.op("CMOVQCS", first, lane)
		copyLane(lane)
	}
	s.cur.EmitTest("BLSRL", c.bits.As32(), c.bits.As32())
	s.branch("NE", loop, next)
}

// moveLane copies one element through a general register.
func (s *selector) moveLane(size int, from, to operand.Mem) {
	t := s.f.GP()
	load := map[int]string{1: "MOVBLZX", 2: "MOVWLZX", 4: "MOVL", 8: "MOVQ"}[size]
	s.op(load, from, gpView(t, max(4, size)))
	s.op(gpMove(size), gpView(t, size), to)
}

// scratch is a stack slot for one register.
func (s *selector) scratch() operand.Mem {
	if s.slot.Base == nil {
		s.slot = s.f.Local(regBytes)
	}
	return s.slot
}

// maskedStore stores part p of v, held in r, to m.
func (s *selector) maskedStore(v *vir.Value, p int, r vec, m operand.Mem) {
	if s.byMaskRegister(v) {
		s.evexMaskedStore(v, p, r, m)
		return
	}
	t := v.Access()
	size := partBytes(t)
	mr, neg := s.memoryMask(v, p)
	c := s.newScan(mr, neg, t)
	done, full := s.newBlock(0), s.newBlock(0)
	s.tests(c, done, full)
	slot, to := s.scratch(), s.lea(m)
	s.op("VMOVUPS", sized(r, registerSize(size)), slot)
	s.walk(c, done, func(lane gpr) {
		s.moveLane(c.elem, slot.Idx(lane, c.scale), operand.Mem{Base: to, Index: lane, Scale: c.scale})
	})
	s.goOn(full)
	s.store(r, m, size)
	s.cur.Then = done
	s.goOn(done)
}

// maskedLoad loads part p of v; inactive lanes are 0.
func (s *selector) maskedLoad(v *vir.Value, p int) vec {
	t := v.Type
	m := s.address(v)
	if v.Op == vir.OpLoadReverse {
		m = m.Offset(reverseOffset(t, p))
	} else {
		m = m.Offset(p * partBytes(t))
	}
	var d vec
	switch {
	case s.byMaskRegister(v):
		d = s.evexMaskedLoad(v, p, m)
	case t.Elem.Size() >= 4:
		mr, neg := s.memoryMask(v, p)
		size := registerSize(partBytes(t))
		d = s.f.Vec(size)
		s.op(maskMove(t.Elem), m, sized(s.exactMask(mr, neg, t), size), sized(d, size))
	default:
		mr, neg := s.memoryMask(v, p)
		d = s.scanLoad(t, mr, neg, m)
	}
	if v.Op == vir.OpLoadReverse {
		return s.reverse(d, t.Elem, partBytes(t))
	}
	return d
}

// scanLoad loads narrow lanes one by one into a cleared stack copy.
func (s *selector) scanLoad(t vir.Type, mr vec, neg bool, m operand.Mem) vec {
	size := partBytes(t)
	wide := registerSize(size)
	c := s.newScan(mr, neg, t)
	done, full, last := s.newBlock(0), s.newBlock(0), s.newBlock(0)
	d := s.f.Vec(wide)
	x := d.AsX()
	s.op("VPXOR", x, x, x)
	s.tests(c, done, full)
	slot, from := s.scratch(), s.lea(m)
	s.op("VMOVUPS", sized(d, wide), slot)
	s.walk(c, last, func(lane gpr) {
		s.moveLane(c.elem, operand.Mem{Base: from, Index: lane, Scale: c.scale}, slot.Idx(lane, c.scale))
	})
	s.goOn(last)
	s.op("VMOVUPS", slot, sized(d, wide))
	s.cur.Then = done
	s.goOn(full)
	s.loadInto(d, m, size)
	s.cur.Then = done
	s.goOn(done)
	return d
}
