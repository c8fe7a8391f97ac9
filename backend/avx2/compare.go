package avx2

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// Predicates of VCMPPS that raise no exception for quiet NaNs.
const (
	cmpEq    = 0x00
	cmpUnord = 0x03
	cmpNe    = 0x04
	cmpLt    = 0x11
	cmpLe    = 0x12
	cmpGe    = 0x1d
	cmpGt    = 0x1e
)

var (
	floatPred   = map[vir.Op]int{vir.OpFcmpEq: cmpEq, vir.OpFcmpNe: cmpNe, vir.OpFcmpLt: cmpLt, vir.OpFcmpLe: cmpLe}
	swappedPred = map[int]int{cmpEq: cmpEq, cmpNe: cmpNe, cmpLt: cmpGt, cmpLe: cmpGe}
)

// floatCompare is part p of a comparison of floats, with the operand in memory
// second.
func (s *selector) floatCompare(v *vir.Value, p, size int) vec {
	x, y, pred := v.Args[0], v.Args[1], floatPred[v.Op]
	if s.prefersMemory(x) && !s.prefersMemory(y) {
		x, y, pred = y, x, swappedPred[pred]
	}
	return s.imm2("VCMP"+precision(x.Type.Elem), size, pred, s.part(x, p), s.partOrMem(y, p))
}

// intCompare is part p of a comparison of integers, possibly complemented:
// there are instructions for equal and for signed greater only.
func (s *selector) intCompare(v *vir.Value, p, size int) (r vec, neg bool) {
	x, y := v.Args[0], v.Args[1]
	l := letter(x.Type.Elem)
	switch v.Op {
	case vir.OpIcmpEq, vir.OpIcmpNe:
		if s.prefersMemory(x) {
			x, y = y, x
		}
		return s.bin("VPCMPEQ"+l, size, s.part(x, p), s.partOrMem(y, p)), v.Op == vir.OpIcmpNe
	case vir.OpIcmpSlt:
		return s.bin("VPCMPGT"+l, size, s.part(y, p), s.partOrMem(x, p)), false
	case vir.OpIcmpSle:
		return s.bin("VPCMPGT"+l, size, s.part(x, p), s.partOrMem(y, p)), true
	}
	if x.Type.Elem == vir.I64 {
		return s.compareU64(v, p, size)
	}
	return s.compareUnsigned(v, p, size)
}

// compareUnsigned uses x <= y exactly when min(x, y) == x, or max(x, y) == y.
// With a constant c, x < c is x <= c-1, which saves the complement.
func (s *selector) compareUnsigned(v *vir.Value, p, size int) (r vec, neg bool) {
	x, y := v.Args[0], v.Args[1]
	e := x.Type.Elem
	l := letter(e)
	if v.Op == vir.OpIcmpUle {
		return s.atMost(x, y, p, size), false
	}
	if c, ok := splatBits(y); ok && c > 0 {
		return s.sameAfter("VPMAXU"+l, "VPMINU"+l, x, e, c-1, p, size), false
	}
	if c, ok := splatBits(x); ok && c < 1<<e.Bits()-1 {
		return s.sameAfter("VPMINU"+l, "VPMAXU"+l, y, e, c+1, p, size), false
	}
	return s.atMost(y, x, p, size), true
}

// atMost is x <= y, unsigned. What may stay in memory is not compared.
func (s *selector) atMost(x, y *vir.Value, p, size int) vec {
	l := letter(x.Type.Elem)
	if s.prefersMemory(x) && !s.prefersMemory(y) {
		b := s.part(y, p)
		return s.bin("VPCMPEQ"+l, size, s.bin("VPMAXU"+l, size, b, s.partOrMem(x, p)), b)
	}
	a := s.part(x, p)
	return s.bin("VPCMPEQ"+l, size, s.bin("VPMINU"+l, size, a, s.partOrMem(y, p)), a)
}

