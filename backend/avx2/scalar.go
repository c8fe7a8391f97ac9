package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// scalar emits a scalar integer, bool or pointer.
func (s *selector) scalar(v *vir.Value) gpr {
	if x, n, ok := s.rotationOf(v); ok {
		return s.rotatedScalar(s.gp(x), v.Type.Elem.Size(), n)
	}
	switch v.Op {
	case vir.OpAdd, vir.OpSub, vir.OpPtradd:
		return s.sum(v)
	case vir.OpMul:
		return s.product(v)
	case vir.OpAnd:
		if x := allButLowest(v); x != nil {
			d := s.f.GP()
			s.op("BLSRQ", s.gp(x), d)
			return d
		}
		return s.twoAddress("ANDQ", v)
	case vir.OpOr:
		return s.twoAddress("ORQ", v)
	case vir.OpXor:
		return s.twoAddress("XORQ", v)
	case vir.OpNot:
		d := s.copyOf(s.gp(v.Args[0]))
		if v.Type.Elem == vir.Bool {
			s.op("XORL", machine.Imm(1), d.As32())
		} else {
			s.op("NOTQ", d)
		}
		return d
	case vir.OpNeg:
		d := s.copyOf(s.gp(v.Args[0]))
		s.op("NEGQ", d)
		return d
	case vir.OpUmulh:
		return s.scalarMulHigh(v)
	case vir.OpShl, vir.OpLshr, vir.OpAshr:
		return s.scalarShift(v)
	case vir.OpRotl:
		return s.scalarRotate(v)
	case vir.OpSdiv, vir.OpUdiv, vir.OpSrem, vir.OpUrem:
		return s.scalarDivide(v)
	case vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax:
		return s.scalarMinMax(v)
	case vir.OpClz, vir.OpCtz, vir.OpPopcnt, vir.OpBswap:
		return s.scalarBits(v)
	case vir.OpBitrev:
		return s.throughVector(v)
	case vir.OpIcmpEq, vir.OpIcmpNe, vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle,
		vir.OpFcmpLt, vir.OpFcmpLe, vir.OpAny, vir.OpAll:
		return s.setcc(v)
	case vir.OpFcmpEq, vir.OpFcmpNe:
		return s.floatEqual(v)
	case vir.OpSelect:
		return s.selectScalar(v)
	case vir.OpTrunc:
		return s.gp(v.Args[0])
	case vir.OpZext:
		return s.ext(v.Args[0], false)
	case vir.OpSext:
		return s.scalarSext(v.Args[0])
	case vir.OpFtosi, vir.OpFtoui:
		return s.scalarFtoi(v)
	case vir.OpBitcast:
		return s.scalarBitcast(v)
	case vir.OpLoad:
		return s.scalarLoad(v)
	case vir.OpExtract:
		return s.extract(v)
	case vir.OpLane:
		return s.readElem(s.laneMem(v), v.Type.Elem)
	case vir.OpCount:
		return s.countMask(v)
	case vir.OpFirst:
		return s.firstActive(v)
	case vir.OpBits:
		return s.activeBits(v)
	}
	s.fail(v, "not supported on %s", v.Type)
	return nil
}

// allButLowest is x if v is all bits of it but the lowest one, x & (x-1).
func allButLowest(v *vir.Value) *vir.Value {
	for k, x := range v.Args {
		less := v.Args[1-k]
		if less.Op != vir.OpAdd && less.Op != vir.OpSub || less.Args[0] != x {
			continue
		}
		if c, ok := isConstInt(less.Args[1]); ok && (less.Op == vir.OpSub && c == 1 || less.Op == vir.OpAdd && c == -1) {
			return x
		}
	}
	return nil
}

func (s *selector) copyOf(r gpr) gpr {
	d := s.f.GP()
	s.op("MOVQ", r, d)
	return d
}

// sum uses LEAQ, which leaves its operands alone; allocation turns it into ADDQ
// where the destination is one of them. Multiples of 2, 4 and 8 are free.
func (s *selector) sum(v *vir.Value) gpr {
	x, y := v.Args[0], v.Args[1]
	if c, ok := isConstInt(x); ok && v.Op == vir.OpAdd && machine.IsImm32(c) {
		x, y = y, x
	}
	if c, ok := isConstInt(y); ok {
		if v.Op == vir.OpSub {
			c = -c
		}
		if machine.IsImm32(c) {
			return s.lea(operand.Mem{Base: s.gp(x), Disp: int(c)})
		}
	}
	if v.Op == vir.OpSub {
		return s.twoAddress("SUBQ", v)
	}
	if v.Op == vir.OpAdd && (s.readsMemory(x) || s.readsMemory(y)) {
		return s.twoAddress("ADDQ", v)
	}
	if v.Type.Elem.Size() == 8 {
		next, factor, disp, ok := s.stripIndex(y)
		if ok && next != nil && (factor == 2 || factor == 4 || factor == 8) {
			return s.lea(operand.Mem{Base: s.gp(x), Index: s.gp(next), Scale: uint8(factor), Disp: int(disp)})
		}
	}
	return s.lea(operand.Mem{Base: s.gp(x), Index: s.gp(y), Scale: 1})
}

