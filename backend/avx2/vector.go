package avx2

import (
	"strings"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/backend/target/shuffle"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A partOf is part p of the value v being emitted.
type partOf struct {
	s    *selector
	v    *vir.Value
	p    int
	size int // bytes of the register
}

// reg is the register of operand i.
func (c partOf) reg(i int) vec { return c.of(c.v.Args[i]) }

// of is the register of the same part of x.
func (c partOf) of(x *vir.Value) vec {
	if c.size > regBytes {
		return c.s.zmmPart(x, c.p)
	}
	return c.s.part(x, c.p)
}

// memOf is of, in memory as mem says.
func (c partOf) memOf(x *vir.Value) operand.Op {
	if c.size > regBytes {
		return c.s.zmmPartOrMem(x, c.p)
	}
	return c.s.partOrMem(x, c.p)
}

// splat is a constant with the same element everywhere.
func (c partOf) splat(bytes int, bits uint64) operand.Op {
	if c.size > regBytes {
		return c.s.zmmSplat(bytes, bits)
	}
	return c.s.splat(bytes, bits)
}

// mem is operand i, in memory if it is a load with no other reader.
func (c partOf) mem(i int) operand.Op { return c.memOf(c.v.Args[i]) }

// constant is the element of operand i if all its lanes are one constant.
func (c partOf) constant(i int) (uint64, bool) { return splatBits(c.v.Args[i]) }

func (c partOf) elem() vir.Elem { return c.v.Type.Elem }

func (c partOf) bits() int { return c.v.Type.Elem.Bits() }

func (c partOf) bytes() int { return c.v.Type.Elem.Size() }

type opElem struct {
	op   vir.Op
	elem vir.Elem
}

// single are the operations with one instruction x = a op b.
var single = map[opElem]string{}

// sequences are the operations that take several instructions. They are asked
// after single.
var sequences = map[vir.Op]func(partOf) vec{}

func init() {
	suffix := map[vir.Elem]string{vir.I8: "B", vir.I16: "W", vir.I32: "D", vir.I64: "Q"}
	row := func(op vir.Op, name string, elems ...vir.Elem) {
		for _, e := range elems {
			single[opElem{op, e}] = name + suffix[e]
		}
	}
	row(vir.OpAdd, "VPADD", vir.I8, vir.I16, vir.I32, vir.I64)
	row(vir.OpSub, "VPSUB", vir.I8, vir.I16, vir.I32, vir.I64)
	row(vir.OpMul, "VPMULL", vir.I16, vir.I32)
	single[opElem{vir.OpUmulh, vir.I16}] = "VPMULHUW"
	row(vir.OpSmin, "VPMINS", vir.I8, vir.I16, vir.I32)
	row(vir.OpSmax, "VPMAXS", vir.I8, vir.I16, vir.I32)
	row(vir.OpUmin, "VPMINU", vir.I8, vir.I16, vir.I32)
	row(vir.OpUmax, "VPMAXU", vir.I8, vir.I16, vir.I32)
	for _, e := range []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64} {
		single[opElem{vir.OpAnd, e}] = "VPAND"
		single[opElem{vir.OpOr, e}] = "VPOR"
		single[opElem{vir.OpXor, e}] = "VPXOR"
	}
	for op, name := range map[vir.Op]string{
		vir.OpFadd: "VADD", vir.OpFsub: "VSUB", vir.OpFmul: "VMUL", vir.OpFdiv: "VDIV",
	} {
		single[opElem{op, vir.F32}] = name + "PS"
		single[opElem{op, vir.F64}] = name + "PD"
	}
	for op, f := range map[vir.Op]func(partOf) vec{
		vir.OpNeg: neg, vir.OpNot: not, vir.OpMul: mul, vir.OpUmulh: mulHigh,
		vir.OpShl: shift, vir.OpLshr: shift, vir.OpAshr: shift, vir.OpRotl: rotate,
		vir.OpSdiv: divide, vir.OpUdiv: divide, vir.OpSrem: remainder, vir.OpUrem: remainder,
		vir.OpSmin: minmax64, vir.OpSmax: minmax64, vir.OpUmin: minmax64, vir.OpUmax: minmax64,
		vir.OpClz: clz, vir.OpCtz: ctz, vir.OpPopcnt: popcnt, vir.OpBitrev: bitrev, vir.OpBswap: bswap,
		vir.OpFneg: signBit, vir.OpFabs: signBit, vir.OpFcopysign: copysign, vir.OpFsqrt: sqrt,
		vir.OpFfloor: round, vir.OpFceil: round, vir.OpFtrunc: round, vir.OpFrint: round,
		vir.OpFma: fma, vir.OpFmin: fminmax, vir.OpFmax: fminmax, vir.OpFminNnan: fminmax, vir.OpFmaxNnan: fminmax,
		vir.OpSelect: selectPart, vir.OpBlend: blend,
		vir.OpTrunc: trunc, vir.OpZext: extension, vir.OpSext: extension,
		vir.OpSitof: intToFloat, vir.OpUitof: intToFloat,
		vir.OpFtosi: floatToInt, vir.OpFtoui: floatToInt,
		vir.OpFpext: fpext, vir.OpFptrunc: fptrunc, vir.OpBitcast: bitcast,
		vir.OpLoad: loadPart, vir.OpLoadUnit: loadPart, vir.OpLoadReverse: loadReverse,
		vir.OpBroadcast: broadcast, vir.OpExtract: extractFloat, vir.OpLane: lanePart, vir.OpSubvec: subvec,
		vir.OpShuffle: rearranged, vir.OpConcat: rearranged, vir.OpInsert: insertLanes,
		vir.OpGather: gatherPart, vir.OpLoadExpand: expandPart, vir.OpPermute: permute,
	} {
		sequences[op] = f
	}
}

