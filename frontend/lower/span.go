package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// span is how far the counter of the loop goes at most, where its header says so by itself:
//
//	for j := y - 1; j <= y+1; j++       3
//	for _, v := range x[i-2 : i+3]      5
//
// Numbers that wrap around only make it less.
func (l *lowerer) span() *int64 {
	switch s := l.loop.(type) {
	case *ast.RangeStmt:
		if part, ok := ast.Unparen(s.X).(*ast.SliceExpr); ok && part.High != nil {
			return l.difference(part.Low, part.High)
		}
	case *ast.ForStmt:
		return l.spanOf(s)
	}
	return nil
}

func (l *lowerer) spanOf(s *ast.ForStmt) *int64 {
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(cond.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := objectOf(l.info, id).(*types.Var)
	if !ok {
		return nil
	}
	first := l.initExpr(v)
	if first == nil {
		return nil
	}
	if base, _ := l.offset(cond.Y); !l.invariant(base) || l.startsWith(base) {
		return nil
	}
	n := l.difference(first, cond.Y)
	if n == nil {
		return nil
	}
	switch cond.Op {
	case token.LSS:
	case token.LEQ:
		*n++
	case token.GTR:
		*n = -*n
	case token.GEQ:
		*n = 1 - *n
	default:
		return nil
	}
	return n
}

// startsWith reports whether e names a variable that the header sets.
func (l *lowerer) startsWith(e ast.Expr) (set bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := objectOf(l.info, id).(*types.Var)
			set = set || ok && l.initExpr(v) != nil
		}
		return !set
	})
	return set
}

// difference is y - x, where x is 0 if it is nil, of ints that are the same but for constants that
// are added; nil for others.
func (l *lowerer) difference(x, y ast.Expr) *int64 {
	if x == nil {
		if c := l.constOf(y); c != nil {
			n := constInt(c)
			return &n
		}
		return nil
	}
	from, c := l.offset(x)
	to, d := l.offset(y)
	if !types.Identical(l.typeOf(x), types.Typ[types.Int]) || !types.Identical(l.typeOf(y), types.Typ[types.Int]) || l.exprKey(from) != l.exprKey(to) {
		return nil
	}
	d -= c
	return &d
}
