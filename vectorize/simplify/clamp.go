package simplify

import "github.com/lanewise/lanewise/vir"

// Limits that are set after a conversion:
//
//	if v < 0 {
//		return 0
//	}
//	if v > 255 {
//		return 255
//	}
//	return uint8(v)
//
// Before it the choices are minima and maxima, which take no masks of wide lanes to narrow ones.

// limited is the choice v, between a constant and a narrower form of w, as a narrower form of w within a limit:
// c ? k : trunc(w) = trunc(c ? k' : w), where c compares what w is made of with something near k'.
func (r *rewriter) limited(v, c, x, y *vir.Value) *vir.Value {
	if len(c.Args) != 2 {
		return nil
	}
	is := comparison{c.Op, c.Args[0], c.Args[1]}
	if _, ok := x.IsConst(); !ok {
		x, y = y, x
		if is, ok = opposite(c); !ok {
			return nil
		}
	}
	k, ok := x.ConstInt()
	if !ok || y.Op != vir.OpTrunc {
		return nil
	}
	w := y.Args[0]
	if bound, op, ok := limit(is, w, k, v.Type.Elem.Bits()); ok {
		return r.op(vir.OpTrunc, v.Type, r.same(op, w, r.int(w.Type, bound)))
	}
	return nil
}

// limitedFloat is the choice v, between a constant and the conversion of a float, as the conversion of a choice between floats, where c compares floats:
// their lanes have the masks that it takes.
func (r *rewriter) limitedFloat(v, c, x, y *vir.Value) *vir.Value {
	first := true
	if _, ok := x.IsConst(); !ok {
		x, y, first = y, x, false
	}
	k, ok := x.ConstInt()
	if !ok || c.Op != vir.OpFcmpLt && c.Op != vir.OpFcmpLe {
		return nil
	}
	to := y
	if y.Op == vir.OpTrunc {
		to = y.Args[0]
		if c, ok := floatConst(c.Args[0]); ok && c > 0 && k < 0 {
			k += 1 << v.Type.Elem.Bits() // what the limit means by it
		}
	}
	if to.Op != vir.OpFtosi || to.Args[0].Type != c.Args[0].Type {
		return nil
	}
	f := to.Args[0]
	yes, no := r.floatValue(f.Type, float64(k)), f
	if x, _ := floatConst(yes); int64(x) != k || k >= 1<<53 {
		return nil // no float
	}
	if !first {
		yes, no = no, yes
	}
	w := r.op(vir.OpFtosi, to.Type, r.op(v.Op, f.Type, c, yes, no))
	if to == y {
		return w
	}
	return r.op(vir.OpTrunc, v.Type, w)
}

// A comparison is what a value that compares says.
type comparison struct {
	op   vir.Op
	a, b *vir.Value
}

// opposite is the comparison that holds where c does not, of integers in order; false for others.
func opposite(c *vir.Value) (comparison, bool) {
	ops := map[vir.Op]vir.Op{vir.OpIcmpSlt: vir.OpIcmpSle, vir.OpIcmpSle: vir.OpIcmpSlt, vir.OpIcmpUlt: vir.OpIcmpUle, vir.OpIcmpUle: vir.OpIcmpUlt}
	op, ok := ops[c.Op]
	if !ok {
		return comparison{}, false
	}
	return comparison{op, c.Args[1], c.Args[0]}, true
}

// limit is the number that agrees with k in so many bits, and the operation which makes at most or at least that of w, where c says whether
// w is beyond it.
func limit(c comparison, w *vir.Value, k int64, bits int) (bound int64, op vir.Op, ok bool) {
	lo, hi := vir.OpSmin, vir.OpSmax
	var near int64 // where z < l or l < z is l <= z or z <= l
	switch c.op {
	case vir.OpIcmpUlt, vir.OpIcmpUle:
		lo, hi = vir.OpUmin, vir.OpUmax
		fallthrough
	case vir.OpIcmpSlt, vir.OpIcmpSle:
	default:
		return 0, 0, false
	}
	z, l := c.a, c.b
	op, near = hi, -1
	if _, isConst := z.IsConst(); isConst {
		z, l = l, z
		op, near = lo, 1
	}
	if c.op == vir.OpIcmpSle || c.op == vir.OpIcmpUle {
		near = -near
	}
	at, isConst := l.ConstInt()
	if !isConst {
		return 0, 0, false
	}
	for _, b := range []int64{at, at + near} {
		wraps := b != at && beyond(w.Type.Elem.Bits(), at, near, lo)
		if (b^k)<<(64-bits) == 0 && !wraps && within(w, z, op, lo, b) {
			return b, op, true
		}
	}
	return 0, 0, false
}

// beyond reports whether there is no number of so many bits next to at.
func beyond(bits int, at, near int64, lo vir.Op) bool {
	least, most := int64(-1)<<(bits-1), int64(1)<<(bits-1)-1
	if lo == vir.OpUmin {
		least, most = 0, -1
	}
	return near < 0 && at == least || near > 0 && at == most
}

// within reports whether w is z, or z up to a limit on the other side that does not lie beyond b.
func within(w, z *vir.Value, op, lo vir.Op, b int64) bool {
	if w == z {
		return true
	}
	if len(w.Args) != 2 || w.Args[0] != z {
		return false
	}
	other, ok := w.Args[1].ConstInt()
	switch {
	case !ok:
		return false
	case op == vir.OpSmax && lo == vir.OpSmin:
		return w.Op == vir.OpSmin && b <= other
	case op == vir.OpSmin:
		return w.Op == vir.OpSmax && b >= other
	case op == vir.OpUmax:
		return w.Op == vir.OpUmin && uint64(b) <= uint64(other)
	}
	return w.Op == vir.OpUmax && uint64(b) >= uint64(other)
}