// emitPart emits part p of v, a vector or scalar float.
func (s *selector) emitPart(v *vir.Value, p int) vec {
	size := 16
	if v.Type.Size() > 16 {
		size = regBytes
	}
	return s.emitSized(v, p, size)
}

// emitSized is emitPart with parts of that size.
func (s *selector) emitSized(v *vir.Value, p, size int) vec {
	c := partOf{s, v, p, size}
	if size > regBytes {
		if r, ok := zmmIdiom(c); ok {
			return r
		}
	}
	if v.Op != vir.OpTrunc && narrowsZMM(v) && s.zmm[v.Args[0]] {
		return zmmNarrow(c)
	}
	if v.Op == vir.OpAdd && size <= regBytes {
		if r, ok := summed(c); ok {
			return r
		}
	}
	if (v.Op == vir.OpAdd || v.Op == vir.OpSub) && size <= regBytes {
		if r, ok := addMask(c); ok {
			return r
		}
	}
	if v.Op == vir.OpMul {
		k, constant := c.constant(1)
		if constant && k&(k-1) == 0 && k != 0 {
			return c.times(c.reg(0), k)
		}
		if r, ok := narrowProduct(c); ok {
			return r
		}
		if steps := s.t.Additions(k, c.elem()); constant && steps != nil {
			return c.added(c.reg(0), steps)
		}
	}
	if r, ok := absolute(c); ok {
		return r
	}
	if x, n, ok := s.rotationOf(v); ok && v.Type.IsVector() && (size <= regBytes || c.bytes() >= 4) {
		return c.rotated(c.of(x), n)
	}
	if r, ok := evexPart(c); ok {
		return r
	}
	if name, ok := single[opElem{v.Op, v.Type.Elem}]; ok {
		return c.binary(name)
	}
	if f := sequences[v.Op]; f != nil {
		return f(c)
	}
	s.fail(v, "not supported on %s", v.Type)
	return nil
}

// binary emits a single instruction, with the operand in memory second.
func (c partOf) binary(name string) vec {
	a, b := c.v.Args[0], c.v.Args[1]
	lowest := c.elem().IsFloat() && c.v.Type.Lanes <= 1
	if lowest {
		name = scalarForm(name)
	}
	if c.v.Op.Info().Commutative && c.s.prefersMemory(a) && !c.s.prefersMemory(b) {
		a, b = b, a
	}
	if c.s.heavier(b, a) {
		c.of(b)
	}
	x := c.of(a)
	if lowest {
		return c.s.bin(name, 16, x, c.s.scalarOrMem(b))
	}
	return c.s.bin(name, c.size, x, c.memOf(b))
}

