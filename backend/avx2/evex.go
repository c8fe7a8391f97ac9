package avx2

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// On targets with EVEX encoding some operations take fewer instructions. Masks are vectors
// there too; accesses to memory have them moved to mask register K1 before, where it stays
// for the accesses that follow.

// evex appends an instruction that only such targets have.
func (s *selector) evex(name string, args ...operand.Op) {
	if !s.t.EVEX {
		panic("EVEX encoding for target " + s.t.Name)
	}
	s.cur.EmitEVEX(name, args...)
}

// evexBin is bin for such an instruction.
func (s *selector) evexBin(name string, size int, a vec, b operand.Op) vec {
	d := s.f.Vec(size)
	s.evex(name, at(b, size), sized(a, size), sized(d, size))
	return d
}

// evexUn is un for such an instruction.
func (s *selector) evexUn(name string, size int, a operand.Op) vec {
	d := s.f.Vec(size)
	s.evex(name, at(a, size), sized(d, size))
	return d
}

// evexImm is imm for such an instruction.
func (s *selector) evexImm(name string, size, imm int, a operand.Op) vec {
	d := s.f.Vec(size)
	s.evex(name, operand.U8(imm), at(a, size), sized(d, size))
	return d
}

// evexBinaries are the operations with one instruction x = a op b.
var evexBinaries = map[opElem]string{
	{vir.OpMul, vir.I64}: "VPMULLQ",

	{vir.OpSmin, vir.I64}: "VPMINSQ", {vir.OpSmax, vir.I64}: "VPMAXSQ",
	{vir.OpUmin, vir.I64}: "VPMINUQ", {vir.OpUmax, vir.I64}: "VPMAXUQ",

	{vir.OpShl, vir.I16}: "VPSLLVW", {vir.OpLshr, vir.I16}: "VPSRLVW", {vir.OpAshr, vir.I16}: "VPSRAVW",
	{vir.OpAshr, vir.I64}: "VPSRAVQ",

	{vir.OpRotl, vir.I32}: "VPROLVD", {vir.OpRotl, vir.I64}: "VPROLVQ",
}

// evexPart emits part p of v, if there is a better way than without EVEX encoding.
func evexPart(c partOf) (vec, bool) {
	s, v := c.s, c.v
	if !s.t.EVEX || !v.Type.IsVector() {
		return nil, false
	}
	switch {
	case isShiftOp(v.Op):
		return evexShift(c)
	case v.Op == vir.OpFmax:
		return evexMax(c), true
	case v.Op == vir.OpFminNnan || v.Op == vir.OpFmaxNnan:
		x := c.reg(0)
		return c.extreme(v.Op, x, c.mem(1)), true
	case v.Op == vir.OpClz && c.bytes() >= 4:
		return s.evexUn("VPLZCNT"+letter(c.elem()), c.size, c.mem(0)), true
	case v.Op == vir.OpSitof || v.Op == vir.OpUitof:
		return evexToFloat(c)
	case v.Op == vir.OpFtosi && c.bytes() == 8 && v.Args[0].Type.Elem == vir.F64:
		return s.evexUn("VCVTTPD2QQ", c.size, c.mem(0)), true
	case v.Op == vir.OpFtosi && c.bytes() == 8:
		d := s.f.Vec(c.size)
		s.evex("VCVTTPS2QQ", at(c.source(0, c.fills()), 16), sized(d, c.size))
		return d, true
	case v.Op == vir.OpAnd || v.Op == vir.OpOr || v.Op == vir.OpXor:
		return evexLogic(c)
	}
	name, ok := evexBinaries[opElem{v.Op, v.Type.Elem}]
	if !ok {
		return nil, false
	}
	a, b := v.Args[0], v.Args[1]
	if v.Op.Info().Commutative && s.prefersMemory(a) && !s.prefersMemory(b) {
		a, b = b, a
	}
	x := c.of(a)
	return s.evexBin(name, c.size, x, c.memOf(b)), true
}

func isShiftOp(op vir.Op) bool {
	return op == vir.OpShl || op == vir.OpLshr || op == vir.OpAshr || op == vir.OpRotl
}

