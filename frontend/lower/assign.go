package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// An lvalue is the left side of an assignment with its operands evaluated.
type lvalue struct {
	blank bool
	local *local
	mem   place
	node  ast.Expr
	typ   types.Type
	// A variable that the loop moves, and what it is set to.
	moved *types.Var
	part  view
}

func (l *lowerer) lvalue(e ast.Expr) lvalue {
	e = ast.Unparen(e)
	if isBlank(e) {
		return lvalue{blank: true, node: e}
	}
	l.mark(e)
	if x, ok := e.(*ast.IndexExpr); ok {
		if _, ok := l.typeOf(x.X).Underlying().(*types.Map); ok {
			l.refuse(e, "Map", "map access")
		}
	}
	t := l.typeOf(e)
	if _, ok := leaves(t); !ok {
		l.refuse(e, typeID(t), "assignment of %s", describe(t))
	}
	if loc, ok := l.localOf(e); ok {
		return lvalue{local: &loc, node: e, typ: t}
	}
	return lvalue{mem: l.placeOf(e), node: e, typ: t}
}

// assign is the second phase of an assignment.
func (l *lowerer) assign(lv lvalue, vals []*vir.Value) {
	l.mark(lv.node)
	switch {
	case lv.blank:
	case lv.local != nil:
		if l.isLent(lv.local.v) {
			l.written++
		}
		for i, x := range vals {
			l.set(key{lv.local.v, lv.local.first + i}, x)
		}
	default:
		l.store(lv.node, lv.mem, vals)
	}
}

// assignValues assigns values that have been computed already.
func (l *lowerer) assignValues(dst []ast.Expr, vals [][]*vir.Value) {
	lvs := make([]lvalue, len(dst))
	for i, e := range dst {
		lvs[i] = l.lvalue(e)
	}
	for i, lv := range lvs {
		l.assign(lv, vals[i])
	}
}

func (l *lowerer) assignStmt(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		l.opAssign(s, s.Lhs[0], binaryOf[s.Tok], s.Rhs[0])
		return
	}
	if len(s.Lhs) != len(s.Rhs) {
		l.assignCall(s)
		return
	}
	if s.Tok == token.DEFINE && (l.bindAliases(s) || l.declaresLiteral(s) || l.copiesPlace(s)) {
		return
	}
	if v := l.appendTo(s); v != nil && l.appended[v] {
		l.appendStmt(s, v)
		return
	}
	l.assignEach(s)
}

// assignEach evaluates operands, then right sides, and then assigns.
func (l *lowerer) assignEach(s *ast.AssignStmt) {
	lvs := make([]lvalue, len(s.Lhs))
	for i, e := range s.Lhs {
		if v := l.movedVar(e); v != nil {
			lvs[i].moved = v
		} else if !l.defines(s, e) {
			lvs[i] = l.lvalue(e)
		}
	}
	vals := make([][]*vir.Value, len(s.Rhs))
	for i, e := range s.Rhs {
		l.mark(e)
		if v := lvs[i].moved; v != nil {
			lvs[i].part = l.moveTo(e, v)
			continue
		}
		l.direct = len(s.Rhs) == 1 && l.steadyTarget(s.Lhs[0])
		if l.defines(s, s.Lhs[i]) || lvs[i].blank {
			vals[i] = l.definition(e)
		} else {
			vals[i] = l.valueAs(e, lvs[i].typ)
		}
	}
	for i, e := range s.Lhs {
		switch {
		case l.b.Cur == nil:
			return
		case lvs[i].moved != nil:
			l.move(lvs[i].moved, lvs[i].part)
		case l.defines(s, e):
			l.declare(e.(*ast.Ident), vals[i])
		default:
			l.assign(lvs[i], vals[i])
		}
	}
}

// defines reports whether s declares e.
func (l *lowerer) defines(s *ast.AssignStmt, e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && s.Tok == token.DEFINE && l.info.Defs[id] != nil
}

func (l *lowerer) declare(id *ast.Ident, vals []*vir.Value) {
	v, ok := l.info.Defs[id].(*types.Var)
	if !ok { // blank
		return
	}
	l.checkLocal(id, v)
	l.setVar(v, vals)
}