// sameAfter compares the constant k with its toK with x if k is in a register,
// so that x may be in memory, otherwise x with its toX with k.
func (s *selector) sameAfter(toK, toX string, x *vir.Value, e vir.Elem, k uint64, p, size int) vec {
	c := s.splat(e.Size(), k)
	if r, ok := c.(vec); ok {
		return s.bin("VPCMPEQ"+letter(e), size, s.bin(toK, size, r, s.partOrMem(x, p)), r)
	}
	a := s.part(x, p)
	return s.bin("VPCMPEQ"+letter(e), size, s.bin(toX, size, a, c), a)
}

// compareU64 flips the signs: unsigned order becomes signed order.
func (s *selector) compareU64(v *vir.Value, p, size int) (r vec, neg bool) {
	x, y := s.flipSign(v.Args[0], p, size), s.flipSign(v.Args[1], p, size)
	if v.Op == vir.OpIcmpUlt {
		return s.bin("VPCMPGTQ", size, y, x), false
	}
	return s.bin("VPCMPGTQ", size, x, y), true
}

// flipSign is part p of x with its sign bits flipped.
func (s *selector) flipSign(x *vir.Value, p, size int) vec {
	bit := uint64(1) << (x.Type.Elem.Bits() - 1)
	if c, ok := splatBits(x); ok {
		return s.inReg(s.splat(x.Type.Elem.Size(), c^bit), size)
	}
	flip := s.splat(x.Type.Elem.Size(), bit)
	if r, ok := flip.(vec); ok {
		return s.bin("VPXOR", size, r, s.partOrMem(x, p))
	}
	return s.bin("VPXOR", size, s.part(x, p), flip)
}

// minmax64 compares and chooses.
func minmax64(c partOf) vec {
	s, x, y := c.s, c.v.Args[0], c.v.Args[1]
	a, b := c.reg(0), c.reg(1)
	var greater vec
	if c.v.Op == vir.OpSmin || c.v.Op == vir.OpSmax {
		greater = s.bin("VPCMPGTQ", c.size, a, b)
	} else {
		greater = s.bin("VPCMPGTQ", c.size, s.flipSign(x, c.p, c.size), s.flipSign(y, c.p, c.size))
	}
	if c.v.Op == vir.OpSmin || c.v.Op == vir.OpUmin {
		a, b = b, a
	}
	return s.blendv("VBLENDVPD", c.size, greater, a, b)
}

// blendName is the blend that chooses by the sign of each element.
func blendName(e vir.Elem) string {
	switch e {
	case vir.F32:
		return "VBLENDVPS"
	case vir.F64:
		return "VBLENDVPD"
	}
	return "VPBLENDVB"
}

// blend chooses by a mask. Zeros on one side are an and, and the choice of the
// smaller or larger of the compared values is a minimum or maximum.
func blend(c partOf) vec {
	s, e := c.s, c.elem()
	if r, ok := chosenByOrder(c); ok {
		return r
	}
	if r, ok := limitedTo(c); ok {
		return r
	}
	if r, ok := blendIdiom(c); ok {
		return r
	}
	if r, ok := nanChosen(c); ok {
		return r
	}
	if r, ok := evexKept(c); ok {
		return r
	}
	if r, ok := constBlend(c); ok {
		return r
	}
	x, y := c.v.Args[1], c.v.Args[2]
	if isZero(y) && s.zeroWithout(x, c.v.Args[0]) {
		return s.part(x, c.p)
	}
	m, neg := s.maskPart(c.v.Args[0], e.Size(), c.p)
	if neg {
		x, y = y, x
	}
	if isZero(y) {
		return s.bin("VPAND", c.size, m, s.partOrMem(x, c.p))
	}
	if isZero(x) {
		return s.bin("VPANDN", c.size, m, s.partOrMem(y, c.p))
	}
	b := s.part(y, c.p)
	return s.choose(e, c.size, m, s.partOrMem(x, c.p), b)
}

