package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Variables that are copies of arrays or structs in memory:
//
//	for i, p := range points {
//		out[i] = p[axis]
//	}
//
// Nobody can tell a copy from what it is a copy of as long as neither changes. So where
// such a variable cannot be numbers, because it is too large or a subscript is not constant,
// it stands for the memory.

// bindCopy lets the variable that id declares stand for p, which it is a copy of.
func (l *lowerer) bindCopy(id *ast.Ident, p place) bool {
	if !l.isCopy(id) {
		return false
	}
	l.standFor(id, p)
	return true
}

// copiesPlace handles v := e where v can stand for e.
func (l *lowerer) copiesPlace(s *ast.AssignStmt) bool {
	if len(s.Lhs) != 1 || !l.defines(s, s.Lhs[0]) {
		return false
	}
	id := s.Lhs[0].(*ast.Ident)
	switch ast.Unparen(s.Rhs[0]).(type) {
	case *ast.IndexExpr, *ast.SelectorExpr, *ast.StarExpr:
		if l.isCopy(id) {
			l.standFor(id, l.placeOf(s.Rhs[0]))
			return true
		}
	}
	return false
}

func (l *lowerer) standFor(id *ast.Ident, p place) {
	l.check(&p)
	l.refs[l.info.Defs[id].(*types.Var)] = p
}

// isCopy reports whether the variable that id declares cannot be numbers, and can be a copy.
func (l *lowerer) isCopy(id *ast.Ident) bool {
	v, ok := l.info.Defs[id].(*types.Var)
	return ok && l.needsMemory(v) && l.staysCopy(v)
}

// needsMemory reports whether v cannot be numbers.
func (l *lowerer) needsMemory(v *types.Var) bool {
	t := l.substitute(v.Type())
	switch t.Underlying().(type) {
	case *types.Array, *types.Struct:
		_, ok := leaves(t)
		return l.wanted[v] || !ok
	}
	return false
}

// staysCopy reports whether v is what it is a copy of as long as it is used.
func (l *lowerer) staysCopy(v *types.Var) bool {
	return l.frame.outer == nil && l.isFixed(v, l.loop) && l.staysIn(v, l.loop)
}

// isFixed reports whether nothing in root changes v.
func (l *lowerer) isFixed(v *types.Var, root ast.Node) bool {
	fixed := !l.facts.addressed[v] && !l.facts.captured[v] && v.Parent() != nil
	targetsOf(root, nil, func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); !ok || l.info.Defs[id] == nil {
			fixed = fixed && rootVar(l.info, e) != v
		}
	})
	return fixed
}

// staysIn reports whether nothing is stored in root before the last use of v.
func (l *lowerer) staysIn(v *types.Var, root ast.Node) bool {
	last, stays := token.NoPos, true
	ast.Inspect(root, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && l.info.Uses[id] == v {
			last = max(last, id.Pos())
		}
		return true
	})
	l.eachStore(root, func(s ast.Node, within []ast.Stmt) {
		if s.Pos() < v.Pos() || s.Pos() >= v.Parent().End() {
			return
		}
		stays = stays && last < s.End()
		for _, loop := range within { // its next turn uses v behind the store
			stays = stays && !(loop.Pos() > v.Pos() && loop.Pos() < last)
		}
	})
	return stays
}

// standsFor is what a parameter of fr, an array or a struct that cannot be numbers, can stand for, as it is a copy of that: a path or
// a place; neither where it cannot.
func (l *lowerer) standsFor(fr *frame, v *types.Var, arg ast.Expr) (*path, *place) {
	t := substitute(v.Type(), fr.subst)
	if _, numbers := leaves(t); numbers {
		return nil, nil
	}
	caller, body := l.frame, fr.body.Decl.Body
	l.frame = fr
	fixed, stays := l.isFixed(v, body), l.staysIn(v, body)
	l.frame = caller
	if p := l.pathOf(arg); p != nil && !p.indexed && fixed && (stays || !p.memory) {
		return p, nil
	}
	if !fixed || !stays {
		return nil, nil
	}
	switch x := ast.Unparen(arg).(type) {
	case *ast.Ident:
		v, _ := objectOf(l.info, x).(*types.Var)
		if r, ok := l.refs[v]; ok {
			return nil, &r
		}
	case *ast.IndexExpr, *ast.SelectorExpr, *ast.StarExpr:
		r := l.placeOf(arg)
		l.check(&r)
		return nil, &r
	}
	return nil, nil
}

// eachStore calls yield for what may store to memory in root, with the loops inside of root that it is in: statements, calls, and
// the bodies of loops whose variables are in memory.
func (l *lowerer) eachStore(root ast.Node, yield func(n ast.Node, within []ast.Stmt)) {
	var stack []ast.Node
	within := func() (loops []ast.Stmt) {
		for _, n := range stack {
			switch n := n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				if n != root {
					loops = append(loops, n.(ast.Stmt))
				}
			}
		}
		return loops
	}
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		call, isCall := n.(*ast.CallExpr)
		if isCall && l.mayStore(call) || slices.ContainsFunc(targets(n), l.isMemory) {
			at := n
			if loop, ok := n.(*ast.RangeStmt); ok {
				at = loop.Body
			}
			yield(at, within())
		}
		return true
	})
}

// isMemory reports whether an assignment to e is a store that others may see.
func (l *lowerer) isMemory(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return !ok || !isBlank(id) && l.info.Uses[id] != nil && basic(l.typeOf(id)) == nil
}