// bindAliases handles x := m.data, p := &ps[i] and s, d := x[i:], y[i:]: the new
// variables stand for the expressions. Nothing else can be done with slices and
// pointers, so they are never assigned again. Numbers may be declared beside them.
func (l *lowerer) bindAliases(s *ast.AssignStmt) bool {
	vars, any := make([]*types.Var, len(s.Lhs)), false
	for i, e := range s.Lhs {
		switch v := l.movedVar(e); {
		case l.defines(s, e):
			vars[i] = l.info.Defs[e.(*ast.Ident)].(*types.Var)
			any = any || l.isAlias(vars[i])
		case v == nil:
			return false
		}
	}
	if !any {
		return false
	}
	vals, parts := make([][]*vir.Value, len(vars)), make([]view, len(vars))
	for i, v := range vars {
		switch {
		case v == nil:
			l.mark(s.Rhs[i])
			parts[i] = l.moveTo(s.Rhs[i], l.movedVar(s.Lhs[i]))
		case !l.isAlias(v):
			l.mark(s.Rhs[i])
			vals[i] = l.value(s.Rhs[i])
		case !l.bindAlias(s.Lhs[i], v, s.Rhs[i]):
			return false
		}
	}
	for i, v := range vars {
		switch {
		case l.b.Cur == nil:
		case v == nil:
			l.move(l.movedVar(s.Lhs[i]), parts[i])
		case !l.isAlias(v):
			l.declare(s.Lhs[i].(*ast.Ident), vals[i])
		}
	}
	return true
}

// isAlias reports whether v has a type whose values stand for something else.
func (l *lowerer) isAlias(v *types.Var) bool {
	t := l.substitute(v.Type())
	return isSlice(t) || isPointer(t) || isString(t)
}

func (l *lowerer) bindAlias(n ast.Node, v *types.Var, e ast.Expr) bool {
	if !l.isAlias(v) {
		return false
	}
	t := l.substitute(v.Type())
	l.checkLocal(n, v)
	if p := l.pathOf(e); p != nil && !l.moves(v) {
		l.paths[v] = p
		return true
	}
	l.mark(e)
	if !isPointer(t) {
		w, ok := l.viewOf(e)
		switch {
		case ok && l.moves(v):
			l.bindMoved(v, w)
		case ok:
			l.views[v] = w
		}
		return ok
	}
	p, ok := l.refOf(e)
	if ok {
		l.check(&p)
		l.refs[v] = p
	}
	return ok
}

// assignCall is a, b = f().
func (l *lowerer) assignCall(s *ast.AssignStmt) {
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok {
		switch e := ast.Unparen(s.Rhs[0]).(type) {
		case *ast.IndexExpr:
			l.refuse(e, "Map", "map access")
		case *ast.UnaryExpr:
			l.refuse(e, "Channel", "a channel operation")
		}
		l.refuse(s.Rhs[0], "Interface", "a type assertion")
	}
	lvs := make([]lvalue, len(s.Lhs))
	for i, e := range s.Lhs {
		if !l.defines(s, e) {
			lvs[i] = l.lvalue(e)
		}
	}
	l.direct = !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return !l.steadyTarget(e) })
	results := l.call(call)
	for i, e := range s.Lhs {
		if l.b.Cur == nil {
			return
		}
		if l.defines(s, e) {
			l.declare(e.(*ast.Ident), results[i])
		} else {
			l.assign(lvs[i], results[i])
		}
	}
}

var binaryOf = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND,
	token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.AND_NOT_ASSIGN: token.AND_NOT,
	token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

// opAssign is x op= y, in which x is evaluated once.
func (l *lowerer) opAssign(s ast.Stmt, x ast.Expr, op token.Token, y ast.Expr) {
	lv := l.lvalue(x)
	if lv.blank {
		l.refuse(s, "Expr", "assignment to the blank identifier")
	}
	t := l.typeOf(x)
	if !isNumber(t) {
		l.refuse(x, typeID(t), "arithmetic on %s", describe(t))
	}
	var vals []*vir.Value
	var right *vir.Value
	alone := false // where no call changes the variable
	if lv.local != nil {
		vals = l.getLocal(x, *lv.local)
		alone = !l.facts.addressed[lv.local.v] && !l.isLent(lv.local.v)
	} else {
		if op != token.SHL && op != token.SHR && !isComplex(t) && l.callsBody(y) { // gc loads the variable behind it
			l.direct = l.steadyTarget(x)
			right = l.scalarAs(y, t)
		}
		l.check(&lv.mem)
		vals = l.load(x, lv.mem)
	}
	if isComplex(t) {
		right := l.constLeaves(s, constant.MakeInt64(1), t)
		if y != nil {
			right = l.valueAs(y, t)
		}
		l.b.Pos = l.at(s.Pos())
		l.assign(lv, l.complexArith(s, op, vals, right))
		return
	}
	old := vals[0]
	var result *vir.Value
	switch {
	case y == nil: // increment
		result = l.arith(x, op, old, l.one(old.Type), t)
	case op == token.SHL || op == token.SHR:
		result = l.shift(y, op, old, t, y)
	default:
		if right == nil {
			l.direct = alone
			right = l.scalarAs(y, t)
		}
		result = l.arithExpr(s, op, old, right, t)
	}
	l.b.Pos = l.at(s.Pos())
	l.assign(lv, []*vir.Value{result})
}

func (l *lowerer) one(t vir.Type) *vir.Value {
	if t.Elem.IsFloat() {
		return l.floatConst(t, 1)
	}
	return l.int(t, 1)
}