func isZero(v *vir.Value) bool {
	c, ok := splatBits(v)
	return ok && c == 0
}

// chosenByOrder recognizes blend(a < b, ...) of a and b. VMAXPS and VMINPS give
// their second source on NaN and for equal zeros, just as the blend gives its
// third operand when a < b does not hold:
//
//	a < b ? b : a    max(b, a)
//	a < b ? a : b    min(a, b)
func chosenByOrder(c partOf) (vec, bool) {
	s, cmp, x, y := c.s, c.v.Args[0], c.v.Args[1], c.v.Args[2]
	for cmp.Op == vir.OpNot {
		cmp, x, y = cmp.Args[0], y, x
	}
	name, ok := orderNames[opElem{cmp.Op, c.elem()}]
	if !ok || cmp.Args[0].Type.Elem != c.elem() || cmp.Block != s.block {
		return nil, false
	}
	a, b := cmp.Args[0], cmp.Args[1]
	switch {
	case x == b && y == a:
		return s.bin(name.max, c.size, c.of(b), s.sharedOperand(c, a, cmp, c.v)), true
	case x == a && y == b:
		return s.bin(name.min, c.size, c.of(a), s.sharedOperand(c, b, cmp, c.v)), true
	}
	return nil, false
}

// limitedTo recognizes blend(a < b, ...) of one of a and b, a constant, and the
// other one with a constant limit at its other side, which the limit does not
// pass: whether the comparison looks at the limited value makes no difference.
//
//	hi < v ? hi : max(lo, v)    min(hi, max(lo, v))
//	v < lo ? lo : min(hi, v)    max(lo, min(hi, v))
func limitedTo(c partOf) (vec, bool) {
	s, cmp, x, y := c.s, c.v.Args[0], c.v.Args[1], c.v.Args[2]
	name, ok := orderNames[opElem{cmp.Op, c.elem()}]
	if !ok || cmp.Args[0].Type.Elem != c.elem() || y.Block != s.block {
		return nil, false
	}
	a, b := cmp.Args[0], cmp.Args[1]
	switch {
	case x == a && isLimit(cmp, y, b, a, true):
		return s.bin(name.min, c.size, c.of(a), c.of(y)), true
	case x == b && isLimit(cmp, y, a, b, false):
		return s.bin(name.max, c.size, c.of(b), c.of(y)), true
	}
	return nil, false
}

// isLimit reports whether y is v with a constant limit below that does not
// exceed k, or above that is not below k, compared as in cmp.
func isLimit(cmp, y, v, k *vir.Value, below bool) bool {
	if y.Op != vir.OpBlend || y.Args[2] != v {
		return false
	}
	inner, limit := y.Args[0], y.Args[1]
	if inner.Op != cmp.Op {
		return false
	}
	lo, hi := limit, k
	if below && (inner.Args[0] != v || inner.Args[1] != limit) {
		return false
	}
	if !below {
		if inner.Args[0] != limit || inner.Args[1] != v {
			return false
		}
		lo, hi = k, limit
	}
	return ordered(cmp, lo, hi)
}

// ordered reports whether constants are lo <= hi in the order of cmp.
func ordered(cmp, lo, hi *vir.Value) bool {
	a, okA := splatBits(lo)
	b, okB := splatBits(hi)
	if !okA || !okB {
		return false
	}
	switch w := 64 - lo.Type.Elem.Bits(); {
	case lo.Type.Elem == vir.F32:
		return math.Float32frombits(uint32(a)) <= math.Float32frombits(uint32(b))
	case lo.Type.Elem == vir.F64:
		return math.Float64frombits(a) <= math.Float64frombits(b)
	case cmp.Op == vir.OpIcmpSlt || cmp.Op == vir.OpIcmpSle:
		return int64(a<<w) <= int64(b<<w)
	default:
		return a<<w <= b<<w
	}
}

