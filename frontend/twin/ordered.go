package twin

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// What the headers of loops around a loop say of its limits. In
//
//	for k := 0; k < n; k++ {
//		for i := k + 1; i < n; i++ {
//
// n is more than k, which is not negative, wherever the loop inside begins: n-k-1 is exact. So is len(x)-k-1, since no length is
// negative.

// small bounds the constants in such differences, and belowLengths what may be taken off a difference of a length and a
// counter: counters are less than the largest int.
const (
	small        = 1 << 31
	belowLengths = 2
)

// ordered reports whether the difference of limit and start does not overflow: a loop around l counts from 0 or more, start is its
// counter or a constant, and limit the variable that it counts to, or start its counter and limit a length. Both with small constants.
func (l *loop) ordered(start, limit linear) bool {
	for _, x := range []linear{start, limit} {
		if x.c <= -small || x.c >= small || len(x.terms) > 1 || len(x.terms) == 1 && x.terms[0].coef != 1 {
			return false
		}
	}
	from, to := l.variableOf(start), l.variableOf(limit)
	if from == nil && !start.isConst() {
		return false
	}
	for _, around := range l.enclosing() {
		counter, end := l.counts(around)
		switch {
		case counter == nil || from != nil && from != counter:
		case to != nil && to == end && !l.changed(end, around):
			return true
		case from != nil && limit.natural() && start.c-limit.c <= belowLengths:
			return true
		}
	}
	return false
}

// variableOf is the int variable that x is, but for a constant, nil if it is none.
func (l *loop) variableOf(x linear) types.Object {
	if len(x.terms) != 1 {
		return nil
	}
	return l.intVariable(x.terms[0].x)
}

func (l *loop) intVariable(x ast.Expr) types.Object {
	id, ok := x.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := l.pkg.TypesInfo.ObjectOf(id).(*types.Var)
	if !ok || !isInt(v.Type()) || v.Parent() == l.pkg.Types.Scope() {
		return nil
	}
	return v
}

// enclosing are the loops that l is in, in the same function.
func (l *loop) enclosing() (loops []ast.Stmt) {
	home := l.home()
	if home == nil {
		return nil
	}
	ast.Inspect(home, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() < l.r.Loop.Pos() && l.r.Loop.End() <= n.End() {
				loops = append(loops, n.(ast.Stmt))
			}
		}
		return true
	})
	return loops
}

// counts are the counter of a loop, which goes up from 0 or more and which nobody else changes, and the variable that it stays below,
// nil if that is something else; nothing for other loops.
func (l *loop) counts(around ast.Stmt) (counter, end types.Object) {
	switch f := around.(type) {
	case *ast.RangeStmt:
		if f.Tok != token.DEFINE || f.Key == nil {
			return nil, nil
		}
		counter, end = l.intVariable(f.Key), l.intVariable(f.X)
	case *ast.ForStmt:
		init, ok1 := f.Init.(*ast.AssignStmt)
		cond, ok2 := f.Cond.(*ast.BinaryExpr)
		post, ok3 := f.Post.(*ast.IncDecStmt)
		if !ok1 || !ok2 || !ok3 || init.Tok != token.DEFINE || len(init.Lhs) != 1 || cond.Op != token.LSS || post.Tok != token.INC || !l.notNegative(init.Rhs[0]) {
			return nil, nil
		}
		counter, end = l.intVariable(init.Lhs[0]), l.intVariable(cond.Y)
		if l.intVariable(cond.X) != counter || l.intVariable(post.X) != counter {
			return nil, nil
		}
	}
	if counter == nil || l.changed(counter, around) {
		return nil, nil
	}
	return counter, end
}

// notNegative reports whether x is a constant, not negative.
func (l *loop) notNegative(x ast.Expr) bool {
	v := l.pkg.TypesInfo.Types[x].Value
	return v != nil && v.Kind() == constant.Int && constant.Sign(v) >= 0
}

// changed reports whether somebody but the header of a loop may set v while the loop runs: its body, a function literal, which may
// be called from there, or who has its address.
func (l *loop) changed(v types.Object, around ast.Stmt) bool {
	found := assigned(l.pkg.TypesInfo, bodyOf(around), v)
	ast.Inspect(l.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = found || assigned(l.pkg.TypesInfo, n.Body, v)
		case *ast.UnaryExpr:
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			found = found || n.Op == token.AND && ok && l.pkg.TypesInfo.ObjectOf(id) == v
		}
		return !found
	})
	return found
}

// bodyOf is the body of a loop.
func bodyOf(loop ast.Stmt) *ast.BlockStmt {
	if r, ok := loop.(*ast.RangeStmt); ok {
		return r.Body
	}
	return loop.(*ast.ForStmt).Body
}
