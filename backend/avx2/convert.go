package avx2

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// lanes is the number of lanes of each part of the value being emitted.
func (c partOf) lanes() int { return partLanes(c.v.Type) }

// first is the first lane of the part being emitted.
func (c partOf) first() int { return c.p * partLanes(c.v.Type) }

// source is a register with the lanes of the part of operand i in its low lanes;
// in memory if exact says that the instruction reads just those.
func (c partOf) source(i int, exact bool) operand.Op {
	a := c.v.Args[i]
	if exact {
		return c.s.lanesOrMem(a, c.first(), c.lanes())
	}
	return c.s.lanes(a, c.first(), c.lanes())
}

// fills reports whether the part fills its register, so that converting
// instructions read no more than the lanes.
func (c partOf) fills() bool { return partBytes(c.v.Type) == c.size }

// extension is zext or sext of integers or masks.
func extension(c partOf) vec {
	s, a, signed := c.s, c.v.Args[0], c.v.Op == vir.OpSext
	if a.Type.IsMask() {
		return c.maskExtension()
	}
	src := c.source(0, c.fills())
	return s.extendOp(src, c.size, a.Type.Elem.Size(), c.bytes(), signed)
}

// maskExtension is a mask as integers: -1 as it is, 1 as its lowest bit.
func (c partOf) maskExtension() vec {
	s, a := c.s, c.v.Args[0]
	if c.v.Op == vir.OpSext {
		return s.truePart(a, c.bytes(), c.p)
	}
	if x, ok := s.asMinimum(c.v); ok {
		return s.bin("VPMINU"+letter(c.elem()), c.size, s.inReg(s.splat(c.bytes(), 1), c.size), c.memOf(x))
	}
	m, neg := s.maskPart(a, c.bytes(), c.p)
	if neg {
		return s.bin("VPANDN", c.size, m, s.splat(c.bytes(), 1))
	}
	return s.bin("VPAND", c.size, m, s.splat(c.bytes(), 1))
}

// asMinimum is the x of an extension that is 1 where unsigned x is not 0: the minimum of both.
func (s *selector) asMinimum(ext *vir.Value) (x *vir.Value, ok bool) {
	c, e := ext.Args[0], ext.Type.Elem
	if ext.Op != vir.OpZext || c.Op != vir.OpIcmpNe || !s.unread(c) {
		return nil, false
	}
	return c.Args[0], isZero(c.Args[1]) && c.Args[0].Type.Elem == e && e.Size() <= 4
}

// extendLanes extends n lanes in the low part of r.
func (s *selector) extendLanes(r vec, n, from, to int, signed bool) vec {
	size := 16
	if n*to > 16 {
		size = regBytes
	}
	return s.extendOp(r, size, from, to, signed)
}

// extendOp extends the low lanes of o to fill size bytes.
func (s *selector) extendOp(o operand.Op, size, from, to int, signed bool) vec {
	if from == to {
		return s.inReg(o, size)
	}
	d := s.f.Vec(size)
	s.op(extensionName(from, to, signed), at(o, 16), sized(d, size))
	return d
}

// extensionName is the instruction that extends integers of so many bytes.
func extensionName(from, to int, signed bool) string {
	suffix := map[int]string{1: "B", 2: "W", 4: "D", 8: "Q"}
	return pick(signed, "VPMOVSX", "VPMOVZX") + suffix[from] + suffix[to]
}

// trunc packs parts of wider integers. Minima and maxima that packing does
// itself, by saturating, are left out.
func trunc(c partOf) vec {
	if r, ok := truncIdiom(c); ok {
		return r
	}
	if c.s.zmm[c.v.Args[0]] {
		return zmmNarrow(c)
	}
	a, how := c.packing()
	per := partLanes(a.Type)
	first, n := c.first(), c.lanes()
	if n < per {
		return c.s.narrow([]vec{c.s.lanes(a, first, n)}, n, a.Type.Elem.Size(), c.bytes(), how)
	}
	var rs []vec
	for q := first / per; q*per < first+n; q++ {
		rs = append(rs, c.s.part(a, q))
	}
	return c.s.narrow(rs, per, a.Type.Elem.Size(), c.bytes(), how)
}

