package avx2

import (
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// nibbles splits bytes into their low and high halves.
func (s *selector) nibbles(size int, x vec) (low, high vec) {
	mask := s.splat(1, 0x0f)
	low = s.bin("VPAND", size, x, mask)
	high = s.bin("VPAND", size, s.imm("VPSRLW", size, 4, x), mask)
	return low, high
}

// table16 is f of 0 to 15.
func table16(f func(n uint8) uint64) []uint64 {
	t := make([]uint64, 16)
	for i := range t {
		t[i] = f(uint8(i))
	}
	return t
}

// popcnt counts per nibble from a table and adds neighbours.
func popcnt(c partOf) vec { return c.s.popcount(c.elem(), c.size, c.reg(0)) }

func (s *selector) popcount(e vir.Elem, size int, x vec) vec {
	low, high := s.nibbles(size, x)
	count := table16(func(n uint8) uint64 { return uint64(bits.OnesCount8(n)) })
	bytes := s.bin("VPADDB", size, s.lookup(size, low, count...), s.lookup(size, high, count...))
	switch e {
	case vir.I16:
		return s.sumBytes(size, bytes)
	case vir.I32:
		return s.bin("VPMADDWD", size, s.sumBytes(size, bytes), s.splat(2, 1))
	case vir.I64:
		return s.bin("VPSADBW", size, bytes, s.zero())
	}
	return bytes
}

// sumBytes adds the two bytes of each word.
func (s *selector) sumBytes(size int, x vec) vec {
	return s.bin("VPMADDUBSW", size, x, s.splat(1, 1))
}

// ctz counts the ones below the lowest one: of ^x & (x-1).
func ctz(c partOf) vec {
	s, x := c.s, c.reg(0)
	minus1 := s.bin("VPADD"+letter(c.elem()), c.size, x, s.ones())
	return s.popcount(c.elem(), c.size, s.bin("VPANDN", c.size, x, minus1))
}

func clz(c partOf) vec {
	s, x := c.s, c.reg(0)
	switch c.elem() {
	case vir.I8:
		return s.clz8(c.size, x)
	case vir.I16:
		// The high byte counts, and the low one when the high one is 0.
		n := s.clz8(c.size, x)
		high := s.imm("VPSRLW", c.size, 8, n)
		empty := s.bin("VPCMPEQW", c.size, high, s.splat(2, 8))
		low := s.bin("VPAND", c.size, n, s.splat(2, 0xff))
		return s.bin("VPADDW", c.size, high, s.bin("VPAND", c.size, empty, low))
	case vir.I64:
		n := s.clz32(c.size, x)
		high := s.imm("VPSRLQ", c.size, 32, n)
		empty := s.bin("VPCMPEQQ", c.size, high, s.splat(8, 32))
		low := s.imm2("VPBLENDD", c.size, 0xaa, n, s.zero())
		return s.bin("VPADDQ", c.size, high, s.bin("VPAND", c.size, empty, low))
	}
	return s.clz32(c.size, x)
}

// clz8 takes the smaller of what both nibbles say; an empty nibble says 8.
func (s *selector) clz8(size int, x vec) vec {
	low, high := s.nibbles(size, x)
	highs := table16(func(n uint8) uint64 { return uint64(min(8, bits.LeadingZeros8(n<<4))) })
	lows := table16(func(n uint8) uint64 { return uint64(bits.LeadingZeros8(n)) })
	return s.bin("VPMINUB", size, s.lookup(size, high, highs...), s.lookup(size, low, lows...))
}

// clz32 reads the exponent of the number as a float. Clearing every bit below
// a one keeps the conversion from rounding up. The exponent e of x is 158-e
// zeros; saturation takes care of the sign bit (negative numbers have exponent
// fields from 256 on), and the minimum of 0, whose exponent is 0.
func (s *selector) clz32(size int, x vec) vec {
	y := s.bin("VPANDN", size, s.imm("VPSRLD", size, 1, x), x)
	e := s.imm("VPSRLD", size, 23, s.un("VCVTDQ2PS", size, y))
	n := s.bin("VPSUBUSW", size, s.inReg(s.splat(4, 158), size), e)
	return s.bin("VPMINSW", size, n, s.splat(4, 32))
}

// bitrev reverses the nibbles by table and the bytes by shuffle.
func bitrev(c partOf) vec {
	s, x := c.s, c.reg(0)
	if c.bytes() > 1 {
		x = s.swapBytes(c.size, c.bytes(), x)
	}
	low, high := s.nibbles(c.size, x)
	toHigh := table16(func(n uint8) uint64 { return uint64(bits.Reverse8(n)) })
	toLow := table16(func(n uint8) uint64 { return uint64(bits.Reverse8(n) >> 4) })
	return s.bin("VPOR", c.size, s.lookup(c.size, low, toHigh...), s.lookup(c.size, high, toLow...))
}

func bswap(c partOf) vec {
	if c.bytes() == 1 {
		return c.reg(0)
	}
	return c.s.swapBytes(c.size, c.bytes(), c.reg(0))
}

// swapBytes reverses the bytes of every element.
func (s *selector) swapBytes(size, elem int, x vec) vec {
	lanes := make([]uint64, 16)
	for i := range lanes {
		lanes[i] = uint64(i/elem*elem + elem - 1 - i%elem)
	}
	return s.bin("VPSHUFB", size, x, s.konst(listEntry(1, lanes)))
}
