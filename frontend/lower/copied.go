package lower

import (
	"go/ast"
	"go/token"
	"go/types"
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
	v, ok := l.info.Defs[id].(*types.Var)
	if !ok || !l.needsMemory(v, p.typ) || !l.staysCopy(v) {
		return false
	}
	l.check(&p)
	l.refs[v] = p
	return true
}

// copiesPlace handles v := e where v can stand for e.
func (l *lowerer) copiesPlace(s *ast.AssignStmt) bool {
	if len(s.Lhs) != 1 || !l.defines(s, s.Lhs[0]) {
		return false
	}
	id := s.Lhs[0].(*ast.Ident)
	v, ok := l.info.Defs[id].(*types.Var)
	if !ok || !l.needsMemory(v, l.substitute(v.Type())) {
		return false
	}
	switch ast.Unparen(s.Rhs[0]).(type) {
	case *ast.IndexExpr, *ast.SelectorExpr, *ast.StarExpr:
		return l.staysCopy(v) && l.bindCopy(id, l.placeOf(s.Rhs[0]))
	}
	return false
}

// needsMemory reports whether v, of type t, cannot be numbers.
func (l *lowerer) needsMemory(v *types.Var, t types.Type) bool {
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
		return stays
	})
	l.eachStore(func(s ast.Node, within []ast.Stmt) {
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

// eachStore calls yield for statements and calls of the loop that may store to memory, with the loops inside that they are in.
func (l *lowerer) eachStore(yield func(n ast.Node, within []ast.Stmt)) {
	var stack []ast.Node
	within := func() (loops []ast.Stmt) {
		for _, n := range stack {
			switch n := n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				if n != ast.Node(l.loop) {
					loops = append(loops, n.(ast.Stmt))
				}
			}
		}
		return loops
	}
	ast.Inspect(l.loop, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.AssignStmt, *ast.IncDecStmt:
			if l.assignsMemory(n) {
				yield(n, within())
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil && l.isMemory(e) {
					yield(n.Body, append(within(), n))
				}
			}
		case *ast.CallExpr:
			if l.mayStore(n) {
				yield(n, within())
			}
		}
		return true
	})
}

// assignsMemory reports whether statement s itself assigns to memory.
func (l *lowerer) assignsMemory(s ast.Node) (found bool) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			found = found || l.isMemory(e)
		}
	case *ast.IncDecStmt:
		found = l.isMemory(s.X)
	}
	return found
}

// isMemory reports whether an assignment to e is a store that others may see.
func (l *lowerer) isMemory(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return !ok || !isBlank(id) && l.info.Defs[id] == nil && basic(l.typeOf(id)) == nil
}
