package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// arithExpr is arith with the check of a divisor. Constants are 0 where they are counters of loops that are written out.
func (l *lowerer) arithExpr(n ast.Node, op token.Token, x, y *vir.Value, t types.Type) *vir.Value {
	bits, isConst := y.IsConst()
	if (op == token.QUO || op == token.REM) && isInteger(t) && !(isConst && bits != 0) {
		l.b.Check(vir.OpCheckDiv, nil, y)
	}
	return l.arith(n, op, x, y, t)
}

// arith is x op y of type t, for everything but shifts and comparisons.
func (l *lowerer) arith(n ast.Node, op token.Token, x, y *vir.Value, t types.Type) *vir.Value {
	var o vir.Op
	switch {
	case isFloat(t):
		o = map[token.Token]vir.Op{token.ADD: vir.OpFadd, token.SUB: vir.OpFsub, token.MUL: vir.OpFmul, token.QUO: vir.OpFdiv}[op]
	case isInteger(t):
		if op == token.AND_NOT {
			y, op = l.b.Same(vir.OpNot, y), token.AND
		}
		o = map[token.Token]vir.Op{token.ADD: vir.OpAdd, token.SUB: vir.OpSub, token.MUL: vir.OpMul,
			token.AND: vir.OpAnd, token.OR: vir.OpOr, token.XOR: vir.OpXor,
			token.QUO: vir.OpSdiv, token.REM: vir.OpSrem}[op]
		if o == vir.OpSdiv || o == vir.OpSrem {
			o = l.division(o, x, y, isUnsigned(t))
		}
	}
	if o == vir.OpInvalid {
		l.refuse(n, "Expr", "operator %s is not supported here", op)
	}
	return l.b.Same(o, x, y)
}

// division is the operation for sdiv or srem, unsigned where the operands are
// or cannot be negative: so a remainder shows what it is a remainder of.
func (l *lowerer) division(o vir.Op, x, y *vir.Value, unsigned bool) vir.Op {
	c, ok := y.ConstInt()
	if !unsigned && !(ok && c > 0 && (x == l.counter || nonNegative(x))) {
		return o
	}
	if o == vir.OpSdiv {
		return vir.OpUdiv
	}
	return vir.OpUrem
}

// compare is x op y with operands of type t.
func (l *lowerer) compare(n ast.Node, op token.Token, x, y *vir.Value, t types.Type) *vir.Value {
	switch op = l.ordered(op, x, y); op {
	case token.GTR:
		op, x, y = token.LSS, y, x
	case token.GEQ:
		op, x, y = token.LEQ, y, x
	}
	if isFloat(t) {
		return l.b.Cmp(map[token.Token]vir.Op{token.EQL: vir.OpFcmpEq, token.NEQ: vir.OpFcmpNe,
			token.LSS: vir.OpFcmpLt, token.LEQ: vir.OpFcmpLe}[op], x, y)
	}
	o := map[token.Token]vir.Op{token.EQL: vir.OpIcmpEq, token.NEQ: vir.OpIcmpNe,
		token.LSS: vir.OpIcmpSlt, token.LEQ: vir.OpIcmpSle}[op]
	if isUnsigned(t) && o == vir.OpIcmpSlt {
		o = vir.OpIcmpUlt
	} else if isUnsigned(t) && o == vir.OpIcmpSle {
		o = vir.OpIcmpUle
	}
	if o == vir.OpInvalid {
		l.refuse(n, "Expr", "operator %s is not supported here", op)
	}
	return l.b.Cmp(o, x, y)
}

// shift is x op count for x of type t. The vir operations want a count of x's
// own type, unsigned; counts of the width and more stay that large.
func (l *lowerer) shift(n ast.Node, op token.Token, x *vir.Value, t types.Type, count ast.Expr) *vir.Value {
	o := vir.OpShl
	if op == token.SHR {
		if o = vir.OpAshr; isUnsigned(t) {
			o = vir.OpLshr
		}
	}
	width := x.Type.Elem.Bits()
	if c := l.constOf(count); c != nil {
		if constant.Sign(c) < 0 { // in a loop that is written out
			l.b.Check(vir.OpCheckShift, nil, l.int(vir.Scalar(vir.I64), -1))
		}
		k, ok := constant.Uint64Val(constant.ToInt(c))
		if !ok || k > uint64(width) {
			k = uint64(width)
		}
		return l.b.Same(o, x, l.int(x.Type, int64(k)))
	}
	c := l.scalar(count)
	l.mark(n)
	if !isUnsigned(l.typeOf(count)) && c != l.counter && !nonNegative(c) {
		l.b.Check(vir.OpCheckShift, nil, c)
	}
	return l.b.Same(o, x, l.shiftCount(c, x.Type))
}

// shiftCount brings the non-negative count c to type t.
func (l *lowerer) shiftCount(c *vir.Value, t vir.Type) *vir.Value {
	from, to := c.Type.Elem.Bits(), t.Elem.Bits()
	switch {
	case from < to:
		return l.b.Op(vir.OpZext, t, c)
	case from == to:
		return c
	}
	if limit, ok := upperBound(c); !ok || limit >= 1<<to {
		c = l.b.Same(vir.OpUmin, c, l.int(c.Type, int64(to)))
	}
	return l.b.Op(vir.OpTrunc, t, c)
}

// upperBound is a bound of v as an unsigned number, if one is obvious.
func upperBound(v *vir.Value) (uint64, bool) {
	if c, ok := v.IsConst(); ok {
		return c, true
	}
	switch v.Op {
	case vir.OpZext:
		if e := v.Args[0].Type.Elem; e != vir.Bool {
			if b, ok := upperBound(v.Args[0]); ok {
				return b, true
			}
			return 1<<e.Bits() - 1, true
		}
		return 1, true
	case vir.OpAnd:
		x, okX := upperBound(v.Args[0])
		y, okY := upperBound(v.Args[1])
		switch {
		case okX && okY:
			return min(x, y), true
		case okX:
			return x, true
		}
		return y, okY
	case vir.OpLshr:
		if k, ok := v.Args[1].IsConst(); ok && k < 64 {
			return math.MaxUint64 >> (64 - v.Type.Elem.Bits()) >> k, true
		}
	case vir.OpUrem:
		if k, ok := v.Args[1].IsConst(); ok && k > 0 {
			return k - 1, true
		}
	case vir.OpPopcnt, vir.OpClz, vir.OpCtz:
		return uint64(v.Type.Elem.Bits()), true
	}
	return 0, false
}

// nonNegative reports whether v is obviously not negative as a signed number.
func nonNegative(v *vir.Value) bool {
	b, ok := upperBound(v)
	return ok && bits.Len64(b) < v.Type.Elem.Bits()
}
