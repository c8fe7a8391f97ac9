package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"github.com/lanewise/lanewise/vir"
)

// constOf is the value of a constant expression, nil for all others.
// constInt is an integer constant as 64 bits.
func constInt(c constant.Value) int64 {
	c = constant.ToInt(c)
	if x, ok := constant.Int64Val(c); ok {
		return x
	}
	x, _ := constant.Uint64Val(c)
	return int64(x)
}

// constValue is constant c as a value of type t, rounded as gc does.
func (l *lowerer) constValue(n ast.Node, c constant.Value, t types.Type) *vir.Value {
	vt, ok := scalarType(t)
	if !ok {
		l.refuse(n, typeID(t), "the value is %s", describe(t))
	}
	switch {
	case vt.Elem == vir.Bool:
		return l.bool(constant.BoolVal(c))
	case vt.Elem == vir.F32:
		f, _ := constant.Float32Val(constant.ToFloat(c))
		return l.constant(vt, uint64(math.Float32bits(f)))
	case vt.Elem == vir.F64:
		f, _ := constant.Float64Val(constant.ToFloat(c))
		return l.constant(vt, math.Float64bits(f))
	}
	return l.int(vt, constInt(c))
}

func (l *lowerer) floatConst(t vir.Type, x float64) *vir.Value {
	if t.Elem == vir.F32 {
		return l.constant(t, uint64(math.Float32bits(float32(x))))
	}
	return l.constant(t, math.Float64bits(x))
}

// scalar evaluates a number or bool.
func (l *lowerer) scalar(e ast.Expr) *vir.Value {
	t := l.typeOf(e)
	if basic(t) == nil {
		l.refuse(e, typeID(t), "the value is %s", describe(t))
	}
	return l.value(e)[0]
}

// scalarAs is scalar for a value that is assigned to a variable of type t: an
// untyped constant is converted.
func (l *lowerer) scalarAs(e ast.Expr, t types.Type) *vir.Value {
	if c := l.constOf(e); c != nil {
		l.direct = false
		return l.constValue(e, c, t)
	}
	return l.scalar(e)
}

func (l *lowerer) valueAs(e ast.Expr, t types.Type) []*vir.Value {
	if c := l.constOf(e); c != nil && isNumber(t) {
		l.direct = false
		return l.constLeaves(e, c, t)
	}
	return l.value(e)
}

// value evaluates e to its leaves.
func (l *lowerer) value(e ast.Expr) []*vir.Value {
	e = ast.Unparen(e)
	l.mark(e)
	direct := l.direct
	l.direct = false
	t := l.typeOf(e)
	if c := l.constOf(e); c != nil {
		return l.constLeaves(e, c, t)
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		return l.read(e, t)
	case *ast.UnaryExpr:
		if isComplex(t) {
			return l.complexUnary(e)
		}
		l.direct = direct
		return []*vir.Value{l.unary(e, t)}
	case *ast.BinaryExpr:
		if isComplex(t) {
			return l.complexBinary(e, t)
		}
		l.direct = direct
		return []*vir.Value{l.binary(e, t)}
	case *ast.CallExpr:
		l.direct = direct
		return l.callValue(e)
	case *ast.CompositeLit:
		l.direct = direct
		return l.composite(e, t)
	case *ast.FuncLit:
		l.refuse(e, "FuncLit", "a function literal")
	case *ast.SliceExpr:
		l.refuse(e, "Slice", "slicing inside of the loop")
	case *ast.TypeAssertExpr:
		l.refuse(e, "Interface", "a type assertion")
	}
	l.refuse(e, "Expr", "this expression is not supported")
	panic("unreachable")
}

// read evaluates a variable or part of one.
func (l *lowerer) read(e ast.Expr, t types.Type) []*vir.Value {
	if loc, ok := l.localOf(e); ok {
		return l.getLocal(e, loc)
	}
	if _, ok := leaves(t); !ok {
		l.refuse(e, typeID(t), "the value is %s", describe(t))
	}
	if vals, ok := l.fieldOfValue(e); ok {
		return vals
	}
	if p := l.valuePath(e); p != nil && l.nameable(p.typ) {
		return l.liveInValues(p)
	}
	if p := l.steadyPath(e); p != nil {
		return l.steadyValue(e, p)
	}
	return l.load(e, l.placeOf(e))
}

// fieldOfValue is a field of a struct that is no variable, as in f(x).y.
func (l *lowerer) fieldOfValue(e ast.Expr) (vals []*vir.Value, ok bool) {
	sel, _ := ast.Unparen(e).(*ast.SelectorExpr)
	if sel == nil {
		return nil, false
	}
	t := l.typeOf(sel.X)
	index, isField := l.fieldIndex(sel)
	if !isField || l.indirect(t, index) {
		return nil, false
	}
	switch x := ast.Unparen(sel.X).(type) {
	case *ast.CallExpr, *ast.CompositeLit:
		vals = l.value(x)
	case *ast.SelectorExpr:
		if vals, ok = l.fieldOfValue(x); !ok {
			return nil, false
		}
	default:
		return nil, false
	}
	part := local{typ: t}
	for _, i := range index {
		part = part.field(i)
	}
	return vals[part.first : part.first+part.n], true
}

