package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// The order of evaluation. Go calls functions from left to right, and leaves open when it reads the variables beside
// them; gc reads them when the calls have returned. So a call that stores is taken where nothing
// beside it is read that it could change, but by other calls, or as their argument:
//
//	x[i] = k*3 + r.next()
//	p := point{float32(r.next()), float32(r.next())}
//
// That is what lowerer.direct says of the expression that is evaluated next.

// inOrder reports whether it does not matter to e whether calls beside it come first: it changes by none, or is made of
// calls.
func (l *lowerer) inOrder(e ast.Expr) bool {
	if _, ok := l.lentTo(e); ok || l.steadfast(e) { // a pointer that is lent on is no number that changes
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.inOrder(e.X)
	case *ast.KeyValueExpr:
		return l.inOrder(e.Value)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return l.steadyTarget(e.X)
		}
		return l.inOrder(e.X)
	case *ast.BinaryExpr:
		return l.inOrder(e.X) && l.inOrder(e.Y)
	case *ast.CallExpr:
		if l.isBodyCall(e) {
			return !l.callsBody(e.Fun) // operands are read when it is its turn
		}
		return !slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return !l.inOrder(a) })
	}
	return false
}

// beside tells of each of several operands whether it is direct, where all of them are.
func (l *lowerer) beside(operands []ast.Expr) []bool {
	direct := make([]bool, len(operands))
	if !l.direct {
		return direct
	}
	l.direct = false
	others := 0 // that are not in order
	for i, e := range operands {
		direct[i] = l.inOrder(e)
		if !direct[i] {
			others++
		}
	}
	for i := range direct {
		direct[i] = others == 0 || others == 1 && !direct[i]
	}
	return direct
}

// steadfast reports whether e is harmless, and speaks of no variable that is lent to others.
func (l *lowerer) steadfast(e ast.Expr) bool {
	ok := l.harmless(e)
	ast.Inspect(e, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent && ok {
			v, isVar := objectOf(l.info, id).(*types.Var)
			_, lent := l.lentTo(id)
			ok = !isVar || v.IsField() || !lent && !l.facts.addressed[v]
		}
		return ok
	})
	return ok
}

// steadyTarget reports whether the variable that e denotes is the same before a call and behind it: gc reads subscripts in
// it when the call has returned.
func (l *lowerer) steadyTarget(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return l.steadyTarget(e.X)
	case *ast.StarExpr:
		return l.steadyTarget(e.X)
	case *ast.IndexExpr:
		return l.steadyTarget(e.X) && l.steadfast(e.Index)
	case *ast.Ident:
		return true
	}
	return false
}

// callsBody reports whether e, which may be nil, has calls in it whose bodies are lowered.
func (l *lowerer) callsBody(e ast.Expr) (found bool) {
	if e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && l.isBodyCall(call)
		return !found
	})
	return found
}

func (l *lowerer) isBodyCall(e *ast.CallExpr) bool {
	return !l.info.Types[e.Fun].IsType() && l.builtinName(e) == "" && !l.isIntrinsic(e)
}
