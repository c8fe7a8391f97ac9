package plan

import (
	"fmt"
	"strconv"
)

// ExprOp is an operator of Expr.
type ExprOp uint8

const (
	ExprConst ExprOp = iota
	ExprParam        // live-in of the region; a narrow integer keeps its bits, see ExprSext
	ExprDone         // iterations done (in Out.Expr only)
	ExprAdd
	ExprSub
	ExprMul
	ExprNeg
	ExprQuo  // X divided by Y, or by 1 if Y is less, rounded towards 0
	ExprSext // low Bits bits of X, sign-extended
	ExprZext // low Bits bits of X, zero-extended
	ExprAnd  // bits that X and Y have in common
	ExprRem  // remainder of X by Y, or by 1 if Y is less, with the sign of X
	ExprLess // 1 if X < Y, both signed, else 0
	ExprLoad // the integer of Bits bits at live-in Param, a pointer, plus Const bytes; narrow ones as live-ins
)

// Expr is an integer computed before a kernel is called: 64 bits, wrapping. A
// live-in narrower than 64 bits appears only under ExprSext or ExprZext.
type Expr struct {
	Op    ExprOp
	X, Y  *Expr
	Param int
	Const int64
	Bits  int
}

// Const is a constant.
func Const(c int64) *Expr { return &Expr{Op: ExprConst, Const: c} }

// Param is the value of live-in i.
func Param(i int) *Expr { return &Expr{Op: ExprParam, Param: i} }

// Done is the number of iterations a call has done.
func Done() *Expr { return &Expr{Op: ExprDone} }

// Sext is the low bits of x, sign-extended.
func Sext(x *Expr, bits int) *Expr {
	if bits == 64 {
		return x
	}
	return &Expr{Op: ExprSext, X: x, Bits: bits}
}

// Zext is the low bits of x, zero-extended.
func Zext(x *Expr, bits int) *Expr {
	if bits == 64 {
		return x
	}
	return &Expr{Op: ExprZext, X: x, Bits: bits}
}

// Load is the integer of so many bits in memory, off bytes behind pointer live-in i, at the time.
func Load(i int, off int64, bits int) *Expr {
	return &Expr{Op: ExprLoad, Param: i, Const: off, Bits: bits}
}

// Add is x + y, folding constants.
func Add(x, y *Expr) *Expr {
	switch {
	case x.Op == ExprConst && y.Op == ExprConst:
		return Const(x.Const + y.Const)
	case x.Op == ExprConst:
		return Add(y, x)
	case y.Op == ExprConst && y.Const == 0:
		return x
	case y.Op == ExprConst && x.Op == ExprAdd && x.Y.Op == ExprConst:
		return Add(x.X, Const(x.Y.Const+y.Const))
	}
	return &Expr{Op: ExprAdd, X: x, Y: y}
}

// Sub is x - y, folding constants.
func Sub(x, y *Expr) *Expr {
	switch {
	case y.Op == ExprConst:
		return Add(x, Const(-y.Const))
	case x.Op == ExprConst && x.Const == 0:
		return Neg(y)
	}
	return &Expr{Op: ExprSub, X: x, Y: y}
}

// Neg is -x, folding constants.
func Neg(x *Expr) *Expr {
	switch x.Op {
	case ExprConst:
		return Const(-x.Const)
	case ExprNeg:
		return x.X
	}
	return &Expr{Op: ExprNeg, X: x}
}

// Mul is x * y, folding constants.
func Mul(x, y *Expr) *Expr {
	switch {
	case x.Op == ExprConst && y.Op == ExprConst:
		return Const(x.Const * y.Const)
	case x.Op == ExprConst:
		return Mul(y, x)
	case y.Op == ExprConst && y.Const == 0:
		return y
	case y.Op == ExprConst && y.Const == 1:
		return x
	}
	return &Expr{Op: ExprMul, X: x, Y: y}
}

// Quo is x divided by max(y, 1), rounded towards 0, folding constants.
func Quo(x, y *Expr) *Expr {
	if y.IsConst(1) {
		return x
	}
	return folded(ExprQuo, x, y)
}

// And is x & y, folding constants.
func And(x, y *Expr) *Expr { return folded(ExprAnd, x, y) }

// Rem is the remainder of x by max(y, 1), rounded towards 0, folding constants.
func Rem(x, y *Expr) *Expr { return folded(ExprRem, x, y) }

// IsLess is 1 if x < y, else 0, folding constants.
func IsLess(x, y *Expr) *Expr { return folded(ExprLess, x, y) }

