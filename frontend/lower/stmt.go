package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// A target is where break and continue of a statement go.
type target struct {
	label *types.Label // of the statement, or nil
	brk   *vir.Block   // nil for the loop: see leave.go
	next  *vir.Block   // nil for a switch
}

func (l *lowerer) stmts(list []ast.Stmt) {
	for i, s := range list {
		if l.leaving[s] {
			l.leave()
			return
		}
		if s, ok := s.(*ast.IfStmt); ok && l.b.Cur != nil {
			// Who gets behind it may leave.
			l.mark(s)
			l.ifStmt(s, l.armOf("join", list[i+1:]))
			continue
		}
		l.stmt(s)
	}
}

// stmt lowers s if it can be reached.
func (l *lowerer) stmt(s ast.Stmt) {
	if l.b.Cur == nil {
		return
	}
	l.mark(s)
	switch s := s.(type) {
	case *ast.AssignStmt:
		l.assignStmt(s)
	case *ast.ForStmt:
		l.innerFor(s, nil)
	case *ast.RangeStmt:
		l.innerRange(s, nil)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		l.opAssign(s, s.X, op, nil)
	case *ast.BlockStmt:
		l.stmts(s.List)
	case *ast.BranchStmt:
		l.branchStmt(s)
	case *ast.DeclStmt:
		l.declStmt(s)
	case *ast.EmptyStmt:
	case *ast.ExprStmt:
		l.exprStmt(s)
	case *ast.IfStmt:
		l.ifStmt(s, l.newBlock("join"))
	case *ast.LabeledStmt:
		l.labeled(s)
	case *ast.ReturnStmt:
		l.returnStmt(s)
	case *ast.SwitchStmt:
		l.switchStmt(s, nil)
	default:
		l.refuseStmt(s)
	}
}

func (l *lowerer) refuseStmt(s ast.Stmt) {
	switch s.(type) {
	case *ast.DeferStmt:
		l.refuse(s, "Defer", "defer inside of the loop")
	case *ast.GoStmt:
		l.refuse(s, "Go", "a go statement")
	case *ast.SelectStmt:
		l.refuse(s, "Select", "a select statement")
	case *ast.SendStmt:
		l.refuse(s, "Channel", "a channel operation")
	case *ast.TypeSwitchStmt:
		l.refuse(s, "Interface", "a type switch")
	}
	l.refuse(s, "Stmt", "this statement is not supported")
}

func (l *lowerer) labeled(s *ast.LabeledStmt) {
	label, _ := l.info.Defs[s.Label].(*types.Label)
	switch inner := s.Stmt.(type) {
	case *ast.SwitchStmt:
		l.switchStmt(inner, label)
		return
	case *ast.ForStmt:
		l.innerFor(inner, label)
		return
	case *ast.RangeStmt:
		l.innerRange(inner, label)
		return
	}
	l.stmt(s.Stmt)
}

func (l *lowerer) branchStmt(s *ast.BranchStmt) {
	if s.Tok == token.GOTO {
		l.refuse(s, "Goto", "a goto statement")
	}
	var label *types.Label
	if s.Label != nil {
		label, _ = l.info.Uses[s.Label].(*types.Label)
	}
	for i := len(l.targets) - 1; i >= 0; i-- {
		t := l.targets[i]
		if !t.matches(s.Tok, label) {
			continue
		}
		to := t.brk
		if s.Tok == token.CONTINUE {
			to = t.next
		}
		if to == nil {
			break
		}
		l.jump(to)
		return
	}
	l.refuse(s, "EarlyExit", "the loop can be left early")
}

func (t target) matches(tok token.Token, label *types.Label) bool {
	switch {
	case label != nil:
		return t.label == label
	case tok == token.CONTINUE:
		return t.next != nil
	}
	return true
}

func (l *lowerer) declStmt(s *ast.DeclStmt) {
	d := s.Decl.(*ast.GenDecl)
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		l.varSpec(spec.(*ast.ValueSpec))
	}
}

func (l *lowerer) varSpec(s *ast.ValueSpec) {
	if len(s.Values) == 1 && len(s.Names) > 1 {
		call, ok := ast.Unparen(s.Values[0]).(*ast.CallExpr)
		if !ok {
			l.refuse(s, "Stmt", "this declaration is not supported")
		}
		results := l.call(call)
		for i, id := range s.Names {
			l.declare(id, results[i])
		}
		return
	}
	vals := make([][]*vir.Value, len(s.Names))
	for i, id := range s.Names {
		v := l.info.Defs[id].(*types.Var)
		t := l.substitute(v.Type())
		switch {
		case s.Values == nil:
			vals[i] = l.zero(id, t)
		case len(s.Names) == 1 && l.bindAlias(id, v, s.Values[0]):
			return
		default:
			vals[i] = l.valueAs(s.Values[i], t)
		}
	}
	for i, id := range s.Names {
		if id.Name != "_" {
			l.declare(id, vals[i])
		}
	}
}

// zero are the leaves of the zero value of t.
func (l *lowerer) zero(n ast.Node, t types.Type) []*vir.Value {
	ls := l.leavesOf(n, t)
	vals := make([]*vir.Value, len(ls))
	for i, leaf := range ls {
		vt, _ := scalarType(leaf.typ)
		vals[i] = l.constant(vt, 0)
	}
	return vals
}

func (l *lowerer) exprStmt(s *ast.ExprStmt) {
	switch e := ast.Unparen(s.X).(type) {
	case *ast.CallExpr:
		l.direct = true
		l.call(e)
	case *ast.UnaryExpr:
		l.refuse(s, "Channel", "a channel operation")
	default:
		l.refuse(s, "Stmt", "this statement is not supported")
	}
}

