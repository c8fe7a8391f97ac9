package avx2

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// terminator ends the machine block of b.
func (s *selector) terminator(b *vir.Block) {
	v := b.Term()
	switch v.Op {
	case vir.OpJmp:
		s.cur.Then = s.head[b.Succs[0]]
	case vir.OpRet:
		s.ret(v)
	case vir.OpBr:
		if b.Succs[0] == b.Succs[1] {
			s.fail(v, "both targets are the same block")
		}
		then, other := s.edge(b, 0), s.edge(b, 1)
		s.branchOn(v.Args[0], then, other)
	default:
		s.fail(v, "unknown terminator")
	}
}

// mostTests is the largest number of comparisons that a branch makes one after the other.
const mostTests = 8

// branchOn goes to then if cond holds, else to other. Comparisons that only this branch reads, by way of and, or and not, are
// made one after the other until one decides: most of them are tests that hardly ever fail, and bools are three instructions each.
func (s *selector) branchOn(cond *vir.Value, then, other *machine.Block) {
	tests := s.leavesOf(cond, nil)
	if len(tests) > mostTests {
		s.leap(cond, false, then, other)
		return
	}
	s.operandsOf(tests)
	s.decide(cond, false, then, other)
}

// leavesOf appends the comparisons and bools that cond is made of to list.
func (s *selector) leavesOf(cond *vir.Value, list []*vir.Value) []*vir.Value {
	if !s.isConnective(cond) {
		return append(list, cond)
	}
	for _, a := range cond.Args {
		list = s.leavesOf(a, list)
	}
	return list
}

// readOnce reports whether v is of this block, nobody has asked for it yet, and one value will.
func (s *selector) readOnce(v *vir.Value) bool {
	_, done := s.gps[v]
	return v.Block == s.block && !done && len(s.a.uses[v]) == 1
}

// isConnective reports whether v is an and, an or or a not of which nobody else wants a bool.
func (s *selector) isConnective(v *vir.Value) bool {
	return (v.Op == vir.OpAnd || v.Op == vir.OpOr || v.Op == vir.OpNot) && v.Type == vir.Scalar(vir.Bool) && s.readOnce(v)
}

// operandsOf emits what tests but the first one compare: not all of them are on the way to each other.
func (s *selector) operandsOf(tests []*vir.Value) {
	for _, v := range tests[1:] {
		if !s.comparesAtEnd(v) {
			s.gp(v)
			continue
		}
		for _, x := range v.Args {
			if x.Op != vir.OpConst {
				s.gp(x)
			}
		}
	}
}

// comparesAtEnd reports whether v is a comparison of whole registers that nobody else reads.
func (s *selector) comparesAtEnd(v *vir.Value) bool {
	return v.Op >= vir.OpIcmpEq && v.Op <= vir.OpIcmpUle && s.readOnce(v) && v.Args[0].Type.Elem.Size() >= 4
}

// decide branches by parts of cond, the other way round with not.
func (s *selector) decide(cond *vir.Value, not bool, then, other *machine.Block) {
	switch {
	case !s.isConnective(cond):
		s.leap(cond, not, then, other)
	case cond.Op == vir.OpNot:
		s.decide(cond.Args[0], !not, then, other)
	default:
		next := s.f.NewBlock(s.cur.Depth)
		if (cond.Op == vir.OpAnd) != not {
			s.decide(cond.Args[0], not, next, other)
		} else {
			s.decide(cond.Args[0], not, then, next)
		}
		s.goOn(next)
		s.decide(cond.Args[1], not, then, other)
	}
}

// leap ends the machine block with a jump by v.
func (s *selector) leap(v *vir.Value, not bool, then, other *machine.Block) {
	cond := "NE"
	if c, ok := isConstInt(v); ok {
		// Keep the shape of the graph: phis count on both edges.
		s.cur.EmitTest("CMPQ", s.imm64(c), machine.Imm(0))
	} else {
		cond = s.test(v, true) // may start new machine blocks
	}
	if not {
		cond = complement[cond]
	}
	s.branch(cond, then, other)
}

// edge is the machine block that leaving b by edge k leads to: an own one for
// the copies when the target has phis.
func (s *selector) edge(b *vir.Block, k int) *machine.Block {
	to := b.Succs[k]
	if len(to.Phis()) == 0 {
		return s.head[to]
	}
	e := s.f.NewBlock(min(s.a.depth[b], s.a.depth[to]))
	e.Then = s.head[to]
	return e
}

// edges fills in the copies for the phis behind b, and returns the blocks made
// for them.
func (s *selector) edges(b *vir.Block) []*machine.Block {
	t := s.tail[b]
	if len(b.Succs) == 1 {
		s.enter(b, t)
		s.copies(b, b.Succs[0], b.Succs[0].PredIndex(b))
		return nil
	}
	var made []*machine.Block
	for k, to := range b.Succs {
		if len(to.Phis()) == 0 {
			continue
		}
		s.enter(b, []*machine.Block{t.Then, t.Else}[k])
		made = append(made, s.cur)
		s.copies(b, to, to.PredIndex(b))
	}
	return made
}

