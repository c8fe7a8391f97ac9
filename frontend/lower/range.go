package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// Range loops: what they run over and what they set.

// rangeHeader does what forHeader does for a range loop, which counts a hidden variable.
func (l *lowerer) rangeHeader(s *ast.RangeStmt, body *vir.Block) func() {
	t := l.typeOf(s.X)
	i64 := vir.Scalar(vir.I64)
	var elem place
	if x := RunesOf(l.info, t, s); x != nil {
		l.runesHeader(s, x, body)
		return l.countUp
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			l.rangeInt(s, t, body)
			return l.countUp
		}
	case *types.Slice:
		p := l.rangedSlice(s)
		l.addCounter(s, i64)
		l.limit = l.sliceLen(p)
		elem = place{typ: u.Elem()}
		if s.Value != nil && !isBlank(s.Value) {
			elem.base = l.sliceData(p)
		}
	case *types.Array, *types.Pointer:
		p := l.rangePath(s.X)
		a, isValue := u.(*types.Array)
		if !isValue {
			if a, isValue = pointee(t).Underlying().(*types.Array); !isValue {
				l.refuse(s.X, "RangeExpr", "cannot range over this")
			}
			isValue = false
		}
		l.addCounter(s, i64)
		l.limit = l.int64(a.Len())
		elem = l.rangeArray(s, p, a, isValue)
	default:
		l.refuse(s.X, "Range"+typeID(t), "ranging over %s", describe(t))
	}
	l.beginBody(l.b.Cmp(vir.OpIcmpSlt, l.counter, l.limit), body)
	l.rangeVars(s, elem)
	return l.countUp
}

// rangePath is the range expression, which must mean the same whenever it is
// evaluated: Go evaluates it once, a twin each time it calls the kernel.
func (l *lowerer) rangePath(x ast.Expr) *path {
	if part, ok := ast.Unparen(x).(*ast.SliceExpr); ok {
		if p := l.slicePath(part); p != nil {
			return p
		}
		l.refuse(x, "RangeExpr", "the range expression slices what the loop may change; do that before the loop")
	}
	p := l.pathOf(x)
	if p == nil {
		l.refuseVarying(x)
		l.refuse(x, "RangeExpr", "the range expression is no variable or field")
	}
	return p
}

// rangedSlice is the slice that the loop ranges over. One that is no variable, field or part of them, as a call gives it, is evaluated before
// anything else of the loop, and has a name from then on.
func (l *lowerer) rangedSlice(s *ast.RangeStmt) *path {
	x := ast.Unparen(BytesOf(l.info, s.X))
	p := l.pathOf(x)
	if part, ok := x.(*ast.SliceExpr); ok {
		p = l.slicePath(part)
	}
	if p == nil && x == ast.Unparen(s.X) {
		v := types.NewVar(x.Pos(), l.pkg, l.src.unused("ranged"), l.typeOf(x))
		l.named = &ast.Ident{NamePos: x.Pos(), Name: v.Name()}
		l.info.Uses[l.named] = v
		return &path{expr: l.named, key: v.Name(), name: v.Name(), typ: v.Type(), root: v}
	}
	if p == nil {
		return l.rangePath(x)
	}
	return p
}

// BytesOf is the string or slice of which x, a range expression, is a copy by []byte(...), or x. What is ranged over is not
// changed, so that the copy need not be made.
func BytesOf(info *types.Info, x ast.Expr) ast.Expr {
	if s := copiedFrom(info, x, types.Typ[types.Uint8]); s != nil {
		return s
	}
	return x
}

// copiedFrom is the string that x converts to a slice of elem; nil if it does something else, or the string is a constant.
func copiedFrom(info *types.Info, x ast.Expr, elem types.Type) ast.Expr {
	if s := convertedTo(info, x, elem); s != nil && info.Types[s].Value == nil {
		return s
	}
	return nil
}

// convertedTo is the string that x converts to a slice of elem, nil if it does something else.
func convertedTo(info *types.Info, x ast.Expr, elem types.Type) ast.Expr {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !info.Types[call.Fun].IsType() {
		return nil
	}
	to, ok := info.TypeOf(call).Underlying().(*types.Slice)
	from, ok2 := info.TypeOf(call.Args[0]).Underlying().(*types.Basic)
	if ok && ok2 && from.Info()&types.IsString != 0 && types.Identical(to.Elem(), elem) {
		return call.Args[0]
	}
	return nil
}

// slicePath is x[lo:hi] as a range expression. Nothing runs before it and it has
// no effect, so that a twin may evaluate it as often as it likes: if it panics,
// it does so at once and as the original.
func (l *lowerer) slicePath(x *ast.SliceExpr) *path {
	p := l.pathOf(x.X)
	if p == nil || p.indexed {
		return nil
	}
	id := p.key + "["
	for _, e := range []ast.Expr{x.Low, x.High, x.Max} {
		if e != nil {
			if !l.sayable(e) && (l.stores || !l.plainRead(e)) {
				return nil
			}
			id += l.exprKey(e)
		}
		id += ":"
	}
	t := p.typ
	if d := pointee(t); d != nil {
		t = d
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		t = types.NewSlice(a.Elem())
	}
	q := p.clone()
	q.expr, q.key, q.typ, q.name = x, id+"]", t, p.name+"_part"
	return q
}

