package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Variables that are copies of arrays or structs in memory:
//
//	for i, p := range points {
//		out[i] = p[axis]
//	}
//
// Nobody can tell a copy from what it is a copy of as long as neither changes. So where
// such a variable cannot be numbers, because it is too large or a subscript is not constant,
// it stands for the memory. Where the loop stores to memory before the last use, that must be other memory: a test before the
// kernel asks for that, and the loop as written runs otherwise.

// bindCopy lets the variable that id declares stand for p, which it is a copy of.
func (l *lowerer) bindCopy(id *ast.Ident, p place) bool {
	v, ok := l.info.Defs[id].(*types.Var)
	return ok && l.isCopy(v) && l.standFor(id, v, p)
}

// copiesPlace handles v := e where v can stand for e.
func (l *lowerer) copiesPlace(s *ast.AssignStmt) bool {
	if len(s.Lhs) != 1 || !l.defines(s, s.Lhs[0]) {
		return false
	}
	id := s.Lhs[0].(*ast.Ident)
	switch ast.Unparen(s.Rhs[0]).(type) {
	case *ast.IndexExpr, *ast.SelectorExpr, *ast.StarExpr:
		v := l.info.Defs[id].(*types.Var)
		return l.isCopy(v) && l.standFor(id, v, l.placeOf(s.Rhs[0]))
	}
	return false
}

// isCopy reports whether v cannot be numbers, and can be a copy.
func (l *lowerer) isCopy(v *types.Var) bool {
	return l.needsMemory(v) && l.frame.outer == nil && l.isFixed(v, l.loop)
}

// standFor lets copy v, which n declares, stand for p if that is what it is as long as v is used, or if that can be tested.
func (l *lowerer) standFor(n ast.Node, v *types.Var, p place) bool {
	if !l.staysIn(v, l.loop) && !l.standsIn(n, p.base) {
		return false
	}
	l.check(&p)
	l.refs[v] = p
	return true
}

// standsIn lets memory stand for a copy that n makes of it, false where no test can tell whether it changes.
func (l *lowerer) standsIn(n ast.Node, base *vir.Value) bool {
	if l.once != nil || base.Op != vir.OpParam {
		return false
	}
	if base.Param.Immutable {
		return true
	}
	if l.copied == nil {
		l.copied = make(map[*vir.Value]ast.Node)
	}
	l.copied[base] = n
	return true
}

// checkCopies refuses loops that store to memory that stands for a copy of it, or to memory that is not known before.
func (l *lowerer) checkCopies() {
	var bases []*vir.Value
	for v := range l.f.Values {
		if v.Op.IsStore() {
			bases = append(bases, baseOf(v))
		}
	}
	for _, in := range l.ins {
		n := l.copied[in.v]
		if n == nil || len(bases) == 0 {
			continue
		}
		if !hasSize(in.v) || slices.ContainsFunc(bases, func(b *vir.Value) bool { return b == in.v || !hasSize(b) }) {
			l.refuseCopy(n)
		}
		in.v.Param.Immutable, in.v.Param.Copied = true, true
	}
}

// hasSize reports whether it is known before the loop how much memory is behind pointer p.
func hasSize(p *vir.Value) bool {
	return p.Op == vir.OpParam && p.Param.ElemSize > 0 && (p.Param.Len != nil || p.Param.FixedLen > 0)
}

// baseOf is the pointer that the address of v, an access, is computed from.
func baseOf(v *vir.Value) *vir.Value {
	p := v.Base()
	for p.Op == vir.OpPtradd {
		p = p.Args[0]
	}
	return p
}

func (l *lowerer) refuseCopy(n ast.Node) {
	l.refuse(n, "ArrayCopy", "this copies an array or a struct that the loop may store to; use a pointer to it, or a slice of it")
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
