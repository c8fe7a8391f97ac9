package twin

import (
	"go/ast"

	"github.com/lanewise/lanewise/frontend"
)

// spentIn is the name of the variable that adds up, in the function with a body, the iterations done by calls of kernels in loops.
// It is declared where the function starts, and a function literal has one of its own: several goroutines may be in it, or none.
func (c *function) spentIn(body *ast.BlockStmt) string {
	if c.spent == nil {
		c.spent = make(map[*ast.BlockStmt]string)
	}
	if c.spent[body] == "" {
		c.spent[body] = c.local("spent")
	}
	return c.spent[body]
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

// holds reports whether n stands in the loop of r.
func holds(r *frontend.Region, n ast.Node) bool {
	return r.Loop.Pos() <= n.Pos() && n.End() <= r.Loop.End()
}
