package twin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

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
	return source{decl: t.Func.Decl, syntax: t.Func.File, home: f.homeOf(t.Func.Obj)}
}

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
	return f.holdsProducts(obj, map[*types.Func]bool{}) && f.canCopy(obj)
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
		found = !f.canCopy(fn) || f.callsFused(src.decl.Body, src.home.info, seen)
		return !found
	})
	return found
}

// canCopy reports whether the declaration of obj means the same in this package.
func (f *file) canCopy(obj *types.Func) bool {
	return frontend.CanCopy(f.pkg.Types, obj, func(obj *types.Func) (*ast.FuncDecl, *types.Info) {
		src, ok := f.find(obj)
		if !ok {
			return nil, nil
		}
		return src.decl, src.home.info
	})
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
	pos := id.Pos()
	if _, ok := c.info.Uses[pkg].(*types.PkgName); ok {
		pos = pkg.Pos()
	}
	name := func(end token.Pos, copy string) {
		c.renamed[id], c.renamed[pkg] = true, pos != id.Pos()
		c.edits = append(c.edits, edit{pos: pos, end: end, text: copy})
	}
	if t, ok := c.twins[x]; ok { // without type arguments, which it has no parameters for
		ast.Inspect(whole, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Pos() >= fun.End() {
				c.renamed[id] = true
			}
			return true
		})
		name(whole.End(), t.Name)
		c.passBound(x, t)
		return
	}
	obj, ok := c.info.Uses[id].(*types.Func)
	if !ok || types.IsInterface(receiverType(obj)) || !c.wants(obj) {
		return
	}
	name(id.End(), c.copyOf(obj))
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
		doc := fmt.Sprintf("%s is %s with every product rounded by itself.", f.unfused[obj], frontend.Title(f.pkg.Types, obj))
		if err := c.print(doc); err != nil {
			return err
		}
	}
	return nil
}