// sharedOperand is the part of x, in memory if x is a load that only the
// comparison and the blend read, of which the comparison is not emitted.
func (s *selector) sharedOperand(c partOf, x, cmp, blend *vir.Value) operand.Op {
	if len(s.a.uses[cmp]) != 1 {
		return c.memOf(x)
	}
	return s.soleOperand(c, x, cmp, blend)
}

// soleOperand is the part of x, in memory if x is a load that only readers read,
// all of which are done with this instruction.
func (s *selector) soleOperand(c partOf, x *vir.Value, readers ...*vir.Value) operand.Op {
	only := !s.a.leavesBlock(x) && x.Op == vir.OpLoadUnit && x.Block == s.block && !x.Masked
	for _, u := range s.a.uses[x] {
		only = only && slices.Contains(readers, u)
	}
	if parts, n := s.madeParts(x); only && partBytes(x.Type) >= 16 && s.loads[x] == c.p*n && (parts == nil || parts[c.p] == nil) {
		return s.loadMem(x, c.p*n, n)
	}
	return c.memOf(x)
}

var orderNames = func() map[opElem]struct{ min, max string } {
	m := map[opElem]struct{ min, max string }{
		{vir.OpFcmpLt, vir.F32}: {"VMINPS", "VMAXPS"},
		{vir.OpFcmpLt, vir.F64}: {"VMINPD", "VMAXPD"},
	}
	for _, e := range []vir.Elem{vir.I8, vir.I16, vir.I32} {
		for op, sign := range map[vir.Op]string{
			vir.OpIcmpSlt: "S", vir.OpIcmpSle: "S", vir.OpIcmpUlt: "U", vir.OpIcmpUle: "U",
		} {
			m[opElem{op, e}] = struct{ min, max string }{"VPMIN" + sign + letter(e), "VPMAX" + sign + letter(e)}
		}
	}
	return m
}()

// selectPart chooses a whole vector, or a scalar float, by a bool.
func selectPart(c partOf) vec {
	s, e, cond := c.s, c.elem(), c.v.Args[0]
	x, y := c.reg(1), c.reg(2)
	if c.v.Type.Lanes == 0 && cond.Op >= vir.OpFcmpEq && cond.Op <= vir.OpFcmpLe &&
		cond.Args[0].Type.Elem == e && cond.Block == s.block {
		m := s.floatCompare(cond, 0, 16)
		return s.choose(e, 16, m, x, y)
	}
	m := s.spread(s.gp(cond), c.size)
	return s.choose(e, c.size, m, x, y)
}

// addsMask splits a sum or difference into its other operand and a converted mask.
func (c partOf) addsMask() (x, ext *vir.Value, ok bool) {
	x, ext = c.v.Args[0], c.v.Args[1]
	if c.v.Op == vir.OpAdd && !isMaskExt(ext) {
		x, ext = ext, x
	}
	return x, ext, c.v.Type.IsVector() && isMaskExt(ext)
}

// addMask adds or subtracts a converted mask: its lanes are 0 and -1 already.
func addMask(c partOf) (vec, bool) {
	s := c.s
	x, ext, ok := c.addsMask()
	if !ok || ext.Block != s.block || len(s.a.uses[ext]) != 1 {
		return nil, false
	}
	if _, ok := s.asMinimum(ext); ok {
		return nil, false
	}
	a := s.part(x, c.p)
	m, neg := s.maskPart(ext.Args[0], c.bytes(), c.p)
	if neg {
		return nil, false
	}
	name := "VPADD"
	if (c.v.Op == vir.OpAdd) == (ext.Op == vir.OpZext) {
		name = "VPSUB"
	}
	return s.bin(name+letter(c.elem()), c.size, a, m), true
}

func isMaskExt(v *vir.Value) bool {
	return (v.Op == vir.OpZext || v.Op == vir.OpSext) && v.Args[0].Type.IsMask()
}
