package lower

import (
	"go/ast"
	"go/types"
	"slices"
)

// Fields that the loop moves: d.buf = d.buf[4:], where d is the same variable or pointer in
// all iterations. A variable stands for each. What the field holds is in memory again
// behind every call, and always when the user's code runs, which may panic.
//
// Another pointer may lead to the same field. So where a loop moves a field, it must not use
// that field of anything else, nor slices and strings behind pointers to them.

// movedFields are the fields that the loop sets and that are slices or strings.
type movedFields struct {
	list []*movedField
}

type movedField struct {
	key   string     // of its path
	field *types.Var // of the struct
	v     *types.Var // stands for it
	sel   *ast.SelectorExpr
	path  *path
}

// of is the variable for the field with that key, or nil.
func (fs *movedFields) of(key string) *types.Var {
	for _, f := range fs.list {
		if f.key == key && key != "" {
			return f.v
		}
	}
	return nil
}

// keep drops fields that are not moved after all.
func (fs *movedFields) keep(moving map[*types.Var]ends) {
	fs.list = slices.DeleteFunc(fs.list, func(f *movedField) bool { _, ok := moving[f.v]; return !ok })
}

// findFields finds the fields that a loop of the annotated function sets.
func (l *lowerer) findFields(n ast.Node) {
	if l.frame.outer != nil {
		return
	}
	targetsOf(n, l.leaving, func(e ast.Expr) {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok || l.fields.of(l.fieldKey(sel)) != nil {
			return
		}
		s := l.info.Selections[sel]
		if s == nil || s.Kind() != types.FieldVal {
			return
		}
		t := l.typeOf(sel)
		p := l.selectorPath(sel)
		if p == nil || p.indexed || !isSlice(t) && !isString(t) || l.fieldChanges(p, n) {
			return
		}
		v := types.NewVar(sel.Pos(), l.pkg, sel.Sel.Name, t)
		l.fields.list = append(l.fields.list, &movedField{p.key, s.Obj().(*types.Var).Origin(), v, sel, p})
	})
}

// fieldChanges reports whether the loop sets a variable on the path to a field.
func (l *lowerer) fieldChanges(p *path, n ast.Node) bool {
	changes := false
	targetsOf(n, l.leaving, func(e ast.Expr) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		changes = changes || ok && objectOf(l.info, id) == p.root
	})
	return changes
}

// fieldKey is the key of the path that sel denotes, empty for none.
func (l *lowerer) fieldKey(sel *ast.SelectorExpr) string {
	if len(l.fields.list) == 0 {
		return ""
	}
	list := l.fields.list
	l.fields.list = nil // as if nothing moved
	p := l.pathOf(sel)
	l.fields.list = list
	if p == nil {
		return ""
	}
	return p.key
}

// sameField refuses to use a field of something else that the loop moves; key is that of
// its path, or empty.
func (l *lowerer) sameField(sel *ast.SelectorExpr, key string) {
	s := l.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return
	}
	field := s.Obj().(*types.Var).Origin()
	for _, f := range l.fields.list {
		if f.field == field && f.key != key {
			l.refuse(sel, "Slice", "this may be the field %s that the loop sets", f.v.Name())
		}
	}
}

// maybeField refuses slices and strings behind pointers, p, where some field moves: it may
// be that one.
func (l *lowerer) maybeField(e ast.Expr, p *path) {
	if p != nil && len(l.fields.list) > 0 && (isSlice(p.typ) || isString(p.typ)) {
		l.refuse(e, "Slice", "this may be the field %s that the loop sets", l.fields.list[0].v.Name())
	}
}

// movedField reports whether e is a field that the loop moves.
func (l *lowerer) movedField(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && l.fields.of(l.fieldKey(sel)) != nil
}

// addMovedFields makes states of the fields that move.
func (l *lowerer) addMovedFields() {
	for _, f := range l.fields.list {
		l.assigned[f.v] = true
		l.addMoved(f.v, f.path, f.path.expr, true)
	}
}
