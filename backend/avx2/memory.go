package avx2

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// loadPart reads exactly the bytes of part p.
func loadPart(c partOf) vec {
	if c.size > regBytes && c.v.Masked {
		return c.s.zmmMaskedLoad(c.v, c.p, c.s.address(c.v).Offset(c.p*zmmBytes))
	}
	if active, ok := target.ConstMask(c.v); ok {
		n := c.lanes()
		m := c.s.address(c.v).Offset(c.p * partBytes(c.v.Type))
		if r, ok := c.s.partialLoad(c.v.Type, active[c.first():c.first()+n], m); ok {
			return r
		}
	}
	if c.v.Masked {
		return c.s.maskedLoad(c.v, c.p)
	}
	_, n := c.s.partsOf(c.v)
	bytes := n * c.v.Type.Elem.Size()
	return c.s.load(c.s.address(c.v).Offset(c.p*bytes), bytes)
}

// load reads size bytes into a register; what is above is undefined.
func (s *selector) load(m operand.Mem, size int) vec {
	d := s.f.Vec(size)
	s.loadInto(d, m, size)
	return d
}

func (s *selector) loadInto(d vec, m operand.Mem, size int) {
	switch size {
	case 1:
		s.op("VPBROADCASTB", m, d)
	case 2:
		s.op("VPBROADCASTW", m, d)
	case 4:
		s.op("VMOVSS", m, d)
	case 8:
		s.op("VMOVSD", m, d)
	default:
		s.op("VMOVUPS", m, sized(d, size))
	}
}

// store writes the low size bytes of r.
func (s *selector) store(r vec, m operand.Mem, size int) {
	switch size {
	case 1:
		s.op("VPEXTRB", operand.U8(0), r.AsX(), m)
	case 2:
		s.op("VPEXTRW", operand.U8(0), r.AsX(), m)
	case 4:
		s.op("VMOVSS", r.AsX(), m)
	case 8:
		s.op("VMOVSD", r.AsX(), m)
	default:
		s.op("VMOVUPS", sized(r, size), m)
	}
}

// storePart writes part p of a vector store. The value comes first: it may use
// loads as operands that would otherwise be done separately.
func (s *selector) storePart(v *vir.Value, p int) {
	x := v.Stored()
	_, n := s.partsOf(v)
	r := s.storedPart(v, p)
	s.forceLoads(s.block, v, s.lastIteration(v, (p+1)*n-1))
	s.loadTouched(v, p)
	if s.zmm[v] {
		s.zmmStore(v, p, r)
		return
	}
	r, m := s.storeOperands(v, p, r)
	if active, ok := target.ConstMask(v); ok {
		s.partialStore(x.Type, active[p*n:(p+1)*n], r, m)
		return
	}
	if v.Masked {
		s.maskedStore(v, p, r, m)
		return
	}
	s.store(r, m, partBytes(x.Type))
}

// storedPart is part p of what v stores.
func (s *selector) storedPart(v *vir.Value, p int) vec {
	if s.zmm[v] {
		return s.zmmPart(v.Stored(), p)
	}
	return s.part(v.Stored(), p)
}

// storeOperands are part p of v in the order of memory, from r, and where it
// goes.
func (s *selector) storeOperands(v *vir.Value, p int, r vec) (vec, operand.Mem) {
	t, m := v.Access(), s.address(v)
	size := partBytes(t)
	if v.Op == vir.OpStoreReverse {
		return s.reverse(r, t.Elem, size), m.Offset(reverseOffset(t, p))
	}
	return r, m.Offset(p * size)
}

// reverseOffset is the distance from lane 0 to the lowest byte of part p when
// lanes go down in memory.
func reverseOffset(t vir.Type, p int) int { return t.Elem.Size() - (p+1)*partBytes(t) }

// loadReverse reads a part upwards and turns it around.
func loadReverse(c partOf) vec {
	s, t := c.s, c.v.Type
	size := partBytes(t)
	if c.v.Masked {
		return s.maskedLoad(c.v, c.p)
	}
	m := s.address(c.v).Offset(reverseOffset(t, c.p))
	if size >= 16 {
		return s.reverseOp(m, t.Elem, size)
	}
	return s.reverse(s.load(m, size), t.Elem, size)
}