// plainRead reports whether e only reads variables and calculates.
func (l *lowerer) plainRead(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && (l.info.Types[n.Fun].IsType() || l.builtinName(n) == "len")
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.FuncLit, *ast.TypeAssertExpr:
			ok = false
		case *ast.Ident:
			v, isVar := objectOf(l.info, n).(*types.Var)
			ok = ok && !(isVar && l.assigned[v]) && !l.unrolledCounter(n)
		}
		return ok
	})
	return ok
}

// rangeArray is the first element of the array that is ranged over.
func (l *lowerer) rangeArray(s *ast.RangeStmt, p *path, a *types.Array, isValue bool) place {
	elem := place{typ: a.Elem()}
	if s.Value == nil || isBlank(s.Value) {
		return elem
	}
	if !isValue {
		if p = p.deref(); p == nil {
			l.refuse(s.X, "RangeExpr", "the range expression is no variable or field")
		}
	}
	elem.base = l.address(p)
	if isValue && p.memory && l.stores {
		l.rangeCopy(s.X, elem.base)
	}
	return elem
}

// rangeCopy is called for array x in the memory of base that is ranged over beside stores. These must not change anything in it.
func (l *lowerer) rangeCopy(x ast.Expr, base *vir.Value) {
	if !l.staysAsIs(x) && !l.standsIn(x, base) {
		l.refuseCopy(x)
	}
}

// staysAsIs reports whether x is, or is in, a variable that nothing changes while the loop runs: nothing points to it.
func (l *lowerer) staysAsIs(x ast.Expr) bool {
	v := rootVar(l.info, x)
	return v != nil && l.frame.outer == nil && !isPackageLevel(v) && !l.facts.addressed[v] && !l.facts.captured[v] && !assignsTo(l.info, l.loop, v)
}

func (l *lowerer) rangeInt(s *ast.RangeStmt, t types.Type, body *vir.Block) {
	if s.Key != nil && !isBlank(s.Key) {
		t = l.typeOf(s.Key)
	}
	vt, ok := scalarType(t)
	if !ok {
		l.refuse(s.X, "RangeExpr", "ranging over %s", describe(t))
	}
	ast.Inspect(s.X, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := l.info.Uses[id].(*types.Var); ok && l.assigned[v] {
				l.refuse(id, "RangeExpr", "the loop sets %s, which its range expression reads", id.Name)
			}
		}
		return true
	})
	l.addCounter(s, vt)
	if c := l.constOf(s.X); c != nil {
		l.limit = l.constValue(s.X, c, t)
	} else {
		l.limit = l.bound(s.X, t)
	}
	l.headerIsPlain(s.X)
	for _, v := range l.header.Insts {
		if v.Op.IsLoad() && l.stores {
			l.refuse(s.X, "RangeExpr", "the loop may store to what its range expression reads")
		}
	}
	less := vir.OpIcmpSlt
	if isUnsigned(t) {
		less = vir.OpIcmpUlt
	}
	l.beginBody(l.b.Cmp(less, l.counter, l.limit), body)
	l.rangeVars(s, place{})
}

// addCounter makes the hidden counter and then the other states.
func (l *lowerer) addCounter(s *ast.RangeStmt, t vir.Type) {
	name := "i"
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		name = id.Name
	}
	c := l.addState(nil, nil, name, t)
	c.Init = new(int64)
	c.Local = true
	l.counter = c.phi
	l.addStates()
}

func (l *lowerer) countUp() {
	l.mark(l.loop)
	l.set(key{}, l.b.Op(vir.OpAdd, l.counter.Type, l.counter, l.int(l.counter.Type, 1)))
}

// rangeVars sets the variables of the range clause at the start of an iteration.
func (l *lowerer) rangeVars(s *ast.RangeStmt, elem place) {
	dst, vals := l.rangeKey(s)
	if s.Value != nil && !isBlank(s.Value) {
		l.mark(s.Value)
		p := l.element(elem, elem.typ, l.counter)
		if !l.bindRow(s, p) {
			dst = append(dst, s.Value)
			vals = append(vals, l.load(s.Value, p))
		}
	}
	l.rangeAssign(s, dst, vals)
}

// rangeKey is the key of a range clause, if it has one, and its value.
func (l *lowerer) rangeKey(s *ast.RangeStmt) (dst []ast.Expr, vals [][]*vir.Value) {
	if s.Key == nil || isBlank(s.Key) {
		return nil, nil
	}
	return []ast.Expr{s.Key}, [][]*vir.Value{{l.counter}}
}

// rangeAssign gives the variables of a range clause their values.
func (l *lowerer) rangeAssign(s *ast.RangeStmt, dst []ast.Expr, vals [][]*vir.Value) {
	if s.Tok == token.DEFINE {
		for i, e := range dst {
			l.setVar(l.info.Defs[e.(*ast.Ident)].(*types.Var), vals[i])
		}
		return
	}
	l.assignValues(dst, vals)
}
