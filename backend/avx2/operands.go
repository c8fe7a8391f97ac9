package avx2

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gp is the general register of a scalar integer, bool or pointer. Bits above
// the width of the type are undefined; a bool is 0 or 1 in all 64 bits.
func (s *selector) gp(v *vir.Value) gpr {
	if r, ok := s.gps[v]; ok {
		return r
	}
	if v.Op == vir.OpConst || v.Op == vir.OpPoison {
		return s.imm64(constInt(v))
	}
	var r gpr
	switch {
	case v.Op == vir.OpParam:
		r = s.param(v)
	case v.Block != s.block:
		panic("used before emitted: " + v.Inst())
	default:
		r = s.scalar(v)
	}
	s.gps[v] = r
	return r
}

// constInt is a scalar constant, sign-extended, bools as 0 and 1; poison is 0.
func constInt(v *vir.Value) int64 {
	if v.Op == vir.OpPoison {
		return 0
	}
	if c, ok := v.ConstInt(); ok {
		return c
	}
	return int64(v.Bits[0])
}

// isConstInt reports whether v is a scalar integer constant.
func isConstInt(v *vir.Value) (int64, bool) {
	if v.Op != vir.OpConst || v.Type.IsVector() || v.Type.Elem.IsFloat() {
		return 0, false
	}
	return constInt(v), true
}

// gpOrImm is v as an immediate if it is a constant that fits, else its register.
func (s *selector) gpOrImm(v *vir.Value) operand.Op {
	if c, ok := isConstInt(v); ok && machine.IsImm32(c) {
		return machine.Imm(c)
	}
	return s.gp(v)
}

// param loads an integer parameter at the entry. It can be loaded again at any
// time: nobody writes the argument area.
func (s *selector) param(v *vir.Value) gpr {
	m := s.frame.param(v)
	d := s.f.GP()
	op, width := "MOVQ", 8
	switch v.Type.Elem.Size() {
	case 1:
		op, width = "MOVBLZX", 4
	case 2:
		op, width = "MOVWLZX", 4
	case 4:
		op, width = "MOVL", 4
	}
	mk := func(d reg.Register) *machine.Inst { return machine.MustMake(op, m, gpView(d.(reg.GP), width)) }
	s.entry = append(s.entry, mk(d))
	r := machine.Remat{Make: mk}
	if v.Type.Elem.Size() == 8 {
		r.Mem = m
	}
	s.f.Remat[d.ID()] = r
	return d
}

func gpView(r reg.GP, size int) reg.Register {
	switch size {
	case 1:
		return r.As8L()
	case 2:
		return r.As16()
	case 4:
		return r.As32()
	}
	return r.As64()
}

// ext is v extended to 64 bits.
func (s *selector) ext(v *vir.Value, signed bool) gpr {
	if c, ok := isConstInt(v); ok {
		if !signed && v.Type.Elem.Size() < 8 {
			c &= 1<<v.Type.Elem.Bits() - 1
		}
		return s.imm64(c)
	}
	size := v.Type.Elem.Size()
	if v.Op == vir.OpLoad && v.Type.Elem != vir.Bool && s.pending(v, 0) {
		d := s.f.GP()
		s.readExtended(s.loadMem(v, 0, 1), size, signed, d)
		return d
	}
	if s.inFrame(v) && s.gps[v] == nil {
		d := s.f.GP()
		s.readExtended(s.laneMem(v), size, signed, d)
		return d
	}
	r := s.gp(v)
	if v.Type.Elem == vir.Bool || !signed && clearsRest(v) && !s.isSubscript(v) {
		return r
	}
	return s.extend(r, size, signed)
}

// readExtended loads size bytes into d.
func (s *selector) readExtended(m operand.Mem, size int, signed bool, d reg.GPVirtual) {
	if signed || size == 8 {
		s.op(map[int]string{1: "MOVBQSX", 2: "MOVWQSX", 4: "MOVLQSX", 8: "MOVQ"}[size], m, d)
		return
	}
	s.op(map[int]string{1: "MOVBLZX", 2: "MOVWLZX", 4: "MOVL"}[size], m, d.As32()) // clears the rest
}

