package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/lanewise/lanewise/vir"
)

// Variables of straight-line code that are lent to functions:
//
//	x := *s
//	quarterRound(&x, 0, 4, 8, 12)
//
// Where their address is nothing but an argument of calls whose bodies are lowered, they
// stay numbers: the pointer that the function gets stands for the variable.

// findBorrowed finds the variables of the list that are lent only.
func (l *lowerer) findBorrowed() {
	l.once.borrowed = make(map[*types.Var]bool)
	lent := make(map[ast.Node]bool)
	ast.Inspect(l.loop, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && typeutil.StaticCallee(l.info, call) != nil {
			for _, a := range call.Args {
				if u, ok := ast.Unparen(a).(*ast.UnaryExpr); ok && u.Op == token.AND {
					lent[u] = true
				}
			}
		}
		return true
	})
	kept := make(map[*types.Var]bool)
	ast.Inspect(l.src.Decl.Body, func(n ast.Node) bool {
		var at ast.Expr
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND && !lent[n] {
				at = n.X
			} else if n.Op == token.AND {
				if v := rootVar(l.info, n.X); v != nil && l.inBody(v) {
					l.once.borrowed[v] = true
				}
			}
		case *ast.SliceExpr:
			if t := l.info.TypeOf(n.X); t != nil && isArray(t) {
				at = n.X
			}
		case *ast.SelectorExpr:
			if takesAddress(l.info, n) {
				at = n.X
			}
		}
		if at != nil {
			if v := rootVar(l.info, at); v != nil {
				kept[v] = true
			}
		}
		return true
	})
	for v := range kept {
		delete(l.once.borrowed, v)
	}
}

// isBorrowed reports whether the address of v does not matter.
func (l *lowerer) isBorrowed(v *types.Var) bool {
	return l.once != nil && l.once.borrowed[v]
}

// lentTo is the local variable, or the part of one, that pointer e stands for.
func (l *lowerer) lentTo(e ast.Expr) (local, bool) {
	if l.once == nil {
		return local{}, false
	}
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
			if v := rootVar(l.info, e.X); v != nil && (l.isBorrowed(v) || l.frame.outer != nil) {
				return l.localOf(e.X)
			}
			if _, ok := l.lentRoot(e.X); ok {
				return l.localOf(e.X)
			}
		}
	}
	return local{}, false
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
	if l.once == nil {
		return nil
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if v := rootVar(l.info, n.X); n.Op == token.AND && v != nil && l.isLocal(v) {
				vars = append(vars, v)
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

// constIndex is constOf for a subscript of a local array: numbers that are known here
// count as well.
func (l *lowerer) constIndex(e ast.Expr) constant.Value {
	if c := l.constOf(e); c != nil || l.once == nil || l.b.Cur == nil {
		return c
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := objectOf(l.info, e).(*types.Var)
		if !ok || !l.isLocal(v) || !isInteger(l.substitute(v.Type())) {
			return nil
		}
		if x := l.get(key{v, 0}); x != nil && x.Op == vir.OpConst {
			k, _ := x.ConstInt()
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
