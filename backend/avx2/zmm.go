package avx2

import (
	"fmt"
	"maps"
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

// findZMM is what loops hold or store in parts of 64 bytes: the largest set of values whose
// operands and readers in the loop belong to it too, and what is computed of nothing else behind
// the loop, as when accumulators are added up.
func (s *selector) findZMM() map[*vir.Value]bool {
	set := make(map[*vir.Value]bool)
	if !s.t.ZMM {
		return set
	}
	var left []*vir.Value
	for _, b := range s.a.order {
		for _, v := range b.Insts {
			if s.mayBeZMM(v) {
				set[v] = true
				left = append(left, v)
			}
		}
	}
	left = s.closeZMM(set, left)
	slow := s.slowZMM(left)
	if !s.t.Half512 {
		s.f.WantsFast512 = len(slow) > 0
	} else if len(slow) > 0 {
		isSlow := func(v *vir.Value) bool { return slow[s.a.inner[v.Block]] }
		maps.DeleteFunc(set, func(v *vir.Value, _ bool) bool { return isSlow(v) })
		s.closeZMM(set, slices.DeleteFunc(left, isSlow))
	}
	return set
}

// closeZMM deletes from set what cannot stay there for the sake of what it is connected to. It is
// given the set as a list and returns what is left of that.
func (s *selector) closeZMM(set map[*vir.Value]bool, list []*vir.Value) []*vir.Value {
	for more := true; more; {
		n := len(list)
		list = slices.DeleteFunc(list, func(v *vir.Value) bool {
			stays := s.staysZMM(v, set)
			if !stays {
				delete(set, v)
			}
			return !stays
		})
		more = len(list) < n
		slices.Reverse(list) // what is not in the set spreads both ways
	}
	return list
}

// slowZMM are the headers of loops of values in 64 bytes that gain nothing from these where the CPU
// takes them in halves.
func (s *selector) slowZMM(zmms []*vir.Value) map[*vir.Block]bool {
	masks := make(map[*vir.Block]bool) // whether there are masks of 64 bytes
	for _, v := range zmms {
		if h := s.a.inner[v.Block]; h != nil {
			masks[h] = masks[h] || v.Type.IsMask()
		}
	}
	slow := make(map[*vir.Block]bool)
	for h, masked := range masks {
		if s.waitsForMoves(h, masked) {
			slow[h] = true
		}
	}
	return slow
}

// waitsForMoves reports whether a loop has loads and stores beside which nothing else takes time:
// other operations keep neither their units nor the processor as a whole busy for as long, or for
// twice as long where masks make up for it, which are in vectors with registers of 32 bytes.
func (s *selector) waitsForMoves(header *vir.Block, masked bool) bool {
	const width = 4 // operations that a processor begins in a cycle
	var loads, stores, others, arithmetic float64
	for _, b := range s.a.order {
		if s.a.inner[b] != header {
			continue
		}
		for _, v := range b.Insts {
			parts := float64(numParts(accessType(v)))
			switch {
			case v.Op == vir.OpLoadUnit:
				loads += parts
			case v.Op == vir.OpStoreUnit:
				stores += parts
			case accessType(v).IsVector() && v.Op != vir.OpPhi && v.Op != vir.OpBitcast:
				others += parts
				arithmetic += s.t.CostValue(v).Throughput
			}
		}
	}
	moves := max(loads/2, stores)
	if masked {
		return arithmetic <= 2*moves && loads+stores+others <= 2*width*moves
	}
	return loads > 0 && stores > 0 && arithmetic <= moves && loads+stores+others <= width*moves
}

// mayBeZMM reports whether v itself can be held or stored in parts of 64 bytes. Registers that loops
// read are set on the way to their first phi.
func (s *selector) mayBeZMM(v *vir.Value) bool {
	switch h := s.a.inner[v.Block]; {
	case h == nil:
		return isLanewise(v) && !resizes(v) && (zmmOp(v) || isZMMSubvec(v))
	case len(h.Phis()) == 0, v.Op == vir.OpPhi && v.Block != h:
		return false
	}
	if _, ok := s.a.gather(v); ok {
		return false // what it adds up has instructions of its own
	}
	return zmmOp(v)
}

// staysZMM reports whether what v is connected to leaves it in the set.
func (s *selector) staysZMM(v *vir.Value, set map[*vir.Value]bool) bool {
	if s.a.inner[v.Block] == nil {
		return onlyReads(v, set)
	}
	return s.readsZMM(v, set) && s.readByZMM(v, set)
}

// isLanewise reports whether v is computed of vectors alone, without masks.
func isLanewise(v *vir.Value) bool {
	scalar := func(a *vir.Value) bool { return !a.Type.IsVector() || a.Type.IsMask() }
	return v.Op != vir.OpPhi && len(v.Args) > 0 && !scalar(v) && !slices.ContainsFunc(lanesRead(v), scalar)
}

// lanesRead are the operands of v but the mask of a choice that does without.
func lanesRead(v *vir.Value) []*vir.Value {
	if isNaNChoice(v) {
		return v.Args[1:]
	}
	return v.Args
}

// isZMMSubvec reports whether v is some of the parts of a vector.
func isZMMSubvec(v *vir.Value) bool {
	size := v.Type.Elem.Size()
	return v.Op == vir.OpSubvec && v.Type.Size()%zmmBytes == 0 && int(v.Imm)*size%zmmBytes == 0
}

// onlyReads reports whether all operands of v are in the set.
func onlyReads(v *vir.Value, set map[*vir.Value]bool) bool {
	return !slices.ContainsFunc(lanesRead(v), func(a *vir.Value) bool { return !set[a] })
}

// zmmOp reports whether there are instructions for v on 64 bytes.
func zmmOp(v *vir.Value) bool {
	t := accessType(v)
	switch {
	case t.IsMask():
		return zmmMaskOp(v)
	case !t.IsVector() || t.Size()%zmmBytes != 0:
		return false
	case v.Op == vir.OpBlend || isMaskExt(v):
		return true
	case resizes(v):
		return widensToZMM(v)
	}
	if v.Op == vir.OpBitcast || vir.OpTrunc <= v.Op && v.Op <= vir.OpFptrunc {
		if from := v.Args[0].Type; !from.IsVector() || from.IsMask() || from.Elem.Size() != t.Elem.Size() {
			return false
		}
	}
	return slices.Contains(zmmOps[v.Op], t.Elem)
}

// zmmIdiom emits what has an instruction of its own on 64 bytes.
func zmmIdiom(c partOf) (vec, bool) {
	switch v := c.v; {
	case v.Op == vir.OpSubvec:
		return c.s.zmmPart(v.Args[0], int(v.Imm)*c.bytes()/zmmBytes+c.p), true
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

// readsZMM reports whether operands of v are in the set, or the same in all iterations, or what
// v, a phi, has at first.
func (s *selector) readsZMM(v *vir.Value, set map[*vir.Value]bool) bool {
	h := s.a.inner[v.Block]
	body := s.a.body(h)
	if resizes(v) {
		return true // what it reads is in 32 bytes
	}
	for k, a := range v.Args {
		if !a.Type.IsVector() {
			continue
		}
		_, splat := splatBits(a)
		switch {
		case a.Type.IsMask():
			if !set[a] || !zmmReadsMask(v, a) {
				return false
			}
		case splat, a.Op == vir.OpConst, a.Op == vir.OpPoison, set[a] && s.a.inner[a.Block] == h:
		case v.Op == vir.OpPhi && !body[v.Block.Preds[k]]:
		case !body[a.Block]:
		default:
			return false
		}
	}
	return true
}

// readByZMM reports whether all readers of v in its loop are in the set.
func (s *selector) readByZMM(v *vir.Value, set map[*vir.Value]bool) bool {
	h := s.a.inner[v.Block]
	body := s.a.body(h)
	for _, u := range s.a.uses[v] {
		switch {
		case v.Type.IsMask() && (s.isMaskTest(u) && u.Args[0] == v || s.findsFirst(u, v)):
		case body[u.Block] && resizes(u):
			if set[u] || !narrowsZMM(u) || s.a.inner[u.Block] != h {
				return false
			}
		case body[u.Block] && !(set[u] && s.a.inner[u.Block] == h):
			return false
		case v.Type.IsMask() && !zmmReadsMask(u, v):
			return false
		}
	}
	return true
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
	case v.Op == vir.OpConst:
		anyLoop := func(*vir.Block) bool { return true }
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
		parts[p] = s.emitSized(v, p, zmmBytes)
		s.emitsZMM = outer
		if sameParts(v) {
			for q := range parts {
				parts[q] = parts[p]
			}
		}
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

// A zmmKey is what all iterations of a loop read: a constant or part p of a value.
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
		return s.local(localKey{fmt.Sprint(e[0]), zmmBytes}, machine.Remat{Make: mk})
	}
	k := zmmKey{loop: s.outermost(func(*vir.Block) bool { return true }), e: e}
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

// allOne reports whether parts are one register.
func allOne(parts []vec) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(r vec) bool { return r == nil || r.ID() != parts[0].ID() })
}

// zmmJoin sets d to part p of v, of which there are the halves.
func (s *selector) zmmJoin(v *vir.Value, p int, d reg.Register) {
	if v.Op == vir.OpBroadcast {
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