// extend extends the low size bytes of r to 64 bits.
func (s *selector) extend(r gpr, size int, signed bool) gpr {
	if size == 8 {
		return r
	}
	d := s.f.GP()
	switch {
	case size == 4 && signed:
		s.op("MOVLQSX", r.As32(), d)
	case size == 4:
		s.op("MOVL", r.As32(), d.As32())
	case size == 2 && signed:
		s.op("MOVWQSX", r.As16(), d)
	case size == 2:
		s.op("MOVWLZX", r.As16(), d.As32())
	case signed:
		s.op("MOVBQSX", r.As8L(), d)
	default:
		s.op("MOVBLZX", r.As8L(), d.As32())
	}
	return d
}

// part is the register with part p of v, a vector or a scalar float.
func (s *selector) part(v *vir.Value, p int) vec {
	if s.emitsZMM != nil {
		s.fail(s.emitsZMM, "parts of 32 bytes of %s for 64", v.Inst())
	}
	if s.zmm[v] {
		return s.halfOfZMM(v, p)
	}
	if c, ok := s.constant(v, p); ok {
		return s.inReg(s.konst(c), registerSize(partBytes(v.Type)))
	}
	if v.Op == vir.OpPoison {
		return s.f.Vec(regBytes) // any register will do; it is never defined
	}
	parts := s.vecs[v]
	if parts == nil {
		parts = make([]vec, numParts(v.Type))
		s.vecs[v] = parts
	}
	if parts[p] != nil {
		return parts[p]
	}
	if v.Op == vir.OpParam {
		parts[p] = s.floatParam(v)
		return parts[p]
	}
	if v.Block != s.block {
		panic("used before emitted: " + v.Inst())
	}
	setPart(v, parts, p, s.emitPart(v, p))
	return parts[p]
}

// setPart keeps r as part p of v, or as all of them if these are one register.
func setPart(v *vir.Value, parts []vec, p int, r vec) {
	if !sameParts(v) {
		parts[p] = r
		return
	}
	for q := range parts {
		parts[q] = r
	}
}

// sameParts holds when all parts of v are one register.
func sameParts(v *vir.Value) bool { return v.Op == vir.OpBroadcast }

// constant is part p of v if v is a vector or float constant, or a part of a sum
// that stays zero.
func (s *selector) constant(v *vir.Value, p int) (entry, bool) {
	if v.Op == vir.OpBroadcast && v.Args[0].Op == vir.OpConst && !v.Type.IsMask() {
		return splatEntry(v.Type.Elem.Size(), v.Args[0].Bits[0]), true
	}
	if (v.Op == vir.OpPhi || v.Op == vir.OpAdd || v.Op == vir.OpSubvec) && inVector(v.Type) && s.a.stillZero(v, p) {
		return entry{}, true
	}
	if v.Op != vir.OpConst || !inVector(v.Type) || v.Type.IsMask() {
		return entry{}, false
	}
	size := v.Type.Elem.Size()
	if len(v.Bits) == 1 {
		return splatEntry(size, v.Bits[0]), true
	}
	n := partLanes(v.Type)
	return listEntry(size, v.Bits[p*n:(p+1)*n]), true
}

// splatBits is the element of a vector constant whose lanes are equal.
func splatBits(v *vir.Value) (uint64, bool) {
	if v.Op == vir.OpBroadcast {
		v = v.Args[0]
	}
	return v.IsConst()
}

func (s *selector) floatParam(v *vir.Value) vec {
	m := s.frame.param(v)
	op := scalarMove(v.Type.Elem)
	d := s.f.Vec(16)
	mk := func(d reg.Register) *machine.Inst { return machine.MustMake(op, m, d.(reg.Vec).AsX()) }
	s.entry = append(s.entry, mk(d))
	s.f.Remat[d.ID()] = machine.Remat{Make: mk}
	return d
}

