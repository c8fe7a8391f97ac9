package twin

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/frontend/lower"
)

// Twins of functions whose parameters are known functions. They declare these by themselves, so that the compiler
// sees what it calls, and get nil; what literals use of the caller comes behind the other arguments:
//
//	mapVec(dst, x, nil, k)
//
//	func mapVec(dst, x []float64, _ func(float64) float64, k float64) {
//		f := func(v float64) float64 { return v * k }

// bind declares what parameters of t's function stand for.
func (c *function) bind(t *frontend.Twin) error {
	if t.Bound == nil {
		return nil
	}
	list := c.decl.Type.Params.List
	for _, b := range t.Beside {
		typ, err := c.typeName(b.Var.Type())
		if err != nil {
			return err
		}
		c.names[b.Name.Name], c.shadows[b.Name.Name] = true, true
		last := list[len(list)-1].End()
		c.edits = append(c.edits, edit{pos: last, end: last, text: fmt.Sprintf(", %s %s", b.Name.Name, typ), rank: rankClose / 2})
	}
	for _, field := range list {
		for _, id := range field.Names {
			b, ok := t.Bound[c.info.Defs[id].(*types.Var)]
			if !ok {
				continue
			}
			text, err := c.boundText(b, t.Beside)
			if err != nil {
				return err
			}
			c.edits = append(c.edits, edit{pos: id.Pos(), end: id.End(), text: "_"})
			c.first += fmt.Sprintf("\n%s := %s\n", id.Name, text)
			if c.passes() {
				c.first += fmt.Sprintf("_ = %s\n", id.Name)
			}
		}
	}
	return nil
}

// boundText is the function as an expression.
func (c *function) boundText(b lower.Bound, beside []lower.Beside) (string, error) {
	switch {
	case b.Func != nil && b.Func.Pkg() == c.pkg.Types:
		return b.Func.Name(), nil
	case b.Func != nil:
		return c.qualifier(b.Func.Pkg()) + "." + b.Func.Name(), nil
	}
	c.renameCalls(b.Lit)
	c.resolveImports(b.Lit)
	if err := c.unfuse(b.Lit); err != nil {
		return "", err
	}
	ast.Inspect(b.Lit.Body, func(n ast.Node) bool {
		id, _ := n.(*ast.Ident)
		for _, v := range beside {
			if id != nil && c.info.Uses[id] == v.Var && id.Name != v.Name.Name {
				c.edits = append(c.edits, edit{pos: id.Pos(), end: id.End(), text: v.Name.Name})
			}
		}
		return true
	})
	return c.text(b.Lit.Pos(), b.Lit.End())
}

// passBound makes call x one of a twin with bound parameters.
func (c *function) passBound(x *ast.CallExpr, t *frontend.Twin) {
	if t.Bound == nil {
		return
	}
	for i, a := range x.Args {
		if _, ok := t.Bound[t.Func.Obj.Signature().Params().At(i)]; ok {
			c.edits = append(c.edits, edit{pos: a.Pos(), end: a.End(), text: "nil"})
			ast.Inspect(a, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					c.renamed[id] = true // its package is not needed
				}
				return true
			})
		}
	}
	last := x.Args[len(x.Args)-1].End()
	for _, b := range t.Beside {
		c.edits = append(c.edits, edit{pos: last, end: last, text: ", " + b.Var.Name(), rank: rankClose / 2})
	}
}

// passes reports whether functions are passed on to other twins, which get nil instead: nothing else may use them.
func (c *function) passes() bool {
	for _, t := range c.twins {
		if t.Bound != nil {
			return true
		}
	}
	return false
}