// folded is an operator on two operands, computed if both are constants.
func folded(op ExprOp, x, y *Expr) *Expr {
	e := &Expr{Op: op, X: x, Y: y}
	if x.Op == ExprConst && y.Op == ExprConst {
		return Const(e.Eval(nil, 0))
	}
	return e
}

// Choose is a if x < y, else b.
func Choose(x, y, a, b *Expr) *Expr { return Add(b, Mul(IsLess(x, y), Sub(a, b))) }

// IsConst reports whether x is the constant c.
func (x *Expr) IsConst(c int64) bool { return x.Op == ExprConst && x.Const == c }

// Has reports whether holds says so of x or something in it.
func (x *Expr) Has(holds func(*Expr) bool) bool {
	return x != nil && (holds(x) || x.X.Has(holds) || x.Y.Has(holds))
}

// Loads reports whether something in x is loaded from memory.
func (x *Expr) Loads() bool { return x.Has(func(x *Expr) bool { return x.Op == ExprLoad }) }

// Exceeds reports whether x has more than so many parts, itself among them. It takes no longer to say so.
func (x *Expr) Exceeds(parts int) bool {
	n := 0
	return x.Has(func(*Expr) bool { n++; return n > parts })
}

// Map is x with what f gives for it, or for parts of it, where that is not nil.
func (x *Expr) Map(f func(*Expr) *Expr) *Expr {
	if x == nil {
		return nil
	}
	if y := f(x); y != nil {
		return y
	}
	c := *x
	c.X, c.Y = x.X.Map(f), x.Y.Map(f)
	return &c
}

// Same reports whether x and y are the same expression, or both none.
func (x *Expr) Same(y *Expr) bool {
	if x == nil || y == nil {
		return x == y
	}
	return x.String() == y.String()
}

// Eval computes x, which reads no memory, from the bits of the live-ins and the iterations done.
func (x *Expr) Eval(param func(int) int64, done int64) int64 {
	switch x.Op {
	case ExprConst:
		return x.Const
	case ExprParam:
		return param(x.Param)
	case ExprDone:
		return done
	case ExprAdd:
		return x.X.Eval(param, done) + x.Y.Eval(param, done)
	case ExprSub:
		return x.X.Eval(param, done) - x.Y.Eval(param, done)
	case ExprMul:
		return x.X.Eval(param, done) * x.Y.Eval(param, done)
	case ExprNeg:
		return -x.X.Eval(param, done)
	case ExprQuo:
		return x.X.Eval(param, done) / max(x.Y.Eval(param, done), 1)
	case ExprSext:
		sh := 64 - x.Bits
		return x.X.Eval(param, done) << sh >> sh
	case ExprZext:
		sh := 64 - x.Bits
		return int64(uint64(x.X.Eval(param, done)) << sh >> sh)
	case ExprAnd:
		return x.X.Eval(param, done) & x.Y.Eval(param, done)
	case ExprRem:
		return x.X.Eval(param, done) % max(x.Y.Eval(param, done), 1)
	case ExprLess:
		if x.X.Eval(param, done) < x.Y.Eval(param, done) {
			return 1
		}
		return 0
	}
	panic(fmt.Sprintf("plan: bad expression operator %d", x.Op))
}

// String is a readable form with live-ins as $0, $1, ...
func (x *Expr) String() string {
	switch x.Op {
	case ExprConst:
		return strconv.FormatInt(x.Const, 10)
	case ExprParam:
		return "$" + strconv.Itoa(x.Param)
	case ExprDone:
		return "done"
	case ExprAdd:
		return fmt.Sprintf("(%s + %s)", x.X, x.Y)
	case ExprSub:
		return fmt.Sprintf("(%s - %s)", x.X, x.Y)
	case ExprMul:
		return fmt.Sprintf("(%s * %s)", x.X, x.Y)
	case ExprNeg:
		return fmt.Sprintf("-%s", x.X)
	case ExprQuo:
		return fmt.Sprintf("(%s / %s)", x.X, x.Y)
	case ExprSext:
		return fmt.Sprintf("sext%d(%s)", x.Bits, x.X)
	case ExprZext:
		return fmt.Sprintf("zext%d(%s)", x.Bits, x.X)
	case ExprAnd:
		return fmt.Sprintf("(%s & %s)", x.X, x.Y)
	case ExprRem:
		return fmt.Sprintf("(%s %% %s)", x.X, x.Y)
	case ExprLess:
		return fmt.Sprintf("(%s < %s)", x.X, x.Y)
	case ExprLoad:
		return fmt.Sprintf("i%d[$%d + %d]", x.Bits, x.Param, x.Const)
	}
	return "?"
}