// packing chooses how to truncate, and what: below the bounds that packing
// itself sets.
func (c partOf) packing() (*vir.Value, packing) {
	a, w := c.v.Args[0], c.bits()
	if cl := clampOf(a); a.Type.Elem != vir.I64 && c.s.allDirect(cl.x) {
		switch {
		case cl.saturates(0, 1<<w-1):
			return cl.x, unsignedPack
		case cl.saturates(-1<<(w-1), 1<<(w-1)-1):
			return cl.x, signedPack
		}
	}
	switch {
	case fitsSigned(a, w):
		return a, signedPack
	case fitsUnsigned(a, w):
		return a, unsignedPack
	}
	return a, cutFirst
}

// allDirect is direct for every part.
func (s *selector) allDirect(v *vir.Value) bool {
	for p := range numParts(v.Type) {
		if !s.direct(v, p) {
			return false
		}
	}
	return true
}

// A packing says how lanes become narrower. Packing saturates.
type packing uint8

const (
	cutFirst     packing = iota // keep the low bits: clear the others before
	signedPack                  // saturate to the signed range, or lanes are in it
	unsignedPack                // saturate signed lanes to the unsigned range, or lanes are in it
)

// narrow packs registers of n lanes each, in order, into one register of
// narrower lanes.
func (s *selector) narrow(rs []vec, n, from, to int, how packing) vec {
	if from == to {
		return rs[0]
	}
	if from == 8 {
		return s.narrow(s.pack(rs, n, 8, "VSHUFPS"), packedLanes(rs, n, 8), 4, to, how)
	}
	if how == cutFirst {
		cut := s.splat(from, 1<<(8*to)-1)
		for i, r := range rs {
			rs[i] = s.bin("VPAND", registerSize(n*from), r, cut)
		}
		how = unsignedPack
	}
	if from == 4 && to == 1 && len(rs) == 4 && n*from == regBytes {
		return s.packFour(rs, how)
	}
	for from > to {
		name := packName(from, how == unsignedPack && from/2 == to)
		rs, n = s.pack(rs, n, from, name), packedLanes(rs, n, from)
		from /= 2
	}
	return rs[0]
}

// packName is the instruction for lanes of the given bytes. Only the last of
// several steps saturates to unsigned numbers: its source counts as signed.
func packName(from int, unsigned bool) string {
	return "VPACK" + pick(unsigned, "US", "SS") + map[int]string{4: "DW", 2: "WB"}[from]
}

func registerSize(bytes int) int {
	if bytes > 16 {
		return regBytes
	}
	return 16
}

// packedLanes is the number of lanes per register after pack.
func packedLanes(rs []vec, n, from int) int {
	if len(rs) > 1 {
		return 2 * n
	}
	return n
}

// pack halves the lanes of all registers. Packing works within 128-bit halves,
// so that the quarters of a full result have to be put in order.
func (s *selector) pack(rs []vec, n, from int, name string) (out []vec) {
	two := func(size int, a, b vec) vec {
		if name == "VSHUFPS" {
			return s.imm2(name, size, 0x88, a, b)
		}
		return s.bin(name, size, a, b)
	}
	if len(rs) == 1 {
		if n*from > 16 {
			return []vec{two(16, rs[0], s.upper(rs[0]))}
		}
		return []vec{two(16, rs[0], rs[0])}
	}
	for i := 0; i < len(rs); i += 2 {
		if n*from <= 16 { // halves of one register
			out = append(out, two(16, rs[i], rs[i+1]))
			continue
		}
		out = append(out, s.imm("VPERMQ", regBytes, 0xd8, two(regBytes, rs[i], rs[i+1])))
	}
	return out
}

// packFour packs four registers of 32-bit lanes into one of bytes, putting the
// pieces in order once.
func (s *selector) packFour(rs []vec, how packing) vec {
	words, bytes := packName(4, false), packName(2, how == unsignedPack)
	a := s.bin(words, regBytes, rs[0], rs[1])
	b := s.bin(words, regBytes, rs[2], rs[3])
	order := s.inReg(s.konst(listEntry(4, []uint64{0, 4, 1, 5, 2, 6, 3, 7})), regBytes)
	return s.bin("VPERMD", regBytes, order, s.bin(bytes, regBytes, a, b))
}

func fpext(c partOf) vec {
	if c.v.Type.Lanes == 0 {
		x := c.reg(0)
		return c.s.bin("VCVTSS2SD", 16, x, x)
	}
	return c.s.float64s(c.source(0, c.fills()), c.size)
}

