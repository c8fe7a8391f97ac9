package lower

import (
	"go/ast"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// A place is a variable in memory: base + index*scale + disp.
type place struct {
	base, index *vir.Value
	scale, disp int64
	typ         types.Type

	// The last subscript is checked when the place is first accessed: in
	// x[i], y[j] = a, b the check of y[j] comes behind the store to x[i].
	sub, len *vir.Value
	of       *moved // what the subscript is a position in, nil for others
}

// local is part of a variable that is kept in SSA form.
type local struct {
	v        *types.Var
	first, n int // leaves
	typ      types.Type
}

// localOf finds the SSA variable that e is a part of.
func (l *lowerer) localOf(e ast.Expr) (loc local, ok bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.localOf(e.X)
	case *ast.Ident:
		v, isVar := objectOf(l.info, e).(*types.Var)
		if !isVar || !l.isLocal(v) {
			return local{}, false
		}
		l.checkLocal(e, v)
		t := l.substitute(v.Type())
		ls, ok := leaves(t)
		if !ok {
			l.refuse(e, typeID(t), "%s is %s", e.Name, describe(t))
		}
		return local{v, 0, len(ls), t}, true
	case *ast.StarExpr:
		return l.lentTo(e.X)
	case *ast.SelectorExpr:
		index, isField := l.fieldIndex(e)
		if !isField {
			return local{}, false
		}
		if loc, ok = l.lentTo(e.X); ok {
			// through the pointer
		} else if loc, ok = l.localOf(e.X); !ok {
			return local{}, false
		}
		for _, i := range index {
			loc = loc.field(i)
		}
		return loc, true
	case *ast.IndexExpr:
		if loc, ok = l.lentTo(e.X); ok {
			// through the pointer
		} else if t := l.info.TypeOf(e.X); t == nil || !isArray(l.substitute(t)) {
			return local{}, false
		} else if loc, ok = l.localOf(e.X); !ok {
			return local{}, false
		}
		c := l.constIndex(e.Index)
		if c == nil {
			l.refuseLocal(e, loc.v, "a subscript of an array of the loop's own is not constant")
		}
		if k := constInt(c); k < 0 || k >= loc.typ.Underlying().(*types.Array).Len() {
			l.refuseLocal(e, loc.v, "a subscript of an array of the loop's own is out of range")
		}
		return loc.elem(constInt(c)), true
	}
	return local{}, false
}

// refuseLocal refuses a use of an array of the loop's own. Straight-line code may begin
// behind its declaration instead.
func (l *lowerer) refuseLocal(n ast.Node, v *types.Var, msg string) {
	if l.once != nil && l.frame.outer == nil && l.inBody(v) {
		n = &ast.Ident{NamePos: v.Pos(), Name: v.Name()}
	}
	r := l.refusal(n, "Array", "%s", msg)
	r.whole = v
	panic(r)
}

func isArray(t types.Type) bool { _, ok := t.Underlying().(*types.Array); return ok }

// isLocal reports whether v has SSA values inside of the loop.
func (l *lowerer) isLocal(v *types.Var) bool {
	if isPackageLevel(v) || l.paths[v] != nil {
		return false
	}
	if _, ok := l.refs[v]; ok {
		return false
	}
	if _, ok := l.views[v]; ok || l.moved[v] != nil {
		return false
	}
	return l.frame.outer != nil || l.inBody(v) || l.isState(v)
}

func (l *lowerer) checkLocal(n ast.Node, v *types.Var) {
	if l.facts.addressed[v] && !l.isBorrowed(v) {
		l.refuse(n, "AddressTaken", "the address of %s is taken", v.Name())
	}
	if l.facts.held[v] && l.once != nil && l.frame.outer == nil {
		l.refuse(n, "Captured", "a function literal uses %s", v.Name()) // perhaps one behind the code; in loops and functions it is met
	}
}

func (loc local) field(i int) local {
	s := loc.typ.Underlying().(*types.Struct)
	first := loc.first
	for k := range i {
		ls, _ := leaves(s.Field(k).Type())
		first += len(ls)
	}
	ls, _ := leaves(s.Field(i).Type())
	return local{loc.v, first, len(ls), s.Field(i).Type()}
}

func (loc local) elem(i int64) local {
	a := loc.typ.Underlying().(*types.Array)
	ls, _ := leaves(a.Elem())
	return local{loc.v, loc.first + int(i)*len(ls), len(ls), a.Elem()}
}

