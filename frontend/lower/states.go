package lower

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// The variables that a loop carries.

// addStates makes a header phi for every variable that is carried in a register.
func (l *lowerer) addStates() {
	defer l.addMovedFields()
	for _, v := range l.assignedInOrder() {
		if l.isResult(v) {
			l.resultState(v)
			continue
		}
		id := l.firstUse(v)
		l.shared(v, id)
		if l.roomless[v] {
			l.refuse(id, "Append", "%s may start without room, and then grows best by itself; declare it by make, or by slicing another slice", v.Name())
		}
		if !l.isState(v) {
			continue
		}
		if l.appended[v] {
			l.addLengthState(v, id)
			continue
		}
		if l.moves(v) {
			l.addMovedStates(v, id)
			continue
		}
		t, ok := scalarType(l.substitute(v.Type()))
		if !ok {
			l.addLeafStates(v, id)
			continue
		}
		s := l.addState(v, l.entryExpr(v, id), v.Name(), t)
		s.Local = l.declaredByLoop(v)
		s.Live = !s.Local && l.liveAfter(v)
		if !l.runes { // behind which it would not go on with the counter
			s.Init = l.initialValue(v)
		}
	}
}

// assignedInOrder are the variables that the loop sets: those it declares, then
// the others, by declaration.
func (l *lowerer) assignedInOrder() []*types.Var {
	vars := slices.Collect(maps.Keys(l.assigned))
	outside := func(v *types.Var) int {
		if l.declaredByLoop(v) {
			return 0
		}
		return 1
	}
	slices.SortFunc(vars, func(a, b *types.Var) int {
		return cmp.Or(cmp.Compare(outside(a), outside(b)), cmp.Compare(a.Pos(), b.Pos()))
	})
	return vars
}

// shared refuses to set numbers that pointers may lead to. Function literals and deferred functions run
// when the loop has ended, or panicked: then scalar code has set what they read.
func (l *lowerer) shared(v *types.Var, at ast.Node) {
	if l.facts.addressed[v] && isNumber(l.substitute(v.Type())) {
		l.refuse(at, "AddressTaken", "the loop sets %s, whose address is taken", v.Name())
	}
}

func (l *lowerer) declaredByLoop(v *types.Var) bool {
	return l.once == nil && l.loop.Pos() <= v.Pos() && v.Pos() < l.loop.End()
}

// firstUse is an identifier of v inside of the loop.
func (l *lowerer) firstUse(v *types.Var) (found *ast.Ident) {
	ast.Inspect(l.loop, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && found == nil && objectOf(l.info, id) == v {
			found = id
		}
		return found == nil
	})
	return found
}

// entryExpr is what v holds when the loop starts, as an expression for use
// before the loop: what the init statement gives it if the loop declares it,
// else v itself. What cannot be evaluated twice stays v too.
func (l *lowerer) entryExpr(v *types.Var, id *ast.Ident) ast.Expr {
	if x := l.initExpr(v); x != nil && l.declaredByLoop(v) && l.repeatable(x) {
		return x
	}
	return id
}

// repeatable reports whether evaluating e once more can neither be noticed nor
// panic.
func (l *lowerer) repeatable(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := l.builtinName(n)
			ok = ok && (l.info.Types[n.Fun].IsType() || name == "len" || name == "cap" || name == "min" || name == "max")
		case *ast.BinaryExpr:
			switch n.Op {
			case token.QUO, token.REM, token.SHL, token.SHR:
				ok = ok && l.constOf(n.Y) != nil
			}
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.SelectorExpr:
			if s := l.info.Selections[n]; s != nil {
				ok = ok && s.Kind() == types.FieldVal && !s.Indirect()
			}
		case *ast.IndexExpr, *ast.StarExpr, *ast.SliceExpr, *ast.TypeAssertExpr, *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// initialValue is the constant integer that the init statement gives v, or nil.
func (l *lowerer) initialValue(v *types.Var) *int64 {
	x := l.initExpr(v)
	if x == nil {
		return nil
	}
	if c := l.constOf(x); c != nil {
		if i, exact := constant.Int64Val(constant.ToInt(c)); exact {
			return &i
		}
	}
	return nil
}

// initExpr is the expression that the init statement assigns to v, or nil.
func (l *lowerer) initExpr(v *types.Var) ast.Expr {
	s, ok := l.loop.(*ast.ForStmt)
	if !ok {
		return nil
	}
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != len(init.Rhs) || init.Tok != token.DEFINE && init.Tok != token.ASSIGN {
		return nil
	}
	for i, e := range init.Lhs {
		if id, ok := e.(*ast.Ident); ok && objectOf(l.info, id) == v {
			return init.Rhs[i]
		}
	}
	return nil
}
