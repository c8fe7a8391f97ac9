package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// findMoved finds the slices and strings that statements below n, a loop or the body of a
// called function, set to parts of themselves, and to nothing else.
func (l *lowerer) findMoved(n ast.Node, fs *facts) {
	l.findFields(n)
	f := &moveFinder{l: l, fs: fs, root: n, bad: make(map[*types.Var]bool), origins: make(map[*types.Var]origin)}
	l.inspectStaying(n, f.visit)
	maps.DeleteFunc(l.moving, func(v *types.Var, _ ends) bool { return f.bad[v] })
	l.fields.keep(l.moving)
}

// findMovedIn does the same for the body of a called function.
func (l *lowerer) findMovedIn(fr *frame) {
	caller := l.frame
	l.frame = fr
	l.findMoved(fr.body.Decl.Body, fr.facts)
	l.frame = caller
}

// moves reports whether v is set to parts of itself, and to nothing else.
func (l *lowerer) moves(v *types.Var) bool {
	_, ok := l.moving[v]
	return ok
}

// A moveFinder looks at assignments.
type moveFinder struct {
	l       *lowerer
	fs      *facts
	root    ast.Node
	inner   ast.Node              // the last loop inside that was met
	bad     map[*types.Var]bool   // set to something else
	origins map[*types.Var]origin // of variables declared on the way
}

// An origin is the variable that a slice is a part of, and the ends at which it may be
// shorter.
type origin struct {
	v    *types.Var
	ends ends
}

func (f *moveFinder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ForStmt:
		f.enter(n)
	case *ast.RangeStmt:
		f.enter(n)
		if n.Tok == token.ASSIGN {
			f.refuse(n.Key)
			f.refuse(n.Value)
		}
	case *ast.AssignStmt:
		for i, e := range n.Lhs {
			f.assigned(n, i, e)
		}
	}
	return true
}

func (f *moveFinder) enter(loop ast.Node) {
	if loop != f.root && (f.inner == nil || loop.Pos() >= f.inner.End()) {
		f.inner = loop
	}
}

// refuse gives up on the variable that e names, if it does.
func (f *moveFinder) refuse(e ast.Expr) {
	if e != nil {
		if v := f.l.sliceVar(e); v != nil {
			f.bad[v] = true
		}
	}
}

// assigned looks at left side i of s.
func (f *moveFinder) assigned(s *ast.AssignStmt, i int, e ast.Expr) {
	v := f.l.sliceVar(e)
	switch {
	case v == nil:
	case len(s.Lhs) != len(s.Rhs) || s.Tok != token.ASSIGN && s.Tok != token.DEFINE:
		f.bad[v] = true
	case s.Tok == token.DEFINE && f.l.info.Defs[e.(*ast.Ident)] != nil:
		f.origins[v] = f.originOf(s.Rhs[i], nil)
	default:
		o := f.originOf(s.Rhs[i], v)
		f.bad[v] = f.bad[v] || o.v != v || f.fs.addressed[v] || isPackageLevel(v)
		was := f.l.moving[v]
		inside := f.inner != nil && s.Pos() < f.inner.End()
		f.l.moving[v] = ends{was.start || o.ends.start, was.end || o.ends.end, was.inside || inside}
	}
}

// originOf is the origin of slice e, which v is set to; its variable is nil for what has none.
func (f *moveFinder) originOf(e ast.Expr, v *types.Var) origin {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		from := f.l.sliceVar(e)
		if o, ok := f.origins[from]; ok && from != v && o.v != nil && !f.l.moves(from) {
			return o
		}
		return origin{v: from}
	case *ast.SelectorExpr:
		return origin{v: f.l.sliceVar(e)}
	case *ast.SliceExpr:
		if t := f.l.typeOf(e.X); e.Max != nil || isArray(t) || isPointer(t) {
			return origin{}
		}
		o := f.originOf(e.X, v)
		o.ends.start = o.ends.start || e.Low != nil
		o.ends.end = o.ends.end || e.High != nil
		return o
	}
	return origin{}
}

// sliceVar is the slice or string variable that e names, or the one that stands for the field
// that it selects; nil for others.
func (l *lowerer) sliceVar(e ast.Expr) *types.Var {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		return l.fields.of(l.fieldKey(sel))
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := objectOf(l.info, id).(*types.Var)
	if !ok {
		return nil
	}
	if t := l.substitute(v.Type()); !isSlice(t) && !isString(t) {
		return nil
	}
	return v
}
