package frontend

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"strings"

	"github.com/lanewise/lanewise/frontend/directive"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vir/plan"
)

// A loopDirective is what stands above a loop.
type loopDirective struct {
	scalar  bool
	asked   bool
	clauses plan.Clauses
}

// An annotator attaches the directives of one file.
type annotator struct {
	ld   *loader
	pkg  *Package
	file *ast.File
	used map[*ast.Comment]bool
	// above holds the comment groups by the line they end on.
	above map[int]*ast.CommentGroup
	loops map[ast.Stmt]loopDirective
}

// annotate finds the annotated functions of a package and the directives of
// their loops.
func (ld *loader) annotate(pkg *Package) {
	pkg.loops = make(map[ast.Stmt]loopDirective)
	for _, f := range pkg.Syntax {
		name := ld.fset.Position(f.Package).Filename
		a := &annotator{ld: ld, pkg: pkg, file: f, used: make(map[*ast.Comment]bool), above: make(map[int]*ast.CommentGroup), loops: pkg.loops}
		for _, g := range f.Comments {
			a.above[ld.fset.Position(g.End()).Line] = g
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				a.function(fn, name)
			}
		}
		a.unattached()
		a.elsewhere()
	}
	if ld.opt.Every != Annotated {
		pkg.oneKind(ld)
	}
}

func (a *annotator) errorf(pos token.Pos, format string, args ...any) {
	a.pkg.Errors = append(a.pkg.Errors, diag.Error{Pos: a.ld.pos(pos), Msg: fmt.Sprintf(format, args...)})
}

// parse reads a directive and reports mistakes at their column.
func (a *annotator) parse(c *ast.Comment) *directive.Directive {
	a.used[c] = true
	d, err := directive.Parse(c.Text)
	if err != nil {
		a.errorf(c.Pos()+token.Pos(err.Offset), "%s", err.Msg)
	}
	return d
}

func (a *annotator) function(fn *ast.FuncDecl, file string) {
	obj, _ := a.pkg.TypesInfo.Defs[fn.Name].(*types.Func)
	f := &Func{Decl: fn, File: a.file, Obj: obj, OnlyAMD64: !everyArch(file, a.file)}
	if fn.Doc != nil {
		for _, c := range fn.Doc.List {
			if !directive.Is(c.Text) {
				continue
			}
			if d := a.parse(c); d != nil {
				a.twin(f, c, d)
			}
		}
	}
	if len(f.Twins) == 0 && a.wanted(f) {
		a.unasked(f, file)
	}
	if fn.Body != nil {
		a.loopDirectives(fn, len(f.Twins) > 0)
	}
	if len(f.Twins) > 0 {
		a.pkg.Funcs = append(a.pkg.Funcs, f)
	}
}

// isGeneric reports whether a function or the type of its receiver has type parameters.
func isGeneric(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0
}

// twin adds the twin that d asks for.
func (a *annotator) twin(f *Func, c *ast.Comment, d *directive.Directive) {
	if d.Kind != directive.Func {
		a.errorf(c.Pos(), "%s belongs above a for statement, not above a function", d.Kind)
		return
	}
	if f.Obj == nil && f.Decl.Body != nil {
		return // reported by the type-checker
	}
	if why := a.impossible(f); why != "" {
		a.errorf(c.Pos(), "%s", why)
		return
	}
	t := &Twin{Func: f, Name: d.Name, Pos: c.Pos(), Clauses: d.Clauses}
	if a.typeArgs(t, c, d) {
		f.Twins = append(f.Twins, t)
	}
}

// impossible says why a function cannot have twins, or nothing.
func (a *annotator) impossible(f *Func) string {
	name := f.Decl.Name.Name
	goVersion := a.pkg.TypesInfo.FileVersions[a.file] // "" without go.mod
	switch {
	case f.Decl.Body == nil:
		return fmt.Sprintf("function %s has no body", name)
	case name == "_" || f.Decl.Recv == nil && (name == "init" || name == "main" && a.pkg.Name == "main"):
		return fmt.Sprintf("function %s cannot be called, so a twin of it is of no use", name)
	case goVersion != "" && version.Compare(goVersion, "go1.22") < 0:
		return "the build constraint of the file asks for Go before 1.22, where loop variables mean something else than in generated files"
	case f.Obj.Signature().RecvTypeParams().Len() > 0:
		return "a method of a generic type cannot have a twin: put its loop into a generic function"
	}
	return ""
}

