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

// staysCopy reports whether v is what it is a copy of as long as it is used: nothing changes v, and
// nothing is stored before the last use.
func (l *lowerer) staysCopy(v *types.Var) bool {
	if l.frame.outer != nil || l.facts.addressed[v] || l.facts.captured[v] || v.Parent() == nil {
		return false
	}
	last, stays := token.NoPos, true
	ast.Inspect(l.loop, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && l.info.Uses[id] == v {
			last = max(last, id.Pos())
		}
		return true
	})
	l.eachStore(l.loop, func(s ast.Node, within []ast.Stmt) {
		if s.Pos() < v.Pos() || s.Pos() >= v.Parent().End() {
			return
		}
		stays = stays && last < s.End()
		for _, loop := range within { // its next turn uses v behind the store
			stays = stays && !(loop.Pos() > v.Pos() && loop.Pos() < last)
		}
	})
	targetsOf(l.loop, nil, func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); !ok || l.info.Defs[id] == nil {
			stays = stays && rootVar(l.info, e) != v
		}
	})
	return stays
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
	return !ok || !isBlank(id) && l.info.Defs[id] == nil && basic(l.typeOf(id)) == nil
}