// scalarMove loads or stores the lowest lane.
func scalarMove(e vir.Elem) string {
	if e.Size() == 8 {
		return "VMOVSD"
	}
	return "VMOVSS"
}

// partOrMem is part p of v, in memory if v is a constant or a load that nobody
// else reads and that fills a register.
func (s *selector) partOrMem(v *vir.Value, p int) operand.Op {
	if c, ok := s.constant(v, p); ok {
		return s.konst(c)
	}
	n := partLanes(v.Type)
	if partBytes(v.Type) >= 16 && !s.zmm[v] && s.pending(v, p*n) {
		return s.loadMem(v, p*n, n)
	}
	return s.part(v, p)
}

// scalarOrMem is a scalar float or single lane, in memory as far as possible.
func (s *selector) scalarOrMem(v *vir.Value) operand.Op {
	if c, ok := s.constant(v, 0); ok {
		return s.konst(c)
	}
	if s.pending(v, 0) {
		return s.loadMem(v, 0, 1)
	}
	if s.paramOnce(v) {
		return s.frame.param(v)
	}
	if s.inFrame(v) {
		return s.laneMem(v)
	}
	return s.part(v, 0)
}

// paramOnce holds for float parameters with one reader that is not in a loop: it may
// take them from where they are.
func (s *selector) paramOnce(v *vir.Value) bool {
	return v.Op == vir.OpParam && v.Type.Elem.IsFloat() && len(s.a.uses[v]) == 1 && s.a.depth[s.block] == 0 && s.vecs[v] == nil
}

// pending reports whether lanes from first on of v may still be read from
// memory by its only reader.
func (s *selector) pending(v *vir.Value, first int) bool {
	if v.Op != vir.OpLoadUnit && v.Op != vir.OpLoad || v.Block != s.block || v.Masked || len(s.a.uses[v]) != 1 {
		return false
	}
	if s.a.leavesBlock(v) {
		return false
	}
	if s.gps[v] != nil {
		return false // done, as a scalar
	}
	parts, n := s.madeParts(v)
	return s.loads[v] == first && (parts == nil || parts[first/n] == nil)
}

// loadMem is the address of n lanes of a pending load, which counts as read.
func (s *selector) loadMem(v *vir.Value, first, n int) operand.Mem {
	s.loads[v] = first + n
	return s.address(v).Offset(first * v.Type.Elem.Size())
}

// lanes is a register with the n lanes of v from first on in its low lanes.
func (s *selector) lanes(v *vir.Value, first, n int) vec {
	per := partLanes(v.Type)
	r := s.part(v, first/per)
	off := first % per * v.Type.Elem.Size()
	if v.Type.Elem.IsFloat() {
		return s.floatsDown(r, off)
	}
	return s.shiftDown(r, off)
}

// floatsDown is shiftDown for floats: their units take a cycle more to read what an
// integer instruction gives. What is above is not zero.
func (s *selector) floatsDown(r vec, off int) vec {
	if off >= 16 {
		r, off = s.upper(r), off-16
	}
	if off == 0 {
		return r
	}
	return s.imm("VPERMILPS", 16, map[int]int{4: 0xf9, 8: 0xfe, 12: 0xff}[off], r)
}

// lanesOrMem is lanes, or the memory of exactly these lanes.
func (s *selector) lanesOrMem(v *vir.Value, first, n int) operand.Op {
	if s.pending(v, first) {
		return s.loadMem(v, first, n)
	}
	return s.lanes(v, first, n)
}

// shiftDown moves byte off of r to byte 0.
func (s *selector) shiftDown(r vec, off int) vec {
	if off >= 16 {
		r, off = s.upper(r), off-16
	}
	if off > 0 {
		r = s.imm("VPSRLDQ", 16, off, r)
	}
	return r
}

// upper is the upper half of a full register.
func (s *selector) upper(r vec) vec {
	k := halfKey{r.ID()}
	if h, ok := s.half[k]; ok {
		return h
	}
	d := s.f.Vec(16)
	s.op("VEXTRACTI128", operand.U8(1), r.AsY(), d)
	s.half[k] = d
	return d
}