// ifStmt goes on in join.
func (l *lowerer) ifStmt(s *ast.IfStmt, join *vir.Block) {
	if s.Init != nil {
		l.stmt(s.Init)
	}
	then, els := l.armOf("then", s.Body.List), join
	if s.Else != nil {
		els = l.armOf("else", []ast.Stmt{s.Else})
		if b, ok := s.Else.(*ast.BlockStmt); ok {
			els = l.armOf("else", b.List)
		}
	}
	l.direct = true
	l.cond(s.Cond, then, els)
	l.start(then)
	if l.b.Cur != nil {
		l.learnFrom(then)
		l.stmts(s.Body.List)
		l.jump(join)
	}
	if s.Else != nil {
		l.start(els)
		l.stmts([]ast.Stmt{s.Else})
		l.jump(join)
	}
	l.start(join)
}

// cond goes to then or els. The right side of && and || gets a block of its
// own when evaluating it needlessly could be noticed.
func (l *lowerer) cond(e ast.Expr, then, els *vir.Block) {
	direct := l.direct
	l.direct = false
	if l.b.Cur == nil {
		return
	}
	e = ast.Unparen(e)
	switch x := e.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			l.direct = direct
			l.cond(x.X, els, then)
			return
		}
	case *ast.BinaryExpr:
		if x.Op != token.LAND && x.Op != token.LOR || l.constOf(x) != nil || l.harmless(x.Y) {
			break
		}
		right := l.newBlock("right")
		l.direct = direct
		if x.Op == token.LAND {
			l.cond(x.X, right, els)
		} else {
			l.cond(x.X, then, right)
		}
		l.start(right)
		l.direct = direct
		l.cond(x.Y, then, els)
		return
	}
	l.direct = direct
	c := l.scalar(e)
	if l.b.Cur != nil {
		l.b.Pos = l.at(e.Pos())
		l.branch(c, then, els)
	}
}

// harmless reports whether evaluating e costs little and cannot be noticed: no
// loads, panics or calls.
func (l *lowerer) harmless(e ast.Expr) bool {
	if l.constOf(e) != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.harmless(e.X)
	case *ast.Ident, *ast.SelectorExpr:
		if l.movedVar(e) != nil {
			return true
		}
		if _, ok := l.localOf(e); ok {
			return true
		}
		return l.valuePath(e) != nil
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && l.harmless(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM:
			if !isFloat(l.typeOf(e)) && l.constOf(e.Y) == nil {
				return false
			}
		case token.SHL, token.SHR:
			if l.constOf(e.Y) == nil && !isUnsigned(l.typeOf(e.Y)) {
				return false
			}
		}
		return l.harmless(e.X) && l.harmless(e.Y)
	case *ast.CallExpr:
		return l.harmlessCall(e)
	}
	return false
}

func (l *lowerer) harmlessCall(e *ast.CallExpr) bool {
	switch name := l.builtinName(e); {
	case l.info.Types[e.Fun].IsType() && len(e.Args) == 1, name == "min", name == "max":
	case name == "len":
		p := l.pathOf(e.Args[0])
		return l.movedVar(e.Args[0]) != nil || p != nil && (isSlice(p.typ) || isString(p.typ))
	case name == "" && l.isIntrinsic(e):
	default:
		return false
	}
	for _, a := range e.Args {
		if !l.harmless(a) {
			return false
		}
	}
	return true
}

func (l *lowerer) switchStmt(s *ast.SwitchStmt, label *types.Label) {
	if s.Init != nil {
		l.stmt(s.Init)
	}
	var tag *vir.Value
	if s.Tag != nil {
		if t := l.typeOf(s.Tag); basic(t) == nil {
			l.refuse(s.Tag, typeID(t), "switch on %s", describe(t))
		}
		tag = l.scalar(s.Tag)
	}
	join := l.newBlock("join")
	bodies := make([]*vir.Block, len(s.Body.List))
	for i := range bodies {
		bodies[i] = l.armOf("case", s.Body.List[i].(*ast.CaseClause).Body)
	}
	otherwise := join
	for i, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		if clause.List == nil {
			otherwise = bodies[i]
		}
		for _, e := range clause.List {
			next := l.newBlock("test")
			l.caseTest(s, tag, e, bodies[i], next)
			l.start(next)
		}
	}
	l.jump(otherwise)
	l.targets = append(l.targets, target{label: label, brk: join})
	for i, c := range s.Body.List {
		l.caseBody(c.(*ast.CaseClause), bodies, i, join)
	}
	l.targets = l.targets[:len(l.targets)-1]
	l.start(join)
}

func (l *lowerer) caseTest(s *ast.SwitchStmt, tag *vir.Value, e ast.Expr, body, next *vir.Block) {
	if l.b.Cur == nil {
		return
	}
	l.mark(e)
	if tag == nil {
		l.cond(e, body, next)
		return
	}
	t := l.typeOf(s.Tag)
	if l.constOf(s.Tag) != nil {
		t = l.typeOf(e)
		tag = l.scalarAs(s.Tag, t)
	}
	l.branch(l.compare(e, token.EQL, tag, l.scalarAs(e, t), t), body, next)
}

func (l *lowerer) caseBody(c *ast.CaseClause, bodies []*vir.Block, i int, join *vir.Block) {
	l.start(bodies[i])
	if l.b.Cur == nil {
		return
	}
	list := c.Body
	if n := len(list); n > 0 {
		if b, ok := list[n-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
			l.stmts(list[:n-1])
			// The next body was or will be started behind this one.
			l.jump(bodies[i+1])
			return
		}
	}
	l.stmts(list)
	l.jump(join)
}
