package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// liveAfter reports whether somebody may read the value v has when the loop
// ends: a use behind the loop, a use anywhere in an enclosing loop (this one
// included, which then starts again from that value), or the caller, when v is a
// result. A later assignment is not taken into account.
func (l *lowerer) liveAfter(v *types.Var) bool {
	if l.facts.results[v] || l.facts.captured[v] || l.facts.addressed[v] {
		return true
	}
	from := l.loop.End()
	if o := l.outermost(v); o != nil {
		from = o.Pos()
	}
	if l.facts.gotos {
		from = l.src.Decl.Pos()
	}
	live := false
	written := writtenOnly(l.info, l.src.Decl.Body)
	ast.Inspect(l.src.Decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && id.Pos() >= from && l.info.Uses[id] == v && !written[id] {
			live = true
		}
		return !live
	})
	return live
}

// outermost is the outermost loop around this one that v is declared outside
// of, nil when there is none.
func (l *lowerer) outermost(v *types.Var) (found ast.Stmt) {
	ast.Inspect(l.src.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			s := n.(ast.Stmt)
			around := s.Pos() < l.loop.Pos() && l.loop.End() <= s.End()
			outside := v.Pos() < s.Pos() || v.Pos() >= s.End() || declaresAcross(s, v)
			if around && outside && found == nil {
				found = s
			}
		}
		return true
	})
	return found
}

// declaresAcross reports whether v belongs to the statement itself and lives
// from one iteration to the next.
func declaresAcross(s ast.Stmt, v *types.Var) bool {
	f, ok := s.(*ast.ForStmt)
	return ok && v.Pos() < f.Body.Pos()
}

// writtenOnly holds the identifiers that stand alone on the left of = and :=.
func writtenOnly(info *types.Info, n ast.Node) map[*ast.Ident]bool {
	m := make(map[*ast.Ident]bool)
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				for _, e := range n.Lhs {
					if id, ok := ast.Unparen(e).(*ast.Ident); ok {
						m[id] = true
					}
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok {
					m[id] = true
				}
			}
		}
		return true
	})
	return m
}
