package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A path is an expression that denotes the same variable or value in every
// iteration: a variable that the loop does not set, fields of it, what pointers
// in it point to, rows of a slice of slices. Memory that holds pointers is
// assumed to be untouched by the loop.
//
// The expression is in terms of the annotated function, also when the path was
// reached through a parameter of an inlined one.
type path struct {
	expr    ast.Expr
	key     string // equal for equal paths
	name    string // for parameters
	typ     types.Type
	root    *types.Var
	memory  bool   // the variable may be changed through pointers or by others
	indexed bool   // a row: evaluating it needs InRange
	pointer *path  // of *pointer, else nil
	target  *path  // of &target, else nil
	content string // of its memory when that never changes, else empty
	within  *path  // the variable that it is a part of, off bytes behind its start; nil for others
	off     int64

	nonNil  []ast.Expr
	nonZero []ast.Expr
	inRange []*ast.IndexExpr
}

// pathOf is the path that e denotes, nil when it is none.
func (l *lowerer) pathOf(e ast.Expr) *path {
	if c := l.constOf(e); c != nil {
		return l.textPath(e, c)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.pathOf(e.X)
	case *ast.Ident:
		return l.identPath(e)
	case *ast.StarExpr:
		if p := l.pathOf(e.X); p != nil {
			p = p.deref()
			l.maybeField(e, p)
			return p
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			if p := l.pathOf(e.X); p != nil && p.memory && !p.indexed {
				return p.addressOf()
			}
		}
	case *ast.SelectorExpr:
		return l.selectorPath(e)
	case *ast.IndexExpr:
		return l.indexPath(e)
	}
	return nil
}

func (l *lowerer) identPath(id *ast.Ident) *path {
	if v, ok := objectOf(l.info, id).(*types.Var); ok {
		if p := l.paths[v]; p != nil {
			return p
		}
		return l.varPath(v, id)
	}
	return nil
}

// textPath is a constant string, the only constant with an address: under its
// name where that means the same at the loop, else as a literal.
func (l *lowerer) textPath(e ast.Expr, c constant.Value) *path {
	if c.Kind() != constant.String || constant.StringVal(c) == "" {
		return nil
	}
	text := constant.StringVal(c)
	p := &path{key: "text " + text, name: "text", typ: types.Typ[types.String], content: text,
		root: types.NewVar(e.Pos(), l.pkg, "text", types.Typ[types.String])}
	p.expr = &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(text)}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if o, ok := objectOf(l.info, id).(*types.Const); ok && l.visible(o) {
			p.expr, p.name, p.typ = id, o.Name(), o.Type()
			p.root = types.NewVar(o.Pos(), o.Pkg(), o.Name(), o.Type())
		}
	}
	return p
}

func (l *lowerer) varPath(v *types.Var, e ast.Expr) *path {
	if isPackageLevel(v) {
		if !l.visible(v) {
			return nil
		}
		p := &path{expr: e, key: fmt.Sprintf("%s.%s", v.Pkg().Path(), v.Name()), name: v.Name(), typ: l.substitute(v.Type()), root: v, memory: true}
		if l.src.Content != nil {
			p.content = l.src.Content(v)
			p.memory = p.content == ""
		}
		return p
	}
	if l.frame.outer != nil || l.inBody(v) || l.isState(v) {
		return nil
	}
	if name := l.src.besideName(v); name != nil {
		e = name
	}
	return &path{expr: e, key: fmt.Sprintf("%s@%d", v.Name(), v.Pos()), name: v.Name(), typ: l.substitute(v.Type()), root: v, memory: l.memory[v]}
}

// visible reports whether a package-level object can be named where the loop
// stands; a body from elsewhere may know it under a name that means something
// else here.
func (l *lowerer) visible(o types.Object) bool {
	return l.frame.outer == nil || l.means(o, l.loop.Pos())
}

// means reports whether the name of o is that of o at a place.
func (l *lowerer) means(o types.Object, at token.Pos) bool {
	if l.src.besideName(o) != nil {
		return true
	}
	scope := l.src.Home.Scope().Innermost(at)
	if scope == nil {
		return false
	}
	_, found := scope.LookupParent(o.Name(), at)
	return found == o
}

func (p *path) clone() *path {
	q := *p
	q.nonNil = slices.Clip(p.nonNil)
	q.nonZero = slices.Clip(p.nonZero)
	q.inRange = slices.Clip(p.inRange)
	q.pointer, q.target, q.content, q.within = nil, nil, "", nil
	return &q
}

