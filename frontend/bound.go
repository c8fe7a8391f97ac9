package frontend

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/lanewise/lanewise/frontend/lower"
)

// Functions that are called with functions: Map(dst, x, func(v float64) float64 { return v * k }). Such a call has a twin of
// the function of its own, which declares the literal, and whose kernels do what it does. Variables of the caller that the literal
// uses are further arguments.

// bounds are parameters that are known functions.
type bounds map[*types.Var]lower.Bound

// key tells bounds of parameters of fn from others.
func (bs bounds) key(fn *types.Func) (key string) {
	for i := range fn.Signature().Params().Len() {
		switch b := bs[fn.Signature().Params().At(i)]; {
		case b.Lit != nil:
			key += fmt.Sprintf(" %d:%d", i, b.Lit.Pos())
		case b.Func != nil:
			key += fmt.Sprintf(" %d:%s", i, b.Func.FullName())
		}
	}
	return key
}

// boundIn are the parameters of obj that x, a call in t's function, gives functions which are known; nil for none.
func (r *regions) boundIn(t *Twin, x *ast.CallExpr, obj *types.Func) bounds {
	sig := obj.Signature()
	if sig.Variadic() || len(x.Args) != sig.Params().Len() {
		return nil
	}
	var bound bounds
	for i, a := range x.Args {
		v := sig.Params().At(i)
		if _, ok := v.Type().Underlying().(*types.Signature); !ok {
			continue
		}
		b := r.boundTo(t, a)
		if b == (lower.Bound{}) {
			continue
		}
		if bound == nil {
			bound = make(bounds)
		}
		bound[v] = b
	}
	return bound
}

// boundTo is the function that argument a is, if it is known.
func (r *regions) boundTo(t *Twin, a ast.Expr) lower.Bound {
	switch a := ast.Unparen(a).(type) {
	case *ast.FuncLit:
		if len(t.TypeArgs) == 0 {
			return lower.Bound{Lit: a, In: t.Func.Decl}
		}
	case *ast.SelectorExpr:
		if fn, ok := r.pkg.TypesInfo.Uses[a.Sel].(*types.Func); ok && fn.Signature().Recv() == nil && !isGeneric(fn) {
			return lower.Bound{Func: fn}
		}
	case *ast.Ident:
		switch obj := r.pkg.TypesInfo.Uses[a].(type) {
		case *types.Func:
			if !isGeneric(obj) {
				return lower.Bound{Func: obj}
			}
		case *types.Var:
			if b := t.Bound[obj]; b.Func != nil || len(t.Beside) == 0 {
				return b
			}
		}
	}
	return lower.Bound{}
}

// besides are the variables of t's function that bound literals use, under names that f has for nothing else. False if f cannot have
// parameters for them: they are no numbers, slices or the like, or may be set before a literal is called; or f
// sets what is bound, or names of functions and in literals mean something else there.
func (r *regions) besides(f *Func, bound bounds) (beside []lower.Beside, ok bool) {
	if bound == nil {
		return nil, true
	}
	seen := make(map[*types.Var]bool)
	changes := lower.ChangesOf(r.pkg.TypesInfo, f.Decl)
	ok = true
	for i := range f.Obj.Signature().Params().Len() {
		param := f.Obj.Signature().Params().At(i)
		lit := bound[param].Lit
		ok = ok && (bound[param] == (lower.Bound{}) || !changes.Any(param)) && !r.hides(f.Decl, param, bound[param])
		if lit == nil {
			continue
		}
		around, keeps := lower.ChangesOf(r.pkg.TypesInfo, bound[param].In), lower.Keeps(r.pkg.TypesInfo, f.Decl, param)
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			id, _ := n.(*ast.Ident)
			v, isVar := r.pkg.TypesInfo.Uses[id].(*types.Var)
			if !isVar || v.IsField() || v.Parent() == r.pkg.Types.Scope() || v.Pkg() != r.pkg.Types || lit.Pos() <= v.Pos() && v.Pos() < lit.End() || seen[v] {
				return true
			}
			seen[v] = true
			beside = append(beside, lower.Beside{Var: v, Name: r.nameBeside(f, lit, id)})
			ok = ok && withTypes(v.Type(), nil) != nil && !around.DuringCalls(v) && !(around.Any(v) && keeps)
			return true
		})
	}
	return beside, ok
}

// hides reports whether f's receiver, parameters, of types too, or results have names that mean something of the package, an import or what Go
// declares where it says what param is. The parameter itself hides nothing there: it is declared with that, in "cmp := func(...) ...".
func (r *regions) hides(f *ast.FuncDecl, param *types.Var, is lower.Bound) (hidden bool) {
	names := make(map[string]bool)
	for _, list := range []*ast.FieldList{f.Recv, f.Type.TypeParams, f.Type.Params, f.Type.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, id := range field.Names {
				names[id.Name] = r.pkg.TypesInfo.Defs[id] != param
			}
		}
	}
	if is.Lit == nil {
		return is.Func != nil && is.Func.Pkg() == r.pkg.Types && names[is.Func.Name()]
	}
	ast.Inspect(is.Lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || !names[id.Name] {
			return !hidden
		}
		switch obj := r.pkg.TypesInfo.Uses[id].(type) {
		case nil:
		case *types.PkgName:
			hidden = true
		default:
			hidden = hidden || obj.Parent() == types.Universe || obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
		}
		return !hidden
	})
	return hidden
}

// nameBeside is a name in f for the variable that id names in a literal: the same one, or with a number.
func (r *regions) nameBeside(f *Func, lit *ast.FuncLit, id *ast.Ident) *ast.Ident {
	name := id.Name
	for i := 2; named(f.Decl, name) || name != id.Name && named(lit, name); i++ {
		name = fmt.Sprintf("%s%d", id.Name, i)
	}
	other := &ast.Ident{NamePos: id.Pos(), Name: name}
	r.pkg.TypesInfo.Uses[other], r.pkg.TypesInfo.Types[other] = r.pkg.TypesInfo.Uses[id], r.pkg.TypesInfo.Types[id]
	return other
}
