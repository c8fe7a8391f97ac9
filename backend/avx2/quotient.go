package avx2

import "github.com/lanewise/lanewise/vir"

// Integers are divided by integers as floats with more than twice as many bits: the rounded
// quotient is off by less than what a quotient with a fraction is away from the next integer,
// so that cutting the fraction off gives the exact one. The smallest number divided by -1
// comes out as itself, as Go wants it. Lanes that divide by zero, which nobody looks at,
// trap nothing.
//
// Narrow numbers are divided where they stand, the upper ones of a pair and the lower ones:
// a factor that both numbers have does not change the quotient.

// quotient divides lanes of up to 32 bits.
func (c partOf) quotient(x, y vec, signed bool) vec {
	switch c.elem() {
	case vir.I8:
		return c.quotient8(x, y, signed)
	case vir.I16:
		return c.quotient16(x, y, signed)
	}
	if signed {
		return c.quotient32(x, y)
	}
	return c.quotientU32(x, y)
}

// quotient8 divides the two bytes of a word as words.
func (c partOf) quotient8(x, y vec, signed bool) vec {
	s := c.s
	even := func(r vec) vec { return s.bin("VPAND", c.size, r, s.splat(2, 0xff)) }
	odd := func(r vec) vec { return s.imm("VPSRLW", c.size, 8, r) }
	if signed {
		even = func(r vec) vec { return s.imm("VPSLLW", c.size, 8, r) }
		odd = func(r vec) vec { return s.bin("VPAND", c.size, r, s.splat(2, 0xff00)) }
	}
	low := c.quotient16(even(x), even(y), signed)
	high := c.quotient16(odd(x), odd(y), signed)
	return s.joinBytes(c.size, low, s.imm("VPSLLW", c.size, 8, high))
}

// quotient16 divides the two words of 32 bits as float32s.
func (c partOf) quotient16(x, y vec, signed bool) vec {
	s := c.s
	even := func(r vec) vec { return s.bin("VPAND", c.size, r, s.splat(4, 0xffff)) }
	odd := func(r vec) vec { return s.imm("VPSRLD", c.size, 16, r) }
	if signed {
		even = func(r vec) vec { return s.imm("VPSLLD", c.size, 16, r) }
		odd = func(r vec) vec { return s.bin("VPAND", c.size, r, s.splat(4, 0xffff0000)) }
	}
	divided := func(half func(vec) vec) vec {
		q := s.bin("VDIVPS", c.size, s.un("VCVTDQ2PS", c.size, half(x)), s.un("VCVTDQ2PS", c.size, half(y)))
		return s.un("VCVTTPS2DQ", c.size, q)
	}
	return s.imm2("VPBLENDW", c.size, 0xaa, divided(even), s.imm("VPSLLD", c.size, 16, divided(odd)))
}

// quotient32 divides both halves of a register as float64s.
func (c partOf) quotient32(x, y vec) vec {
	s := c.s
	divided := func(x, y vec) vec {
		size := registerSize(min(c.lanes(), 4) * 8)
		q := s.bin("VDIVPD", size, s.doubles(x, size), s.doubles(y, size))
		return s.halveReg(q, size, "VCVTTPD2DQ")
	}
	low := divided(x, y)
	if c.size == 16 {
		return low
	}
	return s.join(low, divided(s.upper(x), s.upper(y)))
}

// quotientU32 divides the two numbers of 64 bits as float64s, which they become as the
// fraction of 2^52, and stop being in the same way.
func (c partOf) quotientU32(x, y vec) vec {
	s := c.s
	magic := s.splat(8, 0x4330000000000000)
	double := func(r vec) vec {
		return s.bin("VSUBPD", c.size, s.imm2("VPBLENDD", c.size, 0xaa, r, magic), magic)
	}
	divided := func(x, y vec) vec {
		q := s.imm("VROUNDPD", c.size, 0x0b, s.bin("VDIVPD", c.size, double(x), double(y)))
		return s.bin("VADDPD", c.size, q, magic)
	}
	upper := func(r vec) vec { return s.imm("VPSRLQ", c.size, 32, r) }
	low, high := divided(x, y), divided(upper(x), upper(y))
	return s.imm2("VPBLENDD", c.size, 0xaa, low, s.imm("VPSLLQ", c.size, 32, high))
}
