package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// A view is a slice that the loop makes of another one: s := x[4*i : 4*i+4]. It
// is no value but a place and a length, and nothing can be assigned to it.
//
// Go lets a slice be made up to the capacity of what it is made of, vir knows
// lengths only. The checks here are against the length: an iteration that reaches
// beyond it is left to the scalar loop, like one that panics, so that all memory
// a kernel uses lies inside of the lengths that its parameters state.
type view struct {
	at   place // of the first element
	elem types.Type
	len  *vir.Value
	// A view that reaches to the end of another one starts at lo of limit
	// elements, where 0 <= lo <= limit; len is nil.
	lo, limit *vir.Value
	// of is the moved variable that the view is a part of, start its position there. The
	// limit of an open view may move then; limits of others are the lengths of something.
	of    *moved
	start *vir.Value
	step  lastStep
}

// viewOf is the slice, string, array or pointer to an array e as a view.
func (l *lowerer) viewOf(e ast.Expr) (view, bool) {
	e = ast.Unparen(e)
	t := l.typeOf(e)
	switch u := t.Underlying().(type) {
	case *types.Array:
		return view{at: l.arrayPlace(e), elem: u.Elem(), len: l.int64(u.Len())}, true
	case *types.Pointer:
		if a, ok := u.Elem().Underlying().(*types.Array); ok {
			return view{at: l.targetOf(e), elem: a.Elem(), len: l.int64(a.Len())}, true
		}
		return view{}, false
	}
	if !isSlice(t) && !isString(t) {
		return view{}, false
	}
	if p := l.pathOf(e); p != nil {
		return l.viewOfPath(p), true
	}
	switch e := e.(type) {
	case *ast.SelectorExpr:
		if v := l.movedVar(e); v != nil {
			return l.movedView(e, v), true
		}
		if l.once == nil && l.inElement(e) {
			return l.row(l.placeOf(e)), true
		}
	case *ast.Ident:
		if v := l.movedVar(e); v != nil {
			return l.movedView(e, v), true
		}
		if v, ok := objectOf(l.info, e).(*types.Var); ok {
			w, ok := l.views[v]
			return w, ok
		}
	case *ast.CallExpr:
		return l.viewOfCall(e)
	case *ast.SliceExpr:
		return l.slicing(e), true
	case *ast.IndexExpr:
		if l.once == nil {
			return l.row(l.placeOf(e)), true
		}
	}
	return view{}, false
}

// inElement reports whether e is a field, at any depth, of an element of something, or of a copy of one.
func (l *lowerer) inElement(e *ast.SelectorExpr) bool {
	for {
		if s := l.info.Selections[e]; s == nil || s.Kind() != types.FieldVal || s.Indirect() {
			return false
		}
		switch x := ast.Unparen(e.X).(type) {
		case *ast.IndexExpr:
			return true
		case *ast.SelectorExpr:
			e = x
		case *ast.Ident:
			v, _ := objectOf(l.info, x).(*types.Var)
			_, stands := l.refs[v]
			return stands && !isPointer(l.typeOf(x))
		default:
			return false
		}
	}
}

// viewOfPath is an invariant slice or string as a view.
func (l *lowerer) viewOfPath(p *path) view {
	return view{at: place{base: l.sliceData(p)}, elem: elemOf(p.typ), len: l.sliceLen(p)}
}

// bindRow makes a view of the value of a range clause that is a slice or string: its pointer and
// length are loaded where the iteration begins. Numbers that the loop stores do not
// change them. Nothing can be assigned to it. Arrays and structs may be copies.
func (l *lowerer) bindRow(s *ast.RangeStmt, p place) bool {
	id, ok := s.Value.(*ast.Ident)
	if !ok || s.Tok != token.DEFINE {
		return false
	}
	if !isSlice(p.typ) && !isString(p.typ) {
		return l.bindCopy(id, p)
	}
	v := l.info.Defs[id].(*types.Var)
	l.checkLocal(id, v)
	l.views[v] = l.row(p)
	l.views[v].at.base.Name = valueName(id.Name)
	return true
}

// row is the slice or string at p as a view: its pointer and length are loaded.
func (l *lowerer) row(p place) view {
	l.check(&p)
	data := l.b.Load(vir.OpLoad, vir.Scalar(vir.Ptr), p.at(0), nil)
	n := l.b.Load(vir.OpLoad, vir.Scalar(vir.I64), p.at(sizes.Sizeof(types.Typ[types.Uintptr])), nil)
	return view{at: place{base: data}, elem: elemOf(p.typ), len: n}
}

// elemOf is the type of the elements of a slice or string.
func elemOf(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return types.Typ[types.Uint8]
}

