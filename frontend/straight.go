package frontend

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"

	"github.com/lanewise/lanewise/frontend/lower"
	"github.com/lanewise/lanewise/internal/diag"
)

// Straight-line code. In every list of statements of a function that stands in no loop,
// the longest runs of statements that can be lowered become regions, if there is
// anything in them of which there are several. Loops that run a constant number of times
// may be part of them, and are regions of their own besides.

// attempts limits how often statements of one function are lowered: each time one is
// refused, those before it and behind it are tried without it.
const attempts = 60

// A straightFinder finds the straight-line regions of one twin.
type straightFinder struct {
	*regions
	t        *Twin
	src      *lower.Source
	attempts int
	quiet    bool // there are loops: nobody asks about little things beside them
}

func (r *regions) straight(t *Twin, src *lower.Source) {
	body := t.Func.Decl.Body
	s := &straightFinder{regions: r, t: t, src: src, quiet: len(findLoops(body)) > 0}
	if !s.jumps(body) {
		s.list(body.List)
	}
	slices.SortStableFunc(t.Regions, func(a, b *Region) int {
		return cmp.Or(cmp.Compare(a.Loop.Pos(), b.Loop.Pos()), cmp.Compare(b.Loop.End(), a.Loop.End()), -compareBool(a.Once, b.Once))
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// jumps reports whether a function has goto statements.
func (s *straightFinder) jumps(body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.GOTO
		return !found
	})
	return found
}

// list finds the regions in a list of statements.
func (s *straightFinder) list(list []ast.Stmt) {
	for i := 0; i < len(list); {
		end := i
		for end < len(list) && s.plain(list[end]) {
			end++
		}
		run := list[i:end]
		if end < len(list) {
			if ret, ok := list[end].(*ast.ReturnStmt); ok && (len(run) > 0 || len(ret.Results) > 0) {
				run = list[i : end+1]
			} else {
				s.inside(list[end])
			}
		}
		s.run(run)
		i = end + 1
	}
}

// inside finds the regions in the lists inside of a statement.
func (s *straightFinder) inside(stmt ast.Stmt) {
	switch stmt := stmt.(type) {
	case *ast.BlockStmt:
		s.list(stmt.List)
	case *ast.IfStmt:
		s.list(stmt.Body.List)
		if stmt.Else != nil {
			s.inside(stmt.Else)
		}
	case *ast.LabeledStmt:
		s.inside(stmt.Stmt)
	case *ast.SwitchStmt:
		s.inside(stmt.Body)
	case *ast.TypeSwitchStmt:
		s.inside(stmt.Body)
	case *ast.SelectStmt:
		s.inside(stmt.Body)
	case *ast.CaseClause:
		s.list(stmt.Body)
	case *ast.CommClause:
		s.list(stmt.Body)
	}
}

// plain reports whether a statement may be part of a region as far as its syntax tells:
// it ends where the next one begins, or in a panic.
func (s *straightFinder) plain(stmt ast.Stmt) bool {
	ok := true
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ReturnStmt, *ast.LabeledStmt, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.SendStmt,
			*ast.TypeSwitchStmt, *ast.TypeAssertExpr:
			ok = false
		case *ast.ForStmt, *ast.RangeStmt:
			ok = ok && s.pkg.loops[n.(ast.Stmt)] == loopDirective{} // others have their own say
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.CaseClause, *ast.CommClause:
			return ok
		}
		return ok
	})
	return ok && !leads(stmt, false, false)
}

// leads reports whether a break or continue in n leads out of it. In a loop, and in a
// switch, there are those that do not.
func leads(n ast.Node, inLoop, inSwitch bool) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.ForStmt:
			found = found || leads(m.Body, true, true)
			return false
		case *ast.RangeStmt:
			found = found || leads(m.Body, true, true)
			return false
		case *ast.SwitchStmt:
			found = found || leads(m.Body, inLoop, true)
			return false
		case *ast.BranchStmt:
			switch {
			case m.Label != nil, m.Tok == token.GOTO:
				found = true
			case m.Tok == token.CONTINUE:
				found = found || !inLoop
			case m.Tok == token.BREAK:
				found = found || !inSwitch
			}
		}
		return !found
	})
	return found
}

// run makes a region of statements, or of those before and behind the one that cannot
// be lowered.
func (s *straightFinder) run(list []ast.Stmt) {
	if len(list) == 0 || s.attempts >= attempts {
		return
	}
	if ret, ok := list[0].(*ast.ReturnStmt); ok && len(ret.Results) == 0 {
		return
	}
	s.attempts++
	label := s.label(s.t)
	reg, refusal := lower.Straight(s.src, list, label)
	if refusal == nil {
		if why := s.differs(reg.Loop.Body, s.src.Info, reg); why != "" {
			s.refuse(list, "lower:Build", why)
			return
		}
		s.addStraight(list, reg, label)
		return
	}
	at := slices.IndexFunc(list, func(stmt ast.Stmt) bool { return stmt.Pos() <= refusal.At && refusal.At < stmt.End() })
	if at < 0 || refusal.ID == lower.Internal || refusal.ID == "lower:TooLarge" {
		s.refuse(list, refusal.ID, refusal.Msg)
		return
	}
	s.run(list[:at])
	if _, ok := list[at].(*ast.ReturnStmt); !ok {
		s.inside(list[at])
	}
	s.run(list[at+1:])
}

// addStraight adds a region, if there is anything in it of which there are several.
func (s *straightFinder) addStraight(list []ast.Stmt, reg *lower.Region, label string) {
	if !reg.HasGroups(s.quiet) {
		return
	}
	region := s.region(s.t, reg.Loop, reg, label, s.t.Clauses)
	region.Once = true
	region.Clauses.Require = s.t.Clauses.Require && !s.quiet
	region.Hoisted, region.Returns, region.Results = reg.Hoisted, reg.Returns, reg.Results
	body := s.t.Func.Decl.Body.List
	region.Last = len(body) > 0 && list[len(list)-1] == body[len(body)-1] && s.t.Func.Decl.Type.Results.NumFields() == 0
}

// refuse remarks that statements cannot be lowered.
func (s *straightFinder) refuse(list []ast.Stmt, id, msg string) {
	remark := s.missed(s.t, list[0].Pos(), id, msg)
	if s.quiet {
		remark.Kind = diag.Analysis
	}
	s.t.Remarks = append(s.t.Remarks, remark)
}
