package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/lanewise/lanewise/vir"
)

// Variables that are lent to functions:
//
//	for i, p := range points {
//		p.add(&offset)
//		clamp(&p.x, 0, 1)
//
// Where their address is nothing but an argument, or the receiver, of calls whose bodies are lowered, they
// stay numbers: the pointer that the function gets stands for the variable.

// lends notes the operands of a call that are addresses: &v, and p.add for its receiver.
func lends(info *types.Info, call *ast.CallExpr, lent map[ast.Node]bool) {
	if typeutil.StaticCallee(info, call) == nil {
		return
	}
	lent[ast.Unparen(call.Fun)] = true
	for _, a := range call.Args {
		lent[ast.Unparen(a)] = true
	}
}

// isBorrowed reports whether v is a variable of the code whose address is only lent.
func (l *lowerer) isBorrowed(v *types.Var) bool {
	return l.facts.addressed[v] && !l.facts.kept[v] && (l.frame.outer != nil || l.inBody(v))
}

// lentTo is the local variable, or the part of one, that pointer e stands for.
func (l *lowerer) lentTo(e ast.Expr) (local, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := objectOf(l.info, e).(*types.Var)
		if !ok {
			return local{}, false
		}
		loc, ok := l.lent[v]
		return loc, ok
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			whole := e.X
			if sel, ok := whole.(*ast.SelectorExpr); ok && l.embedded[sel] != nil {
				whole = sel.X // the field that a method is promoted from
			}
			if v := rootVar(l.info, whole); v != nil && l.isBorrowed(v) {
				return l.localOf(e.X)
			}
			if _, ok := l.lentRoot(e.X); ok {
				return l.localOf(e.X)
			}
		}
	}
	return local{}, false
}

// isLent reports whether v is a variable of somebody else that the function has a pointer to.
func (l *lowerer) isLent(v *types.Var) bool {
	for _, loc := range l.lent {
		if loc.v == v {
			return true
		}
	}
	return false
}

// lentRoot is the local variable that the outermost pointer in e stands for, as in &p.x
// and p[2].
func (l *lowerer) lentRoot(e ast.Expr) (local, bool) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			return l.lentTo(x)
		default:
			return local{}, false
		}
	}
}

// lentBy lists the variables that a statement lends or that pointers in it stand for: it
// may set them.
func (l *lowerer) lentBy(s ast.Node) (vars []*types.Var) {
	lent := func(e ast.Expr) {
		if v := rootVar(l.info, e); v != nil && l.isLocal(v) {
			vars = append(vars, v)
		}
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				lent(n.X)
			}
		case *ast.SelectorExpr:
			if takesAddress(l.info, n) {
				lent(n.X)
			}
		case *ast.Ident:
			if loc, ok := l.lentTo(n); ok {
				vars = append(vars, loc.v)
			}
		}
		return true
	})
	return vars
}

// maxCounted is how often a variable that counts what has been set of an array may have been counted up.
const maxCounted = 256

// sumOf is x, a constant that others have been added to up to so many times.
func sumOf(x *vir.Value, times int) (sum int64, ok bool) {
	if x == nil || times == 0 {
		return 0, false
	}
	if x.Op == vir.OpAdd && x.Type == vir.Scalar(vir.I64) {
		step, ok := x.Args[1].ConstInt()
		from, ok2 := sumOf(x.Args[0], times-1)
		return from + step, ok && ok2
	}
	return x.ConstInt()
}

// constIndex is constOf for a subscript of a local array: numbers that are known here
// count as well.
func (l *lowerer) constIndex(e ast.Expr) constant.Value {
	if c := l.constOf(e); c != nil || l.b.Cur == nil {
		return c
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := objectOf(l.info, e).(*types.Var)
		if !ok || !l.isLocal(v) || !isInteger(l.substitute(v.Type())) {
			return nil
		}
		if k, ok := sumOf(l.get(key{v, 0}), maxCounted); ok {
			return constant.MakeInt64(k)
		}
	case *ast.BinaryExpr:
		x, y := l.constIndex(e.X), l.constIndex(e.Y)
		if x == nil || y == nil {
			return nil
		}
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND:
			return constant.BinaryOp(x, e.Op, y)
		case token.REM:
			if constant.Sign(y) > 0 {
				return constant.BinaryOp(x, e.Op, y)
			}
		}
	}
	return nil
}
