package twin

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/frontend"
)

// Functions all of whose kernels are for loops inside of others, as long as their parameters say:
//
//	func Scale(dst, src []byte, w, h int) {
//		if w < 20 {
//			scale(dst, src, w, h)
//			return
//		}
//		for y := range h {
//			if n := w; n >= 20 && ... {
//
// With short rows nothing of the twin is of use, and the loops in it, beside calls of kernels, are not
// compiled as well as those of the original.

// short is that test, empty for functions where it cannot be made.
func (c *function) short(t *frontend.Twin, regions []*frontend.Region) (string, error) {
	if t.Root != nil || len(c.twins) > 0 || c.unfused || !c.callable() {
		return "", nil
	}
	given := c.given()
	var conds []string
	for _, r := range regions {
		l := newLoop(c, r, c.kernels[r], c.labelOf(r.Loop))
		if r.Once || !l.insideLoop() || !l.knownLength(given) {
			return "", nil
		}
		if cond := fmt.Sprintf("%s < %d", l.trip(), l.least1()); !slices.Contains(conds, cond) {
			conds = append(conds, cond)
		}
	}
	callee, err := c.callee(c.nameFields(c.decl.Recv, "r"))
	if err != nil {
		return "", err
	}
	call := fmt.Sprintf("%s(%s)", callee, strings.Join(c.nameFields(c.decl.Type.Params, "p"), ", "))
	if c.decl.Type.Results.NumFields() > 0 {
		call = "return " + call
	} else {
		call += "\nreturn"
	}
	return fmt.Sprintf("\nif %s {\n%s\n}\n", strings.Join(conds, " && "), call), nil
}

// callable reports whether the twin can call the original with its own parameters, unnoticed.
func (c *function) callable() bool {
	plain := !pragmas(c.decl.Doc) && !special(c.decl)
	for _, fields := range []*ast.FieldList{c.decl.Recv, c.decl.Type.Params, c.decl.Type.Results} {
		if fields == nil {
			continue
		}
		for _, f := range fields.List {
			plain = plain && (len(f.Names) > 0 || fields == c.decl.Type.Results)
			for _, id := range f.Names {
				plain = plain && (id.Name != "_" || fields == c.decl.Type.Results) && id.Name != c.decl.Name.Name
			}
		}
	}
	return plain
}

// given are the parameters that stay what they are.
func (c *function) given() map[types.Object]bool {
	given := make(map[types.Object]bool)
	for _, f := range c.decl.Type.Params.List {
		for _, id := range f.Names {
			if obj := c.info.Defs[id]; obj != nil && !assigned(c.info, c.decl.Body, obj) {
				given[obj] = true
			}
		}
	}
	return given
}

// knownLength reports whether the number of iterations follows from what is given.
func (l *loop) knownLength(given map[types.Object]bool) bool {
	ps := slices.Concat(params(l.k.Trip.Start), params(l.k.Trip.Limit))
	if l.hoisted || len(l.preconditions(ps)) > 0 {
		return false
	}
	if _, err := strconv.Atoi(l.trip()); err == nil {
		return false // always or never
	}
	for _, p := range ps {
		switch l.r.Params[p].Kind {
		case frontend.ParamCounter:
			continue
		case frontend.ParamValue, frontend.ParamLen:
		default:
			return false
		}
		known := true
		ast.Inspect(l.entryExpr(p), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				v, ok := l.info.ObjectOf(n).(*types.Var)
				known = known && (!ok || given[v])
			case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.FuncLit:
				known = false
			}
			return known
		})
		if !known {
			return false
		}
	}
	return true
}
