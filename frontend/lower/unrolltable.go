package lower

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// Loops over tables that never change become copies of their bodies, with the elements as
// constants:
//
//	for _, d := range [...]struct{ dy, dx int }{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
//		s += grid[y+d.dy][x+d.dx]
//	}

// unrollKnown does that; false when s stays a loop.
func (l *lowerer) unrollKnown(s *ast.RangeStmt, label *types.Label) bool {
	elem, n := l.tableOf(s.X)
	if n == 0 {
		return false
	}
	c, ok := l.rangeCounter(s, n)
	if !ok || !l.smallEnough(s.Body, c.v, int(n)) {
		return false
	}
	var v *types.Var
	value, ok := s.Value.(*ast.Ident)
	if ok && value.Name != "_" {
		v, ok = l.info.Defs[value].(*types.Var)
		if !ok || l.facts.addressed[v] || l.facts.held[v] || assignsTo(l.info, s.Body, v) {
			return false
		}
		l.fixed[v] = true
		defer delete(l.fixed, v)
	}
	k := int64(0)
	l.copiesWith(s.Body, label, c, func() {
		if v != nil {
			l.declare(value, elem(k))
		}
		k++
	})
	return true
}

// tableOf gives the elements of e, a table that never changes, and their number; 0 for others.
func (l *lowerer) tableOf(e ast.Expr) (elem func(k int64) []*vir.Value, n int64) {
	t := elementType(l.typeOf(e))
	if t == nil {
		return nil, 0
	}
	if ls, ok := leaves(t); !ok || len(ls) == 0 {
		return nil, 0
	}
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok {
		if !l.listsNumbers(lit) {
			return nil, 0
		}
		return func(k int64) []*vir.Value { return l.valueAs(lit.Elts[k], t) }, int64(len(lit.Elts))
	}
	p := l.pathOf(e)
	if p == nil || p.content == "" || !l.nameable(t) {
		return nil, 0
	}
	size := sizes.Sizeof(t)
	return func(k int64) []*vir.Value {
		q := p.clone()
		q.typ, q.content = t, p.content[k*size:(k+1)*size]
		return l.liveInValues(q)
	}, int64(len(p.content)) / size
}

// listsNumbers reports whether lit is nothing but constants, one for each element, or lists of
// them.
func (l *lowerer) listsNumbers(lit *ast.CompositeLit) bool {
	if a, ok := l.typeOf(lit).Underlying().(*types.Array); ok && a.Len() != int64(len(lit.Elts)) {
		return false
	}
	for _, e := range lit.Elts {
		part, ok := e.(*ast.CompositeLit)
		if l.constOf(e) == nil && (!ok || !l.listsNumbers(part)) { // nil of a key, too
			return false
		}
	}
	return true
}

// elementType is that of the elements of an array or slice, nil for others.
func elementType(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	}
	return nil
}

// partOfFixed is the constant integer that e, an element of a table or a part of one, is in the
// copy that is being built; nil for others.
func (l *lowerer) partOfFixed(e ast.Expr) constant.Value {
	v := rootVar(l.info, e)
	if v == nil || !l.fixed[v] {
		return nil
	}
	loc, ok := l.localOf(e)
	if !ok || loc.v != v || loc.n != 1 || !isInteger(loc.typ) {
		return nil
	}
	if c, ok := l.get(key{v, loc.first}).ConstInt(); ok {
		return constant.MakeInt64(c)
	}
	return nil
}
