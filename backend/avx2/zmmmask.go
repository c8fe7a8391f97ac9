package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Masks of values in 64 bytes are comparisons, and functions of these, in mask registers: K1, where
// all who read a mask find it, and above it those that it is computed from. They are computed for
// each reader that does not find them there any more.

// zmmMaskOp reports whether v is a mask that comparisons of lanes of 64 bytes give.
func zmmMaskOp(v *vir.Value) bool {
	nodes := 12 // each reader may compute all of them
	return (isCompare(v) || isMaskLogic(v)) && isSmall(v, &nodes) && zmmMaskWidth(v) > 0 && maskHeight(v) <= len(maskRegisters)-len(keptMasks)
}

// isSmall reports whether mask v takes no more operations than are left, those that occur twice
// counted twice.
func isSmall(v *vir.Value, left *int) bool {
	*left--
	if *left < 0 || !isMaskLogic(v) || areNumbers(v) {
		return *left >= 0
	}
	return !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !isSmall(a, left) })
}

// isMaskLogic reports whether v is a function of masks.
func isMaskLogic(v *vir.Value) bool {
	return v.Type.IsMask() && (v.Op == vir.OpAnd || v.Op == vir.OpOr || v.Op == vir.OpXor || v.Op == vir.OpNot)
}

// isCompare reports whether v compares lanes.
func isCompare(v *vir.Value) bool {
	return vir.OpIcmpEq <= v.Op && v.Op <= vir.OpFcmpLe && v.Type.IsMask() && !v.Args[0].Type.IsMask()
}

// areNumbers reports whether v is one comparison of two values with each other, for neither of them being a NaN
// or, as an or, for one of them being one.
//
//	and(fcmp.eq(x, x), fcmp.eq(y, y))
//	or(fcmp.ne(x, x), fcmp.ne(y, y))
func areNumbers(v *vir.Value) bool {
	op := map[vir.Op]vir.Op{vir.OpAnd: vir.OpFcmpEq, vir.OpOr: vir.OpFcmpNe}[v.Op]
	return op != vir.OpInvalid && isMaskLogic(v) && !slices.ContainsFunc(v.Args, func(m *vir.Value) bool {
		return m.Op != op || m.Args[0] != m.Args[1] || m.Args[0].Type != v.Args[0].Args[0].Type
	})
}

// isOneCompare reports whether mask v takes one comparison.
func isOneCompare(v *vir.Value) bool { return isCompare(v) || areNumbers(v) }

// zmmMaskWidth is the size of the elements that mask v is about, 0 if it is about several sizes
// or not about full parts of 64 bytes.
func zmmMaskWidth(v *vir.Value) int {
	if isCompare(v) {
		t := v.Args[0].Type
		if t.Elem == vir.Ptr || t.Size()%zmmBytes != 0 {
			return 0
		}
		return t.Elem.Size()
	}
	if !isMaskLogic(v) {
		return 0
	}
	w := zmmMaskWidth(v.Args[0])
	if slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return zmmMaskWidth(a) != w }) {
		return 0
	}
	return w
}

// maskHeight is the number of mask registers that v is computed with.
func maskHeight(v *vir.Value) int {
	switch {
	case isOneCompare(v):
		return 1
	case v.Op == vir.OpNot:
		return maskHeight(v.Args[0])
	}
	return max(maskHeight(v.Args[0]), 1+maskHeight(v.Args[1]))
}

// zmmReadsMask reports whether u has a use of mask m that K1 will do for.
func zmmReadsMask(u, m *vir.Value) bool {
	if u.Block != m.Block || u.Op.IsStore() && u.Stored() == m {
		return false
	}
	width := 0
	switch {
	case u.Type.IsMask():
		return true // looked at as a mask itself
	case u.Op == vir.OpBlend || isMaskExt(u):
		width = u.Type.Elem.Size()
	case u.Masked && u.Mask() == m:
		width = u.Access().Elem.Size()
	}
	return width == zmmMaskWidth(m)
}

// zmmMask is part p of m in the mask register that is returned. What belongs to its readers is
// to be in registers before.
func (s *selector) zmmMask(m *vir.Value, p int) reg.Register {
	s.zmmCompared(m, p)
	if !s.inMaskRegister(m, p) {
		s.computeMask(m, p, 0, false)
		s.inK1 = heldMask{at: s.cur, compared: m, first: p, elem: zmmBytes}
	}
	return reg.K1
}

// inMaskRegister reports whether K1 holds part p of m.
func (s *selector) inMaskRegister(m *vir.Value, p int) bool {
	return s.inK1 == heldMask{at: s.cur, compared: m, first: p, elem: zmmBytes}
}

// zmmCompared makes what m compares, before any mask register is written.
func (s *selector) zmmCompared(m *vir.Value, p int) {
	if areNumbers(m) {
		s.zmmPart(m.Args[0].Args[0], p)
		s.zmmPart(m.Args[1].Args[0], p)
		return
	}
	if !isCompare(m) {
		for _, a := range m.Args {
			s.zmmCompared(a, p)
		}
		return
	}
	inMemory := s.memoryOperand(m)
	for k, a := range m.Args {
		if k != inMemory {
			s.zmmPart(a, p)
		}
	}
}

// maskRegisters are those that masks are computed in. K2 is taken by others in between.
var maskRegisters = []reg.Register{reg.K1, reg.K3, reg.K4, reg.K5, reg.K6, reg.K7}

// computeMask is part p of m, or of its complement, in mask register number k.
func (s *selector) computeMask(m *vir.Value, p, k int, complement bool) {
	s.computeMaskTo(m, p, k, complement, maskRegisters[k])
}

