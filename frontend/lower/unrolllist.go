package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Ranges over arrays and slices that are written down in the range clause.

// listed recognizes for _, i := range [...]int{0, 1, 4, 5}, also of a slice, with constants.
func (l *lowerer) listed(s *ast.RangeStmt) (c counted, ok bool) {
	lit, ok := ast.Unparen(s.X).(*ast.CompositeLit)
	id, ok2 := s.Value.(*ast.Ident)
	if !ok || !ok2 || s.Tok != token.DEFINE || s.Key != nil && !isBlank(s.Key) || len(lit.Elts) > unrollTrips {
		return c, false
	}
	c.v, ok = l.info.Defs[id].(*types.Var)
	if !ok || !isInteger(l.substitute(c.v.Type())) || l.facts.addressed[c.v] || l.facts.held[c.v] || assignsTo(l.info, s.Body, c.v) {
		return c, false
	}
	if a, is := l.typeOf(lit).Underlying().(*types.Array); is && a.Len() != int64(len(lit.Elts)) {
		return c, false
	}
	for _, e := range lit.Elts {
		x := l.constOf(e)
		if x == nil { // a key, too
			return c, false
		}
		c.values = append(c.values, constInt(x))
	}
	return c, true
}

// unrollElements copies the body of a range over any elements, for _, v := range [...]float32{a, b+c}: all of them are evaluated first.
func (l *lowerer) unrollElements(s *ast.RangeStmt, label *types.Label) bool {
	list, elem := l.writtenDown(s.X)
	if _, numbers := leaves(elem); list == nil || !numbers {
		return false
	}
	c, ok := l.rangeCounter(s, int64(len(list)))
	if !ok || !l.smallEnough(s.Body, c.v, len(list)) {
		return false
	}
	var vals [][]*vir.Value
	for _, e := range list {
		vals = append(vals, l.valueAs(e, elem))
	}
	value, hasValue := s.Value.(*ast.Ident)
	l.copiesWith(s.Body, label, c, func() {
		if hasValue && value.Name != "_" {
			l.declare(value, vals[0])
		}
		vals = vals[1:]
	})
	return true
}

// writtenDown are the elements of an array or a slice that is written down without keys, and their type; nil for others.
func (l *lowerer) writtenDown(x ast.Expr) (list []ast.Expr, elem types.Type) {
	lit, ok := ast.Unparen(x).(*ast.CompositeLit)
	if !ok {
		return nil, types.Typ[types.Invalid]
	}
	switch t := l.typeOf(lit).Underlying().(type) {
	case *types.Array:
		elem, ok = t.Elem(), t.Len() == int64(len(lit.Elts))
	case *types.Slice:
		elem = t.Elem()
	default:
		ok = false
	}
	if !ok || slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { _, keyed := e.(*ast.KeyValueExpr); return keyed }) {
		return nil, types.Typ[types.Invalid]
	}
	return lit.Elts, l.substitute(elem)
}