// scalarForm is the instruction for the lowest lane alone.
func scalarForm(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "PS"), "PD") + "S" + name[len(name)-1:]
}

// prefersMemory holds for operands that an instruction can take from memory. In
// loops constants are in registers.
func (s *selector) prefersMemory(v *vir.Value) bool {
	if _, ok := s.constant(v, 0); ok {
		return s.a.depth[s.block] == 0
	}
	if s.paramOnce(v) || s.inFrame(v) {
		return true
	}
	return (v.Op == vir.OpLoadUnit || v.Op == vir.OpLoad) && v.Block == s.block && !v.Masked && len(s.a.uses[v]) == 1
}

func neg(c partOf) vec { return c.s.bin("VPSUB"+letter(c.elem()), c.size, c.s.zero(), c.mem(0)) }

func not(c partOf) vec { return c.withSplat("VPXOR", 0, ^uint64(0)) }

// withSplat emits a commutative instruction of operand i and a constant in all
// lanes. In loops the constant is in a register, so the operand may be in memory.
func (c partOf) withSplat(name string, i int, bits uint64) vec {
	k := c.splat(c.bytes(), bits)
	if r, ok := k.(vec); ok {
		return c.s.bin(name, c.size, r, c.mem(i))
	}
	return c.s.bin(name, c.size, c.reg(i), k)
}

// letter is the suffix of integer instructions.
func letter(e vir.Elem) string {
	return map[int]string{1: "B", 2: "W", 4: "D", 8: "Q"}[e.Size()]
}

// precision is the suffix of packed float instructions.
func precision(e vir.Elem) string {
	if e.Size() == 8 {
		return "PD"
	}
	return "PS"
}

// signBit flips or clears the sign.
func signBit(c partOf) vec {
	e := c.elem()
	sign := uint64(1) << (e.Bits() - 1)
	if c.v.Op == vir.OpFabs {
		return c.withSplat("VAND"+precision(e), 0, sign-1)
	}
	return c.withSplat("VXOR"+precision(e), 0, sign)
}

func copysign(c partOf) vec {
	s, e := c.s, c.elem()
	sign := uint64(1) << (e.Bits() - 1)
	if x, ok := c.constant(0); ok && x&^sign == 0 {
		return c.withSplat("VAND"+precision(e), 1, sign)
	}
	if _, ok := c.constant(1); !ok && s.t.EVEX {
		return s.ternary(tableC&tableB|^tableC&tableA&0xff, c.size, c.reg(0), c.reg(1), c.splat(e.Size(), sign))
	}
	x := c.withSplat("VAND"+precision(e), 0, sign-1)
	if y, ok := c.constant(1); ok {
		if y&sign == 0 {
			return x
		}
		return s.bin("VOR"+precision(e), c.size, x, c.splat(e.Size(), sign))
	}
	y := c.withSplat("VAND"+precision(e), 1, sign)
	return s.bin("VOR"+precision(e), c.size, x, y)
}

func sqrt(c partOf) vec {
	name := "VSQRT" + precision(c.elem())
	if c.v.Type.Lanes <= 1 {
		x := c.reg(0)
		return c.s.bin(scalarForm(name), 16, x, x)
	}
	return c.s.un(name, c.size, c.mem(0))
}

// round has the rounding mode in its immediate; bit 3 keeps the inexact flag quiet.
func round(c partOf) vec {
	mode := map[vir.Op]int{vir.OpFrint: 8, vir.OpFfloor: 9, vir.OpFceil: 10, vir.OpFtrunc: 11}[c.v.Op]
	if c.v.Type.Lanes <= 1 {
		return c.s.imm("VROUND"+precision(c.elem()), 16, mode, c.reg(0))
	}
	return c.s.imm("VROUND"+precision(c.elem()), c.size, mode, c.mem(0))
}

