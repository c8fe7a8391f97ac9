package twin

import (
	"fmt"
	"go/ast"

	"github.com/lanewise/lanewise/frontend"
)

// A start is what loops of a function with loops around them declare where it starts. A function literal has one of its
// own: several goroutines may be in it, or none.
type start struct {
	spent string // name of the variable that adds up iterations done by calls, if there is one
	gates []gate
}

// startOf is the start of the function with a body.
func (c *function) startOf(body *ast.BlockStmt) *start {
	if c.starts == nil {
		c.starts = make(map[*ast.BlockStmt]*start)
	}
	if c.starts[body] == nil {
		c.starts[body] = &start{}
	}
	return c.starts[body]
}

func (s *start) text() (text string) {
	if s.spent != "" {
		text = fmt.Sprintf("\n%s := 0 // iterations done since the last look at the stack\n", s.spent)
	}
	for _, g := range s.gates {
		text += g.declaration()
	}
	return text
}

// home is the body of the function that the loop is part of: of the innermost function literal around it, or of the
// copied function. Nil for a literal in a loop that is printed anew.
func (l *loop) home() *ast.BlockStmt {
	home := l.decl.Body
	ast.Inspect(l.decl.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Pos() <= l.r.Loop.Pos() && l.r.Loop.End() <= lit.End() {
			home = lit.Body
		}
		return true
	})
	for _, r := range l.regions {
		if home != l.decl.Body && holds(r, home) {
			return nil
		}
	}
	return home
}

func holds(r *frontend.Region, n ast.Node) bool {
	return r.Loop.Pos() <= n.Pos() && n.End() <= r.Loop.End()
}
