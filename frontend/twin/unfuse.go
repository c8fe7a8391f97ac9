package twin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/lanewise/lanewise/frontend"
)

// No fusion. Compilers may fuse a product with a sum, also across statements,
// unless the product is converted explicitly [Go specification, Floating-point
// operators]. Every float product in copied code therefore gets a conversion to
// its own type, except where its only use is a factor, a quotient, a comparison
// or a conversion: nothing can be fused there. Quotients by powers of two are products for the compiler.
//
//	s += x * y       s += float32(x * y)
//	x *= y           x = float32(x * y)
//	c + a*b          c + complex64(product(complex128(a), complex128(b)))   complex64

// Ranks of insertions at one place: what ends there comes first, the innermost
// before the outer ones; then what begins there, the outermost first.
const (
	rankClose = -2 << 30
	rankOpen  = -1 << 30
)

// unfuse edits the products under n.
func (c *function) unfuse(n ast.Node) error {
	var stack []ast.Node
	var assigns []*ast.AssignStmt
	listed := map[*ast.AssignStmt]bool{} // other statements can stand in front of them
	var err error
	seq := 0
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.BinaryExpr:
			seq++
			if e := c.product(n, stack, seq); e != nil {
				err = e
			}
		case *ast.AssignStmt:
			assigns = append(assigns, n)
			if len(stack) > 0 && isList(stack[len(stack)-1]) {
				listed[n] = true
			}
		}
		stack = append(stack, n)
		return true
	})
	for _, a := range assigns {
		var e error
		switch {
		case (a.Tok == token.MUL_ASSIGN || a.Tok == token.QUO_ASSIGN && frontend.MayMultiply(c.info, a.Rhs[0])) && c.isRounded(a.Lhs[0]):
			e = c.productAssign(a)
		case listed[a]:
			e = c.savedFirst(a)
		}
		if e != nil {
			err = e
		}
	}
	return err
}

// isList reports whether n is a list of statements.
func isList(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// isRounded is frontend.IsRounded with the type arguments of the twin.
func (c *function) isRounded(x ast.Expr) bool {
	t := c.typeOf(x)
	return c.info.Types[x].Value == nil && t != nil && frontend.Rounds(t)
}

func (c *function) isComplex(x ast.Expr) bool {
	b := basic(c.typeOf(x))
	return b != nil && b.Info()&types.IsComplex != 0
}

// product adds the conversion of one product.
func (c *function) product(x *ast.BinaryExpr, stack []ast.Node, seq int) error {
	if x.Op != token.MUL && !(x.Op == token.QUO && frontend.MayMultiply(c.info, x.Y)) || !c.isRounded(x) {
		return nil
	}
	if !c.isComplex(x) && c.cannotFuse(x, stack) {
		return nil
	}
	name, err := c.typeName(c.info.TypeOf(x))
	if err != nil {
		return err
	}
	open, shut := name+"(", ")"
	if c.isComplex(x) {
		wide, err := c.predeclared("complex128", c.shadows["complex128"])
		if err != nil {
			return err
		}
		ahead := c.ahead(x, stack)
		open = fmt.Sprintf("%s(%s(", name, c.productBehind(len(ahead)))
		for _, e := range ahead {
			text, err := c.textInside(e)
			if err != nil {
				return err
			}
			open += text + ", "
		}
		open, shut = open+wide+"(", ")))"
		c.edits = append(c.edits, edit{pos: x.OpPos, end: x.OpPos + 1, text: "), " + wide + "("})
	}
	c.edits = append(c.edits,
		edit{pos: x.Pos(), end: x.Pos(), text: open, rank: rankOpen + seq},
		edit{pos: x.End(), end: x.End(), text: shut, rank: rankClose - seq})
	return nil
}

// product128 is the name of the helper for complex products.
func (f *file) product128() string {
	if f.complexProduct == "" {
		f.complexProduct = f.fresh("product" + f.suffix)
	}
	return f.complexProduct
}

// cannotFuse reports whether the use of a real product rules out fusion.
func (c *function) cannotFuse(x ast.Expr, stack []ast.Node) bool {
	for _, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.ParenExpr:
			continue
		case *ast.BinaryExpr:
			switch n.Op {
			case token.MUL, token.QUO, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				return true
			}
		case *ast.CallExpr:
			return c.info.Types[n.Fun].IsType()
		case *ast.AssignStmt:
			return n.Tok == token.MUL_ASSIGN || n.Tok == token.QUO_ASSIGN
		}
		return false
	}
	return false
}

// productAssign spells out x *= y and x /= y. An x that may not be evaluated twice stays:
// then no later use can be seen to mean the same variable without the calls
// in it.
func (c *function) productAssign(a *ast.AssignStmt) error {
	x, y := a.Lhs[0], a.Rhs[0]
	if !c.repeatable(x) {
		return nil
	}
	name, err := c.typeName(c.info.TypeOf(x))
	if err != nil {
		return err
	}
	lhs, err := c.text(x.Pos(), x.End())
	if err != nil {
		return err
	}
	op := "*"
	if a.Tok == token.QUO_ASSIGN {
		op = "/"
	}
	open, shut := fmt.Sprintf("= %s(%s %s ", name, lhs, op), ")"
	if _, ok := ast.Unparen(y).(*ast.BinaryExpr); ok && y == ast.Unparen(y) {
		open, shut = open+"(", "))"
	}
	if c.isComplex(x) {
		wide, err := c.predeclared("complex128", c.shadows["complex128"])
		if err != nil {
			return err
		}
		open, shut = fmt.Sprintf("= %s(%s(%s(%s), %[3]s(", name, c.product128(), wide, lhs), ")))"
	}
	c.edits = append(c.edits,
		edit{pos: a.TokPos, end: a.TokPos + 2, text: open},
		edit{pos: y.End(), end: y.End(), text: shut, rank: rankClose + 1})
	return nil
}

// repeatable reports whether x can be evaluated twice: there are no calls in it but of builtin functions that change
// nothing.
func (c *function) repeatable(x ast.Expr) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && c.isOperator(n)
		case *ast.FuncLit, *ast.CompositeLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		}
		return ok
	})
	return ok
}

// isOperator reports whether a call is a conversion, or of a builtin function that changes nothing.
func (c *function) isOperator(call *ast.CallExpr) bool {
	if c.info.Types[call.Fun].IsType() {
		return true
	}
	switch builtinName(c.info, call) {
	case "complex", "real", "imag", "len", "cap", "min", "max":
		return true
	}
	return false
}
