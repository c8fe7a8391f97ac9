package ranges

import "github.com/lanewise/lanewise/vir"

// Distance recognizes |x - y| of signed numbers, written as a choice between the two
// differences or as the larger of them. The differences do not wrap. What decides may have
// been computed in fewer bits, in which they do not wrap either.
func (in *Info) Distance(v *vir.Value) (x, y *vir.Value, ok bool) {
	switch v.Op {
	case vir.OpSelect, vir.OpBlend:
		low, high, ordered := in.order(v.Args[0])
		x, y, ok = opposite(v.Args[1], v.Args[2])
		ok = ok && ordered && same(x, high) && same(y, low)
	case vir.OpSmax:
		x, y, ok = opposite(v.Args[0], v.Args[1])
	}
	if !ok {
		return nil, nil, false
	}
	return x, y, in.apart(x, y)
}

// apart reports whether differences of signed x and y do not wrap.
func (in *Info) apart(x, y *vir.Value) bool {
	spare := x.Type.Elem.Bits() - 1
	return in.Of(x).FitsS(spare) && in.Of(y).FitsS(spare)
}

// opposite recognizes x - y and y - x.
func opposite(p, q *vir.Value) (x, y *vir.Value, ok bool) {
	x, y = difference(p)
	b, a := difference(q)
	return x, y, x != nil && x == a && y == b
}

// same holds for equal numbers, extended to different widths perhaps.
func same(a, b *vir.Value) bool {
	isExt := a.Op == vir.OpSext || a.Op == vir.OpZext
	return a == b || isExt && a.Op == b.Op && a.Args[0] == b.Args[0]
}

// difference splits x - y, nil for what is none.
func difference(v *vir.Value) (x, y *vir.Value) {
	switch v.Op {
	case vir.OpSub:
		return v.Args[0], v.Args[1]
	case vir.OpNeg:
		y, x = difference(v.Args[0])
		return x, y
	}
	return nil, nil
}

// order splits a comparison that holds only if low <= high, and is false only if high <= low.
// Comparing a difference with zero is comparing its operands.
func (in *Info) order(c *vir.Value) (low, high *vir.Value, ok bool) {
	if c.Op == vir.OpNot {
		high, low, ok = in.order(c.Args[0])
		return low, high, ok
	}
	if c.Op != vir.OpIcmpSlt && c.Op != vir.OpIcmpSle {
		return nil, nil, false
	}
	low, high = c.Args[0], c.Args[1]
	if x, y := difference(low); isZero(high) && x != nil {
		return x, y, in.apart(x, y)
	}
	if x, y := difference(high); isZero(low) && x != nil {
		return y, x, in.apart(x, y)
	}
	return low, high, true
}

func isZero(v *vir.Value) bool {
	c, ok := v.IsConst()
	return ok && c == 0
}

// distance is the range of v if it is a distance.
func (in *Info) distance(v *vir.Value) (Range, bool) {
	x, y, ok := in.Distance(v)
	if !ok {
		return Range{}, false
	}
	a, b := in.Of(x), in.Of(y)
	return signed(v.Type.Elem.Bits(), 0, max(a.SHi-b.SLo, b.SHi-a.SLo, 0)), true
}
