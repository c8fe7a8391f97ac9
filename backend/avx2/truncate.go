package avx2

import (
	"math"

	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Floats become integers by truncation. What is out of range becomes what gc makes of it: see
// vir/README.md.

// floatToInt truncates. Signed 32-bit results are one instruction, which gives the
// smallest integer for what is out of range, as gc does; narrower ones are cut from that.
func floatToInt(c partOf) vec {
	s, a := c.s, c.v.Args[0]
	signed := c.v.Op == vir.OpFtosi
	switch {
	case c.bytes() == 8:
		return s.toInt64(c.doubled(), c.size, signed)
	case c.bytes() == 4 && !signed:
		return s.toUint32(c)
	case c.bytes() == 4 && a.Type.Elem == vir.F32:
		return s.un("VCVTTPS2DQ", c.size, c.mem(0))
	case c.bytes() == 4:
		return s.halve(a, c.first(), c.lanes(), "VCVTTPD2DQ")
	}
	per := min(c.lanes(), partLanes(a.Type))
	var rs []vec
	for l := c.first(); l < c.first()+c.lanes(); l += per {
		x := s.lanes(a, l, per)
		size := registerSize(per * a.Type.Elem.Size())
		if a.Type.Elem == vir.F32 {
			rs = append(rs, s.un("VCVTTPS2DQ", size, x))
		} else {
			rs = append(rs, s.halveReg(x, size, "VCVTTPD2DQ"))
		}
	}
	if a.Type.Elem == vir.F64 && len(rs) > 1 {
		rs, per = s.joinPairs(rs, per)
	}
	return s.narrow(rs, per, 4, c.bytes(), cutFirst)
}

// joinPairs makes full registers of half ones with n lanes each.
func (s *selector) joinPairs(rs []vec, n int) ([]vec, int) {
	var out []vec
	for i := 0; i < len(rs); i += 2 {
		out = append(out, s.join(rs[i], rs[i+1]))
	}
	return out, 2 * n
}

// doubled is the operand in lanes of 8 bytes, as many as the result has.
func (c partOf) doubled() vec {
	if c.v.Args[0].Type.Elem == vir.F64 {
		return c.reg(0)
	}
	return c.s.float64s(c.source(0, c.fills()), c.size)
}

// A split is an integer of up to 64 bits as two floats, hi*2^32 + lo with 0 <= lo < 2^32,
// in the fractions of others: the low 32 bits of low are lo, those of high are hi modulo 2^32.
type split struct{ low, high vec }

// split truncates f64 lanes below 2^83 in magnitude. Every step is exact.
func (s *selector) split(x vec, size int) split {
	const floor, trunc = 9, 11 // rounding modes, without exceptions
	lo := s.imm("VROUNDPD", size, trunc, x)
	hi := s.imm("VROUNDPD", size, floor, s.bin("VMULPD", size, lo, s.splatF64(0x1p-32)))
	s.op("VFNMADD231PD", at(s.splatF64(0x1p32), size), sized(hi, size), sized(lo, size))
	return split{
		low:  s.bin("VADDPD", size, lo, s.splatF64(0x1p52)),
		high: s.bin("VADDPD", size, hi, s.splatF64(0x1.8p52)),
	}
}

func (s *selector) splatF64(x float64) operand.Op { return s.splat(8, math.Float64bits(x)) }

// toInt64 truncates f64 lanes to 64 bits. All that is out of range gives 1<<63.
func (s *selector) toInt64(x vec, size int, signed bool) vec {
	h := s.split(x, size)
	r := s.imm2("VPBLENDD", size, 0xaa, h.low, s.imm("VPSLLQ", size, 32, h.high))
	ok := s.below63(x, size)
	if !signed { // from -2^63 on, and below 2^64
		least := s.imm2("VCMPPD", size, cmpLe, s.inReg(s.splatF64(-0x1p63), size), x)
		ok = s.bin("VANDPD", size, least, s.imm2("VCMPPD", size, cmpLt, x, s.splatF64(0x1p64)))
	}
	return s.blendv("VBLENDVPD", size, ok, r, s.inReg(s.splat(8, 1<<63), size))
}

// below63 is the lanes below 2^63 in magnitude. That of -2^63 itself makes no difference, nor
// do fractions, which numbers of that size have none of.
func (s *selector) below63(x vec, size int) vec {
	return s.imm2("VCMPPD", size, cmpLt, s.bin("VANDPD", size, x, s.splat(8, 1<<63-1)), s.splatF64(0x1p63))
}

// toUint32 truncates to 64 bits and keeps the low half, which is 0 for what is out of range.
func (s *selector) toUint32(c partOf) vec {
	a := c.v.Args[0]
	per := min(c.lanes(), 4)
	size := registerSize(per * 8)
	var rs []vec
	for l := c.first(); l < c.first()+c.lanes(); l += per {
		x := s.lanes(a, l, per)
		if a.Type.Elem == vir.F32 {
			x = s.float64s(x, size)
		}
		h := s.split(x, size)
		rs = append(rs, s.bin("VANDPD", size, h.low, s.below63(x, size)))
	}
	return s.narrow(rs, per, 8, 4, cutFirst)
}

func (s *selector) scalarFtoi(v *vir.Value) gpr {
	a := v.Args[0]
	return s.truncate(s.part(a, 0), a.Type.Elem, v.Type.Elem, v.Op == vir.OpFtosi)
}

// truncate converts the lowest lane of x.
func (s *selector) truncate(x vec, from, to vir.Elem, signed bool) gpr {
	name := pick(from == vir.F32, "VCVTTSS2S", "VCVTTSD2S")
	d := s.f.GP()
	switch {
	case to.Size() < 4, to == vir.I32 && signed:
		s.op(name+"I", x.AsX(), d.As32())
		return d
	case to == vir.I32, signed:
		s.op(name+"IQ", x.AsX(), d)
		return d
	}
	return s.truncateU64(x, from, name+"IQ")
}

// truncateU64 converts x and x-2^63. Where the first is out of range, its sign
// bit lets the second through.
func (s *selector) truncateU64(x vec, from vir.Elem, name string) gpr {
	low, high, sign := s.f.GP(), s.f.GP(), s.f.GP()
	two63, sub := splatEntry(8, 0x43e0000000000000), "VSUBSD"
	if from == vir.F32 {
		two63, sub = splatEntry(4, 0x5f000000), "VSUBSS"
	}
	s.op(name, x.AsX(), low)
	s.op(name, s.bin(sub, 16, x, s.konst(two63)), high)
	s.op("MOVQ", low, sign)
	s.op("SARQ", operand.U8(63), sign)
	s.op("ANDQ", high, sign)
	s.op("ORQ", low, sign)
	return sign
}
