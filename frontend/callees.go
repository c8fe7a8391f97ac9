package frontend

import (
	"go/ast"
	"go/types"

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

// callees makes twins of the functions of the package that t's function calls by name,
// if there are loops in them or in what they call, and nothing in t's function hides
// their names.
func (r *regions) callees(t *Twin) {
	ast.Inspect(t.Func.Decl.Body, func(n ast.Node) bool {
		x, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if id, ok := ast.Unparen(x.Fun).(*ast.Ident); ok {
			if callee := r.callee(t, id); callee != nil && !named(t.Func.Decl, callee.Name) {
				t.Calls = append(t.Calls, Call{x, callee})
			}
		}
		return true
	})
}

// callee is the twin of what id names; nil when that is no function with loops.
func (r *regions) callee(t *Twin, id *ast.Ident) *Twin {
	obj, ok := r.pkg.TypesInfo.Uses[id].(*types.Func)
	if !ok || obj.Pkg() != r.pkg.Types || obj.Signature().Recv() != nil || isGeneric(obj) {
		return nil
	}
	key := calleeKey{obj, inherited(t.Clauses)}
	if c, ok := r.calls[key]; ok {
		return c
	}
	r.calls[key] = nil // recursion ends here
	f := r.funcOf(obj)
	if f == nil {
		return nil
	}
	for _, asked := range f.Twins {
		if asked.Root == nil && asked.Clauses == key.clauses {
			r.calls[key] = asked
			return asked
		}
	}
	c := &Twin{Func: f, Name: r.free(lowerCamel(obj.Name()) + "Vec"), Pos: f.Decl.Pos(), Clauses: key.clauses, Root: t.Public()}
	r.twin(c)
	if len(c.Regions)+len(c.Calls) == 0 {
		return nil
	}
	r.taken[c.Name] = true
	if len(f.Twins) == 0 {
		r.pkg.Funcs = append(r.pkg.Funcs, f)
	}
	f.Twins = append(f.Twins, c)
	r.calls[key] = c
	return c
}

type calleeKey struct {
	fn      *types.Func
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