// deref is *p, nil when that cannot be told to a twin: pointers are checked
// before rows.
func (p *path) deref() *path {
	if p.target != nil {
		return p.target
	}
	elem := pointee(p.typ)
	if elem == nil || p.indexed {
		return nil
	}
	q := p.clone()
	q.expr = &ast.StarExpr{X: p.expr}
	q.key = "*" + p.key
	q.typ = elem
	q.memory = true
	q.pointer = p
	q.nonNil = append(q.nonNil, p.expr)
	return q
}

func (p *path) addressOf() *path {
	q := p.clone()
	q.expr = &ast.UnaryExpr{Op: token.AND, X: p.expr}
	q.key = "&" + p.key
	q.typ = types.NewPointer(p.typ)
	q.memory = false
	q.target = p
	return q
}

// field is p.f, with the pointer dereferenced that p may be.
func (p *path) field(i int) *path {
	x := p.expr
	if isPointer(p.typ) {
		if p.target != nil {
			x = p.target.expr
		}
		if p = p.deref(); p == nil {
			return nil
		}
	}
	s, ok := p.typ.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	f := s.Field(i)
	q := p.clone()
	q.expr = &ast.SelectorExpr{X: x, Sel: ast.NewIdent(f.Name())}
	q.key = p.key + "." + f.Name()
	q.name = p.name + "_" + f.Name()
	q.typ = f.Type()
	q.content = p.contentAt(fieldOffset(s, i), f.Type())
	q.within, q.off = p, fieldOffset(s, i)
	return q
}

// contentAt is the known content of a part of p.
func (p *path) contentAt(off int64, t types.Type) string {
	if p.content == "" {
		return ""
	}
	return p.content[off : off+sizes.Sizeof(t)]
}

func (l *lowerer) selectorPath(e *ast.SelectorExpr) *path {
	index, ok := l.fieldIndex(e)
	if !ok {
		if v, ok := l.info.Uses[e.Sel].(*types.Var); ok && l.frame.outer == nil && l.info.Selections[e] == nil {
			return l.varPath(v, e)
		}
		return nil
	}
	p := l.pathOf(e.X)
	if p == nil {
		return nil
	}
	for _, i := range index {
		if l.hides(p.typ, i) {
			return nil
		}
		if p = p.field(i); p == nil {
			return nil
		}
	}
	l.sameField(e, p.key)
	if l.fields.of(p.key) != nil {
		return nil // not the same in every iteration
	}
	return p
}

// hides reports whether field i of t, or of what it points to, is one that the twin cannot name: methods of other packages are
// inlined, which may.
func (l *lowerer) hides(t types.Type, i int) bool {
	if isPointer(t) {
		t = pointee(t)
	}
	s, ok := t.Underlying().(*types.Struct)
	return ok && !s.Field(i).Exported() && s.Field(i).Pkg() != l.src.Pkg
}

// indexPath is a row: an element at an invariant subscript that is not a number
// itself (numbers are loaded where they are used).
func (l *lowerer) indexPath(e *ast.IndexExpr) *path {
	t := l.typeOf(e)
	if t == nil || isNumber(t) || l.frame.outer != nil && l.constOf(e.Index) == nil {
		return nil
	}
	p := l.pathOf(e.X)
	if p == nil {
		return nil
	}
	if l.once != nil && !isSlice(t) && !isPointer(t) && !isString(t) && (isSlice(p.typ) || l.constOf(e.Index) == nil) {
		return nil // side by side with others
	}
	return p.index(l, e)
}

func (p *path) index(l *lowerer, e *ast.IndexExpr) *path {
	x := p.expr
	if isPointer(p.typ) {
		if p.target != nil {
			x = p.target.expr
		}
		if p = p.deref(); p == nil {
			return nil
		}
	}
	sub, ok := l.literal(e.Index, p.typ)
	if !ok {
		return nil
	}
	var elem types.Type
	isArray := false
	switch u := p.typ.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem, isArray = u.Elem(), true
	default:
		return nil
	}
	q := p.clone()
	q.expr = &ast.IndexExpr{X: x, Index: sub}
	q.key = fmt.Sprintf("%s[%s]", p.key, l.exprKey(e.Index))
	q.name = p.name + "_row"
	q.typ = elem
	q.memory = p.memory || !isArray
	if !isArray || l.constOf(e.Index) == nil {
		q.indexed = true
		q.nonZero = append(q.nonZero, l.divisors(sub)...)
		q.inRange = append(q.inRange, q.expr.(*ast.IndexExpr))
	} else {
		at := constInt(l.constOf(e.Index)) * sizes.Sizeof(elem)
		q.content = p.contentAt(at, elem)
		q.within, q.off = p, at
	}
	return q
}

