package avx2

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// A mask is where a mask value lives: lanes of width bytes, 0 and -1, or the
// other way round when complemented. Lanes above the last are undefined.
type mask struct {
	width int
	parts []vec
	neg   bool
}

func maskParts(lanes, width int) int { return max(1, lanes*width/regBytes) }

// width is the element width in which mask v is produced: that of the compared
// values; of logic the largest of its operands. Masks without a width of their
// own take that of their readers.
func (s *selector) width(v *vir.Value) int {
	if w, ok := s.widths[v]; ok {
		return w
	}
	s.widths[v] = 0 // for cycles through phis
	w := s.ownWidth(v)
	if w == 0 {
		w = s.readWidth(v)
	}
	if w == 0 {
		w = min(4, regBytes/min(v.Type.Lanes, regBytes))
	}
	s.widths[v] = w
	return w
}

func (s *selector) ownWidth(v *vir.Value) (w int) {
	switch v.Op {
	case vir.OpConst, vir.OpPoison, vir.OpPrefix, vir.OpBroadcast:
		return 0
	case vir.OpShuffle:
		w = s.readWidth(v) // as several of them are, of one mask, which is widened once
	}
	for _, a := range v.Args {
		switch {
		case a.Type.IsMask() && !flexible(a):
			w = max(w, s.width(a))
		case a.Type.IsVector() && !a.Type.IsMask():
			w = max(w, a.Type.Elem.Size())
		}
	}
	return w
}

// flexible masks can be made at any width.
func flexible(v *vir.Value) bool {
	return v.Op == vir.OpConst || v.Op == vir.OpPoison || v.Op == vir.OpPrefix || v.Op == vir.OpBroadcast
}

func (s *selector) readWidth(v *vir.Value) int {
	for _, u := range s.a.uses[v] {
		t := u.Type
		if u.Op.IsStore() {
			t = u.Access()
		}
		switch {
		case t.IsMask() && u.Op != vir.OpPhi:
			if w := s.ownWidth(u); w > 0 {
				return w
			}
		case t.IsVector() && !t.IsMask():
			return t.Elem.Size()
		}
	}
	return 0
}

// mask is the place of v.
func (s *selector) mask(v *vir.Value) *mask {
	m := s.masks[v]
	if m == nil {
		w := s.width(v)
		m = &mask{width: w, parts: make([]vec, maskParts(v.Type.Lanes, w))}
		s.masks[v] = m
	}
	return m
}

// maskPart is part p of v at the given width, and whether it is complemented.
func (s *selector) maskPart(v *vir.Value, width, p int) (vec, bool) {
	if v.Op == vir.OpConst {
		return s.inReg(s.konst(maskEntry(v, width, p)), regBytes), false
	}
	if v.Op == vir.OpPoison {
		return s.zero(), false
	}
	m := s.mask(v)
	if m.width == width {
		if m.parts[p] == nil {
			if v.Block != s.block {
				panic("used before emitted: " + v.Inst())
			}
			m.parts[p], m.neg = s.emitMask(v, width, p)
		}
		return m.parts[p], m.neg
	}
	k := convKey{v, width, p}
	if r, ok := s.conv[k]; ok {
		return r, m.neg && !flexible(v)
	}
	if flexible(v) && v.Block == s.block {
		r, _ := s.emitMask(v, width, p)
		s.conv[k] = r
		return r, false
	}
	r := s.convertMask(v, m.width, width, p)
	s.conv[k] = r
	return r, m.neg
}

// truePart is maskPart, complemented if need be.
func (s *selector) truePart(v *vir.Value, width, p int) vec {
	r, neg := s.maskPart(v, width, p)
	if !neg {
		return r
	}
	k := convKey{v, width, p}
	if s.trues[k] == nil {
		s.trues[k] = s.bin("VPXOR", s.maskSize(v, width), s.ones(), r)
	}
	return s.trues[k]
}

// maskSize is the size of the registers of v at the given width.
func (s *selector) maskSize(v *vir.Value, width int) int {
	if v.Type.Lanes*width > 16 {
		return regBytes
	}
	return 16
}

// maskEntry is part p of a constant mask.
func maskEntry(v *vir.Value, width, p int) entry {
	lane := func(b uint64) uint64 { return -(b & 1) }
	if len(v.Bits) == 1 {
		return splatEntry(width, lane(v.Bits[0]))
	}
	n := min(len(v.Bits), regBytes/width)
	lanes := make([]uint64, n)
	for i := range lanes {
		lanes[i] = lane(v.Bits[p*n+i])
	}
	return listEntry(width, lanes)
}