// slicing is e.X[low:high:max].
func (l *lowerer) slicing(e *ast.SliceExpr) view {
	x, ok := l.viewOf(e.X)
	if !ok {
		l.refuseVarying(e.X)
		l.refuse(e, "Slice", "slicing inside of the loop")
	}
	l.check(&x.at)
	bounds := [3]*vir.Value{l.int64(0), nil, nil}
	for i, b := range []ast.Expr{e.Low, e.High, e.Max} {
		if b != nil {
			bounds[i] = l.subscript(b)
		}
	}
	l.mark(e)
	lo, hi, end := bounds[0], bounds[1], bounds[2]
	for _, b := range bounds {
		if b != nil {
			x = l.counting(x, b)
		}
	}
	if end != nil {
		l.within(x, end)
		if d, ok := difference(end, hi); !ok || d < 0 {
			l.notAbove(hi, end)
		}
	}
	y := view{at: l.element(x.at, x.elem, lo), elem: x.elem}
	if x.of != nil {
		y.of, y.start, y.step = x.of, l.sum(x.start, lo), l.stepBy(x.step, e.Low)
	}
	if hi == nil {
		l.within(x, lo)
		y.lo, y.limit = l.position(x, lo), x.end()
		return y
	}
	l.within(x, hi)
	d, ok := difference(hi, lo)
	switch {
	case ok && d >= 0:
		l.within(x, lo)
		y.len = l.int64(d)
	case x.of != nil && x.len == nil:
		l.before(x.of, lo, hi, 0)
		y.len = l.b.Same(vir.OpSub, hi, lo)
	default:
		l.notAbove(lo, hi)
		y.len = l.b.Same(vir.OpSub, hi, lo)
	}
	return y
}

// counting is v as a view whose position k tells whether k is inside: where k may be
// negative, positions count from where v starts, or that is checked.
func (l *lowerer) counting(v view, k *vir.Value) view {
	switch {
	case nonNegative(k) || v.len == nil && l.atLeast(linearOf(k), 0):
	case v.of != nil && v.len == nil:
		l.inRange(k, l.plusOne(v.of.len))
	default:
		return l.closed(v)
	}
	return v
}

// closed is v with its length as a value.
func (l *lowerer) closed(v view) view {
	if v.len == nil {
		if d, ok := difference(v.limit, v.lo); ok {
			v.len = l.int64(d)
		} else {
			v.len = l.b.Same(vir.OpSub, v.limit, v.lo)
		}
		v.lo, v.limit = nil, nil
	}
	return v
}

// end is what positions in v are compared with.
func (v view) end() *vir.Value {
	if v.len != nil {
		return v.len
	}
	return v.limit
}

// position is k, counted from where end is counted from. If k is not negative,
// k is less than the length of v exactly if its position is less than the end.
func (l *lowerer) position(v view, k *vir.Value) *vir.Value {
	if c, ok := k.ConstInt(); v.len != nil || ok && c == 0 {
		if v.len == nil {
			return v.lo
		}
		return k
	}
	return l.b.Same(vir.OpAdd, v.lo, k)
}

// within checks that a bound of a slice expression is at most the length.
func (l *lowerer) within(v view, k *vir.Value) {
	at, end := l.position(v, k), v.end()
	if c, ok := at.ConstInt(); ok && c == 0 || at == l.counter && end == l.limit {
		return
	}
	if v.of == nil || v.len != nil {
		l.inRange(at, l.plusOne(end))
		return
	}
	l.before(v.of, at, end, 0)
}

// notAbove checks 0 <= a <= b.
func (l *lowerer) notAbove(a, b *vir.Value) {
	if c, ok := a.ConstInt(); ok && c == 0 && nonNegative(b) {
		return
	}
	l.inRange(a, l.plusOne(b))
}

func (l *lowerer) plusOne(v *vir.Value) *vir.Value {
	if c, ok := v.ConstInt(); ok {
		return l.int64(c + 1)
	}
	return l.b.Same(vir.OpAdd, v, l.int64(1))
}

// viewElement is v[sub].
func (l *lowerer) viewElement(v view, sub *vir.Value) place {
	l.check(&v.at)
	v = l.counting(v, sub)
	r := l.element(v.at, v.elem, sub)
	if v.of != nil && v.len == nil {
		r.sub, r.len, r.of = l.sum(v.lo, sub), v.limit, v.of
		return r
	}
	r.sub, r.len = l.position(v, sub), v.end()
	return r
}

// arrayPointer is the array that the conversion of a slice to a pointer to one
// points to.
func (l *lowerer) arrayPointer(e *ast.CallExpr) (place, bool) {
	if !l.info.Types[e.Fun].IsType() || len(e.Args) != 1 {
		return place{}, false
	}
	to := pointee(l.typeOf(e))
	if to == nil || !isArray(to) || !isSlice(l.typeOf(e.Args[0])) {
		return place{}, false
	}
	v, ok := l.viewOf(e.Args[0])
	if !ok {
		return place{}, false
	}
	l.check(&v.at)
	switch n := to.Underlying().(*types.Array).Len(); {
	case n == 0:
	case v.of != nil:
		l.within(v, l.int64(n))
	default:
		l.inRange(l.position(v, l.int64(n-1)), v.end())
	}
	v.at.typ = to
	return v.at, true
}
