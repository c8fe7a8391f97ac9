package avx2

import "github.com/lanewise/lanewise/vir"

// Idioms are small trees of operations for which there is one instruction. They
// are looked for where the tree is consumed, so nothing of it is emitted unless
// somebody else needs it.

// direct reports whether part p of v can be read although the value that reads
// it is looked through: v must outlive its block or belong to this one, and must
// not be a load that was used up as an operand.
func (s *selector) direct(v *vir.Value, p int) bool {
	switch {
	case v.Op == vir.OpConst, v.Op == vir.OpParam:
		return true
	case v.Block != s.block:
		return s.a.leavesBlock(v)
	case !v.Op.IsLoad():
		return true
	}
	parts, n := s.madeParts(v)
	return parts != nil && parts[p] != nil || s.loads[v] <= p*n
}

// A clamp is a value brought into a range by minima and maxima with constants.
type clamp struct {
	x         *vir.Value
	lo, hi    int64
	low, high bool // whether there is a bound on that side
}

// clampOf strips the bounds off v. Below a lower bound of 0 or more, unsigned
// minima are signed ones.
func clampOf(v *vir.Value) clamp {
	c := clamp{x: v}
	for {
		x, k, ok := withConst(c.x)
		switch {
		case !ok:
			return c
		case c.x.Op == vir.OpSmin, c.x.Op == vir.OpUmin && k >= 0 && rangeOf(x).lo >= 0:
			if c.low && k < c.lo {
				return c
			}
			if !c.high || k < c.hi {
				c.hi, c.high = k, true
			}
		case c.x.Op == vir.OpSmax:
			if c.high && k > c.hi {
				return c
			}
			if !c.low || k > c.lo {
				c.lo, c.low = k, true
			}
		default:
			return c
		}
		c.x = x
	}
}

// withConst splits an operation into its other operand and a constant one.
func withConst(v *vir.Value) (x *vir.Value, k int64, ok bool) {
	if len(v.Args) != 2 || !v.Type.IsVector() {
		return nil, 0, false
	}
	if k, ok := constLane(v.Args[1]); ok {
		return v.Args[0], k, true
	}
	if !v.Op.Info().Commutative {
		return nil, 0, false
	}
	k, ok = constLane(v.Args[0])
	return v.Args[1], k, ok
}

// saturates reports whether the clamp is exactly to [lo, hi].
func (c clamp) saturates(lo, hi int64) bool {
	r := rangeOf(c.x)
	return (c.low || c.high) &&
		(c.low && c.lo == lo || !c.low && r.lo >= lo) &&
		(c.high && c.hi == hi || !c.high && r.hi <= hi)
}

// truncIdiom recognizes narrow arithmetic spelled out in wide lanes.
func truncIdiom(c partOf) (vec, bool) {
	if c.bytes() > 2 {
		return nil, false
	}
	if r, ok := saturated(c); ok {
		return r, true
	}
	if r, ok := average(c); ok {
		return r, true
	}
	if r, ok := roundedProduct(c); ok {
		return r, true
	}
	return highProduct(c)
}

// saturated is a sum or difference of narrow lanes that stops at the bounds of
// their type.
func saturated(c partOf) (vec, bool) {
	w := c.bits()
	cl := clampOf(c.v.Args[0])
	if cl.x.Op != vir.OpAdd && cl.x.Op != vir.OpSub {
		return nil, false
	}
	name := map[vir.Op]string{vir.OpAdd: "VPADD", vir.OpSub: "VPSUB"}[cl.x.Op]
	switch {
	case cl.saturates(0, 1<<w-1) && c.extended(cl.x, vir.OpZext):
		name += "US"
	case cl.saturates(-1<<(w-1), 1<<(w-1)-1) && c.extended(cl.x, vir.OpSext):
		name += "S"
	default:
		return nil, false
	}
	return c.narrowed(name+letter(c.elem()), cl.x), true
}

// extended reports whether both operands of x are extensions of the type that c
// truncates to.
func (c partOf) extended(x *vir.Value, ext vir.Op) bool {
	for _, a := range x.Args {
		if a.Op != ext || a.Args[0].Type != c.v.Type || !c.s.direct(a.Args[0], c.p) {
			return false
		}
	}
	return len(x.Args) == 2
}

// narrowed applies an instruction to what the operands of x extend.
func (c partOf) narrowed(name string, x *vir.Value) vec {
	s, a, b := c.s, x.Args[0], x.Args[1]
	r := s.part(a.Args[0], c.p)
	if len(s.a.uses[b]) == 1 && b.Block == s.block {
		return s.bin(name, c.size, r, s.partOrMem(b.Args[0], c.p))
	}
	return s.bin(name, c.size, r, s.part(b.Args[0], c.p))
}

// average is (x + y + 1) >> 1 of unsigned lanes.
func average(c partOf) (vec, bool) {
	sum, n, ok := withConst(c.v.Args[0])
	if !ok || c.v.Args[0].Op != vir.OpLshr || n != 1 || sum.Op != vir.OpAdd {
		return nil, false
	}
	for i, a := range sum.Args {
		one, rest := a, sum.Args[1-i]
		if k, ok := constLane(one); ok && k == 1 && rest.Op == vir.OpAdd && c.extended(rest, vir.OpZext) {
			return c.narrowed("VPAVG"+letter(c.elem()), rest), true
		}
		// (x + 1) + y
		if x, k, ok := withConst(a); ok && k == 1 && a.Op == vir.OpAdd {
			pair := &vir.Value{Op: vir.OpAdd, Type: sum.Type, Args: []*vir.Value{x, rest}}
			if c.extended(pair, vir.OpZext) {
				return c.narrowed("VPAVG"+letter(c.elem()), pair), true
			}
		}
	}
	return nil, false
}