// A copy of an operand of a phi or call; make is set for constants.
type phiCopy struct {
	src, dst reg.Register
	make     func(dst reg.Register)
}

// copies assigns the phis of to as for edge pred, all at once.
func (s *selector) copies(b, to *vir.Block, pred int) {
	var todo []phiCopy
	for _, phi := range to.Phis() {
		todo = append(todo, s.phiCopies(phi, phi.Args[pred])...)
	}
	s.assign(todo)
	s.enterLoop(b, to)
}

// assign makes copies all at once.
func (s *selector) assign(todo []phiCopy) {
	for len(todo) > 0 {
		k := independent(todo)
		if k < 0 {
			// Only cycles are left: free one source.
			t := s.temp(todo[0].src)
			s.move(todo[0].src, t)
			old := todo[0].src.ID()
			for n := range todo {
				if todo[n].src != nil && todo[n].src.ID() == old {
					todo[n].src = t
				}
			}
			continue
		}
		c := todo[k]
		todo = append(todo[:k:k], todo[k+1:]...)
		if c.make != nil {
			c.make(c.dst)
		} else {
			s.move(c.src, c.dst)
		}
	}
}

// independent finds a copy whose destination no other copy still reads; -1 if
// there is none. Constants wait to the end, to be live for a short time.
func independent(todo []phiCopy) int {
	reads := make(map[reg.ID]bool)
	for _, c := range todo {
		if c.src != nil && c.src.ID() != c.dst.ID() {
			reads[c.src.ID()] = true
		}
	}
	for k, c := range todo {
		if c.make == nil && !reads[c.dst.ID()] {
			return k
		}
	}
	for k, c := range todo {
		if !reads[c.dst.ID()] {
			return k
		}
	}
	return -1
}

func (s *selector) temp(like reg.Register) reg.Register {
	if like.Kind() == reg.KindGP {
		return s.f.GP()
	}
	return s.f.Vec(int(like.Size()))
}

func (s *selector) move(src, dst reg.Register) {
	switch {
	case src.ID() == dst.ID():
	case src.Kind() == reg.KindGP:
		s.op("MOVQ", src, dst)
	default:
		s.op("VMOVAPS", machine.As(src, dst), dst)
	}
}

// phiCopies are the copies for one phi, one per part.
func (s *selector) phiCopies(phi, arg *vir.Value) (cs []phiCopy) {
	if arg.Op == vir.OpPoison {
		return nil
	}
	switch {
	case phi.Type.IsMask():
		return s.maskCopies(phi, arg)
	case s.zmm[phi]:
		return s.zmmCopies(phi, arg)
	case inVector(phi.Type):
		for p, dst := range s.vecs[phi] {
			if _, ok := s.constant(phi, p); ok {
				continue
			}
			c := phiCopy{dst: dst}
			if e, ok := s.constant(arg, p); ok {
				mk, _ := s.maker(e)
				c.make = func(d reg.Register) { s.cur.Insts = append(s.cur.Insts, mk(d)) }
			} else {
				c.src = s.part(arg, p)
			}
			cs = append(cs, c)
		}
		return cs
	}
	c := phiCopy{dst: s.gps[phi]}
	if x, ok := isConstInt(arg); ok {
		c.make = func(d reg.Register) { s.op("MOVQ", machine.Imm(x), d) }
	} else {
		c.src = s.gp(arg)
	}
	return []phiCopy{c}
}

// maskCopies gives phi the parts of arg at its width, not complemented.
func (s *selector) maskCopies(phi, arg *vir.Value) (cs []phiCopy) {
	m := s.masks[phi]
	for p, dst := range m.parts {
		if arg.Op == vir.OpConst {
			mk, _ := s.maker(maskEntry(arg, m.width, p))
			cs = append(cs, phiCopy{dst: dst, make: func(d reg.Register) { s.cur.Insts = append(s.cur.Insts, mk(d)) }})
			continue
		}
		cs = append(cs, phiCopy{dst: dst, src: s.truePart(arg, m.width, p)})
	}
	return cs
}

// ret stores the results and returns. Nothing may use legacy SSE afterwards
// with the upper halves of registers in use.
func (s *selector) ret(v *vir.Value) {
	if s.fn.Local {
		s.leave(v)
		return
	}
	for i, a := range v.Args {
		m := s.frame.result(i)
		switch c, ok := s.immediate(a); {
		case ok:
			s.op(gpMove(a.Type.Elem.Size()), immOf(a.Type.Elem.Size(), c), m)
		case a.Type.Elem.IsFloat():
			s.op(scalarMove(a.Type.Elem), s.part(a, 0).AsX(), m)
		default:
			s.op(gpMove(a.Type.Elem.Size()), gpView(s.gp(a), a.Type.Elem.Size()), m)
		}
	}
	s.op("VZEROUPPER")
}

// gpMove stores a general register of the given size.
func gpMove(size int) string {
	return map[int]string{1: "MOVB", 2: "MOVW", 4: "MOVL", 8: "MOVQ"}[size]
}

