package frontend

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/lanewise/lanewise/frontend/directive"
	"github.com/lanewise/lanewise/internal/diag"
)

// Functions that nobody annotated, as if they were: to see what becomes of code that was
// not written for it. What would be a mistake in a directive is a refusal here.

// Every selects functions that are treated as if they were annotated.
type Every uint8

const (
	Annotated Every = iota // those that are
	Loops                  // and those that have loops
	All                    // and all others
)

// A Refused loop, or function without loops, cannot have a directive.
type Refused struct {
	Loop   ast.Stmt // nil for a function without loops
	Remark diag.Remark
}

// ruleID is the ID of refusals of what cannot have a directive.
const ruleID = "directive:Rule"

// wanted reports whether a function is to have a twin without a directive.
func (a *annotator) wanted(f *Func) bool {
	if a.ld.opt.Every == Annotated || f.Decl.Body == nil || f.Obj == nil {
		return false
	}
	return a.ld.opt.Every == All || len(findLoops(f.Decl.Body)) > 0
}

// unasked gives a function a twin as a directive would, or tells why it cannot.
func (a *annotator) unasked(f *Func, file string) {
	why := a.impossible(f)
	switch {
	case why != "":
	case a.pkg.usesCgo():
		why = fmt.Sprintf("package %s uses cgo: Go assembly cannot be part of a cgo package", a.pkg.Name)
	case !impliedByAMD64(file, a.file):
		why = fmt.Sprintf("the build constraint of %s is not implied by amd64: a twin would exist in builds without the function", filepath.Base(file))
	}
	t := &Twin{Func: f, Name: a.pkg.unusedName(f), Pos: f.Decl.Pos(), Clauses: a.ld.opt.Clauses}
	if tps := f.Obj.Signature().TypeParams(); why == "" && tps.Len() > 0 {
		if t.TypeArgs = someTypes(f.Obj.Signature()); t.TypeArgs == nil {
			why = fmt.Sprintf("generic function %s needs types, and no simple ones fit", f.Obj.Name())
		}
	}
	if why != "" {
		a.pkg.refuse(a.ld, f.Decl, why)
		return
	}
	f.Twins = append(f.Twins, t)
}

// refuse notes a refusal for every loop of a function, or for the function.
func (p *Package) refuse(ld *loader, fn *ast.FuncDecl, why string) {
	r := diag.Remark{Kind: diag.Missed, ID: ruleID, Pos: ld.pos(fn.Name.Pos()), Func: fn.Name.Name, Msg: why}
	loops := findLoops(fn.Body)
	for _, l := range loops {
		r.Pos = ld.pos(l.stmt.Pos())
		p.Refused = append(p.Refused, Refused{l.stmt, r})
	}
	if len(loops) == 0 {
		p.Refused = append(p.Refused, Refused{Remark: r})
	}
}

// elsewhere refuses the loops of a file that are in no function declaration.
func (a *annotator) elsewhere() {
	if a.ld.opt.Every == Annotated {
		return
	}
	for _, d := range a.file.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			ast.Inspect(d, func(n ast.Node) bool {
				if s, ok := n.(ast.Stmt); ok && isLoop(s) {
					a.pkg.Refused = append(a.pkg.Refused, Refused{s, diag.Remark{Kind: diag.Missed, ID: "lower:FuncLit", Pos: a.ld.pos(s.Pos()),
						Msg: "the loop is part of a function literal outside of any function"}})
				}
				return true
			})
		}
	}
}

// oneKind refuses functions that exist for amd64 alone where there are others: the files
// of a package cannot have twins of both kinds.
func (p *Package) oneKind(ld *loader) {
	if !slices.ContainsFunc(p.Funcs, func(f *Func) bool { return !f.OnlyAMD64 }) {
		return
	}
	dropped := func(f *Func) bool { return f.OnlyAMD64 && !annotated(f.Decl) }
	for _, f := range p.Funcs {
		if dropped(f) {
			p.refuse(ld, f.Decl, fmt.Sprintf("%s exists for amd64 alone, and others for every architecture: a package can have twins of one kind only", f.Decl.Name.Name))
		}
	}
	p.Funcs = slices.DeleteFunc(p.Funcs, dropped)
}

