package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Loops in straight-line code: those that run a constant number of times, all of which
// together take little time, as nobody can stop a kernel. Where the counter says which
// elements are meant, they are unrolled.

// Limits of straight-line code, in nodes of syntax.
const (
	onceNodes = 12000   // of all copies of the body of an unrolled loop
	callNodes = 60      // of a body that is inlined, probably
	onceTime  = 1 << 16 // done by a loop that stays one
)

// onceSmall is smallEnough in straight-line code.
func (l *lowerer) onceSmall(body *ast.BlockStmt, v *types.Var, trips int) bool {
	nodes := l.weight(body) * trips
	if v != nil && mentions(l.info, body, v) {
		return trips <= unrollTrips && nodes <= onceNodes
	}
	return trips <= unrollTrips && nodes <= unrollNodes
}

// weight is the number of nodes below n that are executed, of loops inside in all
// iterations.
func (l *lowerer) weight(n ast.Node) int {
	nodes := 0
	ast.Inspect(n, func(m ast.Node) bool {
		switch s := m.(type) {
		case nil:
			return true
		case *ast.ForStmt, *ast.RangeStmt:
			if m != n {
				trips, ok := l.tripsOf(s.(ast.Stmt))
				if !ok {
					trips = unrollTrips
				}
				nodes += trips * l.weight(loopBody(s.(ast.Stmt)))
				return false
			}
		case *ast.CallExpr:
			if !l.info.Types[s.Fun].IsType() && l.builtinName(s) == "" {
				nodes += callNodes
			}
		}
		nodes++
		return true
	})
	return nodes
}

// tripsOf is how often a loop runs at most, if that is a constant.
func (l *lowerer) tripsOf(s ast.Stmt) (int, bool) {
	if s, ok := s.(*ast.ForStmt); ok {
		return l.tripsOfFor(s)
	}
	r := s.(*ast.RangeStmt)
	if c := l.constOf(r.X); c != nil && c.Kind() == constant.Int {
		n := constInt(c)
		return int(max(n, 0)), n < onceTime
	}
	t := l.typeOf(r.X)
	if t == nil {
		return 0, false
	}
	if d := pointee(t); d != nil {
		t = d
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		return int(a.Len()), a.Len() < onceTime
	}
	return 0, false
}

// tripsOfFor is tripsOf for i := a; i < b; i += c with constants.
func (l *lowerer) tripsOfFor(s *ast.ForStmt) (int, bool) {
	init, ok := s.Init.(*ast.AssignStmt)
	cond, ok2 := unparen(s.Cond).(*ast.BinaryExpr)
	if !ok || !ok2 || len(init.Lhs) != 1 || len(init.Rhs) != 1 || s.Post == nil {
		return 0, false
	}
	id, ok := init.Lhs[0].(*ast.Ident)
	if !ok {
		return 0, false
	}
	v, ok := objectOf(l.info, id).(*types.Var)
	first, limit := l.constOf(init.Rhs[0]), l.constOf(cond.Y)
	if !ok || init.Tok != token.DEFINE || first == nil || limit == nil || !isInteger(l.substitute(v.Type())) || !l.isVar(cond.X, v) || assignsTo(l.info, s.Body, v) {
		return 0, false
	}
	if l.facts.addressed[v] || l.facts.held[v] {
		return 0, false
	}
	step, ok := l.stepOf(s.Post, v)
	n := 0
	for x := constInt(first); ok && step != 0 && holds(cond.Op, x, constInt(limit)); x += step {
		if n++; n >= onceTime || !representable(constant.MakeInt64(x+step), l.substitute(v.Type())) {
			return 0, false
		}
	}
	return n, ok && step != 0
}

// isArrayPointer reports whether t points to an array.
func isArrayPointer(t types.Type) bool {
	d := pointee(t)
	return d != nil && isArray(d)
}

func unparen(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	return ast.Unparen(e)
}

// insideOnce refuses a loop in straight-line code of which nobody knows how long it runs.
func (l *lowerer) insideOnce(s ast.Stmt) {
	if l.once == nil {
		return
	}
	trips, ok := l.tripsOf(s)
	if !ok {
		l.refuse(s, "LoopInside", "a loop of which the number of iterations is not constant")
	}
	if trips*l.weight(s) > onceTime {
		l.refuse(s, "LoopInside", "a loop that takes long")
	}
}
