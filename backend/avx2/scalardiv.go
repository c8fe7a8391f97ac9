package avx2

import (
	"math/bits"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Quotients of scalars by constants, as the Go compiler makes them: shifts, or the
// high half of a product with a reciprocal. Narrow numbers are extended to 64 bits
// first, of which a reciprocal of 64 bits is exact for all of them.

// divideByConst is the quotient or remainder if the divisor is a constant.
func (s *selector) divideByConst(v *vir.Value) (gpr, bool) {
	d, ok := v.Args[1].IsConst()
	if !ok || d == 0 {
		return nil, false
	}
	signed := v.Op == vir.OpSdiv || v.Op == vir.OpSrem
	x := s.ext(v.Args[0], signed)
	var q gpr
	if signed {
		d = uint64(signExtend(d, v.Type.Elem.Bits()))
		q = s.signedQuotient(x, int64(d), v.Type.Elem.Bits())
	} else {
		q = s.unsignedQuotient(x, d, v.Type.Elem.Bits())
	}
	if v.Op == vir.OpSdiv || v.Op == vir.OpUdiv {
		return q, true
	}
	if !signed && d&(d-1) == 0 && machine.IsImm32(int64(d-1)) {
		r := s.copyOf(x)
		s.op("ANDQ", machine.Imm(int64(d-1)), r)
		return r, true
	}
	r := s.copyOf(x)
	s.op("SUBQ", s.productWith(q, int64(d)), r)
	return r, true
}

// productWith is x*k for any k.
func (s *selector) productWith(x gpr, k int64) gpr {
	if machine.IsImm32(k) {
		return s.multiple(x, k)
	}
	d := s.f.GP()
	s.op("MOVQ", machine.Imm(k), d)
	s.op("IMULQ", x, d)
	return d
}

// shiftBy is x shifted by n, x itself for 0.
func (s *selector) shiftBy(name string, x gpr, n int) gpr {
	if n == 0 {
		return x
	}
	d := s.copyOf(x)
	s.op(name, operand.U8(n), d)
	return d
}

// highHalf is the high half of x*k.
func (s *selector) highHalf(name string, x gpr, k uint64) gpr {
	s.op("MOVQ", machine.Imm(int64(k)), reg.RAX)
	s.op(name, x)
	d := s.f.GP()
	s.op("MOVQ", reg.RDX, d)
	return d
}

func (s *selector) unsignedQuotient(x gpr, d uint64, width int) gpr {
	if d&(d-1) == 0 {
		return s.shiftBy("SHRQ", x, bits.TrailingZeros64(d))
	}
	if width < 64 {
		return s.highHalf("MULQ", x, ^uint64(0)/d+1)
	}
	m := unsignedMagic(64, d)
	x = s.shiftBy("SHRQ", x, m.pre)
	q := s.highHalf("MULQ", x, m.mul)
	if m.add {
		rest := s.copyOf(x)
		s.op("SUBQ", q, rest)
		s.op("SHRQ", operand.U8(1), rest)
		s.op("ADDQ", q, rest)
		q = rest
	}
	return s.shiftBy("SHRQ", q, m.post)
}

func (s *selector) signedQuotient(x gpr, d int64, width int) gpr {
	abs := uint64(d)
	if d < 0 {
		abs = -abs
	}
	var q gpr
	switch {
	case abs == 1:
		q = x
	case abs&(abs-1) == 0:
		k := bits.TrailingZeros64(abs)
		bias := s.shiftBy("SHRQ", s.shiftBy("SARQ", x, 63), 64-k)
		q = s.shiftBy("SARQ", s.lea(operand.Mem{Base: x, Index: bias, Scale: 1}), k)
	default:
		q = s.truncated(x, abs, width)
	}
	if d < 0 {
		n := s.copyOf(q)
		s.op("NEGQ", n)
		q = n
	}
	return q
}

// truncated is x divided by d, 3 at least and no power of two, rounded to zero: what
// is rounded down is 1 too small for negative numbers.
func (s *selector) truncated(x gpr, d uint64, width int) gpr {
	mul, post := ^uint64(0)/d+1, 0
	if width == 64 {
		mul, post = signedMagic(64, d)
	}
	q := s.highHalf("IMULQ", x, mul)
	if mul>>63 != 0 {
		q = s.lea(operand.Mem{Base: q, Index: x, Scale: 1})
	}
	r := s.copyOf(s.shiftBy("SARQ", q, post))
	s.op("SUBQ", s.shiftBy("SARQ", x, 63), r)
	return r
}