// evexShift shifts by an immediate or lane by lane.
func evexShift(c partOf) (vec, bool) {
	s, op := c.s, c.v.Op
	n, constant := c.constant(1)
	width := uint64(c.bits())
	switch {
	case constant && op == vir.OpRotl && c.bytes() >= 4:
		return s.evexImm("VPROL"+letter(c.elem()), c.size, int(n%width), c.mem(0)), true
	case constant && op == vir.OpAshr && c.bytes() == 8 && n > 0:
		return s.evexImm("VPSRAQ", c.size, int(min(n, width-1)), c.mem(0)), true
	case constant:
		return nil, false
	}
	name, ok := evexBinaries[opElem{op, c.elem()}]
	if !ok || spread(c.v.Args[1]) != nil && op != vir.OpRotl && c.bytes() == 2 {
		return nil, false
	}
	x := c.reg(0)
	return s.evexBin(name, c.size, x, c.mem(1)), true
}

// evexMax is Go's max. VRANGE knows the signs of zeros, but leaves out a NaN if the other
// operand is none; there a sum has it.
func evexMax(c partOf) vec {
	s, prec := c.s, precision(c.elem())
	x, y := c.reg(0), c.reg(1)
	d := c.extreme(vir.OpFmaxNnan, x, y)
	s.evex("VCMP"+prec, operand.U8(cmpUnord), sized(y, c.size), sized(x, c.size), reg.K2)
	r := s.f.Vec(c.size)
	s.op("VMOVAPS", sized(d, c.size), sized(r, c.size))
	s.evex("VADD"+prec, sized(y, c.size), sized(x, c.size), reg.K2, sized(r, c.size))
	return r
}

// extreme is the smaller or larger one of two numbers.
func (c partOf) extreme(op vir.Op, x vec, y operand.Op) vec {
	s, d := c.s, c.s.f.Vec(c.size)
	s.evex("VRANGE"+precision(c.elem()), rangeControl(op), at(y, c.size), sized(x, c.size), sized(d, c.size))
	return d
}

// rangeControl makes VRANGE operation op of numbers.
func rangeControl(op vir.Op) operand.U8 {
	const sign = 1 << 2 // is that of the result
	if op == vir.OpFmaxNnan {
		return sign | 1
	}
	return sign
}

// nanChosen makes a choice of x where x is NaN a table of what becomes of x in y: a quiet NaN of
// one, nothing otherwise.
//
//	blend(fcmp.ne(x, x), x, y)
func nanChosen(c partOf) (vec, bool) {
	s, x, y := c.s, c.v.Args[1], c.v.Args[2]
	if !s.t.EVEX || !isNaNChoice(c.v) {
		return nil, false
	}
	a, b := c.of(x), c.of(y)
	d := s.f.Vec(c.size)
	s.op("VMOVAPS", sized(b, c.size), sized(d, c.size))
	s.evex("VFIXUPIMM"+precision(c.elem()), operand.U8(0), at(c.nanTable(), c.size), sized(a, c.size), sized(d, c.size))
	return d, true
}

// nanTable is what VFIXUPIMM does about NaNs.
func (c partOf) nanTable() operand.Op {
	const quiet, quieted = 2 << (4 * 0), 2 << (4 * 1) // responses to a quiet and a signaling NaN
	return c.splat(c.bytes(), quiet|quieted)
}

// isNaNChoice reports whether v is such a choice.
func isNaNChoice(v *vir.Value) bool {
	if v.Op != vir.OpBlend || !v.Type.Elem.IsFloat() {
		return false
	}
	m, x := v.Args[0], v.Args[1]
	return m.Op == vir.OpFcmpNe && m.Args[0] == x && m.Args[1] == x
}

// evexToFloat converts integers of 64 bits, and of 32 without a sign.
func evexToFloat(c partOf) (vec, bool) {
	s, a := c.s, c.v.Args[0]
	kind := pick(c.v.Op == vir.OpSitof, "QQ", "UQQ")
	switch from := a.Type.Elem.Size(); {
	case from == 8 && c.bytes() == 8:
		return s.evexUn("VCVT"+kind+"2PD", c.size, c.mem(0)), true
	case from == 8:
		return s.evexHalve(a, c.first(), c.lanes(), "VCVT"+kind+"2PS"), true
	case from == 4 && c.v.Op == vir.OpUitof && c.bytes() == 4:
		return s.evexUn("VCVTUDQ2PS", c.size, c.mem(0)), true
	case from == 4 && c.v.Op == vir.OpUitof:
		d := s.f.Vec(c.size)
		s.evex("VCVTUDQ2PD", at(c.source(0, c.fills()), 16), sized(d, c.size))
		return d, true
	}
	return nil, false
}

