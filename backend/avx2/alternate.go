package avx2

import (
	"github.com/lanewise/lanewise/vir"
)

// Choices between two vectors that are known when the kernel is made.

// constBlend is a blend by a constant mask: a choice of lanes in their places.
func constBlend(c partOf) (vec, bool) {
	s, m, x, y := c.s, c.v.Args[0], c.v.Args[1], c.v.Args[2]
	if m.Op != vir.OpConst {
		return nil, false
	}
	n := c.v.Type.Lanes
	lanes := make([]int, n)
	for k := range lanes {
		if lanes[k] = k; m.Bits[min(k, len(m.Bits)-1)]&1 == 0 {
			lanes[k] = n + k
		}
	}
	if r, ok := sumsAndDifferences(c, lanes, []*vir.Value{x, y}); ok {
		return r, true
	}
	if isZero(x) || isZero(y) || x == y {
		return nil, false
	}
	want := layout(c.v.Type, c.bytes()).Want(lanes[c.first() : c.first()+c.lanes()])
	return s.rearrange(&want, s.parts([]*vir.Value{x, y}), c.elem().IsFloat()), true
}

// sumsAndDifferences are lanes, each in its place, of a+b and a-b that nobody else
// reads; lane k of vs[1] is number n+k. A difference in even lanes has an instruction;
// else b gets the signs first, which saves the second operation and the choice.
func sumsAndDifferences(c partOf, lanes []int, vs []*vir.Value) (vec, bool) {
	s, n := c.s, c.v.Type.Lanes
	if len(vs) != 2 || vs[0].Type != c.v.Type || !s.onlyHere(vs[0]) || !s.onlyHere(vs[1]) {
		return nil, false
	}
	sub := 0
	if vs[1].Op == vir.OpFsub || vs[1].Op == vir.OpSub {
		sub = 1
	}
	minus, plus := vs[sub], vs[1-sub]
	if !(minus.Op == vir.OpFsub && plus.Op == vir.OpFadd || minus.Op == vir.OpSub && plus.Op == vir.OpAdd && c.bytes() < 8) {
		return nil, false
	}
	a, b := minus.Args[0], minus.Args[1]
	if !(plus.Args[0] == a && plus.Args[1] == b || plus.Args[0] == b && plus.Args[1] == a) {
		return nil, false
	}
	negative := make([]bool, c.lanes())
	evenOdd := c.elem().IsFloat() && len(negative) > 1
	for k := range negative {
		from := lanes[c.first()+k]
		if from >= 0 && from%n != c.first()+k {
			return nil, false
		}
		negative[k] = from >= 0 && from/n == sub
		evenOdd = evenOdd && (from < 0 || negative[k] == (k%2 == 0))
	}
	x := s.part(a, c.p)
	if evenOdd {
		return s.bin("VADDSUB"+precision(c.elem()), c.size, x, s.sharedOperand(c, b, plus, minus)), true
	}
	return s.bin(single[opElem{plus.Op, c.elem()}], c.size, x, c.signed(s.part(b, c.p), negative)), true
}

// onlyHere holds for values of this block with one reader that are not made yet.
func (s *selector) onlyHere(v *vir.Value) bool {
	return v.Block == s.block && len(s.a.uses[v]) == 1 && s.vecs[v] == nil
}

// signed is y with the given lanes negated.
func (c partOf) signed(y vec, negative []bool) vec {
	lanes := make([]uint64, len(negative))
	for k, neg := range negative {
		switch {
		case c.elem().IsFloat() && neg:
			lanes[k] = 1 << (c.bits() - 1)
		case !c.elem().IsFloat() && neg:
			lanes[k] = ^uint64(0)
		case !c.elem().IsFloat():
			lanes[k] = 1
		}
	}
	signs := c.s.konst(listEntry(c.bytes(), lanes))
	if c.elem().IsFloat() {
		return c.s.bin("VXOR"+precision(c.elem()), c.size, y, signs)
	}
	return c.s.bin("VPSIGN"+letter(c.elem()), c.size, y, signs)
}

// inPlace reports whether v, a shuffle, leaves all lanes where they are.
func inPlace(v *vir.Value) bool {
	n := v.Type.Lanes
	for k, from := range v.Lanes {
		if from >= 0 && from%n != k {
			return false
		}
	}
	return n == v.Args[0].Type.Lanes
}
