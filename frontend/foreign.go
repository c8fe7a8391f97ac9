package frontend

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/lanewise/lanewise/frontend/lower"
)

// Functions of other packages that an annotated function calls have loops that people see as its own as well: those of the user's module,
// and those of package slices. Their twins are made of copies, in the package that calls them.

// ofOtherPackage is a function of another package of which twins can be made in this one; nil for those of packages without bodies, for methods
// and for those that name what only their package has, or variables.
func (r *regions) ofOtherPackage(obj *types.Func) *Func {
	p := r.ld.bodies.pkgs[obj.Pkg().Path()]
	if p == nil || p.Name == "main" || !ours(p) && p.PkgPath != "slices" {
		return nil
	}
	body := r.ld.bodies.find(obj)
	if body == nil || body.Decl.Body == nil || r.keepsTo(p, body) || !CanCopy(r.pkg.Types, obj, r.declaration) {
		return nil
	}
	i := slices.IndexFunc(p.Syntax, func(f *ast.File) bool { return f.FileStart <= body.Decl.Pos() && body.Decl.Pos() < f.FileEnd })
	if file := p.Syntax[i]; impliedByKernels(r.ld.fset.Position(file.Package).Filename, file) {
		r.learn(body)
		return &Func{Decl: body.Decl, File: file, Obj: obj}
	}
	return nil
}

func (r *regions) declaration(obj *types.Func) (*ast.FuncDecl, *types.Info) {
	body := r.ld.bodies.find(obj)
	if body == nil {
		return nil, nil
	}
	return body.Decl, body.Info
}

// keepsTo reports whether a function names variables of packages, or one of the standard library what
// its package p does not export: much stands behind few lines there, such as sorting.
func (r *regions) keepsTo(p *packages.Package, body *lower.Body) (found bool) {
	ast.Inspect(body.Decl, func(n ast.Node) bool {
		id, _ := n.(*ast.Ident)
		obj := body.Info.Uses[id]
		if obj != nil && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			_, isVar := obj.(*types.Var)
			found = found || isVar || !ours(p) && !obj.Exported()
		}
		return !found
	})
	return found
}

// Title is how people call a function in package in.
func Title(in *types.Package, fn *types.Func) string {
	if fn.Pkg() == in {
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}

// learn adds what is known of the types in a declaration of another package.
func (r *regions) learn(body *lower.Body) {
	to, from := r.pkg.TypesInfo, body.Info
	ast.Inspect(body.Decl, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			note(to.Types, from.Types, x)
		}
		switch n := n.(type) {
		case *ast.Ident:
			note(to.Defs, from.Defs, n)
			note(to.Uses, from.Uses, n)
			note(to.Instances, from.Instances, n)
		case *ast.SelectorExpr:
			note(to.Selections, from.Selections, n)
		}
		if n != nil {
			note(to.Implicits, from.Implicits, n)
			note(to.Scopes, from.Scopes, n)
		}
		return true
	})
}

func note[K comparable, V any](to, from map[K]V, k K) {
	if v, ok := from[k]; ok {
		to[k] = v
	}
}
