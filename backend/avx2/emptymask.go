package avx2

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A store by mask register under an empty mask writes nothing, but where nobody has written the page
// yet it takes as long as a hundred others: there is no page to write to, and the processor looks in
// microcode whether any lane would have. So stores under conditions are jumped over where no
// lane is active. In loops the page is looked at first, and the masks if it is not known to have been
// written:
//
//	LEAQ (to), at    CMPQ at, met    JLS some        met is the end of the last page where a lane was active
//	KORTESTQ masks    JEQ done    met = at | 4095
//	some: masked stores
//	done: ...
//
// A jump by the masks alone is mispredicted wherever active lanes are rare and random, which takes up
// to four times as long as all the rest of a loop. This one is once or twice per page. Addresses
// that go back count as met, which may take time but is no mistake. Outside of loops the masks alone
// decide: to choose another address would make loads that follow wait for it.
//
// One test is for several parts of a store, whose masks are in mask registers at the same time. They are
// made part by part, together with what is stored: both often look at the same comparisons, which K1
// holds then.

// pageBytes is the size of the smallest page.
const pageBytes = 4096

// keptMasks are the mask registers for parts of a store but the last, which is in K1. No mask
// is computed in them.
var keptMasks = []reg.Register{reg.K5, reg.K6, reg.K7}

// mayBeEmpty reports whether access v is a store by mask register that is jumped over when its
// mask is empty. Prefixes are not where a block is entered, nor is what has been tested in front of it.
func (s *selector) mayBeEmpty(v *vir.Value) bool {
	return v.Op.IsStore() && v.Op != vir.OpScatter && v.Op != vir.OpStoreCompress && s.byMaskRegister(v) && v.Mask().Op != vir.OpPrefix && !entered(v)
}

// entered reports whether the block of v is entered only where some lane of its mask is active.
func entered(v *vir.Value) bool {
	for b := v.Block; len(b.Preds) == 1; b = b.Preds[0] {
		t := b.Preds[0].Term()
		if t.Op == vir.OpBr && t.Args[0].Op == vir.OpAny && t.Args[0].Args[0] == v.Mask() && b.Preds[0].Succs[0] == b {
			return true
		}
	}
	return false
}

// testedGroup is the number of parts of store v behind one test.
func (s *selector) testedGroup(v *vir.Value) int {
	parts, _ := s.partsOf(v)
	n := min(maxGroup, parts)
	for parts%n != 0 {
		n--
	}
	return n
}

// storeTested stores the parts of group g of v unless all of them have empty masks.
func (s *selector) storeTested(v *vir.Value, g int) {
	n := s.testedGroup(v)
	_, lanes := s.partsOf(v)
	first, elem := g*n, v.Access().Elem.Size()
	values, masks, to := make([]vec, n), make([]reg.Register, n), make([]operand.Mem, n)
	loadAll := func() { s.forceLoads(s.block, v, s.lastIteration(v, (first+n)*lanes-1)) }
	if !s.zmm[v] {
		// Later readers compute the masks again: from registers, as what is stored here may be what
		// they were loaded from.
		loadAll()
	}
	for i := range n {
		values[i] = s.storedPart(v, first+i)
		if s.zmm[v] && i == n-1 {
			loadAll()
		}
		s.loadTouched(v, first+i)
		values[i], to[i] = s.wholeOperands(v, first+i, values[i])
		if masks[i] = reg.K1; i < n-1 {
			masks[i] = keptMasks[i]
		}
		s.maskInto(v, first+i, masks[i])
	}
	s.unlessEmpty(v, to[0], func() { s.testMasks(masks) }, func() {
		for i, r := range values {
			s.evex(maskedMove(elem), sized(r, sizeOfLanes(lanes*elem)), masks[i], to[i])
		}
	})
}

// wholeOperands is storeOperands for parts of the size that v is emitted in.
func (s *selector) wholeOperands(v *vir.Value, p int, r vec) (vec, operand.Mem) {
	if s.zmm[v] {
		return r, s.address(v).Offset(p * zmmBytes)
	}
	return s.storeOperands(v, p, r)
}