// evexHalve is halve for such an instruction.
func (s *selector) evexHalve(v *vir.Value, first, n int, name string) vec {
	per := partLanes(v.Type)
	var rs []vec
	for l := first; l < first+n; l += per {
		size, d := registerSize(per*8), s.f.Vec(16)
		s.evex(name+map[int]string{16: "X", 32: "Y"}[size], sized(s.part(v, l/per), size), d)
		rs = append(rs, d)
	}
	if len(rs) == 1 {
		return rs[0]
	}
	return s.join(rs[0], rs[1])
}

// Truth tables of the three operands of VPTERNLOG, the destination first.
const (
	tableA = 0xf0
	tableB = 0xcc
	tableC = 0xaa
)

// ternary is the function of three registers that a truth table gives. The last may be in
// memory. The result takes the place of a value that comes from the iteration before: most
// often it is what that becomes, and nothing is copied at the end of the iteration.
func (s *selector) ternary(table, size int, x, y vec, z operand.Op) vec {
	r, inRegister := z.(vec)
	switch {
	case s.carried[x.ID()]: // is in place
	case s.carried[y.ID()]:
		x, y, table = y, x, exchanged(table, 2, 1)
	case inRegister && s.carried[r.ID()]:
		x, z, table = r, x, exchanged(table, 2, 0)
	}
	d := s.f.Vec(size)
	s.op("VMOVAPS", sized(x, size), sized(d, size))
	s.evex("VPTERNLOGD", operand.U8(table), at(z, size), sized(y, size), sized(d, size))
	return d
}

// exchanged is a truth table with two operands in each other's place; a and b are their bits in
// the index.
func exchanged(table, a, b int) (result int) {
	for i := range 8 {
		j := i&^(1<<a|1<<b) | i>>a&1<<b | i>>b&1<<a
		result |= table >> i & 1 << j
	}
	return result
}

// choose is x where mask m, of lanes of e, holds, else y; x may be in memory.
func (s *selector) choose(e vir.Elem, size int, m vec, x operand.Op, y vec) vec {
	if !s.t.EVEX {
		return s.blendv(blendName(e), size, m, x, y)
	}
	if _, ok := x.(vec); ok {
		return s.ternary(tableA&tableB|^tableA&tableC&0xff, size, m, x.(vec), y)
	}
	return s.ternary(tableA&tableC|^tableA&tableB&0xff, size, m, y, x)
}

var tableOps = map[vir.Op]func(x, y int) int{
	vir.OpAnd: func(x, y int) int { return x & y },
	vir.OpOr:  func(x, y int) int { return x | y },
	vir.OpXor: func(x, y int) int { return x ^ y },
}

// evexLogic does two or more bitwise operations on three operands at once.
func evexLogic(c partOf) (vec, bool) {
	t := ternaryTree{s: c.s}
	table, ok := t.table(c.v, true)
	if !ok || len(t.leaves) != 3 {
		return nil, false
	}
	var rs [3]vec
	for i, v := range t.leaves[:2] {
		rs[i] = c.of(v)
	}
	return c.s.ternary(table, c.size, rs[0], rs[1], c.memOf(t.leaves[2])), true
}

// A ternaryTree is a tree of bitwise operations with the operands found in it.
type ternaryTree struct {
	s      *selector
	leaves []*vir.Value
}

// table is the truth table of v, if there are three operands at most.
func (t *ternaryTree) table(v *vir.Value, root bool) (int, bool) {
	inner := root || t.s.unread(v)
	switch op := tableOps[v.Op]; {
	case inner && v.Op == vir.OpNot:
		x, ok := t.table(v.Args[0], false)
		return ^x & 0xff, ok
	case inner && op != nil:
		saved := len(t.leaves)
		x, ok1 := t.table(v.Args[0], false)
		y, ok2 := t.table(v.Args[1], false)
		if ok1 && ok2 {
			return op(x, y), true
		}
		t.leaves = t.leaves[:saved]
		if root {
			return 0, false
		}
	}
	for i, l := range t.leaves {
		if l == v {
			return [3]int{tableA, tableB, tableC}[i], true
		}
	}
	if len(t.leaves) == 3 {
		return 0, false
	}
	t.leaves = append(t.leaves, v)
	return [3]int{tableA, tableB, tableC}[len(t.leaves)-1], true
}

// maskedMove is the move of elements of the given bytes under a mask register.
func maskedMove(elem int) string {
	return map[int]string{1: "VMOVDQU8", 2: "VMOVDQU16", 4: "VMOVUPS", 8: "VMOVUPD"}[elem]
}