// product multiplies, by constants as multiple does.
func (s *selector) product(v *vir.Value) gpr {
	x, y := v.Args[0], v.Args[1]
	if _, ok := isConstInt(x); ok {
		x, y = y, x
	}
	if c, ok := isConstInt(y); ok && machine.IsImm32(c) {
		return s.multiple(s.gp(x), c)
	}
	if s.readsMemory(x) || s.readsMemory(y) {
		return s.twoAddress("IMULQ", v)
	}
	a, b := s.gp(x), s.gp(y)
	d := s.copyOf(a)
	s.op("IMULQ", b, d)
	return d
}

func log2(x uint64) int {
	n := 0
	for ; x > 1; x >>= 1 {
		n++
	}
	return n
}

// twoAddress emits an instruction that overwrites its first operand, on a copy.
func (s *selector) twoAddress(name string, v *vir.Value) gpr {
	x, y := v.Args[0], v.Args[1]
	if _, ok := isConstInt(x); ok && v.Op.Info().Commutative {
		x, y = y, x
	}
	if s.readsMemory(x) && !s.readsMemory(y) && v.Op.Info().Commutative {
		x, y = y, x
	}
	a := s.gp(x)
	if s.readsMemory(y) {
		return s.withMemory(name, a, y)
	}
	b := s.gpOrImm(y)
	d := s.copyOf(a)
	s.op(name, b, d)
	return d
}

// readsMemory holds for loads that can be an operand in memory: of 4 or 8 bytes, that
// nobody else reads.
func (s *selector) readsMemory(v *vir.Value) bool {
	return v.Op == vir.OpLoad && v.Type.Elem.IsInt() && v.Type.Elem.Size() >= 4 && s.pending(v, 0)
}

// withMemory emits an instruction for 64 bits that overwrites its first operand, on a
// copy, with the second one in memory, at the width of that.
func (s *selector) withMemory(name string, a gpr, y *vir.Value) gpr {
	m, d := s.loadMem(y, 0, 1), s.copyOf(a)
	size := y.Type.Elem.Size()
	if size == 4 {
		name = name[:len(name)-1] + "L"
	}
	s.op(name, m, gpView(d, size))
	return d
}

// scalarShift gives what Go does for counts of the width and above: zeros or
// copies of the sign.
func (s *selector) scalarShift(v *vir.Value) gpr {
	size := v.Type.Elem.Size()
	width := int64(v.Type.Elem.Bits())
	var x gpr
	if v.Op == vir.OpShl {
		x = s.gp(v.Args[0])
	} else {
		x = s.ext(v.Args[0], v.Op == vir.OpAshr)
	}
	if c, ok := isConstInt(v.Args[1]); ok {
		n := uint64(c)
		if size < 8 {
			n &= 1<<width - 1
		}
		return s.shiftImm(v.Op, x, n, width)
	}
	count := s.ext(v.Args[1], false)
	bounded := isBelow(v.Args[1], width)
	if v.Op == vir.OpAshr && !bounded {
		most, d := s.imm64(width-1), s.copyOf(count)
		s.op("CMPQ", d, machine.Imm(width-1))
		s.op("CMOVQHI", most, d)
		r := s.f.GP()
		s.op("SARXQ", d, x, r)
		return r
	}
	name, d := map[vir.Op]string{vir.OpShl: "SHLXQ", vir.OpLshr: "SHRXQ", vir.OpAshr: "SARXQ"}[v.Op], s.f.GP()
	s.op(name, count, x, d)
	if bounded {
		return d
	}
	zero := s.imm64(0)
	s.op("CMPQ", count, machine.Imm(width))
	s.op("CMOVQCC", zero, d)
	return d
}

// isBelow reports whether x is what a constant less than limit leaves of something.
func isBelow(x *vir.Value, limit int64) bool {
	if x.Op != vir.OpAnd {
		return false
	}
	c, ok := isConstInt(x.Args[1])
	return ok && 0 <= c && c < limit
}

