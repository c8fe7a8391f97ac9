package frontend

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/lanewise/lanewise/vir/plan"
)

// Loops in functions that an annotated function calls belong to it as far as people
// can see: such a function gets a twin of its own, which the first twin calls in its
// place. Nobody else can name it.

// A Call is a call in the body of a twin's function of a function that has a twin
// too.
type Call struct {
	Expr *ast.CallExpr
	Twin *Twin
}

// Within reports whether the call stands in a loop of t that is vectorized.
func (c Call) Within(t *Twin, vectorized func(*Region) bool) bool {
	for _, r := range t.Regions {
		if vectorized(r) && r.Loop.Pos() <= c.Expr.Pos() && c.Expr.End() <= r.Loop.End() {
			return true
		}
	}
	return false
}

// callees makes twins of the functions and methods of the package, and functions of others, that t's function calls by name,
// if there are loops in them or in what they call, and nothing in t's function hides
// their names.
func (r *regions) callees(t *Twin) {
	ast.Inspect(t.Func.Decl.Body, func(n ast.Node) bool {
		x, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if callee := r.callee(t, x); callee != nil && (callee.Func.Decl.Recv != nil || !named(t.Func.Decl, callee.Name)) {
			t.Calls = append(t.Calls, Call{x, callee})
		}
		return true
	})
}

// callee is the twin of what x calls; nil when that is no function with loops.
func (r *regions) callee(t *Twin, x *ast.CallExpr) *Twin {
	obj := typeutil.StaticCallee(r.pkg.TypesInfo, x)
	if obj == nil || obj.Pkg() == nil || obj.Signature().RecvTypeParams().Len() > 0 || r.promoted(x) {
		return nil
	}
	args, ok := r.typeArgs(t, x)
	if !ok {
		return nil
	}
	obj = obj.Origin()
	f := r.funcOf(obj)
	if f == nil {
		return nil
	}
	bound := r.boundIn(t, x, obj)
	beside, ok := r.besides(f, bound)
	if !ok {
		bound, beside = nil, nil // it is called with the functions as they are
	}
	key := calleeKey{obj, fmt.Sprint(args), bound.key(obj), inherited(t.Clauses)}
	if c, ok := r.calls[key]; ok {
		return c
	}
	r.calls[key] = nil // recursion ends here
	for _, asked := range f.Twins {
		if asked.Root == nil && bound == nil && asked.Clauses == key.clauses && fmt.Sprint(asked.TypeArgs) == key.args {
			r.calls[key] = asked
			return asked
		}
	}
	c := &Twin{Func: f, Name: r.calleeName(obj), Pos: f.Decl.Pos(), Clauses: key.clauses, TypeArgs: args, Root: t.Public(), Bound: bound, Beside: beside}
	if p := r.ld.bodies.pkgs[obj.Pkg().Path()]; obj.Pkg() != r.pkg.Types && !ours(p) {
		c.Called = cmp.Or(t.Called, x.Pos())
	}
	r.taken[c.Name] = true // what it calls gets other names
	r.twin(c)
	if len(c.Regions)+len(c.Calls) == 0 {
		delete(r.taken, c.Name)
		return nil
	}
	if len(f.Twins) == 0 {
		r.pkg.Funcs = append(r.pkg.Funcs, f)
	}
	if obj.Pkg() != r.pkg.Types {
		r.inlined[obj.FullName()] = r.ld.bodies.hash(r.ld.bodies.find(obj))
	}
	f.Twins = append(f.Twins, c)
	r.calls[key] = c
	return c
}

// promoted reports whether x calls a method of an embedded field, or by way of its type.
func (r *regions) promoted(x *ast.CallExpr) bool {
	sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr)
	s := r.pkg.TypesInfo.Selections[sel]
	return ok && s != nil && (s.Kind() != types.MethodVal || len(s.Index()) > 1)
}

// typeArgs are what x, a call in t's function, instantiates a generic function with; false if that cannot be said.
func (r *regions) typeArgs(t *Twin, x *ast.CallExpr) (args []types.Type, ok bool) {
	fun := ast.Unparen(x.Fun)
	switch ix := fun.(type) {
	case *ast.IndexExpr:
		fun = ix.X
	case *ast.IndexListExpr:
		fun = ix.X
	}
	id, isName := ast.Unparen(fun).(*ast.Ident)
	if sel, ok := ast.Unparen(fun).(*ast.SelectorExpr); ok {
		id, isName = sel.Sel, r.pkg.TypesInfo.Selections[sel] == nil
	}
	if !isName {
		return nil, true // a method
	}
	own := make(map[*types.TypeParam]types.Type)
	for i, a := range t.TypeArgs {
		own[t.Func.Obj.Signature().TypeParams().At(i)] = a
	}
	list := r.pkg.TypesInfo.Instances[id].TypeArgs
	for i := range list.Len() {
		a := withTypes(list.At(i), own)
		if a == nil {
			return nil, false
		}
		args = append(args, a)
	}
	return args, true
}

// calleeName is a free name for a twin that nobody has asked for: of a method, one that its receiver has no member of.
func (r *regions) calleeName(obj *types.Func) string {
	base := lowerCamel(obj.Name()) + "Vec"
	name := r.free(base)
	recv := obj.Signature().Recv()
	for i := 2; recv != nil && hasMember(recv.Type(), r.pkg.Types, name); i++ {
		name = r.free(fmt.Sprintf("%s%d", base, i))
	}
	return name
}

type calleeKey struct {
	fn      *types.Func
	args    string // types
	bound   string // functions
	clauses plan.Clauses
}

// inherited are the clauses of a function that what it calls may rely on too: those
// about values and about other goroutines, not those about its own loops. What is required
// of those is taken from others where it is legal.
func inherited(c plan.Clauses) plan.Clauses {
	return plan.Clauses{Reassoc: c.Reassoc, Contract: c.Contract, Exclusive: c.Exclusive, Approx: c.Approx, Force: c.Require || c.Force}
}

// funcOf is the function of obj, a new one if nobody annotated it; nil when it has no
// body or not every build with kernels has it.
func (r *regions) funcOf(obj *types.Func) *Func {
	for _, f := range r.pkg.Funcs {
		if f.Obj == obj {
			return f
		}
	}
	if obj.Pkg() != r.pkg.Types {
		return r.ofOtherPackage(obj)
	}
	for _, file := range r.pkg.Syntax {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || r.pkg.TypesInfo.Defs[fn.Name] != obj || fn.Body == nil {
				continue
			}
			name := r.ld.fset.Position(file.Package).Filename
			if !impliedByKernels(name, file) {
				return nil
			}
			return &Func{Decl: fn, File: file, Obj: obj, OnlyAMD64: !everyArch(name, file)}
		}
	}
	return nil
}

// Public is the twin that people asked for, for which t was made.
func (t *Twin) Public() *Twin {
	if t.Root != nil {
		return t.Root
	}
	return t
}
