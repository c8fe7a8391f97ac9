package avx2

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// mul multiplies where one instruction does not do: by a power of two, bytes,
// and 64 bits.
func mul(c partOf) vec {
	s := c.s
	if c.elem() == vir.I8 {
		switch {
		case isSplat(c.v.Args[1]):
			return s.mul8Splat(c.size, c.reg(0), c.reg(1))
		case isSplat(c.v.Args[0]):
			return s.mul8Splat(c.size, c.reg(1), c.reg(0))
		}
		return s.mul8(c.size, c.reg(0), c.reg(1))
	}
	x, y := c.v.Args[0], c.v.Args[1]
	if _, ok := splatBits(x); ok {
		x, y = y, x
	}
	if k, ok := splatBits(y); ok {
		return s.mul64Const(c.size, s.part(x, c.p), k)
	}
	if x.Op == vir.OpBroadcast {
		x, y = y, x
	}
	return s.mul64(c.size, c.of(x), c.of(y), y)
}

// mul8 multiplies even and odd bytes as words.
//
//	even: low byte of x*y          odd: (x & 0xff00) * (y>>8)
func (s *selector) mul8(size int, x, y vec) vec {
	return s.mulBytes(size, x, y, s.imm("VPSRLW", size, 8, y))
}

// mul8Splat is mul8 for a y with the same byte everywhere: of y as a factor of
// odd bytes only the low one counts.
func (s *selector) mul8Splat(size int, x, y vec) vec { return s.mulBytes(size, x, y, y) }

func (s *selector) mulBytes(size int, x, yEven, yOdd vec) vec {
	even := s.bin("VPMULLW", size, x, yEven)
	high := s.bin("VPAND", size, x, s.splat(2, 0xff00))
	return s.joinBytes(size, even, s.bin("VPMULLW", size, high, yOdd))
}

// isSplat holds for vectors whose lanes are equal.
func isSplat(v *vir.Value) bool {
	_, ok := splatBits(v)
	return ok || v.Op == vir.OpBroadcast
}

// joinBytes takes even bytes from even; odd must have zeros there.
func (s *selector) joinBytes(size int, even, odd vec) vec {
	low := s.bin("VPAND", size, even, s.splat(2, 0xff))
	return s.bin("VPOR", size, low, odd)
}

// mul64 adds the three 32-bit products that reach the low half; y holds of.
func (s *selector) mul64(size int, x, y vec, of *vir.Value) vec {
	cross := s.bin("VPMULLD", size, x, s.immOf(of, "VPSHUFD", size, 0xb1, y))
	sum := s.bin("VPADDD", size, cross, s.imm("VPSRLQ", size, 32, cross))
	low := s.bin("VPMULUDQ", size, x, y)
	return s.bin("VPADDQ", size, low, s.imm("VPSLLQ", size, 32, sum))
}

// mul64Const is mul64 with the halves of the constant swapped beforehand.
func (s *selector) mul64Const(size int, x vec, k uint64) vec {
	cross := s.bin("VPMULLD", size, x, s.splat(8, k<<32|k>>32))
	sum := s.bin("VPADDD", size, cross, s.imm("VPSRLQ", size, 32, cross))
	low := s.bin("VPMULUDQ", size, x, s.splat(8, k))
	return s.bin("VPADDQ", size, low, s.imm("VPSLLQ", size, 32, sum))
}

// shift is a shift by a constant, by one scalar for all lanes, or lane by lane.
func shift(c partOf) vec {
	s := c.s
	if n, ok := c.constant(1); ok {
		return s.shiftConst(c.v.Op, c.bytes(), c.size, c.reg(0), n)
	}
	if count := spread(c.v.Args[1]); count != nil && c.bytes() > 1 && !(c.v.Op == vir.OpAshr && c.bytes() == 8) {
		return s.shiftScalar(c, count)
	}
	return s.shiftLanes(c.v.Op, c.bytes(), c.size, c.reg(0), c.reg(1))
}

// spread is the broadcast that v is, or is a part of, nil if it is none.
func spread(v *vir.Value) *vir.Value {
	for v.Op == vir.OpSubvec {
		v = v.Args[0]
	}
	if v.Op != vir.OpBroadcast {
		return nil
	}
	return v
}

var shiftNames = map[vir.Op]string{vir.OpShl: "VPSLL", vir.OpLshr: "VPSRL", vir.OpAshr: "VPSRA"}

// shiftScalar takes the count, which all lanes of a broadcast have, from the low 64 bits of a register.
func (s *selector) shiftScalar(c partOf, count *vir.Value) vec {
	k := convKey{count.Args[0], 0, 0}
	n, ok := s.conv[k]
	switch {
	case ok:
	case count.Block == s.block:
		n = s.f.Vec(16)
		s.op("VMOVQ", s.ext(count.Args[0], false), n)
	default: // its number may be nowhere but in the lanes
		s.in32(func() { n = s.part(count, 0) })
		if c.bytes() < 8 {
			n = s.unOf(count, "VPMOVZX"+letter(c.elem())+"Q", 16, n)
		}
	}
	s.conv[k] = n
	d := s.f.Vec(c.size)
	s.op(shiftNames[c.v.Op]+letter(c.elem()), n.AsX(), sized(c.reg(0), c.size), sized(d, c.size))
	return d
}

