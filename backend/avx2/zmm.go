package avx2

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the target has registers of 64 bytes, loops hold values in parts of that size if they can
// do so with all that these values are connected to. Code outside of loops keeps parts of 32
// bytes: some processors lower their clock when they meet the first instruction on 64 bytes, so
// that calls which do not get to a loop should not have one.
//
//	entry -> copies of phis, constants and broadcasts in 64 bytes -> loop -> halves

const zmmBytes = 64

// zmmOps are the operations on 64 bytes, of lanes of the given types.
var zmmOps = map[vir.Op][]vir.Elem{}

func init() {
	ints := []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64}
	floats := []vir.Elem{vir.F32, vir.F64}
	all := append(append([]vir.Elem(nil), ints...), floats...)
	for _, row := range []struct {
		elems []vir.Elem
		ops   []vir.Op
	}{
		{all, []vir.Op{vir.OpPhi, vir.OpLoadUnit, vir.OpStoreUnit, vir.OpBitcast, vir.OpBroadcast}},
		{ints, []vir.Op{vir.OpAdd, vir.OpSub, vir.OpNeg, vir.OpNot, vir.OpAnd, vir.OpOr, vir.OpXor,
			vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax}},
		{ints[1:], []vir.Op{vir.OpMul, vir.OpUmulh, vir.OpShl, vir.OpLshr, vir.OpAshr}},
		{ints[2:], []vir.Op{vir.OpRotl, vir.OpClz, vir.OpFtosi}},
		{floats, []vir.Op{vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpFdiv, vir.OpFma, vir.OpFsqrt, vir.OpFneg, vir.OpFabs, vir.OpFcopysign,
			vir.OpFmin, vir.OpFmax, vir.OpFminNnan, vir.OpFmaxNnan, vir.OpFfloor, vir.OpFceil, vir.OpFtrunc, vir.OpFrint, vir.OpSitof, vir.OpUitof}},
	} {
		for _, op := range row.ops {
			zmmOps[op] = row.elems
		}
	}
}

// zmmNames are the instructions that are called otherwise on 64 bytes.
var zmmNames = map[string]string{
	"VPAND": "VPANDQ", "VPOR": "VPORQ", "VPXOR": "VPXORQ", "VROUNDPS": "VRNDSCALEPS", "VROUNDPD": "VRNDSCALEPD",
}

// zmmIdiom emits what has an instruction of its own on 64 bytes.
func zmmIdiom(c partOf) (vec, bool) {
	switch v := c.v; {
	case v.Op == vir.OpSubvec:
		return c.s.zmmPart(v.Args[0], int(v.Imm)*c.bytes()/zmmBytes+c.p), true
	case v.Op == vir.OpConcat:
		return c.s.zmmPartOfConcat(v, c.p), true
	case v.Op == vir.OpBlend:
		return zmmChoice(c), true
	case resizes(v):
		return zmmWiden(c), true
	case v.Op == vir.OpBroadcast:
		return zmmBroadcast(c), true
	case isMaskExt(v):
		return zmmMaskExt(c), true
	case v.Op == vir.OpAdd || v.Op == vir.OpSub:
		return zmmAddMask(c)
	}
	return nil, false
}

// partsOf is the number of parts that v, or what v stores, is emitted in, and the lanes of each.
func (s *selector) partsOf(v *vir.Value) (parts, lanes int) {
	t := accessType(v)
	if s.zmm[v] {
		return t.Size() / zmmBytes, zmmBytes / t.Elem.Size()
	}
	return numParts(t), partLanes(t)
}

// madeParts are the parts of v that there are, and the lanes of each.
func (s *selector) madeParts(v *vir.Value) (parts []vec, lanes int) {
	_, lanes = s.partsOf(v)
	if s.zmm[v] {
		return s.zmms[v], lanes
	}
	return s.vecs[v], lanes
}