// fma overwrites a copy of one operand; the copy goes away when that operand is not needed
// any more. An addend that is constant or in memory stays there, and so does a factor
// otherwise. Changed signs are part of the instruction.
func fma(c partOf) vec {
	s, x, y, z := c.s, c.v.Args[0], c.v.Args[1], c.v.Args[2]
	x, minus := unsigned(x, false)
	y, minus = unsigned(y, minus)
	z, minusZ := unsigned(z, false)
	form := "213"
	if s.staysBehind(z) {
		if s.onlyRead(y) && !s.onlyRead(x) {
			x, y = y, x
		}
	} else {
		form = "231"
		if s.staysBehind(y) {
			x, y = y, x
		}
		x, z = z, x
	}
	name := map[[2]bool]string{
		{false, false}: "VFMADD", {false, true}: "VFMSUB", {true, false}: "VFNMADD", {true, true}: "VFNMSUB",
	}[[2]bool{minus, minusZ}] + form + precision(c.elem())
	a, b := c.of(x), c.of(y)
	var o operand.Op
	switch {
	case c.v.Type.Lanes > 1:
		o = c.memOf(z)
	case s.paramOnce(z) && c.elem() == vir.F32:
		o, name = s.part(z, 0), scalarForm(name) // go vet takes VFMADD213SS for an instruction on 8 bytes
	default:
		o, name = s.scalarOrMem(z), scalarForm(name)
	}
	d := s.f.Vec(c.size)
	s.op("VMOVAPS", sized(a, c.size), sized(d, c.size))
	s.op(name, at(o, c.size), sized(b, c.size), sized(d, c.size))
	return d
}

// unsigned is what v changes the sign of, if it does, and whether minus holds then.
func unsigned(v *vir.Value, minus bool) (*vir.Value, bool) {
	if v.Op == vir.OpFneg {
		return v.Args[0], !minus
	}
	return v, minus
}

// staysBehind holds for operands that an instruction takes from where they are.
func (s *selector) staysBehind(v *vir.Value) bool {
	return v.Op == vir.OpConst || s.prefersMemory(v)
}

// onlyRead reports whether nothing else reads v, so that it may be overwritten.
func (s *selector) onlyRead(v *vir.Value) bool {
	return v.Op != vir.OpConst && v.Block == s.block && len(s.a.uses[v]) == 1
}

// fminmax is Go's min or max. VMINPS gives its second source for zeros of
// either sign and for NaN, so both orders together know all that is needed: of
// min, the union of the bits has the sign of -0 and stays a NaN; of max, the
// intersection drops the sign, and NaNs come in by an unordered comparison.
func fminmax(c partOf) vec {
	s, prec := c.s, precision(c.elem())
	x, y := c.reg(0), c.reg(1)
	if c.v.Op == vir.OpFmin || c.v.Op == vir.OpFminNnan {
		a, b := s.bin("VMIN"+prec, c.size, x, y), s.bin("VMIN"+prec, c.size, y, x)
		return s.bin("VOR"+prec, c.size, a, b)
	}
	a, b := s.bin("VMAX"+prec, c.size, x, y), s.bin("VMAX"+prec, c.size, y, x)
	both := s.bin("VAND"+prec, c.size, a, b)
	if c.v.Op == vir.OpFmaxNnan {
		return both
	}
	nan := s.imm2("VCMP"+prec, c.size, cmpUnord, x, y)
	return s.bin("VOR"+prec, c.size, both, nan)
}

func bitcast(c partOf) vec {
	a := c.v.Args[0]
	if inVector(a.Type) {
		return c.reg(0)
	}
	d := c.s.f.Vec(16)
	if a.Type.Elem.Size() == 8 {
		c.s.op("VMOVQ", c.s.gp(a), d)
	} else {
		c.s.op("VMOVD", c.s.gp(a).As32(), d)
	}
	return d
}

// broadcast fills a register with a scalar, from memory if it comes from there.
// Broadcasts of one scalar share a register, of full width, as far as one comes
// before the other on all paths.
func broadcast(c partOf) vec {
	return c.s.spreadScalar(c.v.Args[0], c.elem(), c.v.Type.Size())
}

