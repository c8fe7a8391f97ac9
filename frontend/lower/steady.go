package lower

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Numbers in memory that decide how often a loop runs, or where it reads and writes, in loops
// that store: fields, targets of pointers, elements at subscripts that stay the same.
//
//	for j := 0; j < m.cols; j++ {
//		m.data[i*m.cols+j] *= f
//	}
//
// They are live-ins, as if the loop could not change them, and wherever it reads one it asks
// whether that is still what it was:
//
//	%now = load i64 [%m_cols_at]
//	%other = icmp.ne bool %now, %m_cols
//	check.rare %other
//
// The loop condition is asked about at the start of the body; when it ends the loop, the caller
// evaluates it once more. All this is the same in all iterations where no store comes near that
// memory, which is tested before a kernel is called.

// A steady is a number in memory that is a live-in; see [lowerer.beginBody] for those of the
// condition.
type steady struct {
	expr  ast.Expr
	path  *path
	value *vir.Value
	now   *vir.Value // what is loaded to ask about it
	aside string     // key of the struct that it is read with, which may be loaded as other memory is; "" for what decides
}

// steadyPath is the integer e in memory, or the struct of a few, that is to be a live-in although the loop stores, nil
// for others: what the loop sets by its name, and integers that decide nothing. Structs do in what is made of them: they are
// rectangles to be within.
func (l *lowerer) steadyPath(e ast.Expr) *path {
	if !l.stores || l.once != nil {
		return nil
	}
	whole := isStruct(l.typeOf(e))
	if !l.decides() && !whole && len(l.steadies) == 0 {
		return nil
	}
	p := l.pathOf(e)
	x, isElement := ast.Unparen(e).(*ast.IndexExpr)
	if isElement && p == nil {
		p = l.elementPath(x)
	}
	if p == nil || p.content != "" || !l.areIntegers(p.typ) || l.sets(e) {
		return nil
	}
	whose := p.root
	if isElement && p.within != nil && !p.indexed {
		if v, ok := l.nameOf(x.X).(*types.Var); ok {
			whose = v // an array, elements of which are as good as fields
		}
	}
	if (isElement || p.indexed) && l.setsPartOf(whose) {
		return nil
	}
	if !l.decides() && !l.isSteady(p) && (!whole || l.loose[p.key]) {
		return nil
	}
	return p
}

// decides reports whether what is evaluated says how often a loop runs, or where it reads and writes.
func (l *lowerer) decides() bool { return l.addressing || l.limiting || l.b.Cur == l.header }

// fewNumbers is how many a struct has at most that stays the same.
const fewNumbers = 4

// areIntegers reports whether t is an integer, or a struct of a few that a twin can name.
func (l *lowerer) areIntegers(t types.Type) bool {
	ls, ok := leaves(t)
	if !ok || len(ls) > fewNumbers || isArray(t) || !l.nameable(t) {
		return false
	}
	return !slices.ContainsFunc(ls, func(x leaf) bool { return x.blank || !isInteger(x.typ) })
}

// isSteady reports whether p is a live-in already: what decides is asked about wherever it is read.
func (l *lowerer) isSteady(p *path) bool {
	return slices.ContainsFunc(l.steadies, func(s *steady) bool { return s.path.key == p.key })
}

// setsPartOf reports whether the loop stores to something that is reached from v by its name.
func (l *lowerer) setsPartOf(v *types.Var) (found bool) {
	targetsOf(l.loopParts(), nil, func(t ast.Expr) { found = found || l.startsAt(t, v) })
	return found
}

// startsAt reports whether e is v, or an element, field or target of what starts there.
func (l *lowerer) startsAt(e ast.Expr, v *types.Var) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return objectOf(l.info, e) == v
	case *ast.SelectorExpr:
		return objectOf(l.info, e.Sel) == v || l.startsAt(e.X, v)
	case *ast.IndexExpr:
		return l.startsAt(e.X, v)
	case *ast.SliceExpr:
		return l.startsAt(e.X, v)
	case *ast.StarExpr:
		return l.startsAt(e.X, v)
	}
	return false
}

// sets reports whether the loop sets a variable, field or target of a pointer of the name of e.
func (l *lowerer) sets(e ast.Expr) (found bool) {
	name := l.nameOf(e)
	if name == nil {
		return false // an element
	}
	targetsOf(l.loopParts(), nil, func(t ast.Expr) { found = found || l.nameOf(t) == name })
	return found
}

// nameOf is the variable or field that e is, or the type of the target of a pointer; nil for others.
func (l *lowerer) nameOf(e ast.Expr) any {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return objectOf(l.info, e)
	case *ast.SelectorExpr:
		return objectOf(l.info, e.Sel)
	case *ast.StarExpr:
		return l.typeOf(e)
	}
	return nil
}

// steadyValue is the live-in for p, which is read here, or those for its parts.
func (l *lowerer) steadyValue(e ast.Expr, p *path) []*vir.Value {
	aside := ""
	if !l.decides() && !l.isSteady(p) {
		aside = p.key
	}
	return l.steadyLeaves(e, p, aside)
}

func (l *lowerer) steadyLeaves(e ast.Expr, p *path, aside string) (vals []*vir.Value) {
	if t, ok := p.typ.Underlying().(*types.Struct); ok {
		for i := range t.NumFields() {
			vals = append(vals, l.steadyLeaves(e, p.field(i), aside)...)
		}
		return vals
	}
	s := &steady{expr: e, path: p, value: l.liveInValues(p)[0], aside: aside}
	l.steadies = append(l.steadies, s)
	if l.b.Cur != l.header {
		l.checkSteady(s)
	}
	return []*vir.Value{s.value}
}

// keepsSteadies refuses loops in which a function that is inlined sets what decides: they would
// run as written from their first iteration on.
func (l *lowerer) keepsSteadies() {
	for _, s := range l.steadies {
		for v := range l.f.Values {
			if v.Op.IsStore() && s.now != nil && mayMeet(v, s.now) {
				r := l.refusal(s.expr, "LoopCond", "the loop sets %s, which its condition or a subscript reads", types.ExprString(s.expr))
				r.loose = s.aside
				panic(r)
			}
		}
	}
}

func (l *lowerer) checkSteady(s *steady) {
	now := l.now(s)
	s.now = l.asked(now)
	l.b.Check(vir.OpCheckRare, nil, l.b.Cmp(vir.OpIcmpNe, now, s.value))
}

// asked is the load that now is, or is made of.
func (l *lowerer) asked(now *vir.Value) *vir.Value {
	for !now.Op.IsLoad() {
		now = now.Args[0]
	}
	return now
}

// mayMeet reports whether a store and a load behind the same pointer may have bytes in common.
func mayMeet(store, load *vir.Value) bool {
	if store.Base() != load.Base() {
		return false
	}
	size, read := int64(store.Stored().Type.Elem.Size()), int64(load.Type.Elem.Size())
	return store.Index() != nil || load.Index() != nil || store.Disp < load.Disp+read && load.Disp < store.Disp+size
}

// now is what stands in the memory of s.
func (l *lowerer) now(s *steady) *vir.Value {
	if s.path.indexed {
		return l.load(s.expr, l.placeOf(s.expr))[0]
	}
	return l.loadScalar(l.placeAt(s.path).at(0), s.value.Type)
}