func (l *lowerer) setVar(v *types.Var, vals []*vir.Value) {
	for i, x := range vals {
		if x.Name == "" && i == 0 && len(vals) == 1 && x.Op != vir.OpConst {
			x.Name = valueName(v.Name())
		}
		l.set(key{v, i}, x)
	}
}

// valueName is a Go name as a value's name in the text form.
func valueName(s string) string {
	for _, r := range s {
		if r > 127 {
			return ""
		}
	}
	return s
}

func (l *lowerer) getLocal(e ast.Expr, loc local) []*vir.Value {
	vals := make([]*vir.Value, loc.n)
	for i := range vals {
		if vals[i] = l.get(key{loc.v, loc.first + i}); vals[i] == nil {
			l.refuse(e, "Variable", "%s has no value here", loc.v.Name())
		}
	}
	return vals
}

// placeOf is the memory that e denotes.
func (l *lowerer) placeOf(e ast.Expr) place {
	e = ast.Unparen(e)
	if p := l.pathOf(e); p != nil && !p.indexed {
		return l.placeAt(p)
	}
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := objectOf(l.info, e).(*types.Var); ok && !isPointer(v.Type()) {
			if r, ok := l.refs[v]; ok {
				return r
			}
		}
	case *ast.IndexExpr:
		return l.elementOf(e)
	case *ast.SelectorExpr:
		return l.fieldOf(e)
	case *ast.StarExpr:
		if r, ok := l.refOf(e.X); ok {
			return r
		}
		l.refuseVarying(e.X)
		l.refuse(e, "Pointer", "the pointer is not the same in every iteration")
	}
	l.refuseVarying(e)
	l.refuse(e, "Expr", "this is not a variable")
	panic("unreachable")
}

// placeAt is the memory of p. Straight-line code has one parameter for all parts of a
// variable, so that one sees what stands side by side, and so have numbers in a struct, which are apart, and arrays that the loop
// goes through: a row of a matrix may be what it stores elsewhere.
func (l *lowerer) placeAt(p *path) place {
	r := place{typ: p.typ}
	for p.content == "" && p.within != nil && (l.once != nil || isStruct(p.within.typ) && basic(p.typ) != nil || l.goesThrough(p.within)) {
		r.disp += p.off
		p = p.within
	}
	r.base = l.address(p)
	return r
}

// goesThrough reports whether the loop has elements of array p at subscripts that are
// not the same in every iteration.
func (l *lowerer) goesThrough(p *path) bool {
	if _, ok := p.typ.Underlying().(*types.Array); !ok {
		return false
	}
	if l.through == nil && l.outer == nil {
		l.through = make(map[string]bool)
		ast.Inspect(l.loop, func(n ast.Node) bool {
			if e, ok := n.(*ast.IndexExpr); ok && l.info.Types[e.Index].IsValue() {
				if x := l.arrayPath(e.X); x != nil && !l.invariant(e.Index) {
					l.through[x.key] = true
				}
			}
			return true
		})
	}
	return l.through[p.key]
}

// arrayPath is the array that e denotes or points to, nil for others.
func (l *lowerer) arrayPath(e ast.Expr) *path {
	p := l.pathOf(e)
	if p != nil && isPointer(p.typ) {
		p = p.deref()
	}
	if p == nil {
		return nil
	}
	if _, ok := p.typ.Underlying().(*types.Array); !ok {
		return nil
	}
	return p
}

// refOf is the place that a pointer variable of the loop points to.
func (l *lowerer) refOf(e ast.Expr) (place, bool) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if v, ok := objectOf(l.info, id).(*types.Var); ok {
			r, ok := l.refs[v]
			return r, ok
		}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op.String() == "&" {
			return l.placeOf(e.X), true
		}
	case *ast.CallExpr:
		return l.arrayPointer(e)
	}
	return place{}, false
}