// shiftConst shifts elements of the given bytes by a constant.
func (s *selector) shiftConst(op vir.Op, bytes, size int, x vec, n uint64) vec {
	width := uint64(8 * bytes)
	if n >= width {
		if op != vir.OpAshr {
			return s.zero()
		}
		n = width - 1
	}
	switch {
	case n == 0:
		return x
	case bytes == 1:
		return s.shiftBytes(op, size, x, n)
	case bytes == 8 && op == vir.OpAshr:
		return s.ashr64(size, x, int(n))
	}
	return s.imm(shiftNames[op]+map[int]string{2: "W", 4: "D", 8: "Q"}[bytes], size, int(n), x)
}

// shiftBytes shifts words and clears what came in from the neighbour.
func (s *selector) shiftBytes(op vir.Op, size int, x vec, n uint64) vec {
	switch op {
	case vir.OpShl:
		if n == 1 {
			return s.bin("VPADDB", size, x, x)
		}
		return s.bin("VPAND", size, s.imm("VPSLLW", size, int(n), x), s.splat(1, 0xff<<n))
	case vir.OpLshr:
		return s.bin("VPAND", size, s.imm("VPSRLW", size, int(n), x), s.splat(1, 0xff>>n))
	}
	if n == 7 {
		return s.bin("VPCMPGTB", size, s.zero(), x)
	}
	// Sign extension: (y ^ sign) - sign for y with the sign bit at 7-n.
	y := s.bin("VPAND", size, s.imm("VPSRLW", size, int(n), x), s.splat(1, 0xff>>n))
	sign := s.splat(1, 0x80>>n)
	return s.bin("VPSUBB", size, s.bin("VPXOR", size, y, sign), sign)
}

// ashr64 puts the high halves together from 32-bit arithmetic shifts and the
// low halves from a logical 64-bit shift.
func (s *selector) ashr64(size int, x vec, n int) vec {
	switch {
	case n == 63:
		return s.bin("VPCMPGTQ", size, s.zero(), x)
	case n < 32:
		high := s.imm("VPSRAD", size, n, x)
		low := s.imm("VPSRLQ", size, n, x)
		return s.imm2("VPBLENDD", size, 0xaa, low, high)
	}
	sign := s.imm("VPSRAD", size, 31, x)
	low := s.imm("VPSHUFD", size, 0xf5, x)
	if n > 32 {
		low = s.imm("VPSRAD", size, n-32, low)
	}
	return s.imm2("VPBLENDD", size, 0xaa, low, sign)
}

// shiftLanes shifts lane by lane.
func (s *selector) shiftLanes(op vir.Op, bytes, size int, x, n vec) vec {
	switch bytes {
	case 1:
		return s.shiftLanes8(op, size, x, n)
	case 2:
		return s.shiftLanes16(op, size, x, n)
	case 8:
		if op == vir.OpAshr {
			// Of a negative number shift the complement.
			sign := s.bin("VPCMPGTQ", size, s.zero(), x)
			y := s.bin("VPSRLVQ", size, s.bin("VPXOR", size, x, sign), n)
			return s.bin("VPXOR", size, y, sign)
		}
	}
	return s.bin(shiftNames[op]+"V"+map[int]string{4: "D", 8: "Q"}[bytes], size, x, n)
}

// shiftLanes16 shifts even and odd words within 32 bits.
func (s *selector) shiftLanes16(op vir.Op, size int, x, n vec) vec {
	name := shiftNames[op] + "VD"
	nEven := s.imm2("VPBLENDW", size, 0xaa, n, s.zero())
	nOdd := s.imm("VPSRLD", size, 16, n)
	var even, odd vec
	switch op {
	case vir.OpShl:
		even = s.bin(name, size, x, nEven)
		odd = s.bin(name, size, s.imm2("VPBLENDW", size, 0x55, x, s.zero()), nOdd)
	case vir.OpLshr:
		even = s.bin(name, size, s.imm2("VPBLENDW", size, 0xaa, x, s.zero()), nEven)
		odd = s.bin(name, size, x, nOdd)
	default:
		even = s.bin(name, size, s.imm("VPSLLD", size, 16, x), nEven)
		even = s.imm("VPSRLD", size, 16, even)
		odd = s.bin(name, size, x, nOdd)
	}
	return s.imm2("VPBLENDW", size, 0xaa, even, odd)
}

