package twin

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
)

// Functions that copied code calls. Where the compiler inlines one, its products
// may be fused with sums of the caller, and where the vectorizer inlined it the
// kernel does not fuse. So functions that hold products are copied along, with
// every product rounded by itself: functions and methods of the package, and
// functions of other packages as far as their bodies name nothing that this
// package cannot.

// A source is a function declaration with its surroundings.
type source struct {
	decl   *ast.FuncDecl
	syntax *ast.File
	home   *home
}

// A home is a package with its syntax.
type home struct {
	types  *types.Package
	info   *types.Info
	syntax []*ast.File
}

// original is the function behind a twin.
func (f *file) original(t *frontend.Twin) source {
	return source{decl: t.Func.Decl, syntax: t.Func.File, home: f.own}
}

// largest is the number of nodes up to which foreign functions are copied; a
// larger one is not inlined by anybody.
const largest = 600

// find is the declaration of a function, if its package was loaded with syntax
// and is one whose bodies may become part of kernels.
func (f *file) find(obj *types.Func) (source, bool) {
	obj = obj.Origin()
	if s, ok := f.sources[obj]; ok {
		return s, s.decl != nil
	}
	s := source{home: f.homeOf(obj)}
	if s.home != nil {
		for _, file := range s.home.syntax {
			for _, d := range file.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && s.home.info.Defs[d.Name] == obj {
					s.decl, s.syntax = d, file
				}
			}
		}
	}
	f.sources[obj] = s
	return s, s.decl != nil
}

// homeOf is the package of a function, nil for those that stay out of kernels.
func (f *file) homeOf(obj *types.Func) *home {
	if obj.Pkg() == f.pkg.Types {
		return f.own
	}
	if obj.Pkg() == nil {
		return nil
	}
	if f.homes == nil {
		f.findHomes()
	}
	return f.homes[obj.Pkg()]
}

// findHomes collects the packages below this one, those of the user's module
// and of the standard library what the frontend inlines.
func (f *file) findHomes() {
	f.homes = map[*types.Package]*home{}
	seen := map[string]bool{}
	queue := slices.Collect(maps.Values(f.pkg.Imports))
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if seen[p.PkgPath] {
			continue
		}
		seen[p.PkgPath] = true
		queue = slices.AppendSeq(queue, maps.Values(p.Imports))
		if p.TypesInfo != nil && (p.Module != nil && p.Module.Main || frontend.Inlinable(p.PkgPath)) {
			f.homes[p.Types] = &home{p.Types, p.TypesInfo, p.Syntax}
		}
	}
}

// mustCopy reports whether calls of obj go to a copy.
func (f *file) mustCopy(obj *types.Func) bool {
	return f.holdsProducts(obj, map[*types.Func]bool{}) && f.canCopy(obj, map[*types.Func]bool{})
}

// holdsProducts reports whether a function, or one that it calls, has products
// that could be fused.
func (f *file) holdsProducts(obj *types.Func, seen map[*types.Func]bool) bool {
	src, ok := f.find(obj)
	if !ok || seen[obj.Origin()] {
		return false
	}
	seen[obj.Origin()] = true
	info := src.home.info
	found := false
	ast.Inspect(src.decl.Body, func(n ast.Node) bool {
		found = found || frontend.IsProduct(info, n)
		if n, ok := n.(*ast.Ident); ok {
			if callee, ok := info.Uses[n].(*types.Func); ok {
				found = found || f.holdsProducts(callee, seen)
			}
		}
		return !found
	})
	return found
}

// callsFused reports whether code under n, or a copy of a function that it calls, calls a
// function with products that is not copied.
func (f *file) callsFused(n ast.Node, info *types.Info, seen map[*types.Func]bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return !found
		}
		fn, ok := info.Uses[id].(*types.Func)
		if !ok || seen[fn.Origin()] || !f.holdsProducts(fn, map[*types.Func]bool{}) {
			return !found
		}
		seen[fn.Origin()] = true
		src, _ := f.find(fn)
		found = !f.canCopy(fn, map[*types.Func]bool{}) || f.callsFused(src.decl.Body, src.home.info, seen)
		return !found
	})
	return found
}

// canCopy reports whether the declaration of obj means the same in this package.
func (f *file) canCopy(obj *types.Func, seen map[*types.Func]bool) bool {
	src, ok := f.find(obj)
	if !ok {
		return false
	}
	if src.home == f.own || seen[obj.Origin()] {
		return true
	}
	seen[obj.Origin()] = true
	info, nodes := src.home.info, 0
	ok = src.decl.Recv == nil
	ast.Inspect(src.decl, func(n ast.Node) bool {
		nodes++
		if id, isIdent := n.(*ast.Ident); isIdent {
			ok = ok && f.canName(info, id, seen)
		}
		if x, isExpr := n.(ast.Expr); isExpr {
			named, isNamed := types.Unalias(info.TypeOf(x)).(*types.Named)
			ok = ok && (!isNamed || named.Obj().Exported() || named.Obj().Pkg() == nil)
		}
		return ok
	})
	return ok && nodes <= largest
}

