package frontend

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/tools/go/packages"

	"github.com/lanewise/lanewise/frontend/directive"
	"github.com/lanewise/lanewise/frontend/lower"
	"github.com/lanewise/lanewise/frontend/mathlib"
	"github.com/lanewise/lanewise/frontend/textlib"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// lowerAll lowers the loops of every twin of a package.
func (ld *loader) lowerAll(pkg *Package) {
	r := &regions{ld: ld, pkg: pkg, tables: newTables(pkg.Package), taken: make(map[string]bool), inlined: make(map[string]string), calls: make(map[calleeKey]*Twin)}
	for _, name := range pkg.Types.Scope().Names() {
		r.taken[name] = true
	}
	for _, f := range slices.Clone(pkg.Funcs) {
		for _, t := range f.Twins {
			if t.Root == nil {
				r.taken[t.Name] = true
			}
		}
	}
	for _, f := range slices.Clone(pkg.Funcs) {
		for _, t := range slices.Clone(f.Twins) {
			if t.Root == nil {
				r.twin(t)
			}
		}
	}
	for name, hash := range r.inlined {
		pkg.Inlined = append(pkg.Inlined, Inlined{name, hash})
	}
	slices.SortFunc(pkg.Inlined, func(a, b Inlined) int { return strings.Compare(a.Name, b.Name) })
}

type regions struct {
	ld      *loader
	pkg     *Package
	taken   map[string]bool
	inlined map[string]string
	tables  *tables
	calls   map[calleeKey]*Twin // nil: no loops in it
}

func (r *regions) twin(t *Twin) {
	start := time.Now()
	defer func() { t.Time += time.Since(start) }()
	src := &lower.Source{
		Pkg: r.pkg.Types, Home: t.Func.Obj.Pkg(), Info: r.pkg.TypesInfo, Decl: t.Func.Decl, TypeArgs: t.TypeArgs,
		Body: r.ld.bodies.find, Pos: func(p token.Pos) vir.Pos { return r.pos(t, p) },
		Content: func(v *types.Var) string { return r.tables.content[v] },
		Bound:   t.Bound, Beside: t.Beside,
	}
	if t.Clauses.Approx {
		src = r.ld.approximate(src)
	}
	loops := findLoops(t.Func.Decl.Body)
	r.callees(t)
	for _, l := range loops {
		r.loop(t, src, l)
	}
	if t.Root == nil { // what others call may be inlined by the compiler
		r.straight(t, src)
	}
	if len(loops)+len(t.Calls)+len(t.Regions)+len(t.Remarks) == 0 && t.Root == nil {
		t.Remarks = append(t.Remarks, r.missed(t, t.Func.Decl.Name.Pos(), "lower:NoLoop", "the function has no loop, and no groups of equal operations"))
	}
}

func (r *regions) missed(t *Twin, pos token.Pos, id, msg string) diag.Remark {
	return diag.Remark{Kind: diag.Missed, ID: id, Pos: r.pos(t, pos), Func: Title(r.pkg.Types, t.Func.Obj), Twin: t.Public().Name, Msg: msg}
}

// pos is what remarks about a place in t's function say: of functions of the standard library, where they are called.
func (r *regions) pos(t *Twin, p token.Pos) vir.Pos {
	if t.Called.IsValid() {
		p = t.Called
	}
	return r.ld.pos(p)
}

// A foundLoop is a loop of a function in syntax order.
type foundLoop struct {
	stmt   ast.Stmt
	label  *ast.Ident
	nested bool         // contains a loop
	lit    *ast.FuncLit // the innermost one that it stands in, or nil
}

func findLoops(body *ast.BlockStmt) (found []*foundLoop) {
	labels := make(map[ast.Stmt]*ast.Ident)
	var stack []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.LabeledStmt:
			labels[n.Stmt] = n.Label
		case *ast.ForStmt, *ast.RangeStmt:
			l := &foundLoop{stmt: n.(ast.Stmt), label: labels[n.(ast.Stmt)]}
			for _, outer := range stack {
				if lit, ok := outer.(*ast.FuncLit); ok {
					l.lit = lit
				}
				for _, f := range found {
					f.nested = f.nested || f.stmt == outer
				}
			}
			found = append(found, l)
		}
		stack = append(stack, n)
		return true
	})
	return found
}