// convertMask makes part p at another width out of the parts there are.
func (s *selector) convertMask(v *vir.Value, from, to, p int) vec {
	n := min(v.Type.Lanes, regBytes/to)
	first := p * n
	if from < to {
		per := min(v.Type.Lanes, regBytes/from)
		r, _ := s.maskPart(v, from, first/per)
		return s.extendLanes(s.shiftDown(r, first%per*from), n, from, to, true)
	}
	per := min(v.Type.Lanes, regBytes/from)
	var rs []vec
	for q := first / per; q*per < first+n; q++ {
		r, _ := s.maskPart(v, from, q)
		rs = append(rs, r)
	}
	return s.narrow(rs, min(n, per), from, to, signedPack)
}

// emitMask emits part p of mask v at the given width.
func (s *selector) emitMask(v *vir.Value, width, p int) (r vec, neg bool) {
	size := s.maskSize(v, width)
	switch v.Op {
	case vir.OpIcmpEq, vir.OpIcmpNe, vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle:
		if v.Args[0].Type.IsMask() {
			return s.maskEqual(v, width, p, size)
		}
		return s.intCompare(v, p, size)
	case vir.OpFcmpEq, vir.OpFcmpNe, vir.OpFcmpLt, vir.OpFcmpLe:
		return s.floatCompare(v, p, size), false
	case vir.OpAnd, vir.OpOr:
		if r, ok := s.rangeCheck(v, width, p, size); ok {
			return r, v.Op == vir.OpOr
		}
		return s.maskLogic(v, width, p, size)
	case vir.OpXor:
		a, na := s.maskPart(v.Args[0], width, p)
		b, nb := s.maskPart(v.Args[1], width, p)
		return s.bin("VPXOR", size, a, b), na != nb
	case vir.OpNot:
		a, na := s.maskPart(v.Args[0], width, p)
		return a, !na
	case vir.OpBlend:
		return s.maskBlend(v, width, p, size), false
	case vir.OpSelect:
		return s.maskSelect(v, width, p, size), false
	case vir.OpPrefix:
		return s.prefix(v, width, p, size), false
	case vir.OpBroadcast:
		return s.spread(s.gp(v.Args[0]), size), false
	case vir.OpSubvec:
		return s.maskSubvec(v, width, p)
	case vir.OpShuffle, vir.OpConcat:
		return s.maskRearranged(v, width, p), false
	case vir.OpInsert:
		return s.maskInsert(v, width, p), false
	}
	s.fail(v, "not supported on masks")
	return nil, false
}

// spread is a mask of a bool.
func (s *selector) spread(b gpr, size int) vec {
	n, x, d := s.f.GP(), s.f.Vec(16), s.f.Vec(size)
	s.op("MOVQ", b, n)
	s.op("NEGQ", n)
	s.op("VMOVQ", n, x)
	s.op("VPBROADCASTQ", x, sized(d, size))
	return d
}

// maskLogic is and, or; a complemented operand is free (VPANDN), two become a
// complemented result.
func (s *selector) maskLogic(v *vir.Value, width, p, size int) (vec, bool) {
	a, na := s.maskPart(v.Args[0], width, p)
	b, nb := s.maskPart(v.Args[1], width, p)
	and := v.Op == vir.OpAnd
	// An or is the complement of an and of complements.
	if !and {
		na, nb = !na, !nb
	}
	switch {
	case !na && !nb:
		return s.bin("VPAND", size, a, b), !and
	case na && nb:
		return s.bin("VPOR", size, a, b), and
	case na:
		return s.bin("VPANDN", size, a, b), !and
	default:
		return s.bin("VPANDN", size, b, a), !and
	}
}

func (s *selector) maskEqual(v *vir.Value, width, p, size int) (vec, bool) {
	a, na := s.maskPart(v.Args[0], width, p)
	b, nb := s.maskPart(v.Args[1], width, p)
	return s.bin("VPXOR", size, a, b), (na != nb) != (v.Op == vir.OpIcmpEq)
}

func (s *selector) maskBlend(v *vir.Value, width, p, size int) vec {
	m, nm := s.maskPart(v.Args[0], width, p)
	x, y := s.truePart(v.Args[1], width, p), s.truePart(v.Args[2], width, p)
	if nm {
		x, y = y, x
	}
	return s.choose(vir.I8, size, m, x, y)
}