// zmmPart is part p of v in 64 bytes, to be read in a loop.
func (s *selector) zmmPart(v *vir.Value, p int) vec {
	if bits, ok := splatBits(v); ok {
		return s.zmmSplat(v.Type.Elem.Size(), bits)
	}
	switch {
	case v.Op == vir.OpPoison:
		return s.f.Vec(zmmBytes)
	case !s.zmm[v] && s.a.inner[s.block] == nil:
		return s.joinedPart(v, p)
	case v.Op == vir.OpConst:
		return s.enteredPart(zmmKey{loop: s.outermost(anyLoop), v: v, p: p})
	case !s.zmm[v]:
		return s.zmmInvariant(v, p)
	}
	parts := s.zmms[v]
	if parts == nil {
		parts = make([]vec, v.Type.Size()/zmmBytes)
		s.zmms[v] = parts
	}
	if parts[p] == nil {
		outer := s.emitsZMM
		s.emitsZMM = v
		setPart(v, parts, p, s.emitSized(v, p, zmmBytes))
		s.emitsZMM = outer
	}
	return parts[p]
}

// in32 runs f, which emits what a value in 64 bytes reads in 32 or less.
func (s *selector) in32(f func()) {
	outer := s.emitsZMM
	s.emitsZMM = nil
	f()
	s.emitsZMM = outer
}

// zmmBroadcast fills 64 bytes with a scalar, from memory if it comes from there.
func zmmBroadcast(c partOf) vec {
	s, a, e := c.s, c.v.Args[0], c.elem()
	d := s.f.Vec(zmmBytes)
	s.in32(func() {
		switch {
		case s.pending(a, 0):
			s.evex(fullBroadcast(e, true), s.loadMem(a, 0, 1), d.AsZ())
		case e.IsFloat():
			s.evex(fullBroadcast(e, false), s.part(a, 0).AsX(), d.AsZ())
		case !(s.isLane(a) && s.gps[a] == nil):
			s.evex(fullBroadcast(e, false), gpView(s.gp(a), max(4, e.Size())), d.AsZ())
		default:
			s.evex(fullBroadcast(e, false), s.spreadScalar(a, e, regBytes).AsX(), d.AsZ())
		}
	})
	return d
}

// zmmPartOrMem is zmmPart, in memory if v is a load that nobody else reads.
func (s *selector) zmmPartOrMem(v *vir.Value, p int) operand.Op {
	if s.zmm[v] && s.pending(v, p*zmmBytes/v.Type.Elem.Size()) {
		n := zmmBytes / v.Type.Elem.Size()
		return s.loadMem(v, p*n, n)
	}
	return s.zmmPart(v, p)
}

// halfOfZMM is part p, of 32 bytes, of a value that a loop has left behind in parts of 64.
func (s *selector) halfOfZMM(v *vir.Value, p int) vec {
	r := s.zmmPart(v, p/2)
	if p%2 == 0 {
		return r
	}
	k := halfKey{r.ID()}
	if h, ok := s.halves[k]; ok {
		return h
	}
	d := s.f.Vec(regBytes)
	s.evex("VEXTRACTF64X4", operand.U8(1), r.AsZ(), d.AsY())
	s.halves[k] = d
	return d
}

// zmmStore stores part p of v, held in r.
func (s *selector) zmmStore(v *vir.Value, p int, r vec) {
	m := s.address(v).Offset(p * zmmBytes)
	if v.Masked {
		s.evex(maskedMove(v.Access().Elem.Size()), r.AsZ(), s.zmmMask(v.Mask(), p), m)
		return
	}
	s.op("VMOVUPS", r.AsZ(), m)
}

// zmmCopies are the copies of arg for phi, which the loop holds in parts of 64 bytes.
func (s *selector) zmmCopies(phi, arg *vir.Value) (cs []phiCopy) {
	for p, dst := range s.zmms[phi] {
		c := phiCopy{dst: dst.AsZ()}
		bits, splat := splatBits(beyondInserts(arg, p))
		switch {
		case splat:
			e := splatEntry(arg.Type.Elem.Size(), bits)
			c.make = func(d reg.Register) { s.cur.Insts = append(s.cur.Insts, s.zmmMaker(e)(d)) }
		case s.zmm[arg]:
			c.src = s.zmmPart(arg, p).AsZ()
		default:
			c.make = func(d reg.Register) { s.zmmJoin(arg, p, d) }
		}
		cs = append(cs, c)
	}
	return cs
}

// beyondInserts is what v is in its part p, of 64 bytes: scalars put into lanes of others
// change nothing there.
func beyondInserts(v *vir.Value, p int) *vir.Value {
	for v.Op == vir.OpInsert && int(v.Imm)*v.Type.Elem.Size()/zmmBytes != p {
		v = v.Args[0]
	}
	return v
}

