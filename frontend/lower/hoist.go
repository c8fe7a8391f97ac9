package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// Parts of subscripts that stay the same and are more than sums and products (n/2, k&63,
// min(a, b)) become live-ins: what the plan of a kernel can say about addresses is sums
// and products.

// hoisted is the live-in for integer e, nil when e is better computed in the loop: where
// it is no part of a subscript, or its text means nothing before the loop.
func (l *lowerer) hoisted(e ast.Expr, t types.Type) *vir.Value {
	if !l.addressing || l.frame.outer != nil || l.constOf(e) != nil || !isInteger(t) || !l.invariant(e) || l.namesAlias(e) {
		return nil
	}
	if b, ok := e.(*ast.BinaryExpr); ok {
		switch b.Op {
		case token.ADD, token.SUB, token.MUL:
			return nil
		}
	}
	vt, ok := scalarType(t)
	if !ok {
		return nil
	}
	root := types.NewVar(e.Pos(), l.pkg, "offset", t)
	return l.liveIn(ParamValue, &path{expr: l.spell(e), key: "limit " + l.exprKey(e), name: "offset", typ: t, root: root}, vt).v
}

// definition evaluates what a new variable starts with, which may be meant for
// subscripts: an int other than one that is small by what it is computed with, which
// helps more.
func (l *lowerer) definition(e ast.Expr) []*vir.Value {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if ok && (b.Op == token.AND || b.Op == token.REM) || !types.Identical(l.typeOf(e), types.Typ[types.Int]) {
		return l.value(e)
	}
	defer func(before bool) { l.addressing = before }(l.addressing)
	l.addressing = true
	return l.value(e)
}

// namesAlias reports whether e names a variable of the loop's body that stands for
// something else.
func (l *lowerer) namesAlias(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := objectOf(l.info, id).(*types.Var)
			found = found || ok && l.paths[v] != nil || l.meaning(id) != nil
		}
		return !found
	})
	return found
}