// typeArgs evaluates the types that instantiate a generic function.
func (a *annotator) typeArgs(t *Twin, c *ast.Comment, d *directive.Directive) bool {
	sig := t.Func.Obj.Signature()
	want, have := sig.TypeParams().Len(), len(d.TypeArgs)
	switch {
	case want > 0 && have == 0:
		a.errorf(c.Pos(), "generic function %s needs types, as in //vec:func %s[float32]", t.Func.Obj.Name(), t.Name)
		return false
	case want == 0 && have > 0:
		a.errorf(c.Pos(), "function %s is not generic", t.Func.Obj.Name())
		return false
	case want != have:
		a.errorf(c.Pos(), "function %s has %d type parameters, not %d", t.Func.Obj.Name(), want, have)
		return false
	case want == 0:
		return true
	}
	for _, e := range d.TypeArgs {
		text := types.ExprString(e)
		tv, err := types.Eval(a.ld.fset, a.pkg.Types, t.Func.Decl.Pos(), text)
		if err != nil {
			msg := err.Error()
			if e, ok := err.(types.Error); ok {
				msg = e.Msg
			}
			a.errorf(c.Pos(), "%s", msg)
			return false
		}
		if !tv.IsType() {
			a.errorf(c.Pos(), "%s is not a type", text)
			return false
		}
		t.TypeArgs = append(t.TypeArgs, tv.Type)
	}
	if _, err := types.Instantiate(nil, sig, t.TypeArgs, true); err != nil {
		a.errorf(c.Pos(), "%s", strings.TrimPrefix(err.Error(), "cannot use generic type "))
		return false
	}
	return true
}

// loopDirectives attaches what stands directly above the loops of fn, or above
// their labels.
func (a *annotator) loopDirectives(fn *ast.FuncDecl, annotated bool) {
	seen := make(map[int]bool)
	attach := func(at token.Pos, s ast.Stmt) {
		line := a.ld.fset.Position(at).Line
		g := a.above[line-1]
		if g == nil || seen[line] || g.Pos() < fn.Body.Pos() {
			return
		}
		seen[line] = true
		a.loop(g, s, annotated)
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			if isLoop(n.Stmt) {
				attach(n.Pos(), n.Stmt)
			}
		case *ast.ForStmt, *ast.RangeStmt:
			attach(n.Pos(), n.(ast.Stmt))
		}
		return true
	})
}

func isLoop(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

func (a *annotator) loop(g *ast.CommentGroup, s ast.Stmt, annotated bool) {
	ld := a.loops[s]
	for _, c := range g.List {
		if !directive.Is(c.Text) {
			continue
		}
		d := a.parse(c)
		switch {
		case d == nil:
		case d.Kind == directive.Func:
			a.errorf(c.Pos(), "%s belongs above a function, not above a for statement", d.Kind)
		case !annotated:
			a.errorf(c.Pos(), "%s in a function without %s", d.Kind, directive.Func)
		case ld.asked || ld.scalar:
			a.errorf(c.Pos(), "a second directive for the same loop")
		case d.Kind == directive.Scalar:
			ld.scalar = true
		default:
			ld.asked, ld.clauses = true, d.Clauses
		}
	}
	a.loops[s] = ld
}

// unattached reports directives that belong to nothing.
func (a *annotator) unattached() {
	for _, g := range a.file.Comments {
		for _, c := range g.List {
			if !directive.Is(c.Text) || a.used[c] {
				continue
			}
			d := a.parse(c)
			switch {
			case d == nil:
			case d.Kind == directive.Func:
				a.errorf(c.Pos(), "%s is attached to nothing: it belongs into the comment directly above a function", d.Kind)
			default:
				a.errorf(c.Pos(), "%s is attached to nothing: it belongs directly above a for statement or its label", d.Kind)
			}
		}
	}
}