// conditions of integer comparisons, as suffixes of jumps, and what they are
// with operands swapped or complemented.
var (
	intCond = map[vir.Op]string{
		vir.OpIcmpEq: "EQ", vir.OpIcmpNe: "NE",
		vir.OpIcmpSlt: "LT", vir.OpIcmpSle: "LE", vir.OpIcmpUlt: "CS", vir.OpIcmpUle: "LS",
	}
	swapped    = map[string]string{"EQ": "EQ", "NE": "NE", "LT": "GT", "LE": "GE", "CS": "HI", "LS": "CC"}
	complement = map[string]string{
		"EQ": "NE", "NE": "EQ", "LT": "GE", "GE": "LT", "LE": "GT", "GT": "LE",
		"CS": "CC", "CC": "CS", "LS": "HI", "HI": "LS",
	}
)

// test sets the flags for a bool and returns the condition under which it
// holds. With atEnd the instructions go to the test of the block.
func (s *selector) test(v *vir.Value, atEnd bool) string {
	emit := s.op
	if atEnd {
		// Not that of the block as it is now: operands may start new ones.
		emit = func(op string, args ...operand.Op) { s.cur.EmitTest(op, args...) }
	}
	_, done := s.gps[v]
	if s.a.blockOf(v) == s.block && !done {
		switch v.Op {
		case vir.OpIcmpEq, vir.OpIcmpNe, vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle:
			return s.compare(v, emit)
		case vir.OpFcmpLt, vir.OpFcmpLe:
			x, y := s.part(v.Args[0], 0), s.part(v.Args[1], 0)
			op := "VUCOMISS"
			if v.Args[0].Type.Elem == vir.F64 {
				op = "VUCOMISD"
			}
			emit(op, x.AsX(), y.AsX()) // y above x; false on NaN
			return map[vir.Op]string{vir.OpFcmpLt: "HI", vir.OpFcmpLe: "CC"}[v.Op]
		case vir.OpNot:
			return complement[s.test(v.Args[0], atEnd)]
		case vir.OpAny, vir.OpAll:
			if atEnd && s.zmm[v.Args[0]] {
				return s.testMask(v.Args[0])
			}
			bits, full, neg := s.reduceMask(v)
			cond := map[bool]string{true: "NE", false: "EQ"}[v.Op == vir.OpAny]
			if (v.Op == vir.OpAny) != neg {
				emit("TESTL", bits.As32(), bits.As32())
			} else {
				emit("CMPL", bits.As32(), full)
			}
			return cond
		}
	}
	r := s.gp(v)
	emit("TESTL", r.As32(), r.As32())
	return "NE"
}

// maskedBits recognizes low bits of a value that only this comparison with 0 reads.
func (s *selector) maskedBits(x, y *vir.Value) (bits *vir.Value, c int64, ok bool) {
	if z, isConst := isConstInt(y); !isConst || z != 0 || x.Op != vir.OpAnd || x.Block != s.block || len(s.a.uses[x]) != 1 {
		return nil, 0, false
	}
	if _, done := s.gps[x]; done {
		return nil, 0, false
	}
	c, ok = isConstInt(x.Args[1])
	return x.Args[0], c, ok && 0 <= c && machine.IsImm32(c)
}

// testedOnce reports whether nothing asks for the flags of comparison v a second time, nor for their complement.
func (a *analysis) testedOnce(v *vir.Value) bool {
	for len(a.uses[v]) == 1 && a.uses[v][0].Op == vir.OpNot {
		v = a.uses[v][0]
	}
	return len(a.uses[v]) <= 1
}

// compare emits a comparison of integers and returns the condition.
func (s *selector) compare(v *vir.Value, emit func(string, ...operand.Op)) string {
	x, y := v.Args[0], v.Args[1]
	cond := intCond[v.Op]
	if _, ok := isConstInt(x); ok {
		x, y, cond = y, x, swapped[cond]
	}
	size := x.Type.Elem.Size()
	if size >= 4 {
		b := s.gpOrImm(y)
		if r, ok := b.(gpr); ok {
			b = gpView(r, size)
		}
		if bits, c, ok := s.maskedBits(x, y); ok {
			emit("TESTL", imm32(c), s.gp(bits).As32())
			return cond
		}
		a := gpView(s.gp(x), size)
		if size == 4 {
			emit("CMPL", a, b)
		} else {
			emit("CMPQ", a, b)
		}
		return cond
	}
	if !s.a.testedOnce(v) { // a later test must not read memory that has been stored to since
		s.gp(x)
		s.gpOrImm(y)
	}
	signed := v.Op == vir.OpIcmpSlt || v.Op == vir.OpIcmpSle
	var b operand.Op
	if c, ok := isConstInt(y); ok {
		if !signed {
			c &= 1<<(8*size) - 1
		}
		b = machine.Imm(c)
	} else {
		b = s.ext(y, signed).As32()
	}
	emit("CMPL", s.ext(x, signed).As32(), b)
	return cond
}
