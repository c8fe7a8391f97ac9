package lower

import "go/ast"

// around is the innermost loop that the one being lowered is inside of, nil if there is none.
func (l *lowerer) around() (loop ast.Stmt) {
	ast.Inspect(l.src.Decl.Body, func(n ast.Node) bool {
		if n == nil || n == l.loop || n.End() <= l.loop.Pos() || l.loop.End() <= n.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.ForStmt:
			loop = n
		case *ast.RangeStmt:
			loop = n
		case *ast.FuncLit:
			loop = nil
		}
		return true
	})
	return loop
}

// stays reports whether in is memory that the loop around this one does not exchange for another: the next time that the loop is entered it
// finds there what it has stored.
func (l *lowerer) stays(in *liveIn, around ast.Stmt) bool {
	if in.Kind != ParamSliceData && in.Kind != ParamPointer && in.Kind != ParamAddress {
		return false
	}
	id, ok := in.Expr.(*ast.Ident)
	if !ok {
		return false
	}
	return in.Kind == ParamAddress || !assignedIn(l.info, around)[rootVar(l.info, id)]
}
