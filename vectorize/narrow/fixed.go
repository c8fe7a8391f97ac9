package narrow

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Where a narrow value is compared with a wide one that stays the same in the loop, that one
// is brought into the range of the other, once:
//
//	icmp.slt (sext i64 %x), %limit
//	==> and (icmp.sle %x, (trunc i8 (smin (smax (sub %limit, 1), -128), 127))), (icmp.slt -128, %limit)
//
// The second comparison says what limits outside of the range make of all values.

// fixed reports whether v is computed from what stays the same in the loop, by operations
// that take little.
func (n *narrower) fixed(v *vir.Value) bool {
	return edit.Known(v, func(v *vir.Value) edit.Verdict {
		if v.Op == vir.OpParam || v.Op == vir.OpConst || v.Block == n.f.Blocks[0] {
			return edit.Given
		}
		return edit.KnownIf(v.Op != vir.OpPhi && !v.Op.IsLoad() && v.Type.Elem.IsInt() && len(v.Args) > 0)
	})
}

// againstFixed narrows signed or equality comparison v if one operand is fixed and the other
// fits fewer bits.
func (n *narrower) againstFixed(v *vir.Value) bool {
	x, y := v.Args[0], v.Args[1]
	switch {
	case v.Op == vir.OpIcmpUlt || v.Op == vir.OpIcmpUle || n.fixed(x) == n.fixed(y):
		return false
	case n.fixed(x):
		x = y
	}
	r := n.ranges.Of(x)
	for _, w := range widths(8, x.Type.Elem.Bits()) {
		if (r.FitsS(w) || r.FitsU(w) && r.SLo >= 0) && n.can(x, w, w, 0) {
			n.limit(v, w, !r.FitsS(w))
			return true
		}
	}
	return false
}

// limit compares in w bits what v compares with a fixed value.
func (n *narrower) limit(v *vir.Value, w int, isUnsigned bool) {
	x, y := v.Args[0], v.Args[1]
	fixedFirst := n.fixed(x)
	if fixedFirst {
		x, y = y, x
	}
	t := x.Type
	r := n.ranges.Of(x)
	lo, hi := n.b.Int(t, r.SLo), n.b.Int(t, r.SHi)
	op, step := v.Op, vir.OpInvalid
	var inside *vir.Value // y is not beyond all of x
	switch {
	case op == vir.OpIcmpEq || op == vir.OpIcmpNe:
		inside = n.b.Same(vir.OpAnd, n.b.Cmp(vir.OpIcmpSle, lo, y), n.b.Cmp(vir.OpIcmpSle, y, hi))
	case fixedFirst:
		inside = n.b.Cmp(op, y, hi)
		step = vir.OpAdd
	default:
		inside = n.b.Cmp(op, lo, y)
		step = vir.OpSub
	}
	if op == vir.OpIcmpSlt {
		y = n.b.Same(step, y, n.b.Int(t, 1))
		op = vir.OpIcmpSle
	}
	y = n.b.Op(vir.OpTrunc, vir.Scalar(vir.IntElem(w/8)), n.b.Same(vir.OpSmin, n.b.Same(vir.OpSmax, y, lo), hi))
	x = n.at(x, w)
	if fixedFirst {
		x, y = y, x
	}
	if isUnsigned && op == vir.OpIcmpSle {
		op = vir.OpIcmpUle
	}
	within := n.b.Cmp(op, x, y)
	if op == vir.OpIcmpNe {
		v.Op, v.Args = vir.OpOr, []*vir.Value{within, n.b.Same(vir.OpNot, inside)}
		return
	}
	v.Op, v.Args = vir.OpAnd, []*vir.Value{within, inside}
}
