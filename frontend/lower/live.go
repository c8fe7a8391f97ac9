package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// liveAfter reports whether somebody may read the value v has when the loop
// ends, or starts an iteration that leaves it. It solves, backwards over the syntax, for the one variable
//
//	in(s)   = reads(s) or (out(s) and not writes(s))
//	out(s)  = in of what may follow s
//
// where a named result is read by a return without values, and a goto may lead
// anywhere. Loops are repeated until nothing changes: twice, as there is one bit.
func (l *lowerer) liveAfter(v *types.Var) bool {
	if l.facts.captured[v] || l.facts.addressed[v] || l.facts.results[v] && l.facts.defers {
		return true
	}
	a := &liveness{info: l.info, v: v, loop: l.loop, last: l.lastOnce(), leaving: l.leaving, ends: l.neverReturns, isResult: l.facts.results[v]}
	_, body := l.src.function()
	a.stmt(body, false, nil)
	return a.found
}

type liveness struct {
	info     *types.Info
	v        *types.Var
	loop     ast.Stmt
	last     ast.Stmt // of straight-line code, nil for loops
	isResult bool
	jumps    []jump
	leaving  map[ast.Stmt]bool // statements with which the loop is left
	ends     func(*ast.CallExpr) bool
	inside   bool // of them
	found    bool // v is live behind the loop, or where it is left
}

// A jump is what is live where break, continue and fallthrough of a statement
// lead.
type jump struct {
	label     *types.Label
	isLoop    bool
	brk, next bool
	fall      bool
}

// reads reports whether v occurs below any of the nodes.
func (a *liveness) reads(nodes ...ast.Node) bool {
	found := false
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && a.info.Uses[id] == a.v {
				found = true
			}
			return !found
		})
	}
	return found
}

// writes reports whether assigning to e sets v as a whole.
func (a *liveness) writes(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && objectOf(a.info, id) == a.v
}

func (a *liveness) list(list []ast.Stmt, out bool) bool {
	first := slices.IndexFunc(list, func(s ast.Stmt) bool { return a.leaving[s] })
	outermost := first >= 0 && !a.inside
	a.inside = a.inside || outermost
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == a.last && a.last != nil {
			a.found = a.found || out
		}
		out = a.stmt(list[i], out, nil)
		if i == first && outermost {
			a.inside = false
			a.found = a.found || out
		}
	}
	return out
}

// stmt is what is live before s, which may have a label.
func (a *liveness) stmt(s ast.Stmt, out bool, label *types.Label) bool {
	switch s := s.(type) {
	case nil:
		return out
	case *ast.AssignStmt:
		return a.assign(s, out)
	case *ast.BlockStmt:
		return a.list(s.List, out)
	case *ast.BranchStmt:
		return a.branch(s)
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		return out && !(ok && a.ends(call)) || a.reads(s)
	case *ast.ReturnStmt:
		return a.isResult && len(s.Results) == 0 || a.reads(s)
	case *ast.LabeledStmt:
		l, _ := a.info.Defs[s.Label].(*types.Label)
		return a.stmt(s.Stmt, out, l)
	case *ast.IfStmt:
		in := a.stmt(s.Body, out, nil)
		if s.Else != nil {
			in = a.stmt(s.Else, out, nil) || in
		} else {
			in = in || out
		}
		return a.optional(s.Init, in || a.reads(s.Cond))
	case *ast.ForStmt:
		return a.forLoop(s, out, label)
	case *ast.RangeStmt:
		return a.rangeLoop(s, out, label)
	case *ast.SwitchStmt:
		in := a.cases(s.Body, out, label)
		if s.Tag != nil {
			in = in || a.reads(s.Tag)
		}
		return a.optional(s.Init, in)
	case *ast.TypeSwitchStmt:
		in := a.cases(s.Body, out, label)
		return a.optional(s.Init, a.stmt(s.Assign, in, nil))
	case *ast.SelectStmt:
		return a.cases(s.Body, out, label)
	}
	return out || a.reads(s)
}

func (a *liveness) optional(s ast.Stmt, out bool) bool {
	if s == nil {
		return out
	}
	return a.stmt(s, out, nil)
}

func (a *liveness) assign(s *ast.AssignStmt, out bool) bool {
	plain := s.Tok == token.ASSIGN || s.Tok == token.DEFINE
	for _, e := range s.Lhs {
		if plain && a.writes(e) {
			out = false
		}
	}
	for _, e := range s.Lhs {
		if !(plain && a.writes(e)) {
			out = out || a.reads(e)
		}
	}
	for _, e := range s.Rhs {
		out = out || a.reads(e)
	}
	return out
}

func (a *liveness) branch(s *ast.BranchStmt) bool {
	var label *types.Label
	if s.Label != nil {
		label, _ = a.info.Uses[s.Label].(*types.Label)
	}
	for i := len(a.jumps) - 1; i >= 0; i-- {
		j := a.jumps[i]
		switch {
		case s.Tok == token.FALLTHROUGH:
			return j.fall
		case label != nil && label != j.label, s.Tok == token.CONTINUE && !j.isLoop:
		case s.Tok == token.BREAK:
			return j.brk
		case s.Tok == token.CONTINUE:
			return j.next
		}
	}
	return true // goto
}

func (a *liveness) with(j jump, body func() bool) bool {
	a.jumps = append(a.jumps, j)
	in := body()
	a.jumps = a.jumps[:len(a.jumps)-1]
	return in
}

func (a *liveness) forLoop(s *ast.ForStmt, out bool, label *types.Label) bool {
	if s == a.loop {
		a.found = a.found || out
	}
	head := false
	for range 2 {
		next := a.optional(s.Post, head)
		head = a.with(jump{label: label, isLoop: true, brk: out, next: next}, func() bool {
			return a.stmt(s.Body, next, nil)
		})
		if s.Cond != nil {
			head = head || out || a.reads(s.Cond)
		}
	}
	return a.optional(s.Init, head)
}

func (a *liveness) rangeLoop(s *ast.RangeStmt, out bool, label *types.Label) bool {
	if s == a.loop {
		a.found = a.found || out
	}
	head := out
	for range 2 {
		in := a.with(jump{label: label, isLoop: true, brk: out, next: head}, func() bool {
			return a.stmt(s.Body, head, nil)
		})
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil && a.writes(e) {
				in = false
			}
		}
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if e != nil && !a.writes(e) {
				in = in || a.reads(e)
			}
		}
		head = in || out
	}
	return head || a.reads(s.X)
}

// cases handles the clauses of switch and select, from the last to the first so
// that fallthrough is known.
func (a *liveness) cases(body *ast.BlockStmt, out bool, label *types.Label) bool {
	in, fall, hasDefault := false, false, false
	for i := len(body.List) - 1; i >= 0; i-- {
		var list []ast.Stmt
		clause := false
		switch c := body.List[i].(type) {
		case *ast.CaseClause:
			list = c.Body
			hasDefault = hasDefault || c.List == nil
			for _, e := range c.List {
				clause = clause || a.reads(e)
			}
		case *ast.CommClause:
			list = c.Body
			hasDefault = true // a select without default waits
			if c.Comm != nil {
				list = append([]ast.Stmt{c.Comm}, list...)
			}
		}
		fall = a.with(jump{label: label, brk: out, fall: fall}, func() bool { return a.list(list, out) })
		in = in || fall || clause
	}
	return in || out && !hasDefault
}