// literal is subscript e of something of type t as it may stand before the loop, see spell.
// It fails for those that panic, but for divisions.
func (l *lowerer) literal(e ast.Expr, t types.Type) (ast.Expr, bool) {
	c := l.constOf(e)
	if c == nil {
		e = l.spellDividing(e)
		return e, e != nil
	}
	k := constInt(c)
	if a, ok := t.Underlying().(*types.Array); ok && k >= a.Len() {
		return nil, false
	}
	return &ast.BasicLit{Kind: token.INT, Value: strconv.FormatInt(k, 10)}, k >= 0
}

// spellDividing is spell for what may divide by anything, see divisors.
func (l *lowerer) spellDividing(e ast.Expr) ast.Expr {
	defer func(before bool) { l.dividing = before }(l.dividing)
	l.dividing = true
	return l.spell(e)
}

// invariant reports whether the integer e has the same value whenever the loop
// may evaluate it, and cannot panic. See spell for what it is before the loop.
func (l *lowerer) invariant(e ast.Expr) bool { return l.constOf(e) != nil || l.spell(e) != nil }

// sayable reports whether that is so of the text of e as it stands.
func (l *lowerer) sayable(e ast.Expr) bool { return l.spell(e) == e }

// namesOwnConst reports whether e has the name of a constant that the loop declares.
func (l *lowerer) namesOwnConst(e ast.Expr) (own bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			c, ok := l.info.Uses[id].(*types.Const)
			own = own || ok && l.loop.Pos() <= c.Pos() && c.Pos() < l.loop.End()
		}
		return !own
	})
	return own
}

func isSlice(t types.Type) bool { _, ok := t.Underlying().(*types.Slice); return ok }

func isStruct(t types.Type) bool { _, ok := t.Underlying().(*types.Struct); return ok }

// exprKey is equal for invariant integers that are written alike.
func (l *lowerer) exprKey(e ast.Expr) string {
	if c := l.constOf(e); c != nil {
		return c.ExactString()
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.exprKey(e.X)
	case *ast.UnaryExpr:
		return e.Op.String() + l.exprKey(e.X)
	case *ast.BinaryExpr:
		if base, c := l.offset(e); base != e {
			if c == 0 {
				return l.exprKey(base)
			}
			return fmt.Sprintf("(%s%+d)", l.exprKey(base), c)
		}
		return "(" + l.exprKey(e.X) + e.Op.String() + l.exprKey(e.Y) + ")"
	case *ast.CallExpr:
		args := make([]string, len(e.Args))
		for i, a := range e.Args {
			args[i] = l.exprKey(a)
		}
		return types.TypeString(l.typeOf(e.Fun), nil) + types.ExprString(e.Fun) + "(" + strings.Join(args, ",") + ")"
	}
	if p := l.pathOf(e); p != nil {
		return p.key
	}
	if x := l.meaning(e); x != nil {
		return l.exprKey(x)
	}
	return types.ExprString(e)
}

// inBody reports whether v is declared by the body of the loop, so that every
// iteration has its own.
func (l *lowerer) inBody(v *types.Var) bool {
	if l.once != nil && l.once.hoisted[v] {
		return false
	}
	switch s := l.loop.(type) {
	case *ast.ForStmt:
		return s.Body.Pos() <= v.Pos() && v.Pos() < s.Body.End()
	case *ast.RangeStmt:
		return s.Pos() <= v.Pos() && v.Pos() < s.End()
	}
	return false
}

// isState reports whether v is carried from iteration to iteration in a
// register.
func (l *lowerer) isState(v *types.Var) bool { return l.assigned[v] && !l.memory[v] }

// constElem is element i of an array.
func (p *path) constElem(a *types.Array, i int64) *path {
	index := strconv.FormatInt(i, 10)
	q := p.clone()
	q.expr = &ast.IndexExpr{X: p.expr, Index: &ast.BasicLit{Kind: token.INT, Value: index}}
	q.key = p.key + "[" + index + "]"
	q.name = p.name + "_" + index
	q.typ = a.Elem()
	q.content = p.contentAt(i*sizes.Sizeof(a.Elem()), a.Elem())
	q.within, q.off = p, i*sizes.Sizeof(a.Elem())
	return q
}