// refuseVarying gives the reason when e is no path because the loop changes a
// variable in it.
func (l *lowerer) refuseVarying(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if !l.info.Types[n.Fun].IsType() && l.builtinName(n) == "" {
				l.refuse(n, "Call", "a call gives this value")
			}
		case *ast.SliceExpr:
			l.refuse(n, "Slice", "slicing inside of the loop")
		case *ast.FuncLit:
			l.refuse(n, "FuncLit", "a function literal")
		case *ast.SelectorExpr:
			if s := l.info.Selections[n]; s != nil && s.Kind() == types.FieldVal && len(s.Index()) == 1 && l.hides(s.Recv(), s.Index()[0]) {
				l.refuse(n, "Unexported", "field %s of %s, which this package cannot name", n.Sel.Name, types.TypeString(s.Recv(), (*types.Package).Name))
			}
		}
		return true
	})
	v := rootVar(l.info, e)
	switch {
	case v == nil:
	case l.assigned[v]:
		l.refuse(e, typeID(l.substitute(v.Type())), "the loop sets %s, %s", v.Name(), describe(l.substitute(v.Type())))
	case l.frame.outer == nil && l.inBody(v):
		t := l.substitute(v.Type())
		l.refuse(e, typeID(t), "%s, %s, is not the same in every iteration", v.Name(), describe(t))
	}
}

// elementOf is x[i] of a slice, string, array or pointer to an array.
func (l *lowerer) elementOf(e *ast.IndexExpr) place {
	t := l.typeOf(e.X)
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Basic:
		if !isSlice(t) && !isString(t) {
			break
		}
		if p := l.pathOf(e.X); p != nil {
			sub := l.subscript(e.Index)
			r := l.element(place{base: l.sliceData(p)}, elemOf(t), sub)
			r.sub, r.len = sub, l.sliceLen(p)
			return r
		}
		v, ok := l.viewOf(e.X)
		if !ok {
			l.refuseVarying(e.X)
			l.refuse(e.X, typeID(t), "%s is not the same in every iteration", describe(t))
		}
		return l.viewElement(v, l.subscript(e.Index))
	case *types.Array:
		return l.arrayElement(l.arrayPlace(e.X), u, e.Index)
	case *types.Pointer:
		if a, ok := u.Elem().Underlying().(*types.Array); ok {
			return l.arrayElement(l.targetOf(e.X), a, e.Index)
		}
	case *types.Map:
		l.refuse(e, "Map", "map access")
	}
	l.refuse(e, typeID(t), "subscript of %s", describe(t))
	panic("unreachable")
}

// arrayPlace is an array: a row when it is one.
func (l *lowerer) arrayPlace(e ast.Expr) place {
	if p := l.pathOf(e); p != nil {
		return l.placeAt(p)
	}
	return l.placeOf(e)
}

// targetOf is what the pointer e points to.
func (l *lowerer) targetOf(e ast.Expr) place {
	if p := l.pathOf(e); p != nil {
		if d := p.deref(); d != nil {
			return l.placeAt(d)
		}
		l.refuse(e, "Pointer", "a pointer in a row")
	}
	if r, ok := l.refOf(e); ok {
		return r
	}
	l.refuseVarying(e)
	l.refuse(e, "Pointer", "the pointer is not the same in every iteration")
	panic("unreachable")
}

func (l *lowerer) arrayElement(p place, a *types.Array, index ast.Expr) place {
	l.check(&p)
	sub := l.subscript(index)
	if k, ok := sub.ConstInt(); ok && 0 <= k && k < a.Len() {
		return l.element(p, a.Elem(), sub) // others are counters of unrolled loops
	}
	r := l.element(p, a.Elem(), sub)
	r.sub, r.len = sub, l.int64(a.Len())
	return r
}

// fieldOf is x.f where x is not the same variable in every iteration.
func (l *lowerer) fieldOf(e *ast.SelectorExpr) place {
	index, ok := l.fieldIndex(e)
	if !ok {
		l.refuse(e, "Expr", "this is not a field")
	}
	l.sameField(e, "")
	t := l.typeOf(e.X)
	var p place
	if isPointer(t) {
		p, t = l.targetOf(e.X), pointee(t)
	} else {
		p = l.placeOf(e.X)
	}
	for _, i := range index {
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			l.refuse(e, "Pointer", "a pointer inside of an element")
		}
		p.disp += fieldOffset(st, i)
		t = st.Field(i).Type()
	}
	p.typ = t
	return p
}

// subscript evaluates an index as i64.
func (l *lowerer) subscript(e ast.Expr) *vir.Value {
	if c := l.constOf(e); c != nil {
		return l.int64(constInt(c))
	}
	defer func(before bool) { l.addressing = before }(l.addressing)
	l.addressing = true
	return l.toInt64(l.scalar(e), l.typeOf(e))
}

