package avx2

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// firstActive is the number of lanes before the first active one: the bits of all parts
// in words of 64, with one more bit behind the last.
func (s *selector) firstActive(v *vir.Value) gpr {
	a := v.Args[0]
	if bits := s.testedBits[a]; bits != nil {
		return s.firstBit(bits, zmmBytes/zmmMaskWidth(a), hasAny(v))
	}
	m := s.mask(a)
	var bits []gpr
	for p := range m.parts {
		bits = append(bits, s.partBits(a, p))
	}
	first := s.firstBit(bits, min(a.Type.Lanes, regBytes/m.width)*step(m.width), hasAny(v))
	if step(m.width) == 2 {
		d := s.copyOf(first)
		s.op("SHRQ", operand.U8(1), d)
		return d
	}
	return first
}

// hasAny reports whether v finds the first lane of a mask where a test has found that there is one.
func hasAny(v *vir.Value) bool {
	b := v.Block
	if len(b.Preds) != 1 {
		return false
	}
	from := b.Preds[0]
	term := from.Term()
	return term.Op == vir.OpBr && from.Succs[0] == b && from.Succs[1] != b &&
		term.Args[0].Op == vir.OpAny && term.Args[0].Args[0] == v.Args[0]
}

// firstBit is the number of the first bit among so many of each register, one behind the other; their
// number where there is none, unless some is known to be set.
func (s *selector) firstBit(bits []gpr, per int, some bool) gpr {
	words := s.joined(bits, per)
	k := len(words) - 1
	if used := len(bits)*per - 64*k; used < 64 && !some {
		d := s.copyOf(words[k])
		s.op("BTSQ", operand.U8(used), d)
		words[k] = d
	}
	first := s.f.GP()
	s.op("TZCNTQ", words[k], first)
	for k--; k >= 0; k-- {
		behind, d := s.lea(operand.Mem{Base: first, Disp: 64}), s.f.GP()
		s.op("TZCNTQ", words[k], d)
		s.op("CMOVQCS", behind, d)
		first = d
	}
	return first
}
