package avx2

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A search leaves its loop where a mask holds in any lane. With parts of 64 bytes that is a test of
// the mask registers that hold all of the mask:
//
//	VCMPPS -> K1    VCMPPS -> K3    KORTESTQ K1, K3    JNE found
//
// Nothing comes between the test and the block that it leads to, which moves them to general registers
// before anything else and looks for the first lane there.

// testedParts is the most parts of a mask that is tested: the test takes two more registers.
const testedParts = 4

// zmmMaskParts is the number of parts of m, a mask of values in 64 bytes.
func zmmMaskParts(m *vir.Value) int { return m.Type.Lanes * zmmMaskWidth(m) / zmmBytes }

// isMaskTest reports whether u is the test of its block, of a mask that fits the mask registers.
func (s *selector) isMaskTest(u *vir.Value) bool {
	if u.Op != vir.OpAny || len(s.a.uses[u]) != 1 {
		return false
	}
	m, term := u.Args[0], u.Block.Term()
	n := zmmMaskParts(m)
	return term.Op == vir.OpBr && term.Args[0] == u && m.Block == u.Block &&
		0 < n && n <= testedParts && n-1+maskHeight(m) <= len(maskRegisters)
}

// findsFirst reports whether u finds the first lane of m behind the test of m.
func (s *selector) findsFirst(u, m *vir.Value) bool {
	b := u.Block
	if u.Op != vir.OpFirst || len(b.Preds) != 1 || b.Preds[0] != m.Block {
		return false
	}
	test := m.Block.Term().Args
	return len(test) == 1 && test[0].Op == vir.OpAny && test[0].Args[0] == m && s.isMaskTest(test[0])
}

// leavesAsBits reports whether nobody but such a block reads m outside of its own.
func (s *selector) leavesAsBits(m *vir.Value) bool {
	return m.Type.IsMask() && s.zmm[m]
}

// testMask sets the flags for whether m holds anywhere, and returns the condition under which it does.
func (s *selector) testMask(m *vir.Value) string {
	n := zmmMaskParts(m)
	for p := range n {
		s.zmmCompared(m, p)
	}
	for p := range n {
		s.computeMask(m, p, p, false)
	}
	s.inK1 = heldMask{}
	k := maskRegisters
	a, b := k[0], k[n-1]
	if n > 2 {
		a = k[testedParts]
		s.evex("KORQ", k[0], k[1], a)
	}
	if n > 3 {
		b = k[testedParts+1]
		s.evex("KORQ", k[2], k[3], b)
	}
	s.cur.EmitTestEVEX("KORTESTQ", a, b)
	return "NE"
}

// takeMask moves the mask that was tested on the way to b to general registers if b asks for it.
func (s *selector) takeMask(b *vir.Block) {
	k := slices.IndexFunc(b.Insts, func(v *vir.Value) bool { return v.Op == vir.OpFirst && s.zmm[v.Args[0]] })
	if k < 0 {
		return
	}
	m := b.Insts[k].Args[0]
	bits := make([]gpr, zmmMaskParts(m))
	for p := range bits {
		bits[p] = s.f.GP()
		s.evex("KMOVQ", maskRegisters[p], bits[p])
	}
	s.testedBits[m] = bits
}

// swappedPredicate is the predicate of a comparison with its operands swapped.
func swappedPredicate(m *vir.Value, predicate int) int {
	switch m.Op {
	case vir.OpIcmpEq, vir.OpIcmpNe, vir.OpFcmpEq, vir.OpFcmpNe:
		return predicate
	case vir.OpFcmpLt, vir.OpFcmpLe:
		return predicate ^ 15
	}
	return predicate ^ 7
}

// memoryOperand is the operand of comparison m that may be in memory, -1 for none: m is computed once.
func (s *selector) memoryOperand(m *vir.Value) int {
	if !s.computedOnce(m) {
		return -1
	}
	for k := len(m.Args) - 1; k >= 0; k-- {
		if s.prefersMemory(m.Args[k]) {
			return k
		}
	}
	return -1
}

// computedOnce reports whether mask m has one reader, which itself is computed once.
func (s *selector) computedOnce(m *vir.Value) bool {
	var reader *vir.Value
	for _, u := range s.a.uses[m] {
		switch {
		case s.findsFirst(u, m):
		case reader != nil:
			return false
		default:
			reader = u
		}
	}
	return reader != nil && (!isMaskLogic(reader) || s.computedOnce(reader))
}