// reverse turns the lanes of the low size bytes of r around.
func (s *selector) reverse(r vec, e vir.Elem, size int) vec {
	if size == e.Size() {
		return r
	}
	return s.reverseOp(r, e, size)
}

// reverseOp is reverse of a register or of memory of 16 or 32 bytes.
func (s *selector) reverseOp(o operand.Op, e vir.Elem, size int) vec {
	switch n := size / e.Size(); {
	case size == 32 && e.Size() == 8:
		return s.imm("VPERMQ", 32, 0x1b, o)
	case size == 32 && e.Size() == 4:
		idx := s.inReg(s.konst(listEntry(4, []uint64{7, 6, 5, 4, 3, 2, 1, 0})), 32)
		return s.bin("VPERMD", 32, idx, o)
	case size == 32:
		halves := s.imm("VPERMQ", 32, 0x4e, o)
		return s.bin("VPSHUFB", 32, halves, s.konst(reverseBytes(e.Size(), 16)))
	case e.Size() == 8:
		return s.imm("VPSHUFD", 16, 0x4e, o)
	case e.Size() == 4 && n == 4:
		return s.imm("VPSHUFD", 16, 0x1b, o)
	case e.Size() == 4:
		return s.imm("VPSHUFD", 16, 0xe1, o)
	default:
		return s.bin("VPSHUFB", 16, s.inReg(o, 16), s.konst(reverseBytes(e.Size(), size)))
	}
}

// reverseBytes is the VPSHUFB control that reverses the elements of the low
// size bytes.
func reverseBytes(elem, size int) entry {
	lanes := make([]uint64, 16)
	for i := range lanes {
		lanes[i] = 0x80
		if i < size {
			lanes[i] = uint64(size - elem - i/elem*elem + i%elem)
		}
	}
	return listEntry(1, lanes)
}

// scalarAccess emits a scalar load or store at its place in the program.
func (s *selector) scalarAccess(v *vir.Value) {
	if v.Op == vir.OpLoad {
		if len(s.a.uses[v]) > 0 {
			s.emit(v)
		}
		return
	}
	x := v.Stored()
	e := x.Type.Elem
	_, ready := s.gps[x]
	if s.isLane(x) && len(s.a.uses[x]) == 1 && !ready && s.vecs[x] == nil {
		s.storeExtracted(v, x)
		return
	}
	c, ok := s.immediate(x)
	if !ok && x.Op != vir.OpConst {
		s.emit(x) // may use loads as operands that would otherwise be done separately
	}
	s.forceLoads(s.block, v, 1<<30)
	switch {
	case ok:
		s.op(gpMove(e.Size()), immOf(e.Size(), c), s.address(v))
	case e.IsFloat():
		r := s.part(x, 0)
		s.op(scalarMove(e), r.AsX(), s.address(v))
	default:
		r := s.gp(x)
		s.op(gpMove(e.Size()), gpView(r, e.Size()), s.address(v))
	}
}

// immediate is the bits of a constant that a store can hold.
func (s *selector) immediate(x *vir.Value) (int64, bool) {
	if x.Op != vir.OpConst || x.Type.IsVector() {
		return 0, false
	}
	c := int64(x.Bits[0])
	if !x.Type.Elem.IsFloat() {
		c = constInt(x)
	}
	return c, x.Type.Elem.Size() < 8 || machine.IsImm32(c)
}

// storeExtracted stores x, a lane of a vector from there.
func (s *selector) storeExtracted(v, x *vir.Value) {
	r, lane := s.laneInHalf(x)
	s.forceLoads(s.block, v, 1<<30)
	size := x.Type.Elem.Size()
	s.storePiece(r, target.Piece{Offset: lane * size, Bytes: size}, s.address(v))
}

func immOf(size int, c int64) operand.Op {
	switch size {
	case 1:
		return operand.I8(c)
	case 2:
		return operand.I16(c)
	}
	return operand.I32(c)
}
