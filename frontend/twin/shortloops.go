package twin

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/lanewise/lanewise/frontend"
)

// Loops around others with kernels, of which variables say before they begin that no kernel is going to have
// enough to do:
//
//	for size := 2; size <= n; size *= 2 {
//		half := size / 2
//		if half < 40 {
//			for i := 0; i < n; i += size {
//				for j := range half {
//					<the user's statements>
//				}
//			}
//		} else {
//			for i := 0; i < n; i += size {
//				if left := half; left >= 40 && ... {
//
// Otherwise each run of the loop inside would find out again. What the outermost loops know the twin asks first of all.

// shortLoops puts the user's loops beside those that have such loops inside.
func (c *function) shortLoops(whole *reach, regions []*frontend.Region) error {
	var err error
	outermost := token.NoPos // the end of the last one
	literal := token.NoPos   // of the last function literal, whose loops are as good as inside
	ast.Inspect(c.decl.Body, func(n ast.Node) bool {
		loop, _ := n.(ast.Stmt)
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
		case *ast.FuncLit:
			literal = max(literal, n.End())
			return true
		default:
			return true
		}
		var inside []*frontend.Region
		for _, r := range regions {
			switch {
			case r.Loop == loop:
				return false
			case loop.Pos() <= r.Loop.Pos() && r.Loop.End() <= loop.End():
				inside = append(inside, r)
			}
		}
		if len(inside) == 0 || err != nil {
			return false
		}
		reach := whole.in(loop)
		cond := reach.allShort(inside)
		switch known := cond != "" && !reach.rough; {
		case loop.Pos() >= max(outermost, literal):
			outermost = loop.End()
			return !known
		case !known || c.labelOf(loop) != nil || labels(loop):
			return true
		}
		err = c.beside(loop, cond)
		return false
	})
	return err
}

// beside adds a copy of a loop, as it is so far, for where cond holds.
func (c *function) beside(loop ast.Stmt, cond string) error {
	text, err := c.text(loop.Pos(), loop.End())
	if err != nil {
		return err
	}
	c.edits = append(c.edits,
		edit{pos: loop.Pos(), end: loop.Pos(), text: fmt.Sprintf("if %s {\n%s\n} else {\n", cond, text), rank: -1},
		edit{pos: loop.End(), end: loop.End(), text: "\n}", rank: rankClose / 2})
	return nil
}

// labels reports whether there are any in a statement.
func labels(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		_, ok := n.(*ast.LabeledStmt)
		found = found || ok
		return !found
	})
	return found
}