// sizeOfLanes is the size of the register for so many bytes of lanes.
func sizeOfLanes(bytes int) int {
	if bytes > regBytes {
		return zmmBytes
	}
	return registerSize(bytes)
}

// maskInto makes k the mask of part p of v.
func (s *selector) maskInto(v *vir.Value, p int, k reg.Register) {
	m := v.Mask()
	switch {
	case !s.zmm[v]:
		s.memoryMaskK(v, p, k)
	case k == reg.K1:
		s.zmmMask(m, p)
	default:
		s.zmmCompared(m, p)
		s.computeMaskTo(m, p, 0, false, k)
		if !isCompare(m) {
			s.inK1 = heldMask{}
		}
	}
}

// testMasks sets the flags for whether any bit of the masks is set.
func (s *selector) testMasks(masks []reg.Register) {
	for len(masks) > 2 {
		n := len(masks)
		s.evex("KORQ", masks[0], masks[1], reg.K3)
		masks = append([]reg.Register{reg.K3}, masks[2:n]...)
	}
	s.cur.EmitTestEVEX("KORTESTQ", masks[0], masks[len(masks)-1])
}

// unlessEmpty has v stored from m on if the test, which sets the flags, finds an active lane, and
// else perhaps if it has found one on that page.
func (s *selector) unlessEmpty(v *vir.Value, m operand.Mem, test, store func()) {
	some, done := s.newBlock(0), s.newBlock(0)
	if s.a.depth[s.block] == 0 {
		test()
		s.branch("EQ", done, some)
	} else {
		s.lookUp(v, s.lea(m), test, some, done)
	}
	s.goOn(some)
	store()
	s.cur.Then = done
	s.goOn(done)
}

// lookUp goes to some if a lane of v was active on the page of at, or is now, else to done.
func (s *selector) lookUp(v *vir.Value, at gpr, test func(), some, done *machine.Block) {
	unmet, found := s.newBlock(0), s.newBlock(0)
	met, ahead, mark, side := s.met(v), "HI", "ORQ", int64(pageBytes-1)
	if v.Op == vir.OpStoreReverse {
		ahead, mark, side = "CS", "ANDQ", -pageBytes
	}
	s.cur.EmitTest("CMPQ", at, met)
	s.branch(ahead, unmet, some)
	s.goOn(unmet)
	test()
	s.branch("EQ", done, found)
	s.goOn(found)
	s.op(mark, machine.Imm(side), at)
	s.op("MOVQ", at, met)
	s.cur.Then = some
}

// A pageKey tells stores apart that go through pages of their own.
type pageKey struct {
	base, index *vir.Value
	scale       int64
	reverse     bool
	loop        *vir.Block // in front of it
}

// met is the register with the end of the last page where store v, in a loop, had an active lane, or another store that
// goes the same way beside it, such as of other fields: at first every address is beyond it.
func (s *selector) met(v *vir.Value) gpr {
	a := v.Addr()
	k := pageKey{a.Base, a.Index, a.Scale, v.Op == vir.OpStoreReverse, s.a.preheader(s.block)}
	if r, ok := s.pages[k]; ok {
		return r
	}
	r, none := s.f.GP(), int64(0)
	if k.reverse {
		none = -1
	}
	before := s.ready[k.loop]
	before.Insts = append(before.Insts, machine.MustMake("MOVQ", machine.Imm(none), r))
	s.pages[k] = r
	return r
}

// testAny sets the flags for whether any lane is active.
func (p *maskBits) testAny() {
	s, all := p.s, p.words[0]
	if len(p.words) > 1 {
		all = s.copyOf(all)
		for _, w := range p.words[1:] {
			s.op("ORQ", w, all)
		}
	}
	s.cur.EmitTest("TESTL", all.As32(), all.As32())
}
