package frontend

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"

	"github.com/lanewise/lanewise/frontend/lower"
)

// A kernel is part of every build for amd64, on all systems. What it is made from may differ
// between those: a constant, the layout of a struct, the body of a function. A region that
// uses such a declaration stays scalar.
//
// A declaration counts by its own file. Constants that are made from constants of other files are
// taken for what they are here.

// builds knows which files all builds with kernels have.
type builds map[string]bool

// everywhere reports whether all builds with kernels have the file of a declaration.
func (b builds) everywhere(fset *token.FileSet, obj types.Object) bool {
	if obj == nil || !obj.Pos().IsValid() {
		return true
	}
	name := fset.Position(obj.Pos()).Filename
	known, ok := b[name]
	if !ok {
		f, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		known = f == nil || impliedByKernels(name, f)
		b[name] = known
	}
	return known
}

// differs names a declaration that a region is made from and that other builds with kernels
// do not have, or have otherwise; "" if there is none.
func (r *regions) differs(n ast.Node, info *types.Info, reg *lower.Region) string {
	if obj := r.foreign(n, info); obj != nil {
		return r.differing(obj)
	}
	for _, b := range reg.Inlined {
		if !r.ld.builds.everywhere(r.ld.bodies.fset, b.Func) {
			return r.differing(b.Func)
		}
		if obj := r.foreign(b.Decl, b.Info); obj != nil {
			return r.differing(obj)
		}
	}
	return ""
}

func (r *regions) differing(obj types.Object) string {
	return fmt.Sprintf("%s is declared in %s, which not all builds for amd64 have", obj.Name(),
		filepath.Base(r.ld.bodies.fset.Position(obj.Pos()).Filename))
}

// foreign is what n names, or the type of an expression in it, that other builds may lack.
func (r *regions) foreign(n ast.Node, info *types.Info) (found types.Object) {
	look := func(obj types.Object) {
		if found == nil && obj != nil && !r.ld.builds.everywhere(r.ld.bodies.fset, obj) {
			found = obj
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			look(info.Uses[id])
		}
		if x, ok := n.(ast.Expr); ok {
			look(declaredType(info.TypeOf(x)))
		}
		return found == nil
	})
	return found
}

// declaredType is the name of a type, or of what its elements are, if it has one.
func declaredType(t types.Type) types.Object {
	for {
		switch u := t.(type) {
		case *types.Named:
			return u.Obj()
		case *types.Alias:
			return u.Obj()
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		default:
			return nil
		}
	}
}