// float64s converts the lower f32 lanes of x.
func (s *selector) float64s(x operand.Op, size int) vec {
	d := s.f.Vec(size)
	s.op("VCVTPS2PD", at(x, 16), sized(d, size))
	return d
}

func fptrunc(c partOf) vec {
	s, a := c.s, c.v.Args[0]
	if c.v.Type.Lanes == 0 {
		x := c.reg(0)
		return s.bin("VCVTSD2SS", 16, x, x)
	}
	return s.halve(a, c.first(), c.lanes(), "VCVTPD2PS")
}

// halve converts n lanes of 8 bytes of v from first on to 4 bytes each.
func (s *selector) halve(v *vir.Value, first, n int, name string) vec {
	per := partLanes(v.Type)
	var rs []vec
	for l := first; l < first+n; l += per {
		rs = append(rs, s.halveReg(s.part(v, l/per), registerSize(per*8), name))
	}
	if len(rs) == 1 {
		return rs[0]
	}
	return s.join(rs[0], rs[1])
}

// halveReg converts a register; the name gets the suffix of its source.
func (s *selector) halveReg(r vec, size int, name string) vec {
	d := s.f.Vec(16)
	s.op(name+map[int]string{16: "X", 32: "Y"}[size], sized(r, size), d)
	return d
}

// join makes a full register of two halves.
func (s *selector) join(low, high vec) vec {
	d := s.f.Vec(regBytes)
	s.op("VINSERTI128", operand.U8(1), high.AsX(), low.AsY(), d)
	return d
}

// joinAll makes one register of rs, one behind the other, each of 8 or 16 bytes if there are several.
func (s *selector) joinAll(rs []vec, bytes int) vec {
	for ; len(rs) > 1; bytes *= 2 {
		for i := range len(rs) / 2 {
			if bytes == 8 {
				rs[i] = s.bin("VPUNPCKLQDQ", 16, rs[2*i], rs[2*i+1])
			} else {
				rs[i] = s.join(rs[2*i], rs[2*i+1])
			}
		}
		rs = rs[:len(rs)/2]
	}
	return rs[0]
}

// intToFloat converts integers; narrow ones go through 32 bits.
func intToFloat(c partOf) vec {
	a := c.v.Args[0]
	signed := c.v.Op == vir.OpSitof
	if c.v.Type.Lanes == 0 {
		return c.s.scalarToFloat(c, signed)
	}
	switch from := a.Type.Elem.Size(); {
	case from < 4:
		wide := c.s.extendLanes32(c, signed)
		return c.s.i32ToFloat(c, wide)
	case from == 4 && signed && c.bytes() == 4:
		return c.s.un("VCVTDQ2PS", c.size, c.mem(0))
	case from == 4 && signed:
		return c.s.i32ToFloat(c, c.source(0, c.fills()))
	case from == 4 && c.bytes() == 4:
		return c.s.u32ToF32(c.size, c.reg(0))
	case from == 4:
		wide := c.s.extendOp(c.source(0, c.fills()), c.size, 4, 8, false)
		return c.s.minusMagic(c.size, wide)
	case c.bytes() == 8:
		return c.s.i64ToF64(c.size, c.reg(0), signed)
	}
	return c.s.i64ToF32(c, signed)
}

// extendLanes32 extends the lanes of a part to 32 bits.
func (s *selector) extendLanes32(c partOf, signed bool) operand.Op {
	size := registerSize(c.lanes() * 4)
	exact := c.lanes()*4 == size
	return s.extendOp(c.source(0, exact), size, c.v.Args[0].Type.Elem.Size(), 4, signed)
}

// i32ToFloat converts signed 32-bit lanes.
func (s *selector) i32ToFloat(c partOf, x operand.Op) vec {
	if c.bytes() == 4 {
		return s.un("VCVTDQ2PS", c.size, x)
	}
	return s.doubles(x, c.size)
}

// doubles converts the lower signed 32-bit lanes of x.
func (s *selector) doubles(x operand.Op, size int) vec {
	d := s.f.Vec(size)
	s.op("VCVTDQ2PD", at(x, 16), sized(d, size))
	return d
}