func (s *selector) maskSelect(v *vir.Value, width, p, size int) vec {
	m := s.spread(s.gp(v.Args[0]), size)
	x, y := s.truePart(v.Args[1], width, p), s.truePart(v.Args[2], width, p)
	return s.choose(vir.I8, size, m, x, y)
}

// blendv is x where the sign bits of m are set, else y; x may be in memory.
func (s *selector) blendv(name string, size int, m vec, x operand.Op, y vec) vec {
	d := s.f.Vec(size)
	s.op(name, sized(m, size), at(x, size), sized(y, size), sized(d, size))
	return d
}

func (s *selector) maskSubvec(v *vir.Value, width, p int) (vec, bool) {
	a := v.Args[0]
	n := min(v.Type.Lanes, regBytes/width)
	per := min(a.Type.Lanes, regBytes/width)
	first := int(v.Imm) + p*n
	r, neg := s.maskPart(a, width, first/per)
	return s.shiftDown(r, first%per*width), neg
}

// prefix compares the number of the lane with the count, brought into the range
// of this part before anything is subtracted: it may be any integer.
func (s *selector) prefix(v *vir.Value, width, p, size int) vec {
	if s.shortPrefix(v) {
		return s.evexPrefix(v, width, p, size)
	}
	n := min(v.Type.Lanes, regBytes/width)
	least, most := s.imm64(int64(p*n)), s.imm64(int64(p*n+n))
	count := s.copyOf(s.gp(v.Args[0]))
	s.op("CMPQ", count, least)
	s.op("CMOVQLT", least, count)
	s.op("CMPQ", count, most)
	s.op("CMOVQGT", most, count)
	if p > 0 {
		count = s.lea(operand.Mem{Base: count, Disp: -p * n})
	}
	e := vir.IntElem(width)
	x, all := s.f.Vec(16), s.f.Vec(size)
	s.op("VMOVQ", count, x)
	s.op("VPBROADCAST"+letter(e), x, sized(all, size))
	lanes := make([]uint64, regBytes/width)
	for i := range lanes {
		lanes[i] = uint64(i)
	}
	return s.bin("VPCMPGT"+letter(e), size, all, s.konst(listEntry(width, lanes)))
}

// bitsOf gathers the lanes of a mask register into the low bits of a
// general register, step(width) bits per lane; undefined lanes give undefined bits.
func (s *selector) bitsOf(r vec, width, size int) gpr {
	d := s.f.GP()
	switch width {
	case 4:
		s.op("VMOVMSKPS", sized(r, size), d.As32())
	case 8:
		s.op("VMOVMSKPD", sized(r, size), d.As32())
	default:
		s.op("VPMOVMSKB", sized(r, size), d.As32())
	}
	return d
}

// step is the number of bits per lane that bitsOf gives.
func step(width int) int {
	if width == 2 {
		return 2
	}
	return 1
}

// fullBits are the bits of n active lanes.
func fullBits(n, step int) int64 { return 1<<(n*step) - 1 }

// reduceMask combines all parts for any or all, and gives the bits, those that a
// full mask has, and whether the bits mean the complement. Bits of undefined lanes
// are cleared.
func (s *selector) reduceMask(v *vir.Value) (bits gpr, full operand.Op, neg bool) {
	a := v.Args[0]
	m := s.mask(a)
	size := s.maskSize(a, m.width)
	acc, neg := s.signs(v, size), v.Op == vir.OpAll
	if acc == nil {
		acc, neg = s.joinedParts(v, size), m.neg
	}
	n := min(a.Type.Lanes, regBytes/m.width)
	b := s.bitsOf(acc, m.width, size)
	return s.cleanBits(b, n, m.width, size, false), imm32(fullBits(n, step(m.width))), neg
}

// joinedParts is all parts of the mask that v is any or all of in one.
func (s *selector) joinedParts(v *vir.Value, size int) (acc vec) {
	m := s.mask(v.Args[0])
	for p := range m.parts {
		r, neg := s.maskPart(v.Args[0], m.width, p)
		name := "VPOR"
		if (v.Op == vir.OpAll) != neg {
			name = "VPAND"
		}
		if acc == nil {
			acc = r
		} else {
			acc = s.bin(name, size, acc, r)
		}
	}
	return acc
}

