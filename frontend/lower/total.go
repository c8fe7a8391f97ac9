package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// A total finds out whether functions of integers always return, and do nothing else: they are comparisons and
// arithmetic without loops, memory, or anything that panics. Calls of them may stand before the loop.
type total struct {
	l      *lowerer
	open   []*types.Func // that are being looked at
	fields bool          // fields of what pointers point to may be read
}

// isTotal reports whether fn, declared in the package of the loop, is such a function.
func (l *lowerer) isTotal(fn *types.Func) bool { return (&total{l: l}).function(fn) }

// isGetter reports whether call e does nothing but calculate one number, of arguments and of fields of its receiver: it is as good
// as that expression in a loop condition.
func (l *lowerer) isGetter(e *ast.CallExpr) bool {
	fn := typeutil.StaticCallee(l.info, e)
	if fn == nil || l.frame.outer != nil || fn.Signature().Variadic() {
		return false
	}
	body := l.src.Body(fn)
	if body == nil || body.Decl.Body == nil || !isNumber(l.typeOf(e)) {
		return false
	}
	ret := onlyReturn(body.Decl.Body.List)
	if ret == nil || len(ret.Results) != 1 {
		return false
	}
	if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil && l.pathOf(sel.X) == nil {
		return false
	}
	return (&total{l: l, open: []*types.Func{fn}, fields: true}).expression(body, ret.Results[0])
}

func (t *total) function(fn *types.Func) bool {
	if fn.Pkg() != t.l.src.Pkg || slices.Contains(t.open, fn) {
		return false
	}
	sig, body := fn.Signature(), t.l.src.Body(fn)
	if body == nil || body.Decl.Body == nil || sig.Recv() != nil || sig.TypeParams().Len() > 0 || sig.Variadic() {
		return false
	}
	for v := range sig.Params().Variables() {
		if !isInteger(v.Type()) {
			return false
		}
	}
	if sig.Results().Len() != 1 || sig.Results().At(0).Name() != "" || !isInteger(sig.Results().At(0).Type()) {
		return false
	}
	t.open = append(t.open, fn)
	defer func() { t.open = t.open[:len(t.open)-1] }()
	return t.statements(body, body.Decl.Body.List)
}

func (t *total) statements(b *Body, list []ast.Stmt) bool {
	return !slices.ContainsFunc(list, func(s ast.Stmt) bool { return !t.statement(b, s) })
}

func (t *total) statement(b *Body, s ast.Stmt) bool {
	switch s := s.(type) {
	case nil:
		return true
	case *ast.BlockStmt:
		return t.statements(b, s.List)
	case *ast.ReturnStmt:
		return t.expressions(b, s.Results)
	case *ast.IfStmt:
		return t.statement(b, s.Init) && t.expression(b, s.Cond) && t.statement(b, s.Body) && t.statement(b, s.Else)
	case *ast.IncDecStmt:
		return t.expression(b, s.X)
	case *ast.AssignStmt:
		if op, ok := binaryOf[s.Tok]; ok && !t.operator(b, op, s.Rhs[0]) {
			return false
		}
		return t.expressions(b, s.Lhs) && t.expressions(b, s.Rhs)
	}
	return false
}

func (t *total) expressions(b *Body, list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !t.expression(b, e) })
}

func (t *total) expression(b *Body, e ast.Expr) bool {
	tv := b.Info.Types[e]
	if tv.Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := objectOf(b.Info, e).(*types.Var)
		return ok && !isPackageLevel(v) && basic(v.Type()) != nil
	case *ast.SelectorExpr:
		return t.fields && t.field(b, e)
	case *ast.ParenExpr:
		return t.expression(b, e.X)
	case *ast.UnaryExpr:
		return e.Op != token.AND && e.Op != token.ARROW && t.expression(b, e.X)
	case *ast.BinaryExpr:
		return t.operator(b, e.Op, e.Y) && t.expression(b, e.X) && t.expression(b, e.Y)
	case *ast.CallExpr:
		return t.call(b, e)
	}
	return false
}

// field reports whether e is a number in a parameter, or in what that points to, which twins can name.
func (t *total) field(b *Body, e *ast.SelectorExpr) bool {
	s := b.Info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal || basic(s.Type()) == nil && !isStruct(s.Type()) || len(s.Index()) > 1 || t.l.hides(s.Recv(), s.Index()[0]) {
		return false
	}
	switch x := ast.Unparen(e.X).(type) {
	case *ast.Ident:
		v, ok := objectOf(b.Info, x).(*types.Var)
		return ok && !isPackageLevel(v)
	case *ast.SelectorExpr:
		return t.field(b, x)
	}
	return false
}

// operator reports whether op never panics with y on its right.
func (t *total) operator(b *Body, op token.Token, y ast.Expr) bool {
	switch op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		return b.Info.Types[y].Value != nil
	}
	return true
}

// call is about conversions of integers, minima and maxima, and other functions.
func (t *total) call(b *Body, e *ast.CallExpr) bool {
	if !t.expressions(b, e.Args) {
		return false
	}
	if b.Info.Types[e.Fun].IsType() {
		return isInteger(b.Info.TypeOf(e)) && isInteger(b.Info.TypeOf(e.Args[0]))
	}
	switch fn := typeutil.Callee(b.Info, e).(type) {
	case *types.Builtin:
		return (fn.Name() == "min" || fn.Name() == "max") && isInteger(b.Info.TypeOf(e))
	case *types.Func:
		return t.function(fn)
	}
	return false
}