// spreadScalar is scalar a in lanes of size bytes at least.
func (s *selector) spreadScalar(a *vir.Value, e vir.Elem, size int) vec {
	k := spreadKey{a, e.Size()}
	if old, ok := s.spreads[k]; ok && s.a.dominates(old.at, s.block) && size <= old.size {
		return old.r
	}
	size = max(size, s.spreadSize(a))
	d := s.spreadNew(a, e, size)
	s.spreads[k] = spreadAt{d, s.block, size}
	return d
}

// spreadSize is 16 if no broadcast of a needs more than half a register, else 32.
func (s *selector) spreadSize(a *vir.Value) int {
	for _, u := range s.a.uses[a] {
		if u.Op != vir.OpInsert && (u.Op != vir.OpBroadcast || u.Type.Size() > 16) {
			return regBytes
		}
	}
	return 16
}

func (s *selector) spreadNew(a *vir.Value, e vir.Elem, size int) vec {
	if s.isLane(a) && s.gps[a] == nil {
		return s.spreadLane(a, e, size)
	}
	d := s.f.Vec(registerSize(size))
	y := sized(d, registerSize(size))
	name := func(memory bool) string {
		if size <= 16 && e == vir.F64 {
			return "VMOVDDUP"
		}
		return fullBroadcast(e, memory)
	}
	switch {
	case a.Op == vir.OpParam && s.a.depth[s.block] == 0 && !s.fn.Local:
		s.spreadParam(a, d, name(true))
	case s.pending(a, 0):
		s.op(name(true), s.loadMem(a, 0, 1), y)
	case e == vir.F32 && size <= 16:
		s.op("VPERMILPS", operand.U8(0), s.part(a, 0).AsX(), y)
	case e.IsFloat():
		s.op(name(false), s.part(a, 0).AsX(), y)
	case e.Size() == 8:
		x := s.f.Vec(16)
		s.op("VMOVQ", s.gp(a), x)
		s.op(name(false), x, y)
	default:
		x := s.f.Vec(16)
		s.op("VMOVD", s.gp(a).As32(), x)
		s.op(name(false), x, y)
	}
	return d
}

// spreadLane is lane a of a vector in all lanes.
func (s *selector) spreadLane(a *vir.Value, e vir.Elem, size int) vec {
	v := a.Args[0]
	reg, at := layout(v.Type, e.Size()).Find(int(a.Imm))
	want := shuffle.None()
	for i := range min(size, regBytes) {
		want[i] = shuffle.Of(reg, at+i%e.Size())
	}
	from := s.parts([]*vir.Value{v})
	from.mem = nil
	return s.rearrange(&want, from, e.IsFloat())
}

type spreadKey struct {
	v    *vir.Value
	size int
}

type spreadAt struct {
	r    vec
	at   *vir.Block
	size int
}

// spreadParam reads a parameter into all lanes, which can be repeated anywhere.
func (s *selector) spreadParam(a *vir.Value, d vec, name string) {
	m := s.frame.param(a)
	mk := func(r reg.Register) *machine.Inst { return machine.MustMake(name, m, machine.As(r, d)) }
	s.cur.Insts = append(s.cur.Insts, mk(d))
	s.f.Remat[d.ID()] = machine.Remat{Make: mk}
}

// broadcastName is the broadcast of an element. Go vet takes the D of VPBROADCASTD
// for 8 bytes when it reads a parameter.
func broadcastName(e vir.Elem, memory bool) string {
	if e == vir.F32 || memory && e.Size() == 4 {
		return "VBROADCASTSS"
	}
	return "VPBROADCAST" + letter(e)
}

// fullBroadcast is the broadcast to a register of full width; that of float64 has
// no other.
func fullBroadcast(e vir.Elem, memory bool) string {
	if e == vir.F64 {
		return "VBROADCASTSD"
	}
	return broadcastName(e, memory)
}

// extractFloat is one lane, as a scalar: the lowest lane of a register.
func extractFloat(c partOf) vec { return c.s.lanes(c.v.Args[0], int(c.v.Imm), 1) }

// subvec is a run of lanes.
func subvec(c partOf) vec {
	a := c.v.Args[0]
	n := partLanes(c.v.Type)
	first := int(c.v.Imm) + c.p*n
	if n == partLanes(a.Type) {
		return c.s.part(a, first/n)
	}
	return c.s.lanes(a, first, n)
}