// element is element sub of the elements at p.
func (l *lowerer) element(p place, elem types.Type, sub *vir.Value) place {
	size := sizes.Sizeof(elem)
	r := place{base: p.base, index: p.index, scale: p.scale, disp: p.disp, typ: elem}
	c, isConst := sub.ConstInt()
	i64 := sub.Type
	switch {
	case size == 0:
		l.refuse(l.loop, "Struct", "elements of no size")
	case isConst:
		r.disp += c * size
	case p.index == nil:
		r.index, r.scale = sub, size
	case p.scale == size:
		r.index = l.b.Op(vir.OpAdd, i64, p.index, sub)
	case p.scale%size == 0:
		row := l.b.Op(vir.OpMul, i64, p.index, l.int64(p.scale/size))
		r.index, r.scale = l.b.Op(vir.OpAdd, i64, row, sub), size
	default:
		row := l.b.Op(vir.OpMul, i64, p.index, l.int64(p.scale))
		off := l.b.Op(vir.OpMul, i64, sub, l.int64(size))
		r.index, r.scale = l.b.Op(vir.OpAdd, i64, row, off), 1
	}
	return r
}

// check makes the pending bounds check of p. The subscript of a range loop
// needs none in what is ranged over, and one that is obviously small none where
// the length is constant.
func (l *lowerer) check(p *place) {
	if p.sub == nil {
		return
	}
	sub, n, of := p.sub, p.len, p.of
	p.sub, p.len, p.of = nil, nil, nil
	if of != nil {
		l.before(of, sub, n, 1)
		return
	}
	l.inRange(sub, n)
}

// inRange checks 0 <= sub < n.
func (l *lowerer) inRange(sub, n *vir.Value) {
	if sub == l.counter && (n == l.limit || sameConst(n, l.limit)) {
		return
	}
	if length, ok := n.ConstInt(); ok {
		if limit, ok := upperBound(sub); ok && limit < uint64(length) {
			return
		}
	}
	l.b.Check(vir.OpCheckIndex, nil, sub, n)
}

func sameConst(a, b *vir.Value) bool {
	if a == nil || b == nil || a.Type != b.Type {
		return false
	}
	x, ok := a.IsConst()
	y, ok2 := b.IsConst()
	return ok && ok2 && x == y
}

// load reads the leaves of p.
func (l *lowerer) load(n ast.Node, p place) []*vir.Value {
	ls := l.leavesOf(n, p.typ)
	l.check(&p)
	vals := make([]*vir.Value, len(ls))
	for i, leaf := range ls {
		t, _ := scalarType(leaf.typ)
		vals[i] = l.loadScalar(p.at(leaf.off), t)
	}
	return vals
}

func (l *lowerer) leavesOf(n ast.Node, t types.Type) []leaf {
	ls, ok := leaves(t)
	if !ok {
		l.refuse(n, typeID(t), "the value is %s", describe(t))
	}
	return ls
}

func (p place) at(off int64) vir.Addr {
	return vir.Addr{Base: p.base, Index: p.index, Scale: p.scale, Disp: p.disp + off}
}

// loadScalar and storeScalar move one value; a bool is a byte that is 0 or 1.
func (l *lowerer) loadScalar(a vir.Addr, t vir.Type) *vir.Value {
	if t.Elem != vir.Bool {
		return l.b.Load(vir.OpLoad, t, a, nil)
	}
	i8 := vir.Scalar(vir.I8)
	return l.b.Cmp(vir.OpIcmpNe, l.b.Load(vir.OpLoad, i8, a, nil), l.int(i8, 0))
}

func (l *lowerer) storeScalar(x *vir.Value, a vir.Addr) {
	if x.Type.Elem == vir.Bool {
		x = l.b.Op(vir.OpZext, vir.Scalar(vir.I8), x)
	}
	l.b.Store(vir.OpStore, x, a, nil)
	l.written++
}

// store writes the leaves of p.
func (l *lowerer) store(n ast.Node, p place, vals []*vir.Value) {
	ls := l.leavesOf(n, p.typ)
	l.check(&p)
	for i, leaf := range ls {
		l.storeScalar(vals[i], p.at(leaf.off))
	}
}
