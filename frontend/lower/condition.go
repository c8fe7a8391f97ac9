package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// Loop conditions: what the header decides and what the body does.

// splitCondition splits a conjunction into what the header decides, nil when that
// is nothing, and what the body decides, by leaving the loop: all from the first
// operand on that is more than a calculation.
func (l *lowerer) splitCondition(e ast.Expr) (plain ast.Expr, rest []ast.Expr) {
	if e == nil {
		return nil, nil
	}
	if c := l.constOf(e); c != nil && c.Kind() == constant.Bool && constant.BoolVal(c) {
		return nil, nil
	}
	if x, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && x.Op == token.LAND && l.constOf(x) == nil {
		left, rest := l.splitCondition(x.X)
		if left == nil || len(rest) > 0 {
			return left, append(rest, x.Y)
		}
		if right, more := l.splitCondition(x.Y); right == nil || len(more) > 0 || !l.mayCount(x.Y) || len(l.divisors(x)) > 0 {
			return left, []ast.Expr{x.Y} // a quotient is calculated before the loop where it is the limit
		}
		if !l.mayCount(x.X) { // calculations come in any order
			return x.Y, []ast.Expr{x.X}
		}
		return e, nil
	}
	if l.calculates(e) {
		return e, nil
	}
	return nil, []ast.Expr{e}
}

// mayCount reports whether e, which calculates, may tell how many iterations there are, or is better left to the analysis of
// all conditions together. Comparisons that come out the same in each iteration do not count, nor do flags, counters that only
// some iterations move, as in k < len(out), and sums.
func (l *lowerer) mayCount(e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.BinaryExpr)
	switch {
	case !ok:
		return false // a flag
	case c.Op == token.LAND || c.Op == token.LOR:
		return true
	case isInteger(l.typeOf(c.X)) && l.invariant(c.X) && l.invariant(c.Y):
		return false
	}
	counts, gathers := false, false
	ast.Inspect(c, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := objectOf(l.info, id).(*types.Var); ok && assignsTo(l.info, l.loop, v) {
				counts, gathers = counts || !l.gathers(v), true
			}
		}
		return true
	})
	return counts || isInteger(l.typeOf(c.X)) && !gathers
}

// gathers reports whether the loop does nothing to v but to add what is not the same in all iterations, or to add under
// conditions.
func (l *lowerer) gathers(v *types.Var) bool {
	conditional, ok := false, true
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
			if !conditional {
				conditional = true
				ast.Inspect(n, look)
				conditional = false
				return false
			}
		case *ast.IncDecStmt:
			ok = ok && (conditional || rootVar(l.info, n.X) != v)
			return true
		case *ast.AssignStmt:
			if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && (conditional || !l.invariant(n.Rhs[0])) {
				return true
			}
		}
		for _, e := range targets(n) {
			ok = ok && rootVar(l.info, e) != v
		}
		return ok
	}
	ast.Inspect(l.loop, look)
	return ok
}

// calculates reports whether e can be lowered without a branch or a check.
func (l *lowerer) calculates(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if l.constOf(n) == nil && l.pathOf(n) == nil {
				ok = ok && (l.limitPath(n) != nil || l.isSteadyLimit(n))
				return false
			}
		case *ast.CallExpr:
			isConversion := l.info.Types[n.Fun].IsType() && isNumber(l.typeOf(n))
			ok = ok && (isConversion || l.constOf(n) != nil || l.invariant(n) || l.harmlessCall(n) || l.isGetter(n))
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LAND, token.LOR:
				ok = ok && l.harmless(n.Y)
			case token.QUO, token.REM:
				ok = ok && (l.constOf(n) != nil || l.harmless(n) || l.spellDividing(n) != nil)
			case token.SHL, token.SHR:
				ok = ok && (l.constOf(n) != nil || l.harmless(n))
			}
		}
		return ok
	})
	return ok
}

// condition is the loop condition. An operand that is the same in every
// iteration is calculated before the loop.
func (l *lowerer) condition(e ast.Expr) *vir.Value {
	if x, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && l.constOf(x) == nil {
		switch x.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ, token.EQL:
			t := l.typeOf(x.X)
			if l.constOf(x.X) != nil {
				t = l.typeOf(x.Y)
			}
			if isInteger(t) {
				a, b := l.bound(x.X, t), l.bound(x.Y, t)
				l.mark(x)
				return l.compare(x, x.Op, a, b, t)
			}
		}
	}
	return l.scalar(e)
}

// bound is an operand of the loop condition, or the number of a range loop:
// a live-in when it is worth one. What only adds and multiplies stays visible.
func (l *lowerer) bound(e ast.Expr, t types.Type) *vir.Value {
	spelled := l.spellDividing(e)
	if l.constOf(e) != nil || spelled == nil || !intricate(e) {
		return l.scalarAs(e, t)
	}
	vt, ok := scalarType(t)
	if !ok {
		return l.scalar(e)
	}
	root := types.NewVar(e.Pos(), l.pkg, "limit", t)
	p := &path{expr: spelled, key: "limit " + l.exprKey(e), name: "limit", typ: t, root: root, nonZero: l.divisors(spelled)}
	return l.liveIn(ParamValue, p, vt).v
}

// limitPath is a number at an invariant subscript, as in j < end[i], where the loop stores
// nothing; nil for others. Conditions read it before the loop, which they would do in
// any case: when that panics, the loop runs as written.
func (l *lowerer) limitPath(e *ast.IndexExpr) *path {
	if l.stores {
		return nil
	}
	return l.elementPath(e)
}

// isSteadyLimit is for loops that store.
func (l *lowerer) isSteadyLimit(e ast.Expr) (ok bool) {
	l.asLimit(func() { ok = l.steadyPath(e) != nil })
	return ok
}

// elementPath is that of a number at an invariant subscript; nil for others.
func (l *lowerer) elementPath(e *ast.IndexExpr) *path {
	if l.frame.outer != nil || !isNumber(l.typeOf(e)) || !l.invariant(e.Index) {
		return nil
	}
	p := l.pathOf(e.X)
	if p == nil {
		return nil
	}
	return p.index(l, e)
}

func intricate(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || n.Op != token.ADD && n.Op != token.SUB && n.Op != token.MUL
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			found = found || ok && (id.Name == "min" || id.Name == "max")
		}
		return !found
	})
	return found
}

func (l *lowerer) beginBody(c *vir.Value, body *vir.Block) {
	l.b.Br(c, body, l.exit)
	l.enter(body)
	l.b.Append(&vir.Value{Op: vir.OpIter})
	for _, s := range l.steadies {
		l.checkSteady(s)
	}
}

// headerIsPlain refuses conditions that are more than a calculation.
func (l *lowerer) headerIsPlain(cond ast.Expr) {
	if l.b.Cur != l.header {
		l.refuse(cond, "LoopCond", "the loop condition branches")
	}
	for _, v := range l.header.Insts {
		if v.Op.Info().Effect {
			l.refuse(cond, "LoopCond", "the loop condition can panic")
		}
	}
}
