package plan

import (
	"fmt"

	"github.com/lanewise/lanewise/vir"
)

var exprOps = map[ExprOp]vir.Op{
	ExprAdd: vir.OpAdd, ExprSub: vir.OpSub, ExprMul: vir.OpMul, ExprNeg: vir.OpNeg,
	ExprQuo: vir.OpSdiv, ExprRem: vir.OpSrem, ExprSext: vir.OpSext, ExprZext: vir.OpZext,
}

// Emit appends the operator of x, a 64-bit integer, behind what operand appends or
// finds for the operands of x. Live-ins and the number of iterations done are the
// caller's to know: Emit panics on them.
func (x *Expr) Emit(b *vir.Builder, operand func(*Expr) *vir.Value) *vir.Value {
	i64 := vir.Scalar(vir.I64)
	switch x.Op {
	case ExprConst:
		return b.Int(i64, x.Const)
	case ExprAdd, ExprSub, ExprMul:
		v := operand(x.X)
		return b.Op(exprOps[x.Op], i64, v, operand(x.Y))
	case ExprNeg:
		return b.Op(vir.OpNeg, i64, operand(x.X))
	case ExprAnd:
		v := operand(x.X)
		return b.Op(vir.OpAnd, i64, v, operand(x.Y))
	case ExprQuo, ExprRem:
		v, y := operand(x.X), operand(x.Y)
		if c, ok := y.ConstInt(); !ok || c < 1 {
			y = b.Op(vir.OpSmax, i64, y, b.Int(i64, 1))
		}
		return b.Op(exprOps[x.Op], i64, v, y)
	case ExprLess:
		v := operand(x.X)
		less := b.Op(vir.OpIcmpSlt, vir.Scalar(vir.Bool), v, operand(x.Y))
		return b.Op(vir.OpSelect, i64, less, b.Int(i64, 1), b.Int(i64, 0))
	case ExprSext, ExprZext:
		return extend(b, exprOps[x.Op], operand(x.X), x.Bits)
	}
	panic(fmt.Sprintf("expression %s in a kernel", x))
}

// EmitOver appends x where live are the live-ins that it speaks of.
func (x *Expr) EmitOver(b *vir.Builder, live []*vir.Value) *vir.Value {
	if x.Op == ExprParam {
		return live[x.Param]
	}
	return x.Emit(b, func(y *Expr) *vir.Value { return y.EmitOver(b, live) })
}

// extend extends the low bits of v, which may have as many or more.
func extend(b *vir.Builder, op vir.Op, v *vir.Value, bits int) *vir.Value {
	if v.Type.Elem.Bits() < bits {
		panic(fmt.Sprintf("%s of %d bits where there are %d", op, bits, v.Type.Elem.Bits()))
	}
	if v.Type.Elem.Bits() > bits {
		v = b.Op(vir.OpTrunc, vir.Scalar(vir.IntElem(bits/8)), v)
	}
	return b.Op(op, vir.Scalar(vir.I64), v)
}