// shiftLanes8 multiplies by powers of two from a table: shifts left are byte
// products, shifts right are high halves of word products of the byte in the
// high half. Counts are clamped so that the table gives 0, or copies of the
// sign.
func (s *selector) shiftLanes8(op vir.Op, size int, x, n vec) vec {
	if op == vir.OpShl {
		return s.mul8(size, x, s.lookup(size, s.bin("VPMINUB", size, n, s.splat(1, 15)),
			1, 2, 4, 8, 16, 32, 64, 128))
	}
	name, most := "VPMULHUW", uint64(15)
	if op == vir.OpAshr {
		name, most = "VPMULHW", 7
	}
	half := s.lookup(size, s.bin("VPMINUB", size, n, s.splat(1, most)), 128, 64, 32, 16, 8, 4, 2, 1)
	twice := func(m vec) vec { return s.bin("VPADDW", size, m, m) }
	mEven := twice(s.bin("VPAND", size, half, s.splat(2, 0xff)))
	mOdd := twice(s.imm("VPSRLW", size, 8, half))
	even := s.bin(name, size, s.imm("VPSLLW", size, 8, x), mEven)
	odd := s.bin(name, size, s.bin("VPAND", size, x, s.splat(2, 0xff00)), mOdd)
	return s.joinBytes(size, even, s.imm("VPSLLW", size, 8, odd))
}

// lookup replaces bytes 0 to 15 by the entries of a table, filled up with zeros.
func (s *selector) lookup(size int, index operand.Op, table ...uint64) vec {
	lanes := make([]uint64, 16)
	copy(lanes, table)
	t := s.inReg(s.konst(listEntry(1, lanes)), regBytes)
	return s.bin("VPSHUFB", size, t, index)
}

// rotate joins two shifts whose counts add up to the width.
func rotate(c partOf) vec {
	s, width := c.s, uint64(c.bits())
	x := c.reg(0)
	if n, ok := c.constant(1); ok {
		return c.rotated(x, n%width)
	}
	mask := s.splat(c.bytes(), width-1)
	n := s.bin("VPAND", c.size, c.reg(1), mask)
	// At count 0 both shifts must give x.
	back := s.bin("VPAND", c.size, s.bin("VPSUB"+letter(c.elem()), c.size, s.zero(), n), mask)
	left := s.shiftLanes(vir.OpShl, c.bytes(), c.size, x, n)
	return s.bin("VPOR", c.size, left, s.shiftLanes(vir.OpLshr, c.bytes(), c.size, x, back))
}

// rotated rotates left by n, which is below the width.
func (c partOf) rotated(x vec, n uint64) vec {
	s, width := c.s, uint64(c.bits())
	if n == 0 {
		return x
	}
	if s.t.EVEX && c.bytes() >= 4 {
		return s.evexImm("VPROL"+letter(c.elem()), c.size, int(n), x)
	}
	if n%8 == 0 {
		return s.bin("VPSHUFB", c.size, x, s.konst(rotatedBytes(c.bytes(), int(n/8))))
	}
	left := s.shiftConst(vir.OpShl, c.bytes(), c.size, x, n)
	return s.bin("VPOR", c.size, left, s.shiftConst(vir.OpLshr, c.bytes(), c.size, x, width-n))
}

// rotationOf recognizes a rotation to the left by n spelled as two shifts that nobody
// else reads: x<<n | x>>(width-n), or their sum or difference of bits.
func (s *selector) rotationOf(v *vir.Value) (x *vir.Value, n uint64, ok bool) {
	if v.Op != vir.OpOr && v.Op != vir.OpXor && v.Op != vir.OpAdd || !v.Type.Elem.IsInt() {
		return nil, 0, false
	}
	left, right := v.Args[0], v.Args[1]
	if left.Op == vir.OpLshr {
		left, right = right, left
	}
	if left.Op != vir.OpShl || right.Op != vir.OpLshr || left.Args[0] != right.Args[0] || !s.unread(left) || !s.unread(right) {
		return nil, 0, false
	}
	n, okL := splatBits(left.Args[1])
	m, okR := splatBits(right.Args[1])
	x = left.Args[0]
	return x, n, okL && okR && n > 0 && m > 0 && n+m == uint64(v.Type.Elem.Bits())
}

// unread holds for values of this block with one reader that are not made yet.
func (s *selector) unread(v *vir.Value) bool {
	return v.Block == s.block && len(s.a.uses[v]) == 1 && !s.isMade(v)
}

func (s *selector) isMade(v *vir.Value) bool {
	return s.vecs[v] != nil || s.gps[v] != nil || s.zmms[v] != nil
}

// rotatedBytes is the order of bytes that rotates elements of the given size left
// by n bytes.
func rotatedBytes(size, n int) entry {
	lanes := make([]uint64, 16)
	for i := range lanes {
		lanes[i] = uint64(i/size*size + (i+size-n)%size)
	}
	return listEntry(1, lanes)
}