// annotated reports whether there are directives in the comment of a function.
func annotated(fn *ast.FuncDecl) bool {
	return fn.Doc != nil && slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return directive.Is(c.Text) })
}

func (p *Package) usesCgo() bool {
	return slices.ContainsFunc(p.CompiledGoFiles, func(name string) bool { return filepath.Base(name) == "_cgo_gotypes.go" })
}

// unusedName is a name for a twin of a function that nothing has that it would clash with.
func (p *Package) unusedName(f *Func) string {
	taken := func(name string) bool {
		if recv := f.Obj.Signature().Recv(); recv != nil {
			return hasMember(recv.Type(), p.Types, name)
		}
		return p.Types.Scope().Lookup(name) != nil
	}
	base := f.Decl.Name.Name + "Twin"
	name := base
	for i := 2; taken(name); i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	return name
}

// hasMember reports whether a type has a field or method of some name.
func hasMember(t types.Type, p *types.Package, name string) bool {
	member, _, _ := types.LookupFieldOrMethod(t, true, p, name)
	return member != nil
}

// someTypes are types that a generic function can be instantiated with: the same simple
// one for all parameters that may have it, and what follows from it for the others. Nil when
// none of those that are tried fits.
func someTypes(sig *types.Signature) []types.Type {
	for _, kind := range []types.BasicKind{types.Float32, types.Int32, types.Uint8, types.Int, types.Uint64, types.String, types.Complex64} {
		if args := typesFrom(sig.TypeParams(), types.Typ[kind]); args != nil {
			if _, err := types.Instantiate(nil, sig, args, true); err == nil {
				return args
			}
		}
	}
	return nil
}

// typesFrom sets the parameters whose constraint is one type with parameters in it, as
// ~[]E, to that, and all others to simple.
func typesFrom(tps *types.TypeParamList, simple types.Type) []types.Type {
	args := make(map[*types.TypeParam]types.Type)
	core := make(map[*types.TypeParam]types.Type)
	for i := range tps.Len() {
		tp := tps.At(i)
		if core[tp] = onlyTerm(tp); core[tp] == nil {
			args[tp] = simple
		}
	}
	for k := range tps.Len() * tps.Len() { // one may build on another one
		if tp := tps.At(k % tps.Len()); args[tp] == nil {
			if t := withTypes(core[tp], args); t != nil {
				args[tp] = t
			}
		}
	}
	var list []types.Type
	for i := range tps.Len() {
		if args[tps.At(i)] == nil {
			return nil
		}
		list = append(list, args[tps.At(i)])
	}
	return list
}

// onlyTerm is the type of a constraint that has one.
func onlyTerm(tp *types.TypeParam) types.Type {
	iface, ok := tp.Constraint().Underlying().(*types.Interface)
	if !ok || iface.NumEmbeddeds() != 1 {
		return nil
	}
	switch t := iface.EmbeddedType(0).(type) {
	case *types.Union:
		if t.Len() == 1 {
			return t.Term(0).Type()
		}
	case *types.Slice, *types.Array, *types.Pointer, *types.Map:
		return t
	}
	return nil
}

// withTypes replaces type parameters in t; nil where one is not known.
func withTypes(t types.Type, args map[*types.TypeParam]types.Type) types.Type {
	switch t := t.(type) {
	case *types.TypeParam:
		return args[t]
	case *types.Slice:
		if e := withTypes(t.Elem(), args); e != nil {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := withTypes(t.Elem(), args); e != nil {
			return types.NewArray(e, t.Len())
		}
	case *types.Pointer:
		if e := withTypes(t.Elem(), args); e != nil {
			return types.NewPointer(e)
		}
	case *types.Map:
		k, e := withTypes(t.Key(), args), withTypes(t.Elem(), args)
		if k != nil && e != nil {
			return types.NewMap(k, e)
		}
	case *types.Basic:
		return t
	case *types.Named:
		if obj := t.Obj(); t.TypeArgs().Len() == 0 && obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			return t
		}
	}
	return nil
}