// highProduct is the high half of a product of words.
func highProduct(c partOf) (vec, bool) {
	m, n, ok := withConst(c.v.Args[0])
	if !ok || c.bytes() != 2 || n != 16 || m.Op != vir.OpMul || m.Type.Elem != vir.I32 {
		return nil, false
	}
	if c.v.Args[0].Op != vir.OpLshr && c.v.Args[0].Op != vir.OpAshr {
		return nil, false
	}
	switch {
	case c.extended(m, vir.OpSext):
		return c.narrowed("VPMULHW", m), true
	case c.extended(m, vir.OpZext):
		return c.narrowed("VPMULHUW", m), true
	}
	return nil, false
}

// roundedProduct is (x*y + 1<<14) >> 15 of words with a sign, which are fractions. The instruction
// wraps for the smallest number times itself, as the truncation does.
func roundedProduct(c partOf) (vec, bool) {
	sum, n, ok := withConst(c.v.Args[0])
	if !ok || c.bytes() != 2 || n != 15 || c.v.Args[0].Op != vir.OpLshr && c.v.Args[0].Op != vir.OpAshr || sum.Op != vir.OpAdd {
		return nil, false
	}
	m, half, ok := withConst(sum)
	if !ok || half != 1<<14 || m.Op != vir.OpMul || m.Type.Elem != vir.I32 || !c.extended(m, vir.OpSext) {
		return nil, false
	}
	return c.narrowed("VPMULHRSW", m), true
}

// narrowProduct multiplies wide lanes that hold narrow numbers.
func narrowProduct(c partOf) (vec, bool) {
	s, x, y := c.s, c.v.Args[0], c.v.Args[1]
	if !c.v.Type.IsVector() {
		return nil, false
	}
	name := ""
	switch {
	case c.elem() == vir.I64 && fitsUnsigned(x, 32) && fitsUnsigned(y, 32):
		name = "VPMULUDQ"
	case c.elem() == vir.I64 && fitsSigned(x, 32) && fitsSigned(y, 32):
		name = "VPMULDQ"
	case c.elem() == vir.I32 && fitsUnsigned(y, 15) && fitsSigned(x, 16),
		c.elem() == vir.I32 && fitsUnsigned(x, 15) && fitsSigned(y, 16):
		// Adds the product of the upper words, one of which is 0.
		name = "VPMADDWD"
	default:
		return nil, false
	}
	if s.prefersMemory(x) && !s.prefersMemory(y) {
		x, y = y, x
	}
	return s.bin(name, c.size, c.of(x), c.memOf(y)), true
}

// absolute is max(x, -x), which has an instruction of its own.
func absolute(c partOf) (vec, bool) {
	if c.v.Op != vir.OpSmax || !c.v.Type.IsVector() || c.bytes() == 8 {
		return nil, false
	}
	for i, a := range c.v.Args {
		if other := c.v.Args[1-i]; isNegation(other, a) {
			return c.s.un("VPABS"+letter(c.elem()), c.size, c.of(a)), true
		}
	}
	return nil, false
}

// isNegation reports whether v is -x.
func isNegation(v, x *vir.Value) bool {
	if v.Op == vir.OpNeg {
		return v.Args[0] == x
	}
	return v.Op == vir.OpSub && isZero(v.Args[0]) && v.Args[1] == x
}

// blendIdiom recognizes absolute values and saturation spelled as a choice.
//
//	x < 0 ? -x : x            |x|
//	x+y < x ? max : x+y       saturating sum (unsigned)
//	y < x ? x-y : 0           saturating difference (unsigned)
func blendIdiom(c partOf) (vec, bool) {
	s, cmp, x, y := c.s, c.v.Args[0], c.v.Args[1], c.v.Args[2]
	for cmp.Op == vir.OpNot {
		cmp, x, y = cmp.Args[0], y, x
	}
	if len(cmp.Args) != 2 || !c.elem().IsInt() || cmp.Args[0].Type != c.v.Type || cmp.Block != s.block {
		return nil, false
	}
	a, b := cmp.Args[0], cmp.Args[1]
	switch {
	case c.bytes() < 8 && (cmp.Op == vir.OpIcmpSlt || cmp.Op == vir.OpIcmpSle) && isZero(b) && a == y && isNegation(x, y):
		return s.un("VPABS"+letter(c.elem()), c.size, c.of(y)), true
	case c.bytes() > 2:
		return nil, false
	case cmp.Op == vir.OpIcmpUlt && a == y && a.Op == vir.OpAdd && (b == a.Args[0] || b == a.Args[1]) && isOnes(x):
		if !s.direct(a.Args[0], c.p) || !s.direct(a.Args[1], c.p) {
			return nil, false
		}
		return s.bin("VPADDUS"+letter(c.elem()), c.size, c.of(a.Args[0]), c.of(a.Args[1])), true
	case (cmp.Op == vir.OpIcmpUlt || cmp.Op == vir.OpIcmpUle) && x.Op == vir.OpSub && x.Args[0] == b && x.Args[1] == a && isZero(y):
		if !s.direct(a, c.p) || !s.direct(b, c.p) {
			return nil, false
		}
		return s.bin("VPSUBUS"+letter(c.elem()), c.size, c.of(b), c.of(a)), true
	}
	return nil, false
}

func isOnes(v *vir.Value) bool {
	c, ok := constLane(v)
	return ok && c == -1
}
