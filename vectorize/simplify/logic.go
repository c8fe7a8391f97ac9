package simplify

import (
	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

func (r *rewriter) logic(v *vir.Value) *vir.Value {
	x := v.Args[0]
	if v.Op == vir.OpNot {
		return r.complement(x)
	}
	y := v.Args[1]
	ones := v.Type.Elem.Ones()
	if v.Op != vir.OpAnd && v.Type.Elem.IsInt() {
		if w := r.rotation(x, y); w != nil {
			return w
		}
	}
	switch v.Op {
	case vir.OpAnd:
		switch {
		case x == y, isBits(y, ones):
			return x
		case isBits(y, 0):
			return y
		case boolean.Complements(x, y):
			return r.bits(v.Type, 0)
		}
	case vir.OpOr:
		switch {
		case x == y, isBits(y, 0):
			return x
		case isBits(y, ones):
			return y
		case boolean.Complements(x, y):
			return r.bits(v.Type, ones)
		}
	case vir.OpXor:
		switch {
		case x == y:
			return r.bits(v.Type, 0)
		case isBits(y, 0):
			return x
		case isBits(y, ones):
			return r.not(x)
		}
		return nil
	}
	if w := r.absorb(v, x, y); w != nil {
		return w
	}
	if w := r.absorb(v, y, x); w != nil {
		return w
	}
	if w := r.related(v, x, y); w != nil {
		return w
	}
	if w := r.given(v, x, y); w != nil {
		return w
	}
	return r.given(v, y, x)
}

// related simplifies x op y where one truth value says something of the other.
func (r *rewriter) related(v, x, y *vir.Value) *vir.Value {
	if v.Type.Elem != vir.Bool {
		return nil
	}
	if v.Op == vir.OpOr {
		switch {
		case boolean.Exhaustive(x, y):
			return r.bits(v.Type, vir.Bool.Ones())
		case boolean.Implies(x, y):
			return y
		case boolean.Implies(y, x):
			return x
		}
		return nil
	}
	switch {
	case boolean.Disjoint(x, y):
		return r.bits(v.Type, 0)
	case boolean.Implies(x, y):
		return x
	case boolean.Implies(y, x):
		return y
	}
	return nil
}

// complement pushes a not into what it negates where that costs nothing.
func (r *rewriter) complement(x *vir.Value) *vir.Value {
	if x.Op == vir.OpNot {
		return x.Args[0]
	}
	if op, swap, ok := boolean.Inverse(x.Op); ok {
		a, b := x.Args[0], x.Args[1]
		if swap {
			a, b = b, a
		}
		return r.op(op, x.Type, a, b)
	}
	return nil
}

// absorb simplifies x op y where y is a combination that contains x or its
// complement:
//
//	x and (x and z) = x and z      x and (x or z) = x      x and (not x or z) = x and z
//	x or (x or z) = x or z         x or (x and z) = x      x or (not x and z) = x or z
//	(a and b) or (a and not b) = a
func (r *rewriter) absorb(v, x, y *vir.Value) *vir.Value {
	if z := y.Args; y.Op == vir.OpNot && z[0].Op == v.Op {
		for k, p := range z[0].Args {
			if p == x { // x and not (x and w) = x and not w
				return r.same(v.Op, x, r.not(z[0].Args[1-k]))
			}
		}
	}
	if y.Op != vir.OpAnd && y.Op != vir.OpOr {
		return nil
	}
	for k := range 2 {
		p, z := y.Args[k], y.Args[1-k]
		switch {
		case p == x && y.Op == v.Op:
			return y
		case p == x:
			return x
		case boolean.Complements(p, x) && y.Op == v.Op && v.Op == vir.OpAnd:
			return r.bits(v.Type, 0)
		case boolean.Complements(p, x) && y.Op == v.Op:
			return r.bits(v.Type, v.Type.Elem.Ones())
		case boolean.Complements(p, x):
			return r.same(v.Op, x, z)
		}
	}
	if v.Op == vir.OpOr && x.Op == vir.OpAnd && y.Op == vir.OpAnd {
		for i := range 2 {
			for j := range 2 {
				if x.Args[i] == y.Args[j] && boolean.Complements(x.Args[1-i], y.Args[1-j]) {
					return x.Args[i]
				}
			}
		}
	}
	return nil
}

// choice simplifies select and blend.
func (r *rewriter) choice(v *vir.Value) *vir.Value {
	c, x, y := v.Args[0], v.Args[1], v.Args[2]
	switch {
	case x == y, isTrue(c):
		return x
	case isFalse(c):
		return y
	case c.Op == vir.OpNot:
		return r.op(v.Op, v.Type, c.Args[0], y, x)
	case v.Type.Elem == vir.Bool && c.Type == v.Type:
		if w := r.boolChoice(c, x, y); w != nil {
			return w
		}
	case v.Type.Elem.IsInt() && c.Op == vir.OpIcmpEq && ofBoth(c, x, y):
		return y // whichever it is, both are the same
	case v.Type.Elem.IsInt() && c.Op == vir.OpIcmpNe && ofBoth(c, x, y):
		return x
	case v.Type.Elem.IsInt() && c.Type.Lanes == v.Type.Lanes:
		if w := r.minMax(v, c, x, y); w != nil {
			return w
		}
		if w := r.limited(v, c, x, y); w != nil {
			return w
		}
		if w := r.limitedFloat(v, c, x, y); w != nil {
			return w
		}
		if w := r.number(v, c, x, y); w != nil {
			return w
		}
		if w := r.setOrCleared(v, c, x, y); w != nil {
			return w
		}
		if w := r.step(v, c, x, y); w != nil {
			return w
		}
	}
	return r.nested(v, c, x, y)
}

// ofBoth reports whether c compares x and y.
func ofBoth(c, x, y *vir.Value) bool {
	return c.Args[0] == x && c.Args[1] == y || c.Args[0] == y && c.Args[1] == x
}

// boolChoice turns a choice between truth values into logic.
func (r *rewriter) boolChoice(c, x, y *vir.Value) *vir.Value {
	switch {
	case isTrue(x) && isFalse(y):
		return c
	case isFalse(x) && isTrue(y):
		return r.not(c)
	case isTrue(x), x == c:
		return r.same(vir.OpOr, c, y)
	case isFalse(y), y == c:
		return r.same(vir.OpAnd, c, x)
	case isFalse(x):
		return r.same(vir.OpAnd, r.not(c), y)
	case isTrue(y):
		return r.same(vir.OpOr, r.not(c), x)
	}
	return nil
}

// number turns a choice between 0 and 1 or -1 into an extension.
func (r *rewriter) number(v, c, x, y *vir.Value) *vir.Value {
	switch {
	case isConst(x, 1) && isConst(y, 0):
		return r.op(vir.OpZext, v.Type, c)
	case isConst(x, 0) && isConst(y, 1):
		return r.op(vir.OpZext, v.Type, r.not(c))
	case isConst(x, -1) && isConst(y, 0):
		return r.op(vir.OpSext, v.Type, c)
	case isConst(x, 0) && isConst(y, -1):
		return r.op(vir.OpSext, v.Type, r.not(c))
	}
	return nil
}

// setOrCleared turns bits that are set where c holds and cleared elsewhere into bits that are replaced:
//
//	c ? z | 1<<p : z &^ 1<<p = z &^ 1<<p | zext(c)<<p
//
// so that both stores of an update of bits are one.
func (r *rewriter) setOrCleared(v, c, x, y *vir.Value) *vir.Value {
	switch {
	case v.Type.IsVector():
		return nil
	case x.Op == vir.OpAnd && y.Op == vir.OpOr:
		return r.setOrCleared(v, r.not(c), y, x)
	case x.Op != vir.OpOr || y.Op != vir.OpAnd:
		return nil
	}
	for k, bit := range x.Args {
		if bit.Op == vir.OpShl && isConst(bit.Args[0], 1) && clears(y, x.Args[1-k], bit) {
			return r.same(vir.OpOr, y, r.same(vir.OpShl, r.op(vir.OpZext, v.Type, c), bit.Args[1]))
		}
	}
	return nil
}

// clears reports whether y is x without some bits.
func clears(y, x, bits *vir.Value) bool {
	isMask := func(v *vir.Value) bool { return v.Op == vir.OpNot && v.Args[0] == bits }
	return y.Args[0] == x && isMask(y.Args[1]) || y.Args[1] == x && isMask(y.Args[0])
}

// step turns lanes that take a constant step where c holds, as in c ? y+k : y, into y + (c ? k : 0): the mask is the step, or
// masks it, and y is not waited for twice.
func (r *rewriter) step(v, c, x, y *vir.Value) *vir.Value {
	if !v.Type.IsVector() {
		return nil
	}
	if steps(y, x) {
		c, x, y = r.not(c), y, x
	}
	if !steps(x, y) || len(r.users(x)) != 1 {
		return nil
	}
	none := r.bits(v.Type, fold.Identity(x.Op, v.Type.Elem))
	return r.same(x.Op, y, r.op(v.Op, v.Type, c, x.Args[1], none))
}

// steps reports whether x is y after a constant step that zero would leave out.
func steps(x, y *vir.Value) bool {
	switch x.Op {
	case vir.OpAdd, vir.OpOr, vir.OpXor:
		_, ok := x.Args[1].IsConst()
		return ok && x.Args[0] == y
	}
	return false
}

// minMax recognizes integer minima and maxima. Equal operands have equal bits,
// so that strict and other comparisons do not differ.
func (r *rewriter) minMax(v, c, x, y *vir.Value) *vir.Value {
	var lo, hi vir.Op
	switch c.Op {
	case vir.OpIcmpSlt, vir.OpIcmpSle:
		lo, hi = vir.OpSmin, vir.OpSmax
	case vir.OpIcmpUlt, vir.OpIcmpUle:
		lo, hi = vir.OpUmin, vir.OpUmax
	default:
		return nil
	}
	switch {
	case c.Args[0] == x && c.Args[1] == y:
		return r.same(lo, x, y)
	case c.Args[0] == y && c.Args[1] == x:
		return r.same(hi, x, y)
	}
	return nil
}

// nested simplifies a choice inside a choice:
//
//	c ? (c ? a : b) : y = c ? a : y         c ? x : (c ? a : b) = c ? x : b
//	c ? x : (not c and d ? a : b) = c ? x : (d ? a : b)
//	c ? (c and d ? a : b) : y = c ? (d ? a : b) : y
//	c ? (d ? a : y) : y = c and d ? a : y   c ? x : (d ? x : b) = c or d ? x : b
//
// Equal float constants have equal bits, so that sharing a choice is exact.
func (r *rewriter) nested(v, c, x, y *vir.Value) *vir.Value {
	if isChoice(x) && x.Op == v.Op {
		if x.Args[2] == y {
			return r.op(v.Op, v.Type, r.same(vir.OpAnd, c, x.Args[0]), x.Args[1], y)
		}
		if x.Args[1] == y {
			return r.op(v.Op, v.Type, r.same(vir.OpAnd, c, r.not(x.Args[0])), x.Args[2], y)
		}
		if w := r.under(x, c, true); w != nil {
			return r.op(v.Op, v.Type, c, w, y)
		}
	}
	if isChoice(y) && y.Op == v.Op {
		if y.Args[1] == x {
			return r.op(v.Op, v.Type, r.same(vir.OpOr, c, y.Args[0]), x, y.Args[2])
		}
		if y.Args[2] == x {
			return r.op(v.Op, v.Type, r.same(vir.OpOr, c, r.not(y.Args[0])), x, y.Args[1])
		}
		if w := r.under(y, c, false); w != nil {
			return r.op(v.Op, v.Type, c, x, w)
		}
	}
	return nil
}