// address is the operand for lane 0 of a memory operation. Sums and scalings of
// the index and of the base that only serve addresses are folded.
func (s *selector) address(v *vir.Value) operand.Mem {
	base, index, scale, disp := v.Base(), v.Index(), v.Scale, v.Disp
	for s.foldable(base, vir.OpPtradd) {
		off := base.Args[1]
		if c, ok := isConstInt(off); ok {
			disp += c
		} else if index == nil {
			index, scale = off, 1
		} else {
			break
		}
		base = base.Args[0]
	}
	for index != nil {
		next, factor, add, ok := s.stripIndex(index)
		if !ok {
			break
		}
		disp += add * scale
		scale *= factor
		index = next
	}
	m := operand.Mem{Base: s.gp(base)}
	if index != nil {
		m.Index, m.Scale = s.scaled(index, scale)
	}
	if !machine.IsImm32(disp) || !machine.IsImm32(disp+1<<16) {
		d := s.f.GP()
		s.op("MOVQ", machine.Imm(disp), d)
		s.op("ADDQ", m.Base, d)
		m.Base, disp = d, 0
	}
	m.Disp = int(disp)
	return m
}

// foldable holds for a value of this block that is not yet in a register.
func (s *selector) foldable(v *vir.Value, op vir.Op) bool {
	_, done := s.gps[v]
	return v.Op == op && v.Block == s.block && !done && !s.a.leavesBlock(v)
}

// stripIndex takes a constant sum or factor off an index: index = next*factor +
// add. A nil next is a constant index.
func (s *selector) stripIndex(index *vir.Value) (next *vir.Value, factor, add int64, ok bool) {
	if c, isC := isConstInt(index); isC {
		return nil, 0, c, true
	}
	if len(index.Args) != 2 || !s.foldable(index, index.Op) {
		return nil, 0, 0, false
	}
	c, isC := isConstInt(index.Args[1])
	if !isC {
		return nil, 0, 0, false
	}
	switch {
	case index.Op == vir.OpAdd:
		return index.Args[0], 1, c, true
	case index.Op == vir.OpSub:
		return index.Args[0], 1, -c, true
	case index.Op == vir.OpMul:
		return index.Args[0], c, 0, true
	case index.Op == vir.OpShl && 0 <= c && c < 64:
		return index.Args[0], 1 << c, 0, true
	}
	return nil, 0, 0, false
}

// scaled is a register and a scale that the hardware has for index*scale.
func (s *selector) scaled(index *vir.Value, scale int64) (reg.Register, uint8) {
	for _, k := range []int64{8, 4, 2, 1} {
		if scale%k == 0 && scale != 0 {
			return s.times(index, scale/k), uint8(k)
		}
	}
	return s.imm64(0), 1
}

// times is index*factor, once per block.
func (s *selector) times(index *vir.Value, factor int64) gpr {
	if factor == 1 {
		return s.gp(index)
	}
	k := indexKey{index, factor}
	if r, ok := s.idx[k]; ok {
		return r
	}
	d := s.multiple(s.gp(index), factor)
	s.idx[k] = d
	return d
}

// multiple is x*factor. Steps in structs are small: an address or a shift is faster
// than a product, of which most CPUs start one per cycle.
func (s *selector) multiple(x gpr, factor int64) gpr {
	switch {
	case factor == 2:
		return s.lea(operand.Mem{Base: x, Index: x, Scale: 1})
	case factor == 3, factor == 5, factor == 9:
		return s.lea(operand.Mem{Base: x, Index: x, Scale: uint8(factor - 1)})
	case factor > 0 && factor&(factor-1) == 0:
		d := s.copyOf(x)
		s.op("SHLQ", operand.U8(log2(uint64(factor))), d)
		return d
	case machine.IsImm32(factor):
		d := s.f.GP()
		s.op("IMUL3Q", machine.Imm(factor), x, d)
		return d
	}
	d := s.f.GP()
	s.op("MOVQ", machine.Imm(factor), d)
	s.op("IMULQ", x, d)
	return d
}