// canName reports whether what an identifier of another package names can be
// named here, perhaps by copying it.
func (f *file) canName(info *types.Info, id *ast.Ident, seen map[*types.Func]bool) bool {
	obj := info.ObjectOf(id)
	if pn, ok := obj.(*types.PkgName); ok {
		return f.canImport(pn.Imported().Path())
	}
	if obj == nil || obj.Pkg() == nil || info.Defs[id] != nil || obj.Exported() {
		return true
	}
	if fn, ok := obj.(*types.Func); ok {
		return fn.Signature().Recv() == nil && f.canCopy(fn, seen)
	}
	if c, ok := obj.(*types.Const); ok && obj.Parent() == obj.Pkg().Scope() {
		return c.Val().Kind() == constant.Int || c.Val().Kind() == constant.Bool
	}
	v, isVar := obj.(*types.Var)
	return obj.Parent() != obj.Pkg().Scope() && (!isVar || !v.IsField())
}

// canImport applies the rule for internal packages.
func (f *file) canImport(path string) bool {
	parent, _, ok := strings.Cut("/"+path+"/", "/internal/")
	if !ok {
		return true
	}
	parent = strings.TrimPrefix(parent, "/")
	return parent != "" && strings.HasPrefix(f.pkg.PkgPath+"/", parent+"/")
}

// renameCalls makes calls under n go to copies.
func (c *function) renameCalls(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			c.renameCall(call)
		}
		return true
	})
}

func (c *function) renameCall(x *ast.CallExpr) {
	whole := ast.Unparen(x.Fun)
	fun := whole
	switch ix := fun.(type) {
	case *ast.IndexExpr:
		fun = ix.X
	case *ast.IndexListExpr:
		fun = ix.X
	}
	id, pkg := calleeName(fun)
	if id == nil {
		return
	}
	if t, ok := c.twins[x]; ok { // without type arguments, which it has no parameters for
		ast.Inspect(whole, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Pos() >= fun.End() {
				c.renamed[id] = true
			}
			return true
		})
		c.renamed[id] = true
		c.edits = append(c.edits, edit{pos: id.Pos(), end: whole.End(), text: t.Name})
		c.passBound(x, t)
		return
	}
	obj, ok := c.info.Uses[id].(*types.Func)
	if !ok || types.IsInterface(receiverType(obj)) || !c.wants(obj) {
		return
	}
	pos := id.Pos()
	if pkg != nil {
		if _, ok := c.info.Uses[pkg].(*types.PkgName); ok {
			c.renamed[pkg] = true
			pos = pkg.Pos()
		}
	}
	c.renamed[id] = true
	c.edits = append(c.edits, edit{pos: pos, end: id.End(), text: c.copyOf(obj)})
}

// wants reports whether a called function is copied: for its products, or
// because a foreign body can name it in no other way.
func (c *function) wants(obj *types.Func) bool {
	if c.home != c.own && !obj.Exported() && obj.Pkg() == c.home.types {
		return true
	}
	return c.mustCopy(obj)
}

// calleeName is the name of the called function, with the identifier in front
// of it.
func calleeName(fun ast.Expr) (name, front *ast.Ident) {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun, nil
	case *ast.SelectorExpr:
		front, _ = fun.X.(*ast.Ident)
		return fun.Sel, front
	}
	return nil, nil
}

func receiverType(obj *types.Func) types.Type {
	if recv := obj.Signature().Recv(); recv != nil {
		return recv.Type()
	}
	return types.Typ[types.Invalid]
}

// copyOf is the name of the copy of a function, which is printed later.
func (f *file) copyOf(obj *types.Func) string {
	obj = obj.Origin()
	name, ok := f.unfused[obj]
	if !ok {
		name = f.fresh(lowerFirst(obj.Name()) + f.suffix)
		f.unfused[obj] = name
		f.pending = append(f.pending, obj)
	}
	return name
}

// qualify makes an identifier of a foreign body name the same thing here.
func (c *function) qualify(id *ast.Ident, obj types.Object) {
	if k, ok := obj.(*types.Const); ok && !obj.Exported() {
		text := k.Val().ExactString()
		if b, ok := k.Type().(*types.Basic); !ok || b.Info()&types.IsUntyped == 0 {
			text = fmt.Sprintf("%s(%s)", types.TypeString(k.Type(), c.qualifier), text)
		}
		c.edits = append(c.edits, edit{pos: id.Pos(), end: id.End(), text: text})
		return
	}
	if c.renamed[id] {
		return
	}
	if fn, ok := obj.(*types.Func); ok && !obj.Exported() {
		c.edits = append(c.edits, edit{pos: id.Pos(), end: id.End(), text: c.copyOf(fn)})
		return
	}
	c.edits = append(c.edits, edit{pos: id.Pos(), end: id.Pos(), text: c.qualifier(obj.Pkg()) + ".", rank: -1})
}

// printUnfused prints copies of called functions, and of those these call.
func (f *file) printUnfused() error {
	for len(f.pending) > 0 {
		obj := f.pending[0]
		f.pending = f.pending[1:]
		src, _ := f.find(obj)
		c := newFunction(f, src, nil)
		if err := c.signature(f.unfused[obj]); err != nil {
			return err
		}
		if src.decl.Type.TypeParams != nil {
			c.resolveImports(src.decl.Type.TypeParams)
		}
		if err := c.copyBody(); err != nil {
			return err
		}
		doc := fmt.Sprintf("%s is %s with every product rounded by itself.", f.unfused[obj], c.qualifiedName(obj))
		if err := c.print(doc); err != nil {
			return err
		}
	}
	return nil
}

// qualifiedName is how people call a function.
func (f *file) qualifiedName(obj *types.Func) string {
	if obj.Pkg() == f.pkg.Types {
		return obj.Name()
	}
	return obj.Pkg().Name() + "." + obj.Name()
}