func (s *selector) shiftImm(op vir.Op, x gpr, n uint64, width int64) gpr {
	if n >= uint64(width) {
		if op != vir.OpAshr {
			return s.imm64(0)
		}
		n = uint64(width) - 1
	}
	d := s.copyOf(x)
	s.op(map[vir.Op]string{vir.OpShl: "SHLQ", vir.OpLshr: "SHRQ", vir.OpAshr: "SARQ"}[op], operand.U8(n), d)
	return d
}

// scalarRotate rotates narrow values as repeated patterns of 32 bits.
func (s *selector) scalarRotate(v *vir.Value) gpr {
	size := v.Type.Elem.Size()
	x := s.gp(v.Args[0])
	if c, ok := isConstInt(v.Args[1]); ok {
		return s.rotatedScalar(x, size, uint64(c)%uint64(8*size))
	}
	if size < 4 {
		x = s.extend(x, size, false)
		d := s.f.GP()
		s.op("IMUL3L", machine.Imm(map[int]int64{1: 0x01010101, 2: 0x00010001}[size]), x.As32(), d.As32())
		x = d
	}
	wide := max(size, 4)
	suffix := map[int]string{4: "L", 8: "Q"}[wide]
	count := s.gp(v.Args[1])
	left, right, back := s.f.GP(), s.f.GP(), s.copyOf(count)
	s.op("SHLX"+suffix, gpView(count, wide), gpView(x, wide), gpView(left, wide))
	s.op("NEGQ", back)
	s.op("SHRX"+suffix, gpView(back, wide), gpView(x, wide), gpView(right, wide))
	s.op("ORQ", left, right)
	return right
}

// rotatedScalar is x of so many bytes rotated left by n.
func (s *selector) rotatedScalar(x gpr, size int, n uint64) gpr {
	d := s.copyOf(x)
	s.op("ROL"+map[int]string{1: "B", 2: "W", 4: "L", 8: "Q"}[size], operand.U8(n), gpView(d, size))
	return d
}

// scalarMulHigh is the high half of an unsigned product.
func (s *selector) scalarMulHigh(v *vir.Value) gpr {
	x, y := s.ext(v.Args[0], false), s.ext(v.Args[1], false)
	if n := v.Type.Elem.Bits(); n < 64 {
		d := s.copyOf(x)
		s.op("IMULQ", y, d)
		s.op("SHRQ", operand.U8(n), d)
		return d
	}
	s.op("MOVQ", x, reg.RAX)
	s.op("MULQ", y)
	d := s.f.GP()
	s.op("MOVQ", reg.RDX, d)
	return d
}

// scalarDivide divides narrow values at 64 bits. The processor traps at two things that
// vir does not mind: the one quotient that does not fit, smallest / -1, and a divisor of
// 0, the quotient of which is poison. It divides by 1 instead, and negates the former.
func (s *selector) scalarDivide(v *vir.Value) gpr {
	if q, ok := s.divideByConst(v); ok {
		return q
	}
	signed := v.Op == vir.OpSdiv || v.Op == vir.OpSrem
	rem := v.Op == vir.OpSrem || v.Op == vir.OpUrem
	x, y := s.ext(v.Args[0], signed), s.ext(v.Args[1], signed)
	positive := isPositive(v.Args[1])
	guard := signed && v.Type.Elem == vir.I64 && !positive
	divisor := y
	var instead []int64
	if guard {
		instead = append(instead, -1)
	}
	if !positive && !s.isNonzero(v.Args[1], v.Block) {
		instead = append(instead, 0)
	}
	if len(instead) > 0 {
		one := s.imm64(1)
		divisor = s.copyOf(y)
		for _, c := range instead {
			s.op("CMPQ", y, machine.Imm(c))
			s.op("CMOVQEQ", one, divisor)
		}
	}
	if signed {
		s.op("MOVQ", x, reg.RAX)
		s.op("CQO")
		s.op("IDIVQ", divisor)
	} else {
		s.op("MOVQ", machine.Imm(0), reg.RDX)
		s.op("MOVQ", x, reg.RAX)
		s.op("DIVQ", divisor)
	}
	d := s.f.GP()
	if rem {
		s.op("MOVQ", reg.RDX, d) // of a division by 1 it is 0, as it should
		return d
	}
	s.op("MOVQ", reg.RAX, d)
	if guard {
		n := s.copyOf(d)
		s.op("NEGQ", n)
		s.op("CMPQ", y, machine.Imm(-1))
		s.op("CMOVQEQ", n, d)
	}
	return d
}

// isPositive reports whether x is made a number that is more than 0.
func isPositive(x *vir.Value) bool {
	if x.Op != vir.OpSmax {
		return false
	}
	c, ok := x.Args[1].ConstInt()
	return ok && c > 0
}