// signs is joinedParts for any lane below 0, and its complement for all lanes not below 0; nil for other
// masks. Lanes are joined before they are compared, and mostly not compared at all: the sign is the bit that counts.
func (s *selector) signs(v *vir.Value, size int) (acc vec) {
	x := signed(v)
	if x == nil || v.Args[0].Block != s.block || len(s.a.uses[v.Args[0]]) > 1 {
		return nil
	}
	m := s.mask(v.Args[0])
	for p := range m.parts {
		if acc == nil {
			acc = s.part(x, p)
		} else {
			acc = s.bin("VPOR", size, acc, s.partOrMem(x, p))
		}
	}
	if m.width == 2 {
		acc = s.bin("VPCMPGTW", size, s.zero(), acc)
	}
	return acc
}

// signed is x where v is any of x < 0, or all of 0 <= x.
func signed(v *vir.Value) *vir.Value {
	c := v.Args[0]
	x, zero := 0, 1
	switch {
	case v.Op == vir.OpAny && c.Op == vir.OpIcmpSlt:
	case v.Op == vir.OpAll && c.Op == vir.OpIcmpSle:
		x, zero = 1, 0
	default:
		return nil
	}
	if k, ok := splatBits(c.Args[zero]); !ok || k != 0 {
		return nil
	}
	return c.Args[x]
}

// imm32 is the immediate of a 32-bit operation.
func imm32(x int64) operand.Op { return operand.I32(int32(uint32(x))) }

// cleanBits clears the bits of undefined lanes and takes the complement away.
func (s *selector) cleanBits(b gpr, n, width, size int, neg bool) gpr {
	full := fullBits(n, step(width))
	whole := n*width == size
	if whole && !neg {
		return b
	}
	d := s.f.GP()
	s.op("MOVQ", b, d)
	if !whole {
		s.op("ANDL", imm32(full), d.As32())
	}
	if neg {
		s.op("XORL", imm32(full), d.As32())
	}
	return d
}

// countMask is the number of active lanes.
func (s *selector) countMask(v *vir.Value) gpr {
	a := v.Args[0]
	m := s.mask(a)
	var sum gpr
	for p := range m.parts {
		b, d := s.partBits(a, p), s.f.GP()
		s.op("POPCNTL", b.As32(), d.As32())
		if sum != nil {
			sum = s.lea(operand.Mem{Base: sum, Index: d, Scale: 1})
		} else {
			sum = d
		}
	}
	if step(m.width) == 2 {
		d := s.f.GP()
		s.op("MOVQ", sum, d)
		s.op("SHRQ", operand.U8(1), d)
		return d
	}
	return sum
}

// activeBits is a word with a bit for each of the first 64 lanes.
func (s *selector) activeBits(v *vir.Value) gpr {
	a := v.Args[0]
	m := s.mask(a)
	n := min(a.Type.Lanes, regBytes/m.width)
	var bits []gpr
	for p := 0; p < len(m.parts) && p*n < 64; p++ {
		if m.width == 2 {
			r, neg := s.maskPart(a, m.width, p)
			bits = append(bits, s.cleanBits(s.wordBits(r, s.maskSize(a, m.width)), n, 1, regBytes/2, neg))
		} else {
			bits = append(bits, s.partBits(a, p))
		}
	}
	return s.joined(bits, n)[0]
}

// partBits is the bits of part p of mask a, as bitsOf has them.
func (s *selector) partBits(a *vir.Value, p int) gpr {
	m := s.mask(a)
	size := s.maskSize(a, m.width)
	r, neg := s.maskPart(a, m.width, p)
	return s.cleanBits(s.bitsOf(r, m.width, size), min(a.Type.Lanes, regBytes/m.width), m.width, size, neg)
}

// wordBits is bitsOf for lanes of 2 bytes, one bit for each: they are cut to bytes first.
func (s *selector) wordBits(r vec, size int) gpr {
	b := s.bin("VPACKSSWB", size, r, r)
	if size == regBytes { // halves are packed apart
		b = s.imm("VPERMQ", size, 0xd8, b)
	}
	return s.bitsOf(b, 1, regBytes/2)
}

// joined are words of 64 with so many bits of each register, one behind the other.
func (s *selector) joined(bits []gpr, per int) (words []gpr) {
	for p, b := range bits {
		if off := p * per % 64; off > 0 {
			k, d := len(words)-1, s.copyOf(b)
			s.op("SHLQ", operand.U8(off), d)
			s.op("ORQ", words[k], d)
			words[k] = d
		} else {
			words = append(words, b)
		}
	}
	return words
}

func (s *selector) lea(m operand.Mem) gpr {
	d := s.f.GP()
	s.op("LEAQ", m, d)
	return d
}
