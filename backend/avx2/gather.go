package avx2

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Gathers come in three forms:
//
//	VGATHER      lanes of 4 and 8 bytes under a mask, or by indices of 8 bytes
//	lane by lane  others without a mask: an index, a load and an insert for each lane
//	bit scan     narrow lanes under a mask: the active lanes by way of the stack

// gatherPart is a part of a gather; inactive lanes are 0.
func gatherPart(c partOf) vec {
	s, n, wide := c.s, c.lanes(), c.bytes() >= 4
	switch {
	case wide && c.v.Masked:
		return s.gather(c)
	case c.v.Masked:
		return s.scanGather(c)
	case wide && n > 2 && !s.t.GatherByLoads && c.v.Index().Type.Elem.Size() == 8 && !s.indexInMemory(c.v.Index()):
		return s.gather(c)
	}
	return s.gatherLanes(c)
}

// pointer is the address of a gather or scatter without the index: sums with
// constants are folded.
func (s *selector) pointer(v *vir.Value) operand.Mem {
	base, disp := v.Base(), v.Disp
	for s.foldable(base, vir.OpPtradd) {
		k, ok := isConstInt(base.Args[1])
		if !ok {
			break
		}
		base, disp = base.Args[0], disp+k
	}
	m := operand.Mem{Base: s.gp(base)}
	if !machine.IsImm32(disp) {
		d := s.f.GP()
		s.op("MOVQ", machine.Imm(disp), d)
		s.op("ADDQ", m.Base, d)
		m.Base, disp = d, 0
	}
	m.Disp = int(disp)
	return m
}

// hardwareScale splits a scale into one that addresses can have and a factor.
func hardwareScale(scale int64) (hw uint8, factor int64) {
	for _, k := range []int64{8, 4, 2} {
		if scale%k == 0 {
			return uint8(k), scale / k
		}
	}
	return 1, scale
}

// gather uses VGATHER, as many times as the index needs registers.
func (s *selector) gather(c partOf) vec {
	index := c.v.Index()
	m := s.pointer(c.v)
	hw, factor := hardwareScale(c.v.Scale)
	m.Scale = hw
	bytes := index.Type.Elem.Size()
	if factor != 1 && bytes == 4 && !s.fitsAfter(index, factor) {
		bytes = 8
	}
	// Lanes that one instruction does.
	per := min(c.lanes(), regBytes/max(bytes, c.bytes()))
	var rs []vec
	for first := 0; first < c.lanes(); first += per {
		idx := s.indexLanes(index, c.first()+first, per, bytes, factor)
		mask := s.gatherMask(c, first, per)
		d := s.zeroed()
		m.Index = sized(idx, per*bytes)
		size := per * c.bytes()
		s.op(gatherName(c.elem(), bytes), sized(mask, size), m, sized(d, size))
		rs = append(rs, d)
	}
	if len(rs) == 1 {
		return rs[0]
	}
	return s.join(rs[0], rs[1])
}

// zeroed is a new register of zeros, which may be overwritten.
func (s *selector) zeroed() vec {
	d := s.f.Vec(regBytes)
	x := d.AsX()
	s.op("VPXOR", x, x, x)
	return d
}

// gatherName is the instruction for lanes of e and an index of the given bytes.
func gatherName(e vir.Elem, index int) string {
	name := "VPGATHER"
	if e.IsFloat() {
		name = "VGATHER"
	}
	name += map[int]string{4: "D", 8: "Q"}[index]
	if e.IsFloat() {
		return name + precision(e)
	}
	return name + letter(e)
}

// gatherMask is a copy, which the instruction destroys, of the mask for per lanes
// of the part from lane first on, with lanes above inactive.
func (s *selector) gatherMask(c partOf, first, per int) vec {
	size, bytes := registerSize(per*c.bytes()), per*c.bytes()
	if !c.v.Masked {
		d := s.f.Vec(regBytes)
		if bytes == size {
			s.op("VPCMPEQD", sized(d, size), sized(d, size), sized(d, size))
			return d
		}
		s.op("VMOVUPS", at(s.konst(firstBytes(bytes)), size), sized(d, size))
		return d
	}
	r, neg := s.maskPart(c.v.Mask(), c.bytes(), c.p)
	r = s.shiftDown(r, first*c.bytes())
	switch {
	case neg:
		return s.bin("VPANDN", size, r, s.konst(firstBytes(bytes)))
	case bytes < size:
		return s.bin("VPAND", size, r, s.konst(firstBytes(bytes)))
	}
	d := s.f.Vec(size)
	s.op("VMOVAPS", sized(r, size), sized(d, size))
	return d
}

// firstBytes has ones in the first n bytes.
func firstBytes(n int) entry {
	var e entry
	for i := range n {
		e[i] = 0xff
	}
	return e
}

// fitsAfter reports whether 32 bits hold the lanes of an index multiplied by factor.
func (s *selector) fitsAfter(index *vir.Value, factor int64) bool {
	r := rangeOf(index)
	const most = 1<<31 - 1
	limit := most / max(factor, -factor, 1)
	return r.within(-limit, limit)
}

