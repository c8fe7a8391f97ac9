package simplify

import "github.com/lanewise/lanewise/vir"

// rule is what replaces v, nil when no rule applies. v is not placed yet.
func (r *rewriter) rule(v *vir.Value) *vir.Value {
	if w := r.fold(v); w != nil {
		return w
	}
	switch v.Op {
	case vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpNeg:
		return r.arithmetic(v)
	case vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpNot:
		return r.logic(v)
	case vir.OpShl, vir.OpLshr, vir.OpAshr, vir.OpRotl:
		return r.shift(v)
	case vir.OpUdiv, vir.OpUrem, vir.OpSdiv, vir.OpSrem:
		return r.divide(v)
	case vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax:
		return r.extreme(v)
	case vir.OpIcmpEq, vir.OpIcmpNe, vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle:
		return r.compare(v)
	case vir.OpSelect, vir.OpBlend:
		return r.choice(v)
	case vir.OpTrunc, vir.OpZext, vir.OpSext, vir.OpBitcast:
		return r.convert(v)
	case vir.OpShuffle:
		return r.shuffle(v)
	case vir.OpPtradd:
		if isConst(v.Args[1], 0) {
			return v.Args[0]
		}
	default:
		return r.float(v)
	}
	return nil
}

func (r *rewriter) arithmetic(v *vir.Value) *vir.Value {
	x := v.Args[0]
	if v.Op == vir.OpNeg {
		if x.Op == vir.OpNeg {
			return x.Args[0]
		}
		return nil
	}
	y := v.Args[1]
	switch v.Op {
	case vir.OpAdd:
		return r.sum(v, x, y)
	case vir.OpSub:
		if c, ok := y.ConstInt(); ok {
			return r.same(vir.OpAdd, x, r.int(v.Type, -c))
		}
		return r.difference(v, x, y)
	case vir.OpMul:
		return r.product(v, x, y)
	}
	return nil
}

// extreme is a minimum or maximum with the same, or with a number that none is beyond.
func (r *rewriter) extreme(v *vir.Value) *vir.Value {
	x, y := v.Args[0], v.Args[1]
	if x == y {
		return x
	}
	width := v.Type.Elem.Bits()
	least, most := int64(-1)<<(width-1), int64(1)<<(width-1)-1
	if v.Op == vir.OpUmin || v.Op == vir.OpUmax {
		least, most = 0, -1
	}
	if v.Op == vir.OpSmax || v.Op == vir.OpUmax {
		least, most = most, least
	}
	switch {
	case isConst(y, most):
		return x
	case isConst(y, least):
		return y
	}
	return nil
}

func (r *rewriter) sum(v, x, y *vir.Value) *vir.Value {
	if w := r.rotation(x, y); w != nil {
		return w
	}
	c, ok := y.ConstInt()
	switch {
	case ok && c == 0:
		return x
	case ok && x.Op == vir.OpAdd:
		if d, ok := x.Args[1].ConstInt(); ok {
			return r.same(vir.OpAdd, x.Args[0], r.int(v.Type, c+d))
		}
	case y.Op == vir.OpNeg:
		return r.same(vir.OpSub, x, y.Args[0])
	case x.Op == vir.OpNeg:
		return r.same(vir.OpSub, y, x.Args[0])
	}
	return nil
}

// difference is x - y. Sums wrap around, so that what both have in common goes away.
func (r *rewriter) difference(v, x, y *vir.Value) *vir.Value {
	a, c := plus(x)
	b, d := plus(y)
	switch {
	case a == b:
		return r.int(v.Type, c-d)
	case isConst(x, 0):
		return r.same(vir.OpNeg, y)
	case x.Op == vir.OpAdd && x.Args[0] == y:
		return x.Args[1]
	case x.Op == vir.OpAdd && x.Args[1] == y:
		return x.Args[0]
	}
	return nil
}

// plus is what x adds a constant to, and the constant.
func plus(x *vir.Value) (*vir.Value, int64) {
	if x.Op == vir.OpAdd {
		if c, ok := x.Args[1].ConstInt(); ok {
			return x.Args[0], c
		}
	}
	return x, 0
}

func (r *rewriter) product(v, x, y *vir.Value) *vir.Value {
	c, ok := y.ConstInt()
	switch {
	case !ok:
		return r.shifts(v, x, y)
	case c == 0:
		return y
	case c == 1:
		return x
	case c == -1:
		return r.same(vir.OpNeg, x)
	}
	if k, ok := log2(uint64(c) & v.Type.Elem.Ones()); ok {
		return r.same(vir.OpShl, x, r.int(v.Type, int64(k)))
	}
	if x.Op == vir.OpMul {
		if d, ok := x.Args[1].ConstInt(); ok {
			return r.same(vir.OpMul, x.Args[0], r.int(v.Type, c*d))
		}
	}
	return nil
}

// shifts is x by powers of two, one for each lane, where lanes have shifts of their own.
func (r *rewriter) shifts(v, x, y *vir.Value) *vir.Value {
	if y.Op != vir.OpConst || !v.Type.IsVector() || v.Type.Elem.Bits() < 32 {
		return nil
	}
	var counts []uint64
	for _, c := range y.Bits {
		k, ok := log2(c)
		if !ok {
			return nil
		}
		counts = append(counts, uint64(k))
	}
	by := r.f.NewValue(vir.OpConst, v.Type)
	by.Bits, by.Pos = counts, r.b.Pos
	return r.same(vir.OpShl, x, r.pure(by))
}

// log2 is the exponent of a power of two.
func log2(x uint64) (int, bool) {
	if x == 0 || x&(x-1) != 0 {
		return 0, false
	}
	k := 0
	for x > 1 {
		x >>= 1
		k++
	}
	return k, true
}

// shift: counts are unsigned; those of the width and above have defined results.
func (r *rewriter) shift(v *vir.Value) *vir.Value {
	x, width := v.Args[0], uint64(v.Type.Elem.Bits())
	c, ok := v.Args[1].IsConst()
	switch {
	case !ok:
		return nil
	case c == 0:
		return x
	case v.Op == vir.OpRotl:
		if c >= width {
			return r.same(v.Op, x, r.bits(v.Type, c%width))
		}
		return nil
	case c >= width && v.Op == vir.OpAshr:
		return r.same(v.Op, x, r.bits(v.Type, width-1))
	case c >= width:
		return r.int(v.Type, 0)
	case x.Op == v.Op:
		if d, ok := x.Args[1].IsConst(); ok && d < width {
			return r.same(v.Op, x.Args[0], r.bits(v.Type, min(c+d, width)&v.Type.Elem.Ones()))
		}
	}
	return nil
}

func (r *rewriter) divide(v *vir.Value) *vir.Value {
	x := v.Args[0]
	c, ok := v.Args[1].IsConst()
	if !ok || c == 0 {
		return nil
	}
	k, pow := log2(c)
	switch {
	case c == 1 && (v.Op == vir.OpUdiv || v.Op == vir.OpSdiv):
		return x
	case c == 1:
		return r.int(v.Type, 0)
	case v.Op == vir.OpUdiv && pow:
		return r.same(vir.OpLshr, x, r.int(v.Type, int64(k)))
	case v.Op == vir.OpUrem && pow:
		return r.same(vir.OpAnd, x, r.bits(v.Type, c-1))
	case (v.Op == vir.OpUrem || v.Op == vir.OpSrem) && !pow:
		return r.besideQuotient(v)
	}
	return nil
}