// computeMaskTo is computeMask with another register for the result.
func (s *selector) computeMaskTo(m *vir.Value, p, k int, complement bool, to reg.Register) {
	from := maskRegisters[k]
	switch {
	case areNumbers(m):
		s.compareZMM(m, p, complement, to)
	case m.Op == vir.OpNot:
		s.computeMaskTo(m.Args[0], p, k, !complement, to)
	case isMaskLogic(m):
		op := m.Op
		s.computeMask(m.Args[0], p, k, complement)
		if and := op == vir.OpAnd && !complement || op == vir.OpOr && complement; and && isOneCompare(m.Args[1]) {
			s.compareZMM(m.Args[1], p, complement, from, to)
			return
		} else if op != vir.OpXor {
			op = map[bool]vir.Op{true: vir.OpAnd, false: vir.OpOr}[and]
		}
		s.computeMask(m.Args[1], p, k+1, complement && op != vir.OpXor)
		s.evex(map[vir.Op]string{vir.OpAnd: "KANDQ", vir.OpOr: "KORQ", vir.OpXor: "KXORQ"}[op], maskRegisters[k+1], from, to)
	default:
		if to != reg.K1 || complement || !s.inMaskRegister(m, p) {
			s.compareZMM(m, p, complement, to)
		}
	}
}

// compareZMM is part p of comparison m, or of its complement, in the last of the mask registers,
// where those before hold.
func (s *selector) compareZMM(m *vir.Value, p int, complement bool, ks ...operand.Op) {
	if areNumbers(m) {
		predicate := cmpUnord
		if (m.Op == vir.OpAnd) != complement {
			predicate ^= 4
		}
		a, b := s.zmmPart(m.Args[0].Args[0], p), s.zmmPart(m.Args[1].Args[0], p)
		s.evex("VCMP"+precision(m.Args[0].Args[0].Type.Elem), append([]operand.Op{operand.U8(predicate), sized(b, zmmBytes), sized(a, zmmBytes)}, ks...)...)
		return
	}
	x, y := m.Args[0], m.Args[1]
	name, predicate := comparisonK(m)
	if complement {
		predicate ^= 4 // of integers and of floats, NaN included
	}
	inMemory := s.memoryOperand(m)
	if inMemory == 0 {
		x, y, predicate = y, x, swappedPredicate(m, predicate)
	}
	a := s.zmmPart(x, p)
	var b operand.Op = at(s.zmmPartOrMem(y, p), zmmBytes)
	if inMemory < 0 {
		b = sized(s.zmmPart(y, p), zmmBytes)
	}
	s.evex(name, append([]operand.Op{operand.U8(predicate), b, sized(a, zmmBytes)}, ks...)...)
}

// zmmChoice is a blend, as a minimum or an absolute value if it is one.
func zmmChoice(c partOf) vec {
	for _, idiom := range []func(partOf) (vec, bool){chosenByOrder, limitedTo, blendIdiom, nanChosen} {
		if r, ok := idiom(c); ok {
			return r
		}
	}
	return zmmBlend(c)
}

// zmmBlend is a choice by a mask register.
func zmmBlend(c partOf) vec {
	s, m, x, y := c.s, c.v.Args[0], c.v.Args[1], c.v.Args[2]
	move := maskedMove(c.bytes())
	if isZero(y) {
		a := c.of(x)
		k := s.zmmMask(m, c.p)
		d := s.f.Vec(c.size)
		s.evex(move+".Z", sized(a, c.size), k, sized(d, c.size))
		return d
	}
	b := c.of(y)
	a := c.memOf(x)
	k := s.zmmMask(m, c.p)
	d := s.f.Vec(c.size)
	name := "VPBLENDM" + letter(c.elem())
	if c.elem().IsFloat() {
		name = "VBLENDM" + precision(c.elem())
	}
	s.evex(name, at(a, c.size), sized(b, c.size), k, sized(d, c.size))
	return d
}

// zmmMaskExt is 1, or -1, where a mask holds.
func zmmMaskExt(c partOf) vec {
	s := c.s
	one := uint64(1)
	if c.v.Op == vir.OpSext {
		one = ^uint64(0)
	}
	x := s.zmmSplat(c.bytes(), one)
	k := s.zmmMask(c.v.Args[0], c.p)
	d := s.f.Vec(c.size)
	s.evex(maskedMove(c.bytes())+".Z", sized(x, c.size), k, sized(d, c.size))
	return d
}

// zmmAddMask adds to or subtracts from the lanes where a mask holds.
func zmmAddMask(c partOf) (vec, bool) {
	s := c.s
	x, ext, ok := c.addsMask()
	if !ok || !s.unread(ext) {
		return nil, false
	}
	name := pick((c.v.Op == vir.OpAdd) == (ext.Op == vir.OpZext), "VPADD", "VPSUB")
	one, a := s.zmmSplat(c.bytes(), 1), c.of(x)
	k := s.zmmMask(ext.Args[0], c.p)
	d := s.f.Vec(c.size)
	s.op("VMOVAPS", sized(a, c.size), sized(d, c.size))
	s.evex(name+letter(c.elem()), sized(one, c.size), sized(d, c.size), k, sized(d, c.size))
	return d, true
}

// zmmMaskedLoad is part p of a load under a mask; other lanes are 0.
func (s *selector) zmmMaskedLoad(v *vir.Value, p int, m operand.Mem) vec {
	k := s.zmmMask(v.Mask(), p)
	d := s.f.Vec(zmmBytes)
	s.evex(maskedMove(v.Type.Elem.Size())+".Z", m, k, d.AsZ())
	return d
}