func (r *regions) loop(t *Twin, src *lower.Source, l *foundLoop) {
	d := r.pkg.loops[l.stmt]
	clauses := directive.Merge(t.Clauses, d.clauses)
	if d.scalar {
		remark := r.missed(t, l.stmt.Pos(), "lower:Scalar", "the loop is marked "+directive.Scalar.String())
		remark.Kind = diag.Analysis
		t.scalar(l.stmt, remark)
		return
	}
	label := r.label(t)
	if clauses.Approx {
		src = r.ld.approximate(src)
	}
	if l.lit != nil {
		src = src.In(l.lit)
	}
	reg, refusal := lower.Loop(src, l.stmt, l.label, label)
	if refusal == nil {
		if why := r.differs(l.stmt, src.Info, reg); why != "" {
			refusal = &lower.Refusal{Pos: r.pos(t, l.stmt.Pos()), ID: "lower:Build", Msg: why}
		}
	}
	if refusal == nil {
		r.add(t, l, reg, label, clauses, d.asked)
		return
	}
	if l.nested { // one of the nest is enough
		clauses.Require = d.clauses.Require
	}
	remark := r.missed(t, l.stmt.Pos(), refusal.ID, refusal.Msg)
	remark.Pos = refusal.Pos
	if d.asked {
		remark.Args = map[string]any{"asked": true}
	}
	t.scalar(l.stmt, remark)
	if clauses.Require && (d.clauses.Require || !t.contains(l.stmt)) {
		r.pkg.Errors = append(r.pkg.Errors, diag.Error{Pos: remark.Pos,
			Msg: fmt.Sprintf("the loop is required to be vectorized, but %s [%s]", remark.Msg, remark.ID)})
	}
}

// contains reports whether a region of t contains loop. Then that one is what has to be
// vectorized.
func (t *Twin) contains(loop ast.Stmt) bool {
	return slices.ContainsFunc(t.Regions, func(g *Region) bool { return g.Loop.Pos() <= loop.Pos() && loop.End() <= g.Loop.End() })
}

// scalar notes why a loop is no region.
func (t *Twin) scalar(loop ast.Stmt, why diag.Remark) {
	if t.Scalar == nil {
		t.Scalar = make(map[ast.Stmt]diag.Remark)
	}
	t.Scalar[loop] = why
	t.Remarks = append(t.Remarks, why)
}

func (r *regions) add(t *Twin, l *foundLoop, reg *lower.Region, label string, clauses plan.Clauses, asked bool) {
	region := r.region(t, l.stmt, reg, label, clauses)
	region.Asked, region.Stops, region.Uneven, region.Named = asked, reg.Stops, reg.Runes, reg.Named
}

// region adds a region that stmt stands for to a twin.
func (r *regions) region(t *Twin, stmt ast.Stmt, reg *lower.Region, label string, clauses plan.Clauses) *Region {
	r.taken[label] = true
	region := &Region{
		Region: plan.Region{
			Fn: reg.Fn, Pos: r.pos(t, stmt.Pos()), Func: Title(r.pkg.Types, t.Func.Obj), Twin: t.Public().Name,
			Label: label, State: reg.State, Clauses: clauses, Unrolled: reg.Unrolled, Span: reg.Span, Counters: reg.Counters, Stays: reg.Stays, Usual: reg.Usual, Held: reg.Held,
		},
		Loop: stmt, Params: reg.Params, Vars: reg.Vars,
	}
	t.Regions = append(t.Regions, region)
	for _, b := range reg.Inlined {
		name := b.Func.Name()
		switch {
		case b.Pkg.Path() == textlib.Path: // what is said of ASCII stays
		case b.Pkg.Path() != mathlib.Path:
			if b.Pkg != r.pkg.Types {
				r.inlined[b.Func.FullName()] = r.ld.bodies.hash(b)
			}
			region.Compiled = region.Compiled || inlinable[b.Pkg.Path()] && multiplies(b)
		case mathlib.Sum(name) != "":
			r.inlined["math."+name] = mathlib.Sum(name)
			region.Compiled = region.Compiled || mathlib.Compiled(name)
		}
	}
	return region
}