// indexLanes is a register with n lanes of an index from first on, of the given
// bytes and multiplied by factor.
func (s *selector) indexLanes(index *vir.Value, first, n, bytes int, factor int64) vec {
	from := index.Type.Elem.Size()
	r := s.lanes(index, first, n)
	if from < bytes {
		r = s.extendLanes(r, n, from, bytes, true)
	}
	if factor == 1 {
		return r
	}
	size := registerSize(n * bytes)
	switch {
	case factor == 3:
		name := "VPADD" + map[int]string{4: "D", 8: "Q"}[bytes]
		return s.bin(name, size, r, s.bin(name, size, r, r))
	case bytes == 4:
		return s.bin("VPMULLD", size, r, s.splat(4, uint64(factor)))
	case from == 4 && int64(int32(factor)) == factor:
		return s.bin("VPMULDQ", size, r, s.splat(8, uint64(factor)))
	}
	return s.mul64Const(size, r, uint64(factor))
}

// gatherLanes loads lane by lane.
func (s *selector) gatherLanes(c partOf) vec {
	m := s.pointer(c.v)
	at := s.indexAddresses(c.v, m, c.first(), c.lanes())
	xs := make([]lane, c.lanes())
	for k := range xs {
		xs[k] = func() operand.Op { return at(k) }
	}
	return s.assemble(c.elem(), xs)
}

// indexAddresses gives the addresses of n lanes of a gather or scatter from first
// on, to be asked for in order.
func (s *selector) indexAddresses(v *vir.Value, m operand.Mem, first, n int) func(k int) operand.Mem {
	index := v.Index()
	hw, factor := hardwareScale(v.Scale)
	get := s.indexReader(index, first, n)
	return func(k int) operand.Mem {
		r := get(k)
		if factor != 1 {
			r = s.multiple(r, factor)
		}
		a := m
		a.Index, a.Scale = r, hw
		return a
	}
}

// indexReader gives lanes of an index in general registers, sign-extended. An index
// that is only used here is read from memory, extensions of a narrower one too.
func (s *selector) indexReader(index *vir.Value, first, n int) func(k int) gpr {
	load, signed, ok := s.indexLoad(index)
	switch {
	case ok && s.loads[load] == first:
	case index.Type.Elem == vir.I32 && index.Op != vir.OpConst && first%2 == 0 && n%2 == 0:
		return s.pairReader(index, first)
	default:
		return func(k int) gpr { return s.extractIndex(index, first+k) }
	}
	size := load.Type.Elem.Size()
	m := s.loadMem(load, first, n)
	return func(k int) gpr {
		d := s.f.GP()
		s.readExtended(m.Offset(k*size), size, signed, d)
		return d
	}
}

// pairReader gives lanes of an index of 4 bytes in general registers: vector registers hand over two of
// them in the time of one.
func (s *selector) pairReader(index *vir.Value, first int) func(k int) gpr {
	var pair gpr
	return func(k int) gpr {
		if k%2 == 1 {
			s.op("SARQ", operand.U8(32), pair)
			return pair
		}
		pair = s.extractBits(index, first+k, 8)
		return s.extend(pair, 4, true)
	}
}

// indexLoad is the load that an index is made of, if nobody else reads it.
func (s *selector) indexLoad(index *vir.Value) (load *vir.Value, signed, ok bool) {
	load, signed = index, true
	if index.Op == vir.OpZext || index.Op == vir.OpSext {
		if s.vecs[index] != nil || len(s.a.uses[index]) != 1 || index.Block != s.block || index.Args[0].Type.IsMask() {
			return nil, false, false
		}
		load, signed = index.Args[0], index.Op == vir.OpSext
	}
	return load, signed, load.Op == vir.OpLoadUnit && s.pending(load, s.loads[load])
}

// indexInMemory reports whether indexReader will read memory.
func (s *selector) indexInMemory(index *vir.Value) bool {
	_, _, ok := s.indexLoad(index)
	return ok
}

// extractIndex moves a lane of an index to a general register.
func (s *selector) extractIndex(index *vir.Value, k int) gpr {
	size := index.Type.Elem.Size()
	if index.Op == vir.OpConst {
		x := index.Bits[min(k, len(index.Bits)-1)]
		if size == 4 {
			return s.imm64(int64(int32(x)))
		}
		return s.imm64(int64(x))
	}
	return s.extend(s.extractBits(index, k, size), size, true)
}

// extractBits moves 4 or 8 bytes of an index, from lane k on, to a general register.
func (s *selector) extractBits(index *vir.Value, k, size int) gpr {
	per := partLanes(index.Type)
	r, off := s.part(index, k/per), k%per*index.Type.Elem.Size()
	if off >= 16 {
		r, off = s.upper(r), off-16
	}
	d := s.f.GP()
	switch {
	case size == 8 && off == 0:
		s.op("VMOVQ", r.AsX(), d)
	case size == 8:
		s.op("VPEXTRQ", operand.U8(off/8), r.AsX(), d)
	case off == 0:
		s.op("VMOVD", r.AsX(), d.As32())
	default:
		s.op("VPEXTRD", operand.U8(off/4), r.AsX(), d.As32())
	}
	return d
}

