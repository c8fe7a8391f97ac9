package avx2

import "github.com/lanewise/lanewise/vir"

// A span says that lo <= x <= hi, in the order of unsigned numbers. Signed ones
// are moved there by flipping their sign bits.
type span struct {
	x      *vir.Value
	lo, hi uint64
	bias   uint64 // the flipped bit
	most   uint64 // the largest number
}

// spanOf is the span that comparison v tests, of which nothing else is needed.
func (s *selector) spanOf(v *vir.Value) (span, bool) {
	if len(s.a.uses[v]) != 1 || v.Block != s.block {
		return span{}, false
	}
	switch v.Op {
	case vir.OpNot:
		sp, ok := s.spanOf(v.Args[0])
		if !ok {
			return span{}, false
		}
		return sp.complement()
	case vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle:
		return compareSpan(v)
	}
	return span{}, false
}

func compareSpan(v *vir.Value) (span, bool) {
	x, y := v.Args[0], v.Args[1]
	e := x.Type.Elem
	if !e.IsInt() {
		return span{}, false
	}
	sp := span{x: x, most: e.Ones()}
	if v.Op == vir.OpIcmpSlt || v.Op == vir.OpIcmpSle {
		sp.bias = sp.most>>1 + 1
	}
	strict := v.Op == vir.OpIcmpSlt || v.Op == vir.OpIcmpUlt
	if k, ok := splatBits(y); ok {
		sp.hi = (k ^ sp.bias) & sp.most
		if strict {
			sp.hi--
		}
		return sp, sp.hi != ^uint64(0)
	}
	if k, ok := splatBits(x); ok {
		sp.x, sp.lo, sp.hi = y, (k^sp.bias)&sp.most, sp.most
		if strict {
			sp.lo++
		}
		return sp, sp.lo <= sp.most
	}
	return span{}, false
}

// complement is everything else if that is a span as well.
func (sp span) complement() (span, bool) {
	switch {
	case sp.lo == 0 && sp.hi < sp.most:
		sp.lo, sp.hi = sp.hi+1, sp.most
		return sp, true
	case sp.lo > 0 && sp.hi == sp.most:
		sp.lo, sp.hi = 0, sp.lo-1
		return sp, true
	}
	return span{}, false
}

// rangeCheck is part p of v, which tests two bounds of a number; of an or, the
// complement. It moves the upper bound to the largest signed number, so that one
// signed comparison does for both.
func (s *selector) rangeCheck(v *vir.Value, width, p, size int) (vec, bool) {
	a, okA := s.spanOf(v.Args[0])
	b, okB := s.spanOf(v.Args[1])
	if okA && okB && v.Op == vir.OpOr {
		a, okA = a.complement()
		b, okB = b.complement()
	}
	if !okA || !okB || a.x != b.x || a.bias != b.bias || a.x.Type.Elem.Size() != width {
		return nil, false
	}
	lo, hi := max(a.lo, b.lo), min(a.hi, b.hi)
	if lo > hi || lo == 0 || hi == a.most {
		return nil, false
	}
	l := letter(a.x.Type.Elem)
	largest := a.most >> 1
	up := s.inReg(s.splat(width, largest-(hi^a.bias)), size)
	y := s.bin("VPADD"+l, size, up, s.soleOperand(partOf{s, v, p, size}, a.x, v.Args...))
	return s.bin("VPCMPGT"+l, size, y, s.splat(width, largest-(hi-lo)-1)), true
}
