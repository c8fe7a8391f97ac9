package twin

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/lanewise/lanewise/frontend"
)

// Twins of short functions of which nothing was vectorized. A call of the original would be
// seen: it copies arguments and results once more, and a function that compilers just
// inline is not inlined any more with a call around it.

// briefNodes is the number of nodes of a function's syntax up to which it is repeated.
// What is larger takes so long that a call is not seen.
const briefNodes = 400

// brief reports whether t is to repeat its function.
func (f *file) brief(t *frontend.Twin) bool {
	d := t.Func.Decl
	if d.Body == nil || len(t.TypeArgs) > 0 || pragmas(d.Doc) || special(d) {
		return false
	}
	nodes := 0
	ast.Inspect(d, func(ast.Node) bool {
		nodes++
		return nodes <= briefNodes
	})
	return nodes <= briefNodes
}

// special reports whether d names what means something else in another function.
func special(d *ast.FuncDecl) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && (id.Name == "C" || id.Name == "recover")
		return !found
	})
	return found
}

// pragmas reports whether a comment tells compilers anything about its function.
func pragmas(doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	for _, c := range doc.List {
		if strings.HasPrefix(c.Text, "//go:") || strings.HasPrefix(c.Text, "//export ") {
			return true
		}
	}
	return false
}

// repeat prints t as its function is written.
func (f *file) repeat(t *frontend.Twin) error {
	c := newFunction(f, f.original(t), t.TypeArgs)
	c.twins = f.callees(t)
	if err := c.signature(t.Name); err != nil {
		return err
	}
	if err := c.copyText(); err != nil {
		return err
	}
	return c.print(twinDoc(t, fmt.Sprintf("is %s: nothing in it was vectorized.", frontend.Title(f.pkg.Types, t.Func.Obj))))
}
