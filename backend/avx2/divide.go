package avx2

import (
	"math/big"
	"math/bits"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Division by a constant is a multiplication by its reciprocal, rounded up far
// enough to be exact (Granlund and Montgomery; Warren, Hacker's Delight).

func divide(c partOf) vec {
	d, ok := c.divisor()
	if !ok {
		return c.quotient(c.reg(0), c.reg(1), c.v.Op == vir.OpSdiv)
	}
	x := c.reg(0)
	if c.v.Op == vir.OpUdiv {
		return c.udiv(x, d)
	}
	return c.sdiv(x, signExtend(d, c.bits()))
}

// remainder is x - x/d*d.
func remainder(c partOf) vec {
	s, x := c.s, c.reg(0)
	d, ok := c.divisor()
	if !ok {
		y := c.reg(1)
		p := c.quotient(x, y, c.v.Op == vir.OpSrem)
		if c.elem() == vir.I8 {
			p = s.mul8(c.size, p, y)
		} else {
			p = s.bin("VPMULL"+letter(c.elem()), c.size, p, y)
		}
		return s.bin("VPSUB"+letter(c.elem()), c.size, x, p)
	}
	var q vec
	if c.v.Op == vir.OpUrem {
		if d&(d-1) == 0 {
			return s.bin("VPAND", c.size, x, s.splat(c.bytes(), d-1))
		}
		q = c.udiv(x, d)
	} else {
		q = c.sdiv(x, signExtend(d, c.bits()))
	}
	return s.bin("VPSUB"+letter(c.elem()), c.size, x, c.times(q, d))
}

// divisor is the constant that all lanes are divided by, if they are.
func (c partOf) divisor() (d uint64, ok bool) {
	d, ok = c.constant(1)
	if ok && d == 0 || !ok && c.elem() == vir.I64 {
		c.s.fail(c.v, "vectors of %s are not divided by that", c.elem())
	}
	return d, ok
}

func signExtend(x uint64, width int) int64 { return int64(x<<(64-width)) >> (64 - width) }

// times multiplies by a constant.
func (c partOf) times(x vec, k uint64) vec {
	s := c.s
	k &= ^uint64(0) >> (64 - c.bits())
	if k != 0 && k&(k-1) == 0 {
		return s.shiftConst(vir.OpShl, c.bytes(), c.size, x, uint64(bits.TrailingZeros64(k)))
	}
	if steps := s.t.Additions(k, c.elem()); steps != nil {
		return c.added(x, steps)
	}
	switch c.elem() {
	case vir.I8:
		return s.mul8Splat(c.size, x, s.inReg(s.splat(1, k), c.size))
	case vir.I64:
		if s.t.EVEX {
			return s.evexBin("VPMULLQ", c.size, x, s.splat(8, k))
		}
		return s.mul64Const(c.size, x, k)
	}
	return s.bin("VPMULL"+letter(c.elem()), c.size, x, c.splat(c.bytes(), k))
}

// added multiplies x in steps.
func (c partOf) added(x vec, steps []target.Addition) vec {
	s, sum := c.s, x
	for _, step := range steps {
		if step.Shift == 1 { // there are more units for additions
			sum = s.bin("VPADD"+letter(c.elem()), c.size, sum, sum)
		} else {
			sum = s.shiftConst(vir.OpShl, c.bytes(), c.size, sum, uint64(step.Shift))
		}
		switch step.Sign {
		case 1:
			sum = s.bin("VPADD"+letter(c.elem()), c.size, sum, x)
		case -1:
			sum = s.bin("VPSUB"+letter(c.elem()), c.size, sum, x)
		}
	}
	return sum
}

func (c partOf) shr(op vir.Op, x vec, n int) vec {
	return c.s.shiftConst(op, c.bytes(), c.size, x, uint64(n))
}

// udiv divides by unsigned d.
func (c partOf) udiv(x vec, d uint64) vec {
	s := c.s
	if d&(d-1) == 0 {
		return c.shr(vir.OpLshr, x, bits.TrailingZeros64(d))
	}
	if c.elem() == vir.I8 {
		return c.udiv8(x, d)
	}
	m := unsignedMagic(c.bits(), d)
	if m.pre > 0 {
		x = c.shr(vir.OpLshr, x, m.pre)
	}
	q := s.mulHighConst(c.elem(), c.size, x, m.mul, false)
	if m.add {
		// q is of a multiplier with one bit more: add x without overflow.
		half := c.shr(vir.OpLshr, s.bin("VPSUB"+letter(c.elem()), c.size, x, q), 1)
		q = s.bin("VPADD"+letter(c.elem()), c.size, half, q)
	}
	return c.shr(vir.OpLshr, q, m.post)
}

// A magic is how to divide: (x>>pre * mul) >> width >> post, with the addition
// of x when the multiplier has a bit more than the width.
type magic struct {
	mul       uint64
	pre, post int
	add       bool
}

// unsignedMagic finds the multiplier for width bits. With e = mul*d - 2^(width+s),
// the quotient is exact for all x < 2^n when e <= 2^(width+s-n).
func unsignedMagic(width int, d uint64) magic {
	zeros := bits.TrailingZeros64(d)
	for _, pre := range []int{0, zeros} {
		div := new(big.Int).SetUint64(d >> pre)
		for s := 0; s <= bits.Len64(d); s++ {
			m, e := ceilDiv(width+s, div)
			if m.BitLen() <= width && e.Cmp(pow2(s+pre)) <= 0 {
				return magic{mul: m.Uint64(), pre: pre, post: s}
			}
		}
	}
	l := bits.Len64(d - 1)
	m, _ := ceilDiv(width+l, new(big.Int).SetUint64(d))
	m.Sub(m, pow2(width))
	return magic{mul: m.Uint64(), post: l - 1, add: true}
}

func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

// ceilDiv is m = ceil(2^n / d) and m*d - 2^n.
func ceilDiv(n int, d *big.Int) (m, e *big.Int) {
	p := pow2(n)
	m = new(big.Int).Add(p, new(big.Int).Sub(d, big.NewInt(1)))
	m.Quo(m, d)
	e = new(big.Int).Mul(m, d)
	return m, e.Sub(e, p)
}

// udiv8 divides bytes as words: 16 bits of reciprocal are exact for 8 bits.
func (c partOf) udiv8(x vec, d uint64) vec {
	s := c.s
	m := s.splat(2, 65535/d+1)
	even := s.bin("VPMULHUW", c.size, s.bin("VPAND", c.size, x, s.splat(2, 0xff)), m)
	odd := s.bin("VPMULHUW", c.size, s.imm("VPSRLW", c.size, 8, x), m)
	return s.bin("VPOR", c.size, even, s.imm("VPSLLW", c.size, 8, odd))
}

// sdiv divides by signed d, rounding towards zero.
func (c partOf) sdiv(x vec, d int64) vec {
	s := c.s
	abs := uint64(d)
	if d < 0 {
		abs = -abs
	}
	var q vec
	switch {
	case abs&(abs-1) == 0:
		q = c.sdivPow2(x, bits.TrailingZeros64(abs))
	case c.elem() == vir.I8:
		q = c.sdiv8(x, abs)
	default:
		mul, post := signedMagic(c.bits(), abs)
		q = s.mulHighConst(c.elem(), c.size, x, mul, true)
		if mul>>(c.bits()-1) != 0 {
			q = s.bin("VPADD"+letter(c.elem()), c.size, q, x)
		}
		q = c.shr(vir.OpAshr, q, post)
		q = s.bin("VPSUB"+letter(c.elem()), c.size, q, c.shr(vir.OpAshr, x, c.bits()-1))
	}
	if d < 0 {
		q = s.bin("VPSUB"+letter(c.elem()), c.size, s.zero(), q)
	}
	return q
}

// sdivPow2 adds 2^k-1 to negative numbers, so that the shift rounds to zero.
func (c partOf) sdivPow2(x vec, k int) vec {
	if k == 0 {
		return x
	}
	bias := c.shr(vir.OpLshr, c.shr(vir.OpAshr, x, c.bits()-1), c.bits()-k)
	return c.shr(vir.OpAshr, c.s.bin("VPADD"+letter(c.elem()), c.size, x, bias), k)
}

// sdiv8 divides bytes as words.
func (c partOf) sdiv8(x vec, abs uint64) vec {
	s := c.s
	quotient := func(y vec) vec {
		q := s.bin("VPMULHW", c.size, y, s.splat(2, 65536/abs+1))
		return s.bin("VPSUBW", c.size, q, s.imm("VPSRAW", c.size, 15, y))
	}
	even := quotient(s.imm("VPSRAW", c.size, 8, s.imm("VPSLLW", c.size, 8, x)))
	odd := quotient(s.imm("VPSRAW", c.size, 8, x))
	return s.joinBytes(c.size, even, s.imm("VPSLLW", c.size, 8, odd))
}

// signedMagic finds the smallest s for which mul = floor(2^(width+s)/d) + 1 is
// exact for |x| <= 2^(width-1).
func signedMagic(width int, d uint64) (mul uint64, s int) {
	div := new(big.Int).SetUint64(d)
	for s = 0; ; s++ {
		m, e := ceilDiv(width+s, div)
		// |x|*e < 2^(width+s) for all |x| <= 2^(width-1)
		if e.Cmp(pow2(s+1)) < 0 {
			return m.Uint64(), s
		}
	}
}

// mulHighConst is the high half of the product with a constant.
func (s *selector) mulHighConst(e vir.Elem, size int, x vec, k uint64, signed bool) vec {
	switch e {
	case vir.I16:
		return s.bin(pick(signed, "VPMULHW", "VPMULHUW"), size, x, s.splat(2, k))
	case vir.I32:
		name, m := pick(signed, "VPMULDQ", "VPMULUDQ"), s.splat(4, k)
		return s.mulHigh32(name, size, x, m, m, nil)
	}
	q := s.mulHigh64(size, x, s.splat(8, k&0xffffffff), s.splat(8, k>>32), s.splat(8, 0xffffffff))
	if signed {
		// Unsigned products count a negative factor 2^64 too much.
		neg := s.bin("VPCMPGTQ", size, s.zero(), x)
		q = s.bin("VPSUBQ", size, q, s.bin("VPAND", size, neg, s.splat(8, k)))
		if k>>63 != 0 {
			q = s.bin("VPSUBQ", size, q, x)
		}
	}
	return q
}

func pick(cond bool, a, b string) string {
	if cond {
		return a
	}
	return b
}

// mulHigh32 joins the products that instruction name makes of even and odd lanes; odd is the other
// factor of these. Where nothing blends, upper keeps the upper half of 64 bits.
func (s *selector) mulHigh32(name string, size int, x vec, even, odd, upper operand.Op) vec {
	low := s.imm("VPSRLQ", size, 32, s.bin(name, size, x, even))
	high := s.bin(name, size, s.imm("VPSRLQ", size, 32, x), odd)
	if upper != nil {
		return s.bin("VPOR", size, low, s.bin("VPAND", size, high, upper))
	}
	return s.imm2("VPBLENDD", size, 0xaa, low, high)
}

// mulHigh64 adds up four 32-bit products, of x and the halves of the other factor. lower keeps
// the lower half of 64 bits.
func (s *selector) mulHigh64(size int, x vec, low, high, lower operand.Op) vec {
	xh := s.imm("VPSRLQ", size, 32, x)
	ll, lh := s.bin("VPMULUDQ", size, x, low), s.bin("VPMULUDQ", size, x, high)
	hl, hh := s.bin("VPMULUDQ", size, xh, low), s.bin("VPMULUDQ", size, xh, high)
	t := s.bin("VPADDQ", size, lh, s.imm("VPSRLQ", size, 32, ll))
	u := s.bin("VPADDQ", size, hl, s.bin("VPAND", size, t, lower))
	sum := s.bin("VPADDQ", size, hh, s.imm("VPSRLQ", size, 32, t))
	return s.bin("VPADDQ", size, sum, s.imm("VPSRLQ", size, 32, u))
}

// mulHigh is the high half of an unsigned product.
func mulHigh(c partOf) vec {
	s, x, y := c.s, c.reg(0), c.reg(1)
	if c.elem() == vir.I8 {
		return s.mulHigh8(c.size, x, y)
	}
	high := y
	if c.elem() == vir.I64 || c.v.Args[1].Op != vir.OpBroadcast {
		high = s.immOf(c.v.Args[1], "VPSRLQ", c.size, 32, y)
	}
	var upper operand.Op
	switch {
	case c.elem() == vir.I64:
		return s.mulHigh64(c.size, x, y, high, c.splat(8, 0xffffffff))
	case c.size == zmmBytes:
		upper = c.splat(8, 0xffffffff<<32)
	}
	return s.mulHigh32("VPMULUDQ", c.size, x, y, high, upper)
}

// mulHigh8 multiplies even and odd bytes as words.
func (s *selector) mulHigh8(size int, x, y vec) vec {
	low := s.splat(2, 0xff)
	even := s.bin("VPMULLW", size, s.bin("VPAND", size, x, low), s.bin("VPAND", size, y, low))
	odd := s.bin("VPMULLW", size, s.imm("VPSRLW", size, 8, x), s.imm("VPSRLW", size, 8, y))
	return s.bin("VPOR", size, s.imm("VPSRLW", size, 8, even), s.bin("VPAND", size, odd, s.splat(2, 0xff00)))
}
