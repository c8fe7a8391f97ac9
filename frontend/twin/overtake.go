package twin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Calls overtake what stands to their left: gc does the calls of an expression first. A complex product
// that becomes one would find an index out of range before another one does:
//
//	z[i+4] - c*z[i+2]                 fails at i+4
//	z[i+4] - product(c, z[i+2])       fails at i+2
//	same(z[i+4]) - product(c, z[i+2]) fails at i+4
//
// So what may fail before a product becomes a call as well.

// rankShut is the rank of what ends such a call: nothing inside of it ends later.
const rankShut = 2 * rankClose

// keepOrder has all that may panic before a product, in the statement around it, called as the product
// is. Calls around it, and conditions to the left of it, come before it as they are. The result is the
// statement if that is x op= y: its x comes first too.
func (c *function) keepOrder(x *ast.BinaryExpr, around []ast.Node) *ast.AssignStmt {
	if !c.canPanic(x.X) && !c.canPanic(x.Y) {
		return nil
	}
	inner := ast.Node(x)
	for _, n := range slices.Backward(around) {
		for _, e := range c.before(n, inner) {
			for _, p := range c.panics(e) {
				c.callSame(p)
			}
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE && pure(n.Lhs[0]) && c.canPanic(n.Lhs[0]) {
				return n
			}
			return nil
		case ast.Stmt:
			return nil
		case *ast.CallExpr:
			if !c.info.Types[n.Fun].IsType() {
				return nil
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				return nil
			}
		}
		inner = n
	}
	return nil
}

// before are the parts of n that are evaluated before the part inner, but for what is assigned to.
func (c *function) before(n, inner ast.Node) []ast.Expr {
	var parts []ast.Expr
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op != token.LAND && n.Op != token.LOR {
			parts = []ast.Expr{n.X}
		}
	case *ast.CallExpr:
		parts = n.Args
	case *ast.CompositeLit:
		parts = n.Elts
	case *ast.ReturnStmt:
		parts = n.Results
	case *ast.AssignStmt:
		return c.assignedBefore(n, inner)
	}
	for i, p := range parts {
		if p.End() > inner.Pos() {
			return parts[:i]
		}
	}
	return parts
}

// assignedBefore are the values of an assignment that are evaluated before the one with the part inner. gc
// evaluates each when it is its turn to be assigned (cmd/compile/internal/walk, ascompatee), but first those
// that an assignment to the left of it could change.
func (c *function) assignedBefore(a *ast.AssignStmt, inner ast.Node) []ast.Expr {
	if len(a.Lhs) != len(a.Rhs) {
		return nil
	}
	at := slices.IndexFunc(a.Rhs, func(e ast.Expr) bool { return inner.Pos() < e.End() })
	var before []ast.Expr
	for i, e := range a.Rhs[:max(at, 0)] {
		if c.isSaved(a, i) || !c.isSaved(a, at) {
			before = append(before, e)
		}
	}
	return before
}

// isSaved reports whether a value that reads memory is evaluated before all assignments.
func (c *function) isSaved(a *ast.AssignStmt, i int) bool {
	return slices.ContainsFunc(a.Lhs[:i], func(x ast.Expr) bool {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.info.ObjectOf(id).(*types.Var)
		return ok && (v.Parent() == v.Pkg().Scope() || mentions(c.info, a.Rhs[i], map[types.Object]bool{v: true}))
	})
}

// savedFirst evaluates the values of an assignment that come before all others, once more in front of it,
// where a product in a value to the left of them would overtake them.
func (c *function) savedFirst(a *ast.AssignStmt) error {
	if len(a.Rhs) == 1 {
		return nil
	}
	at := slices.IndexFunc(a.Rhs, c.holdsComplexProduct)
	if at < 0 || c.isSaved(a, at) {
		return nil
	}
	for j := at + 1; j < len(a.Rhs); j++ {
		e := a.Rhs[j]
		if !c.isSaved(a, j) || !pure(e) || !c.canPanic(e) && !c.holdsComplexProduct(e) {
			continue
		}
		text, err := c.text(e.Pos(), e.End())
		if err != nil {
			return err
		}
		c.edits = append(c.edits, edit{pos: a.Pos(), end: a.Pos(), text: fmt.Sprintf("_ = %s\n", text), rank: 2 * rankOpen})
	}
	return nil
}

func (c *function) holdsComplexProduct(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		p, ok := n.(*ast.BinaryExpr)
		found = found || ok && c.isComplexProduct(p)
		return !found
	})
	return found
}

// canPanic reports whether x may panic outside of the calls in it.
func (c *function) canPanic(x ast.Expr) bool { return len(c.panics(x)) > 0 }

// panics are the outermost parts of x that may panic and are not part of a call, as complex products
// become.
func (c *function) panics(x ast.Expr) []ast.Expr {
	var found []ast.Expr
	ast.Inspect(x, func(n ast.Node) bool {
		may := false
		switch n := n.(type) {
		case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			may = true
		case *ast.SelectorExpr:
			may = c.info.Selections[n] != nil // a pointer may be nil
		case *ast.BinaryExpr:
			switch n.Op {
			case token.QUO, token.REM, token.SHL, token.SHR:
				b := basic(c.typeOf(n))
				may = b != nil && b.Info()&types.IsInteger != 0 && c.info.Types[n].Value == nil
			case token.MUL:
				if c.isComplexProduct(n) {
					return false
				}
			}
		case *ast.CallExpr:
			return c.info.Types[n.Fun].IsType()
		case *ast.FuncLit:
			return false
		}
		if may {
			found = append(found, n.(ast.Expr))
		}
		return !may
	})
	return found
}

func (c *function) isComplexProduct(x *ast.BinaryExpr) bool {
	return x.Op == token.MUL && c.isRounded(x) && c.isComplex(x)
}

// callSame makes x the argument of a call that returns it.
func (c *function) callSame(x ast.Expr) {
	open := edit{pos: x.Pos(), end: x.Pos(), text: c.same() + "(", rank: -1}
	if slices.Contains(c.edits, open) {
		return // for another product
	}
	c.edits = append(c.edits, open, edit{pos: x.End(), end: x.End(), text: ")", rank: rankShut})
}

// sameAssign spells out x op= y, where y has a product that x must not be overtaken by. That of a product of
// its own is productAssign.
func (c *function) sameAssign(a *ast.AssignStmt) error {
	x, y := a.Lhs[0], a.Rhs[0]
	lhs, err := c.text(x.Pos(), x.End())
	if err != nil {
		return err
	}
	op := strings.TrimSuffix(a.Tok.String(), "=")
	c.edits = append(c.edits,
		edit{pos: a.TokPos, end: a.TokPos + token.Pos(len(a.Tok.String())), text: fmt.Sprintf("= %s(%s) %s (", c.same(), lhs, op)},
		edit{pos: y.End(), end: y.End(), text: ")", rank: rankClose + 1})
	return nil
}

// same is the name of the function that returns its argument.
func (f *file) same() string {
	if f.identity == "" {
		f.identity = f.fresh("same" + f.suffix)
	}
	return f.identity
}