// u32ToF32 puts both halves into the fractions of floats near 2^23 and 2^39; one
// addition of exact numbers rounds once.
func (s *selector) u32ToF32(size int, x vec) vec {
	low := s.imm2("VPBLENDW", size, 0xaa, x, s.splat(4, 0x4b000000))
	high := s.imm2("VPBLENDW", size, 0xaa, s.imm("VPSRLD", size, 16, x), s.splat(4, 0x53000000))
	high = s.bin("VSUBPS", size, high, s.splat(4, 0x53000080)) // 2^39 + 2^23
	return s.bin("VADDPS", size, low, high)
}

// minusMagic converts 64-bit lanes below 2^52 by way of the fraction of 2^52.
func (s *selector) minusMagic(size int, x vec) vec {
	magic := s.splat(8, 0x4330000000000000)
	return s.bin("VSUBPD", size, s.bin("VPOR", size, x, magic), magic)
}

// i64ToF64 splits into halves in the fractions of 2^84 and 2^52; the first
// difference is exact, the sum rounds once. Signed numbers are moved up by 2^63.
func (s *selector) i64ToF64(size int, x vec, signed bool) vec {
	low := s.imm2("VPBLENDD", size, 0xaa, x, s.splat(8, 0x4330000000000000))
	high := s.imm("VPSRLQ", size, 32, x)
	if signed {
		high = s.bin("VPXOR", size, high, s.splat(8, 0x4530000080000000))
		high = s.bin("VSUBPD", size, high, s.splat(8, 0x4530000080100000)) // 2^84 + 2^63 + 2^52
	} else {
		high = s.bin("VPOR", size, high, s.splat(8, 0x4530000000000000))
		high = s.bin("VSUBPD", size, high, s.splat(8, 0x4530000000100000)) // 2^84 + 2^52
	}
	return s.bin("VADDPD", size, high, low)
}

// i64ToF32 goes through f64. Numbers that f64 would round get their low 11 bits
// folded into one sticky bit first, so that the second rounding sees all.
func (s *selector) i64ToF32(c partOf, signed bool) vec {
	a := c.v.Args[0]
	per := partLanes(a.Type)
	size := registerSize(per * 8)
	var rs []vec
	for l := c.first(); l < c.first()+c.lanes(); l += per {
		x := s.sticky(size, s.part(a, l/per), signed)
		rs = append(rs, s.halveReg(s.i64ToF64(size, x, signed), size, "VCVTPD2PS"))
	}
	if len(rs) == 1 {
		return rs[0]
	}
	return s.join(rs[0], rs[1])
}

// sticky replaces x of 2^53 or more in magnitude by its multiple of 2^11 below,
// made odd unless x is one.
func (s *selector) sticky(size int, x vec, signed bool) vec {
	low := s.splat(8, 2047)
	folded := s.bin("VPADDQ", size, s.bin("VPAND", size, x, low), low)
	folded = s.bin("VPAND", size, s.bin("VPOR", size, folded, x), s.splat(8, ^uint64(2047)))
	// Large means that the bits from 53 on are not all equal to the sign.
	top := s.imm("VPSRLQ", size, 53, x)
	if signed {
		sign := s.bin("VPCMPGTQ", size, s.zero(), x)
		top = s.imm("VPSRLQ", size, 53, s.bin("VPXOR", size, x, sign))
	}
	small := s.bin("VPCMPEQQ", size, top, s.zero())
	return s.blendv("VBLENDVPD", size, small, x, folded)
}

// scalarToFloat converts a general register.
func (s *selector) scalarToFloat(c partOf, signed bool) vec {
	a := c.v.Args[0]
	if a.Type.Elem == vir.I64 && !signed {
		return s.u64ToFloat(c)
	}
	r := s.ext(a, signed)
	z, d := s.zero(), s.f.Vec(16)
	s.op(pick(c.bytes() == 8, "VCVTSI2SDQ", "VCVTSI2SSQ"), r, z.AsX(), d)
	return d
}

// u64ToFloat uses the vector form on one lane.
func (s *selector) u64ToFloat(c partOf) vec {
	x := s.f.Vec(16)
	s.op("VMOVQ", s.gp(c.v.Args[0]), x)
	f := s.i64ToF64
	if c.bytes() == 8 {
		return f(16, x, false)
	}
	return s.halveReg(f(16, s.sticky(16, x, false), false), 16, "VCVTPD2PS")
}
