package lower

import (
	"go/ast"
	"go/token"

	"github.com/lanewise/lanewise/vir"
)

// Loops without a condition that begin with a way out,
//
//	for { if len(x) < 8 || i == n { break }; ... }
//
// have the condition len(x) >= 8 && i != n.

// firstExit is the condition under which a loop without a condition is left first of all;
// nil where the header cannot decide it.
func (l *lowerer) firstExit(s *ast.ForStmt, plain ast.Expr, rest []ast.Expr) ast.Expr {
	if plain != nil || len(rest) > 0 || len(s.Body.List) == 0 {
		return nil
	}
	first, ok := s.Body.List[0].(*ast.IfStmt)
	if !ok || first.Init != nil || first.Else != nil || !l.leavesAt(first.Body.List) || !l.comparesIntegers(first.Cond) {
		return nil
	}
	return first.Cond
}

// comparesIntegers reports whether e consists of comparisons of integers, or a string with the
// empty one, that can be lowered without branches, and of ||.
func (l *lowerer) comparesIntegers(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || l.constOf(x) != nil {
		return false
	}
	if x.Op == token.LOR {
		return l.comparesIntegers(x.X) && l.comparesIntegers(x.Y) && l.harmless(x.Y)
	}
	if _, ok := contrary[x.Op]; !ok {
		return false
	}
	t := l.typeOf(x.X)
	if l.constOf(x.X) != nil {
		t = l.typeOf(x.Y)
	}
	return (isInteger(t) || l.comparedWithEmpty(x, t) != nil) && l.calculates(x)
}

var contrary = map[token.Token]token.Token{
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.LEQ: token.GTR, token.GTR: token.LEQ,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
}

// noneOf is the condition that no comparison of e holds.
func (l *lowerer) noneOf(e ast.Expr) *vir.Value {
	x := ast.Unparen(e).(*ast.BinaryExpr)
	if x.Op == token.LOR {
		a, b := l.noneOf(x.X), l.noneOf(x.Y)
		l.mark(x)
		return l.b.Same(vir.OpAnd, a, b)
	}
	not := &ast.BinaryExpr{X: x.X, OpPos: x.OpPos, Op: contrary[x.Op], Y: x.Y}
	if isString(l.typeOf(x.X)) {
		return l.comparison(not, false)
	}
	return l.condition(not)
}
