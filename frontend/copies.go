package frontend

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// largestCopy is the number of nodes up to which functions of other packages are copied; a larger one is not inlined by
// anybody.
const largestCopy = 600

// CanCopy reports whether the declaration of a function means the same in package into: all that it names can be named there,
// perhaps by copying it too. Find is a function's declaration, nil where that is not known.
func CanCopy(into *types.Package, obj *types.Func, find func(*types.Func) (*ast.FuncDecl, *types.Info)) bool {
	c := &copier{into, find, make(map[*types.Func]bool)}
	return c.canCopy(obj)
}

type copier struct {
	into *types.Package
	find func(*types.Func) (*ast.FuncDecl, *types.Info)
	seen map[*types.Func]bool
}

func (c *copier) canCopy(obj *types.Func) bool {
	decl, info := c.find(obj)
	if decl == nil {
		return false
	}
	if obj.Pkg() == c.into || c.seen[obj.Origin()] {
		return true
	}
	c.seen[obj.Origin()] = true
	nodes, ok := 0, decl.Recv == nil
	ast.Inspect(decl, func(n ast.Node) bool {
		nodes++
		if id, isIdent := n.(*ast.Ident); isIdent {
			ok = ok && c.canName(info, id)
		}
		if x, isExpr := n.(ast.Expr); isExpr {
			named, isNamed := types.Unalias(info.TypeOf(x)).(*types.Named)
			ok = ok && (!isNamed || named.Obj().Exported() || named.Obj().Pkg() == nil)
		}
		return ok
	})
	return ok && nodes <= largestCopy
}

// canName reports whether what an identifier of another package names can be
// named here, perhaps by copying it.
func (c *copier) canName(info *types.Info, id *ast.Ident) bool {
	obj := info.ObjectOf(id)
	if pn, ok := obj.(*types.PkgName); ok {
		return c.canImport(pn.Imported().Path())
	}
	if obj != nil && obj.Parent() == types.Universe {
		return c.into.Scope().Lookup(id.Name) == nil
	}
	if obj == nil || obj.Pkg() == nil || info.Defs[id] != nil || obj.Exported() {
		return true
	}
	if fn, ok := obj.(*types.Func); ok {
		return fn.Signature().Recv() == nil && c.canCopy(fn)
	}
	if k, ok := obj.(*types.Const); ok && obj.Parent() == obj.Pkg().Scope() {
		return k.Val().Kind() == constant.Int || k.Val().Kind() == constant.Bool
	}
	v, isVar := obj.(*types.Var)
	return obj.Parent() != obj.Pkg().Scope() && (!isVar || !v.IsField())
}

// canImport applies the rule for internal packages.
func (c *copier) canImport(path string) bool {
	parent, _, ok := strings.Cut("/"+path+"/", "/internal/")
	if !ok {
		return true
	}
	parent = strings.TrimPrefix(parent, "/")
	return parent != "" && strings.HasPrefix(c.into.Path()+"/", parent+"/")
}