// label is a free name for a kernel of a twin: axpyKernel, axpyKernel2, ... The
// twin calls it where names of the function hide those of the package.
func (r *regions) label(t *Twin) string {
	base := lowerCamel(t.Name) + "Kernel"
	name := r.free(base)
	for i := 2; named(t.Func.Decl, name); i++ {
		name = r.free(fmt.Sprintf("%s%d", base, i))
	}
	return name
}

// free is base, or base with the first number that makes it unused.
func (r *regions) free(base string) string {
	name := base
	for i := 2; r.taken[name]; i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	return name
}

// named reports whether any identifier below n has the given name.
func named(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// lowerCamel is Axpy as axpy, AXPY as axpy, URLHash as urlHash.
func lowerCamel(s string) string {
	rs := []rune(s)
	for i := range rs {
		if !unicode.IsUpper(rs[i]) || i > 0 && i+1 < len(rs) && unicode.IsLower(rs[i+1]) {
			break
		}
		rs[i] = unicode.ToLower(rs[i])
	}
	return string(rs)
}

// bodies finds declarations of functions across packages.
type bodies struct {
	fset  *token.FileSet
	pkgs  map[string]*packages.Package
	decls map[string]map[*types.Func]*lower.Body // by package path
	math  map[string]*lower.Body                 // see vectorizable
	text  map[string]*lower.Body                 // see ofText
}

func (ld *loader) indexBodies(roots []*packages.Package) {
	ld.bodies = &bodies{fset: ld.fset, pkgs: make(map[string]*packages.Package), decls: make(map[string]map[*types.Func]*lower.Body)}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if ours(p) || ld.inlined[p.PkgPath] || slices.Contains(roots, p) {
			ld.bodies.pkgs[p.PkgPath] = p
		}
	})
}

func (b *bodies) find(fn *types.Func) *lower.Body {
	if fn.Pkg() == nil {
		return nil
	}
	path := fn.Pkg().Path()
	p := b.pkgs[path]
	if path == mathlib.Path || path == textlib.Path {
		return b.decls[path][fn]
	}
	if body := b.ofText(fn); body != nil {
		return body
	}
	if p == nil || p.TypesInfo == nil {
		return nil
	}
	if path == "math" {
		if body := b.vectorizable(p)[fn.Name()]; body != nil {
			return body
		}
	}
	if b.decls[path] == nil {
		m := make(map[*types.Func]*lower.Body)
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					if obj, ok := p.TypesInfo.Defs[d.Name].(*types.Func); ok {
						m[obj] = &lower.Body{Func: obj, Decl: d, Info: p.TypesInfo, Pkg: p.Types}
					}
				}
			}
		}
		b.decls[path] = m
	}
	return b.decls[path][fn.Origin()]
}

// hash identifies the source text of a body.
func (b *bodies) hash(body *lower.Body) string {
	from, to := b.fset.Position(body.Decl.Pos()), b.fset.Position(body.Decl.End())
	src, err := os.ReadFile(from.Filename)
	if err != nil || to.Offset > len(src) {
		return "unknown"
	}
	sum := sha256.Sum256(src[from.Offset:to.Offset])
	return hex.EncodeToString(sum[:8])
}

// BytesOf is what a loop ranges over whose range expression x is, as a twin may read it: without copying
// a string by []byte(...).
func BytesOf(info *types.Info, x ast.Expr) ast.Expr { return lower.BytesOf(info, x) }

// RunesOf is the string whose runes the loop s goes through, which ranges over something of type t; nil if there is none.
// Of such a loop an iteration of the kernel is one byte.
func RunesOf(info *types.Info, t types.Type, s *ast.RangeStmt) ast.Expr {
	return lower.RunesOf(info, t, s)
}