// A zmmKey is what all iterations of a loop, or a block in none, read: a constant or part p of a value.
type zmmKey struct {
	loop *vir.Block
	e    entry
	v    *vir.Value
	p    int
}

// zmmSplat is a constant in 64 bytes, for the loops around the block if there are any.
func (s *selector) zmmSplat(size int, bits uint64) vec {
	e := splatEntry(size, bits)
	if e == (entry{}) {
		return s.zero() // in all bytes
	}
	mk := s.zmmMaker(e)
	if s.a.inner[s.block] == nil {
		return s.local(localKey{fmt.Sprint(e), zmmBytes}, machine.Remat{Make: mk})
	}
	k := zmmKey{loop: s.outermost(anyLoop), e: e}
	d := s.entered(k, func(d vec) { s.cur.Insts = append(s.cur.Insts, mk(d)) })
	s.f.Remat[d.ID()] = machine.Remat{Make: mk}
	return d
}

// zmmMaker makes the instruction that repeats e in a register.
func (s *selector) zmmMaker(e entry) func(reg.Register) *machine.Inst {
	if e == (entry{}) {
		mk, _ := s.maker(e)
		return mk
	}
	m := s.pool.addr(e)
	return func(d reg.Register) *machine.Inst {
		i, err := machine.MakeEVEX("VBROADCASTF64X4", m, d.(reg.Vec).AsZ())
		if err != nil {
			panic(err)
		}
		return i
	}
}

// zmmInvariant is part p of v in 64 bytes, for the loops that v comes before.
func (s *selector) zmmInvariant(v *vir.Value, p int) vec {
	k := zmmKey{loop: s.outermost(func(h *vir.Block) bool { return !s.a.body(h)[v.Block] }), v: v, p: p}
	if v.Op == vir.OpBroadcast || allOne(s.vecs[v]) {
		k.p = 0 // all parts are the same
	}
	return s.enteredPart(k)
}

// enteredPart is part k.p of k.v, made on all ways into the loop.
func (s *selector) enteredPart(k zmmKey) vec {
	return s.entered(k, func(d vec) { s.zmmJoin(k.v, k.p, d.AsZ()) })
}

// joinedPart is part p of v for a block in no loop.
func (s *selector) joinedPart(v *vir.Value, p int) vec {
	k := zmmKey{v: v, p: p}
	d, ok := s.fulls[k]
	if !ok {
		d = s.f.Vec(zmmBytes)
		s.in32(func() { s.zmmJoin(v, p, d.AsZ()) })
		s.fulls[k] = d
	}
	return d
}

// allOne reports whether parts are one register.
func allOne(parts []vec) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(r vec) bool { return r == nil || r.ID() != parts[0].ID() })
}

// zmmJoin sets d to part p of v, of which there are the halves.
func (s *selector) zmmJoin(v *vir.Value, p int, d reg.Register) {
	if v.Op == vir.OpBroadcast || v.Op == vir.OpSubvec && v.Args[0].Op == vir.OpBroadcast {
		s.op(fullBroadcast(v.Type.Elem, false), s.part(v, 0).AsX(), d)
		return
	}
	low, high := s.part(v, 2*p), s.part(v, 2*p+1)
	s.evex("VINSERTF64X4", operand.U8(1), high.AsY(), low.AsZ(), d)
}

// outermost is the header of the outermost loop around the block, of those that may be.
func (s *selector) outermost(may func(h *vir.Block) bool) *vir.Block {
	for _, h := range s.a.order {
		if s.a.inner[h] == h && len(h.Phis()) > 0 && s.a.body(h)[s.block] && may(h) {
			return h
		}
	}
	panic("no loop around " + s.block.Name)
}

func anyLoop(*vir.Block) bool { return true }

// entered is the register of k, which mk sets on all ways into the loop.
func (s *selector) entered(k zmmKey, mk func(d vec)) vec {
	d, ok := s.invariant[k]
	if !ok {
		d = s.f.Vec(zmmBytes)
		s.invariant[k] = d
		s.entering[k.loop] = append(s.entering[k.loop], func() { mk(d) })
	}
	return d
}

// enterLoop sets the registers of the loop of header h on the way from b.
func (s *selector) enterLoop(b, h *vir.Block) {
	if len(s.entering[h]) > 0 && !s.a.body(h)[b] {
		for _, f := range s.entering[h] {
			f()
		}
	}
}
