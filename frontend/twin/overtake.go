package twin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Calls overtake what stands to their left: gc does the calls of an expression first. A complex product
// that becomes one would find an index out of range before another one does:
//
//	z[i+4] - c*z[i+2]                        fails at i+4
//	z[i+4] - product(c, z[i+2])              fails at i+2
//	z[i+4] - productBehind(z[i+4], c, z[i+2]) fails at i+4
//
// So such a call gets what may fail before the product as arguments, too. What is called in the operands comes before
// them, as it is meant to.

// ahead are the parts of the statement around a complex product that are evaluated before it and may panic. Calls
// around it, and conditions to the left of it, are not among them: they come before it as they are.
func (c *function) ahead(x *ast.BinaryExpr, around []ast.Node) []ast.Expr {
	if !c.canPanic(x.X) && !c.canPanic(x.Y) {
		return nil
	}
	var parts []ast.Expr
	inner := ast.Node(x)
	for _, n := range slices.Backward(around) {
		var here []ast.Expr
		for _, e := range c.before(n, inner) {
			here = append(here, slices.DeleteFunc(c.panics(e), func(e ast.Expr) bool { return !c.repeatable(e) })...)
		}
		parts = append(here, parts...)
		inner = n
		switch n := n.(type) {
		case ast.Stmt:
			return parts
		case *ast.CallExpr:
			if !c.info.Types[n.Fun].IsType() {
				return parts
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				return parts
			}
		}
	}
	return parts
}

// before are the parts of n that are evaluated before the part inner, but for what is only assigned to.
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
		if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
			return n.Lhs
		}
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
		if !c.isSaved(a, j) || !c.repeatable(e) || !c.canPanic(e) && !c.holdsComplexProduct(e) {
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

// textInside is the text of x without what is put in front of it and behind it.
func (c *function) textInside(x ast.Expr) (string, error) {
	return c.texts.cut(x.Pos(), x.End(), slices.DeleteFunc(slices.Clone(c.edits), func(e edit) bool {
		return e.pos == e.end && (e.pos == x.Pos() || e.pos == x.End())
	}))
}

func (c *function) isComplexProduct(x *ast.BinaryExpr) bool {
	return x.Op == token.MUL && c.isRounded(x) && c.isComplex(x)
}

// productBehind is the name of the helper for complex products that have n values evaluated ahead of them.
func (f *file) productBehind(n int) string {
	if n == 0 {
		return f.product128()
	}
	if f.behind[n] == "" {
		f.behind[n] = f.fresh(fmt.Sprintf("productBehind%d%s", n, f.suffix))
		f.product128()
	}
	return f.behind[n]
}

// printBehind declares those helpers.
func (f *file) printBehind() {
	for _, n := range slices.Sorted(maps.Keys(f.behind)) {
		types, params := make([]string, n), make([]string, n)
		for i := range n {
			types[i] = fmt.Sprintf("T%d", i)
			params[i] = "_ " + types[i]
		}
		constraint := "any"
		if f.shadowedInPackage(constraint) {
			constraint = "interface{}"
		}
		f.printf("// %s is %s(x, y), found behind other values.\nfunc %[1]s[%[3]s %[4]s](%[5]s, x, y complex128) complex128 { return %[2]s(x, y) }\n\n",
			f.behind[n], f.complexProduct, strings.Join(types, ", "), constraint, strings.Join(params, ", "))
	}
}