// memoryMaskK moves the mask of part p of access v to mask register k. It is looked for in K1 only.
func (s *selector) memoryMaskK(v *vir.Value, p int, k reg.Register) {
	t := v.Access()
	if k == reg.K1 && s.shortPrefix(v.Mask()) && v.Op != vir.OpLoadReverse && v.Op != vir.OpStoreReverse {
		s.prefixK(v.Mask(), p*partLanes(t))
		return
	}
	if s.comparesIntoK(v) {
		if m := v.Mask(); k != reg.K1 || !s.holds(heldMask{compared: m, first: p}) {
			s.compareK(m, p, registerSize(partBytes(t)), k)
		}
		return
	}
	r, neg := s.memoryMask(v, p)
	r = s.exactMask(r, neg, t)
	if k == reg.K1 && s.holds(heldMask{lanes: r, elem: t.Elem.Size()}) {
		return
	}
	s.evex("VPMOV"+map[int]string{1: "B", 2: "W", 4: "D", 8: "Q"}[t.Elem.Size()]+"2M", sized(r, registerSize(partBytes(t))), k)
}

// A heldMask is what mask register K1 holds in machine block at: lanes of a vector, bits from
// the first on, or that part of a comparison.
type heldMask struct {
	at       *machine.Block
	lanes    vec
	elem     int
	bits     gpr
	first    int
	compared *vir.Value
}

// comparesIntoK reports whether the mask of access v is a comparison that nothing but accesses to
// as many bytes per lane looks at, so that it need not be a vector.
func (s *selector) comparesIntoK(v *vir.Value) bool {
	m, e := v.Mask(), v.Access().Elem.Size()
	if m.Op < vir.OpIcmpEq || m.Op > vir.OpFcmpLe || m.Block != s.block || m.Args[0].Type.IsMask() || m.Args[0].Type.Elem.Size() != e || partBytes(v.Access()) < 16 {
		return false
	}
	for _, u := range s.a.uses[m] {
		access := (u.Op == vir.OpLoadUnit || u.Op == vir.OpStoreUnit) && u.Masked && u.Mask() == m
		if !access || u.Block != s.block || u.Access().Elem.Size() != e || u.Op.IsStore() && u.Stored() == m {
			return false
		}
	}
	return true
}

// Predicates of VPCMP, signed and unsigned.
var comparesK = map[vir.Op]struct {
	unsigned  bool
	predicate int
}{
	vir.OpIcmpEq: {false, 0}, vir.OpIcmpNe: {false, 4},
	vir.OpIcmpSlt: {false, 1}, vir.OpIcmpSle: {false, 2},
	vir.OpIcmpUlt: {true, 1}, vir.OpIcmpUle: {true, 2},
}

// comparisonK is the instruction that compares into mask registers as m does.
func comparisonK(m *vir.Value) (name string, predicate int) {
	e := m.Args[0].Type.Elem
	if c, ok := comparesK[m.Op]; ok {
		return "VPCMP" + pick(c.unsigned, "U", "") + letter(e), c.predicate
	}
	return "VCMP" + precision(e), floatPred[m.Op]
}

// compareK is part p of comparison m in mask register k.
func (s *selector) compareK(m *vir.Value, p, size int, k reg.Register) {
	name, predicate := comparisonK(m)
	x, y := m.Args[0], m.Args[1]
	a := s.part(x, p)
	s.evex(name, operand.U8(predicate), at(s.partOrMem(y, p), size), sized(a, size), k)
}

// holds reports whether K1 holds m already, which it does from now on.
func (s *selector) holds(m heldMask) bool {
	m.at = s.cur
	old := s.inK1
	s.inK1 = m
	return old == m
}

// prefixK moves the lanes of a short prefix from the first on to mask register K1.
func (s *selector) prefixK(m *vir.Value, first int) {
	bits := s.prefixBits(m)
	if s.holds(heldMask{bits: bits, first: first}) {
		return
	}
	if first > 0 {
		d := s.copyOf(bits)
		s.op("SHRQ", operand.U8(first), d)
		bits = d
	}
	s.evex("KMOVD", bits.As32(), reg.K1)
}

// shortPrefix reports whether mask m is the first lanes, as many as are certainly in one word
// of bits and not more than there are.
func (s *selector) shortPrefix(m *vir.Value) bool {
	if !s.t.EVEX || m.Op != vir.OpPrefix || m.Type.Lanes > 64 || m.Block != s.block {
		return false
	}
	n := m.Args[0]
	if n.Op != vir.OpAnd {
		return false
	}
	most, ok := isConstInt(n.Args[1])
	return ok && 0 <= most && most <= int64(m.Type.Lanes)
}