// valuePath is the path of a variable that nobody can change while the loop
// runs, or a constant element of one. Memory counts when the loop does not store.
func (l *lowerer) valuePath(e ast.Expr) *path {
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		if l.b.Cur == l.header {
			if p := l.limitPath(x); p != nil {
				return p
			}
		}
		if t := l.info.TypeOf(x.X); t == nil || !isArray(l.substitute(t)) || l.constOf(x.Index) == nil {
			return nil
		}
		if p := l.valuePath(x.X); p != nil {
			return p.index(l, x)
		}
		return nil
	}
	p := l.pathOf(e)
	if p == nil || p.indexed || l.stores && (p.memory || len(p.nonNil) > 0) {
		return nil
	}
	if l.once != nil && p.content == "" && (p.memory || len(p.nonNil) > 0 || l.inMemory(p.root)) {
		return nil // side by side with others
	}
	return p
}

// liveInValues makes a parameter of every leaf.
func (l *lowerer) liveInValues(p *path) []*vir.Value {
	if t, ok := scalarType(p.typ); ok {
		if p.content != "" {
			return []*vir.Value{l.constant(t, littleEndian(p.content))}
		}
		if from := l.originOf(p); from != nil {
			return []*vir.Value{l.widened(p, from, t)}
		}
		if x := l.measured(p); x != nil {
			return []*vir.Value{l.lenOf(x)}
		}
		return []*vir.Value{l.liveIn(ParamValue, p, t).v}
	}
	if isComplex(p.typ) {
		return append(l.liveInValues(l.partPath(p, Real)), l.liveInValues(l.partPath(p, Imag))...)
	}
	var vals []*vir.Value
	switch u := p.typ.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); f.Name() == "_" {
				vals = append(vals, l.zero(l.loop, f.Type())...) // nobody can see what it holds
				continue
			}
			vals = append(vals, l.liveInValues(p.field(i))...)
		}
	case *types.Array:
		for i := range u.Len() {
			vals = append(vals, l.liveInValues(p.constElem(u, i))...)
		}
	}
	return vals
}

func littleEndian(s string) (bits uint64) {
	for i := range len(s) {
		bits |= uint64(s[i]) << (8 * i)
	}
	return bits
}

// composite evaluates a struct or array literal.
func (l *lowerer) composite(e *ast.CompositeLit, t types.Type) []*vir.Value {
	vals := l.zero(e, t)
	loc := local{typ: t}
	next := 0
	beside := l.beside(e.Elts)
	for k, x := range e.Elts {
		var part local
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			part, next = l.compositeKey(kv, loc)
			x = kv.Value
		} else {
			part = loc.part(next)
		}
		next++
		l.direct = beside[k]
		for i, v := range l.valueAs(x, part.typ) {
			vals[part.first+i] = v
		}
	}
	return vals
}

func (l *lowerer) compositeKey(kv *ast.KeyValueExpr, loc local) (local, int) {
	if s, ok := loc.typ.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			if s.Field(i).Name() == kv.Key.(*ast.Ident).Name {
				return loc.field(i), i
			}
		}
	}
	i := constInt(l.constOf(kv.Key))
	return loc.elem(i), int(i)
}

func (loc local) part(i int) local {
	if isArray(loc.typ) {
		return loc.elem(int64(i))
	}
	return loc.field(i)
}

func (l *lowerer) unary(e *ast.UnaryExpr, t types.Type) *vir.Value {
	switch e.Op {
	case token.ARROW:
		l.refuse(e, "Channel", "a channel operation")
	case token.AND:
		l.refuse(e, "Pointer", "a pointer as a value")
	}
	if basic(t) == nil {
		l.refuse(e, typeID(t), "arithmetic on %s", describe(t))
	}
	x := l.scalar(e.X)
	l.mark(e)
	switch e.Op {
	case token.SUB:
		if isFloat(t) {
			return l.b.Same(vir.OpFneg, x)
		}
		return l.b.Same(vir.OpNeg, x)
	case token.NOT, token.XOR:
		return l.b.Same(vir.OpNot, x)
	}
	return x // +x
}