// An indexCopy is the index of a part in the stack, for lanes found by bit scan.
type indexCopy struct {
	slot operand.Mem
	size int // bytes of a lane
}

// indexToStack copies the index lanes of part p.
func (s *selector) indexToStack(v *vir.Value, p int) indexCopy {
	t, index := v.Access(), v.Index()
	n, size := partLanes(t), index.Type.Elem.Size()
	per := min(n, partLanes(index.Type))
	ic := indexCopy{slot: s.indexSlot(), size: size}
	// All of it first: what the index comes from may use the same stack.
	var rs []vec
	for k := 0; k < n; k += per {
		rs = append(rs, s.lanes(index, p*n+k, per))
	}
	for i, r := range rs {
		s.op("VMOVUPS", sized(r, per*size), ic.slot.Offset(i*per*size))
	}
	return ic
}

// indexSlot is stack for the index of 32 lanes of 8 bytes.
func (s *selector) indexSlot() operand.Mem {
	if s.indices.Base == nil {
		s.indices = s.f.Local(regBytes * 8)
	}
	return s.indices
}

// scanAddress is where the lane at the given offset of a scan lies.
func (s *selector) scanAddress(v *vir.Value, m operand.Mem, c scan, ic indexCopy, lane gpr) operand.Mem {
	// lane counts steps of elem/scale bytes, so a lane of the index lies at
	// lane*size*scale/elem.
	hw := uint8(ic.size) * c.scale / uint8(c.elem)
	x := s.f.GP()
	if ic.size == 4 {
		s.op("MOVLQSX", ic.slot.Idx(lane, hw), x)
	} else {
		s.op("MOVQ", ic.slot.Idx(lane, hw), x)
	}
	scale, factor := hardwareScale(v.Scale)
	if factor != 1 {
		x = s.multiple(x, factor)
	}
	m.Index, m.Scale = x, scale
	return m
}

// scanGather loads the active lanes of a part into a cleared stack copy.
func (s *selector) scanGather(c partOf) vec {
	t := c.v.Type
	wide := registerSize(partBytes(t))
	mr, neg := s.memoryMask(c.v, c.p)
	bits := s.activeScan(mr, neg, t)
	m := s.pointer(c.v)
	d := s.zeroed()
	ic := s.indexToStack(c.v, c.p)
	slot := s.scratch()
	s.op("VMOVUPS", sized(d, wide), slot)
	some, last := s.newBlock(0), s.newBlock(0)
	s.cur.EmitTest("TESTL", bits.bits.As32(), bits.bits.As32())
	s.branch("EQ", last, some)
	s.goOn(some)
	s.walk(bits, last, func(lane gpr) {
		s.moveLane(bits.elem, s.scanAddress(c.v, m, bits, ic, lane), slot.Idx(lane, bits.scale))
	})
	s.goOn(last)
	s.op("VMOVUPS", slot, sized(d, wide))
	return d
}

// scatterPart stores part p of v lane by lane in ascending order.
func (s *selector) scatterPart(v *vir.Value, p int) {
	x := v.Stored()
	n := partLanes(x.Type)
	r := s.part(x, p)
	s.forceLoads(s.block, v, s.lastIteration(v, (p+1)*n-1))
	m := s.pointer(v)
	if v.Masked {
		s.scanScatter(v, p, r, m)
		return
	}
	at := s.indexAddresses(v, m, p*n, n)
	for k := range n {
		s.storeLane(r, x.Type.Elem, k, at(k))
	}
}

// storeLane writes lane k of r.
func (s *selector) storeLane(r vec, e vir.Elem, k int, m operand.Mem) {
	size := e.Size()
	if k*size >= 16 {
		r, k = s.upper(r), k-16/size
	}
	switch {
	case size >= 4 && k == 0:
		s.store(r, m, size)
	case size == 8:
		s.op("VMOVHPD", r.AsX(), m)
	default:
		s.op("VPEXTR"+letter(e), operand.U8(k), r.AsX(), m)
	}
}

// scanScatter stores the active lanes of a part out of a stack copy.
func (s *selector) scanScatter(v *vir.Value, p int, r vec, m operand.Mem) {
	t := v.Access()
	mr, neg := s.memoryMask(v, p)
	c := s.activeScan(mr, neg, t)
	c.atOnce = 1 // a lane must not be stored again behind others
	some, done := s.newBlock(0), s.newBlock(0)
	ic := s.indexToStack(v, p)
	s.cur.EmitTest("TESTL", c.bits.As32(), c.bits.As32())
	s.branch("EQ", done, some)
	s.goOn(some)
	slot := s.scratch()
	s.op("VMOVUPS", sized(r, registerSize(partBytes(t))), slot)
	s.walk(c, done, func(lane gpr) {
		s.moveLane(c.elem, slot.Idx(lane, c.scale), s.scanAddress(v, m, c, ic, lane))
	})
	s.goOn(done)
}