// isNonzero reports whether x is not 0 in b: b is only come to by branches that ask for it.
func (s *selector) isNonzero(x *vir.Value, b *vir.Block) bool {
	for ; len(b.Preds) == 1; b = b.Preds[0] {
		if t := b.Preds[0].Term(); t.Op == vir.OpBr && t.Block.Succs[0] == b && t.Block.Succs[1] != b && saysNonzero(t.Args[0], x) {
			return true
		}
	}
	return false
}

// saysNonzero reports whether x is not 0 where c holds.
func saysNonzero(c, x *vir.Value) bool {
	switch c.Op {
	case vir.OpAnd:
		return saysNonzero(c.Args[0], x) || saysNonzero(c.Args[1], x)
	case vir.OpIcmpNe:
		zero, ok := c.Args[1].IsConst()
		return c.Args[0] == x && ok && zero == 0
	}
	return false
}

func (s *selector) scalarMinMax(v *vir.Value) gpr {
	cond := map[vir.Op]string{vir.OpSmin: "LT", vir.OpSmax: "GT", vir.OpUmin: "CS", vir.OpUmax: "HI"}[v.Op]
	if v.Type.Elem.Size() == 4 { // nothing to extend, which chains would wait for
		x, y := s.gp(v.Args[0]), s.gp(v.Args[1])
		d := s.copyOf(x)
		s.op("CMPL", y.As32(), x.As32())
		s.op("CMOVL"+cond, y.As32(), d.As32())
		return d
	}
	signed := v.Op == vir.OpSmin || v.Op == vir.OpSmax
	x, y := s.ext(v.Args[0], signed), s.ext(v.Args[1], signed)
	d := s.copyOf(x)
	s.op("CMPQ", y, x)
	s.op("CMOVQ"+cond, y, d)
	return d
}

func (s *selector) scalarBits(v *vir.Value) gpr {
	size := v.Type.Elem.Size()
	d := s.f.GP()
	switch v.Op {
	case vir.OpPopcnt:
		s.op("POPCNTQ", s.ext(v.Args[0], false), d)
	case vir.OpClz:
		s.op("LZCNTQ", s.ext(v.Args[0], false), d)
		if size < 8 {
			return s.lea(operand.Mem{Base: d, Disp: 8*size - 64})
		}
	case vir.OpCtz:
		x := s.gp(v.Args[0])
		if size < 8 {
			bit := s.imm64(1 << (8 * size))
			x = s.copyOf(x)
			s.op("ORQ", bit, x)
		}
		s.op("TZCNTQ", x, d)
	case vir.OpBswap:
		s.op("MOVQ", s.gp(v.Args[0]), d)
		s.op("BSWAPQ", d)
		if size < 8 {
			s.op("SHRQ", operand.U8(64-8*size), d)
		}
	}
	return d
}

// throughVector uses the vector form of an operation on one lane.
func (s *selector) throughVector(v *vir.Value) gpr {
	x := s.f.Vec(16)
	s.op("VMOVQ", s.gp(v.Args[0]), x)
	one := vir.Vec(v.Type.Elem, 1)
	arg := &vir.Value{Op: vir.OpBitcast, Type: one, Block: v.Block}
	s.vecs[arg] = []vec{x}
	r := s.emitPart(&vir.Value{Op: v.Op, Type: one, Block: v.Block, Args: []*vir.Value{arg}}, 0)
	d := s.f.GP()
	s.op("VMOVQ", r.AsX(), d)
	return d
}

// setcc makes a bool of a comparison.
func (s *selector) setcc(v *vir.Value) gpr {
	b, d := s.f.GP(), s.f.GP()
	cond := s.test(v, false)
	s.op("SET"+cond, b.As8L())
	s.op("MOVBLZX", b.As8L(), d.As32())
	return d
}

// floatEqual avoids the parity flag: the vector comparison knows NaN.
func (s *selector) floatEqual(v *vir.Value) gpr {
	pred := cmpEq
	if v.Op == vir.OpFcmpNe {
		pred = cmpNe
	}
	m := s.imm2("VCMP"+precision(v.Args[0].Type.Elem), 16, pred, s.part(v.Args[0], 0), s.part(v.Args[1], 0))
	d := s.f.GP()
	s.op("VMOVD", m.AsX(), d.As32())
	s.op("ANDL", machine.Imm(1), d.As32())
	return d
}

func (s *selector) selectScalar(v *vir.Value) gpr {
	x, y := s.gp(v.Args[1]), s.gp(v.Args[2])
	d := s.copyOf(y)
	cond := s.test(v.Args[0], false)
	s.op("CMOVQ"+cond, x, d)
	return d
}