func (l *lowerer) binary(e *ast.BinaryExpr, t types.Type) *vir.Value {
	direct := l.direct
	l.direct = false
	if v := l.hoisted(e, t); v != nil {
		return v
	}
	left, right := direct && l.inOrder(e.Y), direct && l.inOrder(e.X)
	l.direct = left
	switch e.Op {
	case token.LAND, token.LOR:
		l.direct = false
		return l.logic(e)
	case token.SHL, token.SHR:
		if basic(t) == nil {
			l.refuse(e, typeID(t), "arithmetic on %s", describe(t))
		}
		return l.shift(e, e.Op, l.scalarAs(e.X, t), t, e.Y)
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		v := l.comparison(e, right)
		l.direct = false
		return v
	}
	if basic(t) == nil {
		l.refuse(e, typeID(t), "arithmetic on %s", describe(t))
	}
	x := l.scalarAs(e.X, t)
	l.direct = right
	y := l.scalarAs(e.Y, t)
	l.direct = false
	l.mark(e)
	return l.arithExpr(e, e.Op, x, y, t)
}

// comparison compares numbers and bools, and structs and arrays leaf by leaf. The right one may be direct: see inline.
func (l *lowerer) comparison(e *ast.BinaryExpr, direct bool) *vir.Value {
	t := l.typeOf(e.X)
	if l.constOf(e.X) != nil {
		t = l.typeOf(e.Y)
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.UntypedNil {
		t = l.typeOf(e.X)
	}
	if v := l.comparedWithNil(e); v != nil {
		return v
	}
	if s := l.comparedWithEmpty(e, t); s != nil {
		n := l.lenOf(s)
		l.mark(e)
		return l.compare(e, e.Op, n, l.int64(0), types.Typ[types.Int])
	}
	if _, ok := leaves(t); !ok {
		l.refuse(e, typeID(t), "comparison of %s", describe(t))
	}
	x := l.valueAs(e.X, t)
	l.direct = direct
	y := l.valueAs(e.Y, t)
	l.direct = false
	l.mark(e)
	if basic(t) != nil {
		return l.compare(e, e.Op, x[0], y[0], t)
	}
	ls, _ := leaves(t)
	var all *vir.Value
	for i, leaf := range ls {
		switch {
		case leaf.blank:
		case all == nil:
			all = l.compare(e, token.EQL, x[i], y[i], leaf.typ)
		default:
			all = l.b.Same(vir.OpAnd, all, l.compare(e, token.EQL, x[i], y[i], leaf.typ))
		}
	}
	if all == nil {
		all = l.bool(true)
	}
	if e.Op == token.NEQ {
		return l.b.Same(vir.OpNot, all)
	}
	return all
}

// comparedWithNil is a comparison of what is the same in all iterations with nil: known before the loop, and nil for others.
func (l *lowerer) comparedWithNil(e *ast.BinaryExpr) *vir.Value {
	x, y := e.X, e.Y
	if l.info.Types[x].IsNil() {
		x, y = y, x
	}
	if !l.info.Types[y].IsNil() {
		return nil
	}
	p := l.pathOf(x)
	if p == nil {
		return nil
	}
	is := *p
	is.expr, is.typ = &ast.BinaryExpr{X: p.expr, Op: e.Op, Y: ast.NewIdent("nil")}, types.Typ[types.Bool]
	is.key, is.name = p.key+" "+e.Op.String()+" nil", p.name+"_nil"
	return l.liveIn(ParamValue, &is, vir.Scalar(vir.Bool)).v
}

// comparedWithEmpty is the string of s == "" or s != "", nil for other comparisons.
func (l *lowerer) comparedWithEmpty(e *ast.BinaryExpr, t types.Type) ast.Expr {
	if !isString(t) || e.Op != token.EQL && e.Op != token.NEQ {
		return nil
	}
	for _, side := range [][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
		if c := l.constOf(side[1]); c != nil && constant.StringVal(c) == "" && (l.movedVar(side[0]) != nil || l.pathOf(side[0]) != nil || l.isRow(side[0])) {
			return side[0]
		}
	}
	return nil
}

// isRow reports whether string e is an element, or a field of one, as it is or by a name of the loop's own.
func (l *lowerer) isRow(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return l.once == nil
	case *ast.SelectorExpr:
		return l.once == nil && l.inElement(e)
	case *ast.Ident:
		v, ok := objectOf(l.info, e).(*types.Var)
		_, is := l.views[v]
		return ok && is
	}
	return false
}

// logic is && and || as values.
func (l *lowerer) logic(e *ast.BinaryExpr) *vir.Value {
	if l.harmless(e.Y) {
		x := l.scalar(e.X)
		y := l.scalar(e.Y)
		l.mark(e)
		if e.Op == token.LAND {
			return l.b.Same(vir.OpAnd, x, y)
		}
		return l.b.Same(vir.OpOr, x, y)
	}
	yes, no, join := l.newBlock("true"), l.newBlock("false"), l.newBlock("join")
	k := key{types.NewVar(e.Pos(), nil, "", types.Typ[types.Bool]), 0}
	l.cond(e, yes, no)
	for _, side := range []*vir.Block{yes, no} {
		l.start(side)
		if l.b.Cur != nil {
			l.set(k, l.bool(side == yes))
			l.jump(join)
		}
	}
	l.start(join)
	return l.get(k)
}