// prefixBits are the lanes of a prefix as bits of a general register.
func (s *selector) prefixBits(m *vir.Value) gpr {
	k := indexKey{m, 0}
	if r, ok := s.idx[k]; ok {
		return r
	}
	d := s.f.GP()
	s.op("BZHIQ", s.gp(m.Args[0]), s.imm64(-1), d)
	s.idx[k] = d
	return d
}

// evexPrefix is part p of a short prefix in lanes of the given width.
func (s *selector) evexPrefix(m *vir.Value, width, p, size int) vec {
	s.prefixK(m, p*min(m.Type.Lanes, regBytes/width))
	d := s.f.Vec(size)
	s.evex("VPMOVM2"+map[int]string{1: "B", 2: "W", 4: "D", 8: "Q"}[width], reg.K1, sized(d, size))
	return d
}

// evexKept recognizes a blend by a short prefix of what one instruction makes, which leaves the
// other lanes as they are.
//
//	%s = fadd f32x8 %acc, %x
//	blend f32x8 %m, %s, %acc
func evexKept(c partOf) (vec, bool) {
	s, m, v, old := c.s, c.v.Args[0], c.v.Args[1], c.v.Args[2]
	if !s.shortPrefix(m) || !s.unread(v) || v.Type != c.v.Type {
		return nil, false
	}
	if isNaNChoice(v) && v.Args[2] == old {
		return c.kept(m, old, "VFIXUPIMM"+precision(c.elem()), operand.U8(0), c.nanTable(), s.part(v.Args[1], c.p)), true
	}
	if v.Op == vir.OpFminNnan || v.Op == vir.OpFmaxNnan {
		return c.kept(m, old, "VRANGE"+precision(c.elem()), rangeControl(v.Op), s.part(v.Args[1], c.p), s.part(v.Args[0], c.p)), true
	}
	name, ok := single[opElem{v.Op, v.Type.Elem}]
	if wide, more := evexBinaries[opElem{v.Op, v.Type.Elem}]; more && !isShiftOp(v.Op) {
		name, ok = wide, true
	}
	switch {
	case v.Op == vir.OpFma && v.Args[2] == old && v.Args[0].Op != vir.OpFneg && v.Args[1].Op != vir.OpFneg:
		name, ok = "VFMADD231"+precision(c.elem()), true
	case name == "VPAND" || name == "VPOR" || name == "VPXOR":
		name += pick(c.bytes() == 8, "Q", "D")
		ok = ok && c.bytes() >= 4
	}
	if !ok {
		return nil, false
	}
	a := s.part(v.Args[0], c.p)
	return c.kept(m, old, name, s.part(v.Args[1], c.p), a), true
}

// kept is an instruction that leaves lanes without prefix m as they are in old.
func (c partOf) kept(m, old *vir.Value, name string, operands ...operand.Op) vec {
	s, z := c.s, c.s.part(old, c.p)
	s.prefixK(m, c.first())
	d := s.f.Vec(c.size)
	s.op("VMOVAPS", sized(z, c.size), sized(d, c.size))
	for k, o := range operands {
		operands[k] = at(o, c.size)
	}
	s.evex(name, append(operands, reg.K1, sized(d, c.size))...)
	return d
}

// evexMaskedStore stores part p of v, held in r, to m.
func (s *selector) evexMaskedStore(v *vir.Value, p int, r vec, m operand.Mem) {
	t := v.Access()
	s.memoryMaskK(v, p, reg.K1)
	s.evex(maskedMove(t.Elem.Size()), sized(r, registerSize(partBytes(t))), reg.K1, m)
}

// evexMaskedLoad loads part p of v; inactive lanes are 0.
func (s *selector) evexMaskedLoad(v *vir.Value, p int, m operand.Mem) vec {
	t := v.Access()
	size := registerSize(partBytes(t))
	s.memoryMaskK(v, p, reg.K1)
	d := s.f.Vec(size)
	s.evex(maskedMove(t.Elem.Size())+".Z", m, reg.K1, sized(d, size))
	return d
}

// zeroWithout reports whether x is loaded under mask m, so that other lanes are zeros.
func (s *selector) zeroWithout(x, m *vir.Value) bool {
	return (x.Op == vir.OpLoadUnit || x.Op == vir.OpLoadReverse) && s.byMaskRegister(x) && x.Mask() == m
}

// byMaskRegister reports whether masked access v is done with a mask register: constant masks
// have better ways.
func (s *selector) byMaskRegister(v *vir.Value) bool {
	if !s.t.EVEX || !v.Masked {
		return false
	}
	_, ok := target.ConstMask(v)
	return !ok
}