func (s *selector) scalarSext(a *vir.Value) gpr {
	if a.Type.Elem != vir.Bool {
		return s.ext(a, true)
	}
	d := s.copyOf(s.gp(a))
	s.op("NEGQ", d)
	return d
}

func (s *selector) scalarBitcast(v *vir.Value) gpr {
	a := v.Args[0]
	if !inVector(a.Type) {
		return s.gp(a)
	}
	d := s.f.GP()
	if v.Type.Elem.Size() == 8 {
		s.op("VMOVQ", s.part(a, 0).AsX(), d)
	} else {
		s.op("VMOVD", s.part(a, 0).AsX(), d.As32())
	}
	return d
}

func (s *selector) scalarLoad(v *vir.Value) gpr { return s.readElem(s.address(v), v.Type.Elem) }

// readElem loads an element, extended with zeros.
func (s *selector) readElem(m operand.Mem, e vir.Elem) gpr {
	d := s.f.GP()
	switch e.Size() {
	case 1:
		s.op("MOVBLZX", m, d.As32())
	case 2:
		s.op("MOVWLZX", m, d.As32())
	case 4:
		s.op("MOVL", m, d.As32())
	default:
		s.op("MOVQ", m, d)
	}
	return d
}

// clearsRest reports whether v is a lane that comes extended with zeros: all but the first ones of registers, which are
// moved with their neighbours where they have less than four bytes.
func clearsRest(v *vir.Value) bool {
	if v.Op != vir.OpExtract || v.Args[0].Type.IsMask() {
		return false
	}
	size := v.Type.Elem.Size()
	return size >= 4 || int(v.Imm)*size%16 != 0
}

// isSubscript reports whether lane v, or a sum or product of it, is the subscript of an access in a block that loads and stores
// elements by such. Zen 4 takes a general register that a lane has been moved to for what it was before: the element that is
// loaded seems to be the last one that was stored by that register, and to find out that it is not takes 40 cycles. Any other
// instruction that writes a register is noticed, a copy of it by itself among them.
func (s *selector) isSubscript(v *vir.Value) bool {
	if !s.isIndex(v, addressDepth) {
		return false
	}
	var loads, stores bool
	for _, w := range v.Block.Insts {
		loads = loads || w.Op == vir.OpLoad && w.Index() != nil
		stores = stores || w.Op == vir.OpStore && w.Index() != nil
	}
	return loads && stores
}

// addressDepth is how many operations an address may compute.
const addressDepth = 4

func (s *selector) isIndex(v *vir.Value, depth int) bool {
	return slices.ContainsFunc(s.a.uses[v], func(u *vir.Value) bool {
		if u.Op == vir.OpLoad || u.Op == vir.OpStore {
			return u.Index() == v || u.Base() == v
		}
		return depth > 0 && !u.Type.IsVector() && u.Type.Elem.IsInt() && s.isIndex(u, depth-1)
	})
}

// extract moves one lane to a general register.
func (s *selector) extract(v *vir.Value) gpr {
	a, lane := v.Args[0], int(v.Imm)
	if a.Type.IsMask() {
		m := s.mask(a)
		n := min(a.Type.Lanes, regBytes/m.width)
		size := s.maskSize(a, m.width)
		r, neg := s.maskPart(a, m.width, lane/n)
		b := s.cleanBits(s.bitsOf(r, m.width, size), n, m.width, size, neg)
		d := s.copyOf(b)
		s.op("SHRL", operand.U8(lane%n*step(m.width)), d.As32())
		s.op("ANDL", machine.Imm(1), d.As32())
		return d
	}
	e := a.Type.Elem
	per := partLanes(a.Type)
	r := s.part(a, lane/per)
	off := lane % per * e.Size()
	if off >= 16 {
		r, off = s.upper(r), off-16
	}
	d := s.f.GP()
	switch {
	case off == 0 && e.Size() == 8:
		s.op("VMOVQ", r.AsX(), d)
	case off == 0:
		s.op("VMOVD", r.AsX(), d.As32())
	case e.Size() == 8:
		s.op("VPEXTRQ", operand.U8(off/8), r.AsX(), d)
	case e.Size() == 4:
		s.op("VPEXTRD", operand.U8(off/4), r.AsX(), d.As32())
	case e.Size() == 2:
		s.op("VPEXTRW", operand.U8(off/2), r.AsX(), d.As32())
	default:
		s.op("VPEXTRB", operand.U8(off), r.AsX(), d.As32())
	}
	if e.Size() == 8 && s.isSubscript(v) {
		return s.lea(operand.Mem{Base: d})
	}
	return d
}
