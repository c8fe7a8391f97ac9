package simplify

import (
	"math"

	"github.com/lanewise/lanewise/vir"
)

// convert shortens chains of integer conversions.
func (r *rewriter) convert(v *vir.Value) *vir.Value {
	x := v.Args[0]
	switch {
	case v.Op == vir.OpBitcast:
		if x.Op == vir.OpBitcast {
			return r.resize(vir.OpBitcast, x.Args[0], v.Type)
		}
	case v.Op == vir.OpTrunc && x.Op == vir.OpTrunc:
		return r.op(vir.OpTrunc, v.Type, x.Args[0])
	case v.Op == vir.OpTrunc && (x.Op == vir.OpZext || x.Op == vir.OpSext):
		return r.resize(x.Op, x.Args[0], v.Type)
	case v.Op == x.Op: // zext zext, sext sext
		return r.op(v.Op, v.Type, x.Args[0])
	case v.Op == vir.OpSext && x.Op == vir.OpZext:
		return r.op(vir.OpZext, v.Type, x.Args[0])
	}
	return nil
}

// resize converts integer x to t: by op when t is wider.
func (r *rewriter) resize(op vir.Op, x *vir.Value, t vir.Type) *vir.Value {
	switch {
	case x.Type == t:
		return x
	case op == vir.OpBitcast || x.Type.Elem.Bits() < t.Elem.Bits():
		return r.op(op, t, x)
	}
	return r.op(vir.OpTrunc, t, x)
}

// compare simplifies integer comparisons.
func (r *rewriter) compare(v *vir.Value) *vir.Value {
	x, y := v.Args[0], v.Args[1]
	if x == y {
		return r.bool(v.Type, v.Op == vir.OpIcmpEq || v.Op == vir.OpIcmpSle || v.Op == vir.OpIcmpUle)
	}
	if w := r.truth(v, x, y); w != nil {
		return w
	}
	if w := r.remainder(v, x, y); w != nil {
		return w
	}
	if w := r.listed(v, x, y); w != nil {
		return w
	}
	return r.narrow(v, x, y)
}

// remainder asks the low bits whether a signed number has a remainder when it is divided by a power
// of two, and the sign, too, unless the remainder is 0:
//
//	x % 4 == 0    x & 3 == 0
//	x % 4 == 1    x & (sign | 3) == 1
//	x % 4 == -1   x & (sign | 3) == sign | 3
func (r *rewriter) remainder(v, x, y *vir.Value) *vir.Value {
	if v.Op != vir.OpIcmpEq && v.Op != vir.OpIcmpNe || x.Op != vir.OpSrem {
		return nil
	}
	d, ok := x.Args[1].ConstInt()
	rem, ok2 := y.ConstInt()
	_, pow := log2(uint64(d))
	if !ok || !ok2 || d <= 1 || !pow || rem <= -d || d <= rem {
		return nil
	}
	mask, want := d-1, rem
	sign := int64(math.MinInt64) >> (64 - x.Type.Elem.Bits())
	if rem != 0 {
		mask |= sign
		want = rem & mask
	}
	return r.op(v.Op, v.Type, r.same(vir.OpAnd, x.Args[0], r.int(x.Type, mask)), r.int(x.Type, want))
}

// truth undoes the detour of a bool through an integer.
func (r *rewriter) truth(v, x, y *vir.Value) *vir.Value {
	if v.Op != vir.OpIcmpEq && v.Op != vir.OpIcmpNe {
		return nil
	}
	if isTrue(y) || isFalse(y) {
		if isTrue(y) == (v.Op == vir.OpIcmpEq) {
			return x
		}
		return r.not(x)
	}
	if x.Op != vir.OpZext && x.Op != vir.OpSext || x.Args[0].Type.Elem != vir.Bool {
		return nil
	}
	one := int64(1)
	if x.Op == vir.OpSext {
		one = -1
	}
	c, ok := y.ConstInt()
	switch {
	case !ok:
		return nil
	case c == 0:
		return r.either(x.Args[0], v.Op == vir.OpIcmpNe)
	case c == one:
		return r.either(x.Args[0], v.Op == vir.OpIcmpEq)
	}
	return r.bool(v.Type, v.Op == vir.OpIcmpNe)
}

// either is x or its complement.
func (r *rewriter) either(x *vir.Value, plain bool) *vir.Value {
	if plain {
		return x
	}
	return r.not(x)
}

// narrow compares before an extension instead of after it, when both operands
// are extended alike or one is a constant that the narrow type can hold.
func (r *rewriter) narrow(v, x, y *vir.Value) *vir.Value {
	ext, t := x, vir.Type{}
	if !isExt(ext) {
		ext = y
	}
	if !isExt(ext) || ext.Args[0].Type.Elem == vir.Bool {
		return nil
	}
	t = ext.Args[0].Type
	a, ok := r.before(x, ext.Op, t)
	b, ok2 := r.before(y, ext.Op, t)
	if !ok || !ok2 {
		return nil
	}
	return r.op(narrowOp(v.Op, ext.Op), v.Type, a, b)
}

func isExt(v *vir.Value) bool { return v.Op == vir.OpZext || v.Op == vir.OpSext }

// before is the value of type t of which x is the extension.
func (r *rewriter) before(x *vir.Value, ext vir.Op, t vir.Type) (*vir.Value, bool) {
	if x.Op == ext && x.Args[0].Type == t {
		return x.Args[0], true
	}
	c, ok := x.ConstInt()
	if mask := x.Type.Elem.Ones(); !ok || extended(uint64(c), ext, t.Elem)&mask != uint64(c)&mask {
		return nil, false
	}
	return r.bits(t, uint64(c)), true
}

// extended is the 64-bit extension of the low bits of c.
func extended(c uint64, ext vir.Op, e vir.Elem) uint64 {
	sh := 64 - e.Bits()
	if ext == vir.OpSext {
		return uint64(int64(c<<sh) >> sh)
	}
	return c << sh >> sh
}

// narrowOp is the comparison on narrow values. Zero-extended values are not
// negative, so that their signed order is the unsigned one of the narrow type;
// sign extension keeps both orders.
func narrowOp(op, ext vir.Op) vir.Op {
	if ext == vir.OpZext {
		switch op {
		case vir.OpIcmpSlt:
			return vir.OpIcmpUlt
		case vir.OpIcmpSle:
			return vir.OpIcmpUle
		}
	}
	return op
}
