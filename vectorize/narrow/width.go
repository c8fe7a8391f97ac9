package narrow

import (
	mathbits "math/bits"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// can reports whether v can be computed in w bits so that the low bits of it that are
// demanded are right, where up to cuts values that cannot be computed otherwise are truncated.
func (n *narrower) can(v *vir.Value, w, demanded, cuts int) bool {
	r := &search{narrower: n, w: w, known: make(map[demand]bool), cut: make(map[*vir.Value]bool)}
	return r.reach(v, demanded) && len(r.cut) <= cuts
}

// A demand is for the low bits of a value. What is computed does not depend on their number,
// only whether it is right.
type demand struct {
	v    *vir.Value
	bits int
}

// A search looks at each demand once, however many ways lead there.
type search struct {
	*narrower
	w     int
	known map[demand]bool
	cut   map[*vir.Value]bool // values to truncate
}

func (r *search) reach(v *vir.Value, bits int) bool {
	d := demand{v, bits}
	ok, seen := r.known[d]
	if !seen {
		ok = r.look(v, bits)
		r.known[d] = ok
	}
	return ok
}

func (r *search) look(v *vir.Value, bits int) bool {
	n, w := r.narrower, r.w
	all := func(bits int, args ...*vir.Value) bool {
		for _, a := range args {
			if !r.reach(a, bits) {
				return false
			}
		}
		return true
	}
	if !v.Type.Elem.IsInt() || v.Type.Elem.Bits() < w {
		return false
	}
	if v.Type.Elem.Bits() == w {
		return true
	}
	if _, _, larger := n.distance(v, w); larger != vir.OpInvalid {
		return true
	}
	switch v.Op {
	case vir.OpConst, vir.OpZext, vir.OpSext, vir.OpTrunc:
		return true
	case vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpOr, vir.OpXor, vir.OpNeg, vir.OpNot:
		return all(bits, v.Args...)
	case vir.OpAnd:
		if c, ok := v.Args[1].IsConst(); ok {
			bits = min(bits, mathbits.Len64(c))
		}
		return all(bits, v.Args...)
	case vir.OpSelect:
		return all(bits, v.Args[1:]...)
	case vir.OpShl:
		_, ok := v.Args[1].IsConst()
		return ok && all(bits, v.Args[0])
	case vir.OpLshr, vir.OpAshr:
		if c, ok := v.Args[1].IsConst(); ok && c < uint64(w) && bits+int(c) <= w && all(bits+int(c), v.Args[0]) {
			return true
		}
		return n.whole(v, w) && all(w, v.Args[0])
	case vir.OpUdiv, vir.OpUrem:
		return n.whole(v, w) && all(w, v.Args...)
	case vir.OpSdiv, vir.OpSrem:
		return n.quotient(v, w) != vir.OpInvalid && all(w, v.Args...)
	case vir.OpUmin, vir.OpUmax:
		return n.ranges.Of(v.Args[0]).FitsU(w) && n.ranges.Of(v.Args[1]).FitsU(w) && all(w, v.Args...)
	case vir.OpSmin, vir.OpSmax:
		return n.order(v, w) != vir.OpInvalid && all(w, v.Args...)
	}
	if n.narrow[v] {
		return true
	}
	if v.Op == vir.OpParam || v.Block == n.f.Blocks[0] || n.isCounter(v) {
		return true // truncated outside of the loop, or made as wide as asked for
	}
	r.cut[v] = true
	return v.Op != vir.OpPhi || n.counted != nil && n.ranges == n.counted.ranges && n.counted.beliefs[v] != nil
}

// isCounter reports whether v is an induction, the lanes of which are made in any width.
func (n *narrower) isCounter(v *vir.Value) bool {
	header := n.f.Blocks[1]
	if v.Op != vir.OpPhi || v.Block != header {
		return false
	}
	next := v.Args[1-header.PredIndex(n.f.Entry())]
	if next.Op != vir.OpAdd || next.Args[0] != v {
		return false
	}
	_, ok := next.Args[1].IsConst()
	return ok
}

// whole reports whether the first operand of a shift to the right or division by
// a constant fits w bits, so that nothing of it is lost.
func (n *narrower) whole(v *vir.Value, w int) bool {
	c, ok := v.Args[1].IsConst()
	x := n.ranges.Of(v.Args[0])
	switch {
	case !ok && edit.Divides(v.Op):
		return w >= quotientBits && x.FitsU(w) && n.ranges.Of(v.Args[1]).FitsU(w)
	case !ok:
		return false
	case v.Op == vir.OpLshr:
		return c < uint64(w) && x.FitsU(w)
	case v.Op == vir.OpAshr:
		return c < uint64(w) && (x.FitsS(w) || x.FitsU(w) && x.SLo >= 0)
	}
	return x.FitsU(w) && c != 0 && c>>w == 0
}

// quotient is the operation that divides v's first operand by v's second in w bits,
// unsigned where the sign is known, as that is cheaper. Constant divisors are positive. The least number
// divided by -1 is itself, the low bits of the number that it is in more bits, which fits them nowhere.
func (n *narrower) quotient(v *vir.Value, w int) vir.Op {
	d, ok := v.Args[1].ConstInt()
	x, y := n.ranges.Of(v.Args[0]), n.ranges.Of(v.Args[1])
	switch {
	case !ok && w < quotientBits, ok && d <= 0:
		return vir.OpInvalid
	case !ok && x.FitsU(w) && x.SLo >= 0 && y.FitsU(w) && y.SLo >= 0:
		return unsignedOf[v.Op]
	case !ok && x.FitsS(w) && y.FitsS(w):
		return v.Op
	case !ok:
		return vir.OpInvalid
	case x.FitsU(w) && x.SLo >= 0 && d>>w == 0:
		return unsignedOf[v.Op]
	case x.FitsS(w) && d>>(w-1) == 0:
		return v.Op
	}
	return vir.OpInvalid
}

// quotientBits is the least number of bits in which lanes are divided by each other.
const quotientBits = 16

// order is the operation that takes a signed minimum or maximum in w bits.
func (n *narrower) order(v *vir.Value, w int) vir.Op {
	x, y := n.ranges.Of(v.Args[0]), n.ranges.Of(v.Args[1])
	switch {
	case x.FitsS(w) && y.FitsS(w):
		return v.Op
	case x.FitsU(w) && y.FitsU(w) && x.SLo >= 0 && y.SLo >= 0:
		return unsignedOf[v.Op]
	}
	return vir.OpInvalid
}

// distance splits |x - y| of numbers that fit w bits, and are computed there, as whatever
// larger compares: the larger one less the smaller one fits them, too.
func (n *narrower) distance(v *vir.Value, w int) (x, y *vir.Value, larger vir.Op) {
	x, y, ok := n.ranges.Distance(v)
	if !ok || !n.simple(x, w) || !n.simple(y, w) {
		return nil, nil, vir.OpInvalid
	}
	a, b := n.ranges.Of(x), n.ranges.Of(y)
	switch {
	case a.FitsU(w) && b.FitsU(w) && a.SLo >= 0 && b.SLo >= 0:
		return x, y, vir.OpUmax
	case a.FitsS(w) && b.FitsS(w):
		return x, y, vir.OpSmax
	}
	return nil, nil, vir.OpInvalid
}

// simple holds for what needs no search: constants and narrow values.
func (n *narrower) simple(v *vir.Value, w int) bool {
	isExt := v.Op == vir.OpZext || v.Op == vir.OpSext
	return v.Op == vir.OpConst || isExt && v.Args[0].Type.Elem.IsInt() && v.Args[0].Type.Elem.Bits() <= w
}

var smallerOf = map[vir.Op]vir.Op{vir.OpUmax: vir.OpUmin, vir.OpSmax: vir.OpSmin}

// at computes v in w bits; can has said which of them are right.
func (n *narrower) at(v *vir.Value, w int) *vir.Value {
	if v.Type.Elem.Bits() == w {
		return v
	}
	k := key{v, w}
	if x := n.memo[k]; x != nil && n.dom.Dominates(x.Block, n.b.Cur) {
		return x
	}
	x := n.compute(v, w, vir.Scalar(vir.IntElem(w/8)))
	n.memo[k] = x
	return x
}

func (n *narrower) compute(v *vir.Value, w int, t vir.Type) *vir.Value {
	arg := func(i int) *vir.Value { return n.at(v.Args[i], w) }
	if x, y, larger := n.distance(v, w); larger != vir.OpInvalid {
		x, y = n.at(x, w), n.at(y, w)
		return n.b.Op(vir.OpSub, t, n.b.Op(larger, t, x, y), n.b.Op(smallerOf[larger], t, x, y))
	}
	op := v.Op
	switch op {
	case vir.OpConst:
		return n.b.Const(t, v.Bits[0])
	case vir.OpZext, vir.OpSext, vir.OpTrunc:
		return n.resize(v, t)
	case vir.OpNeg, vir.OpNot:
		return n.b.Op(op, t, arg(0))
	case vir.OpSelect:
		return n.b.Op(op, t, v.Args[0], arg(1), arg(2))
	case vir.OpShl:
		c, _ := v.Args[1].IsConst()
		return n.b.Op(op, t, arg(0), n.b.Const(t, min(c, uint64(w))))
	case vir.OpAshr:
		if !n.ranges.Of(v.Args[0]).FitsS(w) {
			op = vir.OpLshr
		}
	case vir.OpSmin, vir.OpSmax:
		op = n.order(v, w)
	case vir.OpSdiv, vir.OpSrem:
		op = n.quotient(v, w)
	}
	if len(v.Args) == 2 && n.knows(v.Op) {
		return n.b.Op(op, t, arg(0), arg(1))
	}
	return n.b.Op(vir.OpTrunc, t, v)
}

// knows reports whether can looks into operations of this kind.
func (n *narrower) knows(op vir.Op) bool {
	switch op {
	case vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpLshr, vir.OpAshr,
		vir.OpUdiv, vir.OpUrem, vir.OpSdiv, vir.OpSrem, vir.OpUmin, vir.OpUmax, vir.OpSmin, vir.OpSmax:
		return true
	}
	return false
}

// resize is the operand of conversion v in type t.
func (n *narrower) resize(v *vir.Value, t vir.Type) *vir.Value {
	x := v.Args[0]
	switch from := x.Type.Elem.Bits(); {
	case x.Type == t:
		return x
	case from < t.Elem.Bits():
		return n.b.Op(v.Op, t, x)
	}
	return n.b.Op(vir.OpTrunc, t, x)
}
