package twin

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A builder fills the structures that frontend and vectorizer would.
type builder struct {
	t   *testing.T
	pkg *frontend.Package
	ks  Kernels
	src map[string]string
}

// fset and std are shared: the source importer is slow the first time.
var (
	fset    = token.NewFileSet()
	std     = importer.ForCompiler(fset, "source", nil)
	stdLock sync.Mutex
)

const sourceName = "p.go"

// newBuilder type-checks the files of package p.
func newBuilder(t *testing.T, srcs ...string) *builder {
	t.Helper()
	var files []*ast.File
	texts := map[string]string{}
	for i, src := range srcs {
		name := sourceName
		if i > 0 {
			name = fmt.Sprintf("p%d.go", i+1)
		}
		file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		texts[name] = src
	}
	info := newInfo()
	conf := types.Config{Importer: testImporter{}, Sizes: types.SizesFor("gc", "amd64")}
	tp, err := conf.Check("example.com/p", fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	return &builder{t: t, ks: Kernels{}, src: texts, pkg: &frontend.Package{
		Package: &packages.Package{Name: tp.Name(), Fset: fset, Types: tp, TypesInfo: info, Syntax: files},
	}}
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{},
		Implicits: map[ast.Node]types.Object{},
	}
}

// dependency makes a package that newBuilder can import, and which a package
// of the builder is said to import with syntax.
func dependency(t *testing.T, path, src string) (dep *packages.Package, name string) {
	t.Helper()
	name = path + ".go"
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	dep = &packages.Package{PkgPath: path, Fset: fset, Syntax: []*ast.File{file}, TypesInfo: newInfo(), Module: &packages.Module{Main: true}}
	conf := types.Config{Importer: testImporter{}}
	if dep.Types, err = conf.Check(path, fset, dep.Syntax, dep.TypesInfo); err != nil {
		t.Fatal(err)
	}
	done[path], fakes[path] = dep.Types, src
	return dep, name
}

func (b *builder) options() Options {
	return Options{Source: func(name string) ([]byte, error) { return []byte(b.src[name]), nil }}
}

// A loopSpec describes the i-th loop of a function. Expressions are Go text.
type loopSpec struct {
	loop   int
	params []paramSpec
	states []stateSpec
	stops  bool        // its condition may end it at any iteration
	kernel *kernelSpec // nil: stays scalar
}

type paramSpec struct {
	name    string // of the kernel's parameter
	kind    frontend.ParamKind
	expr    string
	vir     vir.Elem
	nonNil  []string
	inRange []string
}

// A stateSpec names the variable behind a parameter; "" is the hidden counter.
type stateSpec struct {
	param int
	name  string
	out   plan.Out
	init  *int64
}

type kernelSpec struct {
	name     string
	args     []plan.Arg
	results  []vir.Elem // behind the count
	trip     plan.Trip
	bounds   []plan.Bound
	overlaps []plan.Overlap
	min      int64
	block    int64
	strip    int64
	first    int64 // iterations before the first call, after which it begins with them again
	partial  bool
	complete bool
	shared   bool   // with an earlier region
	wideMin  int64  // from which on CPUs with AVX-512 call it; 0 for as all others
	level    string // "" for avx2
}

// twin adds a twin of the named function or method.
func (b *builder) twin(original, name string, loops []loopSpec, typeArgs ...types.Type) *frontend.Twin {
	b.t.Helper()
	var fn *frontend.Func
	for _, f := range b.pkg.Funcs {
		if f.Decl.Name.Name == original {
			fn = f
		}
	}
	if fn == nil {
		decl, file := b.decl(original)
		fn = &frontend.Func{Decl: decl, File: file}
		fn.Obj = b.pkg.TypesInfo.Defs[fn.Decl.Name].(*types.Func)
		b.pkg.Funcs = append(b.pkg.Funcs, fn)
	}
	t := &frontend.Twin{Func: fn, Name: name, TypeArgs: typeArgs}
	fn.Twins = append(fn.Twins, t)
	for _, s := range loops {
		t.Regions = append(t.Regions, b.region(t, s))
	}
	return t
}

func (b *builder) decl(name string) (*ast.FuncDecl, *ast.File) {
	for _, f := range b.pkg.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == name {
				return d, f
			}
		}
	}
	b.t.Fatalf("no function %s", name)
	return nil, nil
}

func (b *builder) region(t *frontend.Twin, s loopSpec) *frontend.Region {
	loop := b.loop(t.Func.Decl, s.loop)
	r := &frontend.Region{Loop: loop, Stops: s.stops}
	r.Func, r.Twin = t.Func.Decl.Name.Name, t.Name
	r.Pos = vir.Pos{File: "/somewhere/" + sourceName, Line: fset.Position(loop.Pos()).Line, Col: 2}
	for _, p := range s.params {
		r.Params = append(r.Params, b.param(t, loop, p))
	}
	for _, st := range s.states {
		r.State = append(r.State, plan.State{Param: st.param, Init: st.init})
		r.Vars = append(r.Vars, b.variable(loop, st.name))
	}
	if s.kernel != nil {
		b.ks[r] = b.kernel(s)
	}
	return r
}

func (b *builder) loop(d *ast.FuncDecl, i int) ast.Stmt {
	var found ast.Stmt
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if i == 0 {
				found = n.(ast.Stmt)
			}
			i--
		}
		return true
	})
	return found
}

func (b *builder) param(t *frontend.Twin, loop ast.Stmt, s paramSpec) frontend.Param {
	p := frontend.Param{Kind: s.kind}
	if s.expr != "" {
		p.Expr = b.expr(loop, s.expr)
		p.Type = (&function{args: typeArgs(t), info: b.pkg.TypesInfo, file: &file{pkg: b.pkg}}).typeOf(p.Expr)
	}
	for _, x := range s.nonNil {
		p.NonNil = append(p.NonNil, b.expr(loop, x))
	}
	for _, x := range s.inRange {
		p.InRange = append(p.InRange, b.expr(loop, x).(*ast.IndexExpr))
	}
	return p
}

func newTwinFunction(f *file, t *frontend.Twin) *function {
	return newFunction(f, f.original(t), t.TypeArgs)
}

func typeArgs(t *frontend.Twin) map[*types.TypeParam]types.Type {
	m := map[*types.TypeParam]types.Type{}
	for i, a := range t.TypeArgs {
		m[t.Func.Obj.Signature().TypeParams().At(i)] = a
	}
	return m
}

// expr checks an expression in the scope at the end of the loop's header.
func (b *builder) expr(loop ast.Stmt, text string) ast.Expr {
	x, err := parser.ParseExprFrom(fset, "expr", text, parser.SkipObjectResolution)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := types.CheckExpr(fset, b.pkg.Types, bodyOf(loop).Lbrace+1, x, b.pkg.TypesInfo); err != nil {
		b.t.Fatal(err)
	}
	return x
}

func (b *builder) variable(loop ast.Stmt, name string) frontend.Var {
	if name == "" {
		return frontend.Var{Local: true}
	}
	scope := b.pkg.Types.Scope().Innermost(bodyOf(loop).Lbrace + 1)
	_, obj := scope.LookupParent(name, bodyOf(loop).Lbrace+1)
	v, ok := obj.(*types.Var)
	if !ok {
		b.t.Fatalf("no variable %s", name)
	}
	return frontend.Var{Obj: v, Local: loop.Pos() <= v.Pos() && v.Pos() < loop.End()}
}

func (b *builder) kernel(s loopSpec) *plan.Kernel {
	k := s.kernel
	fn := vir.NewFunc(k.name)
	for i, a := range k.args {
		switch a.Kind {
		case plan.ArgParam:
			fn.AddParam(s.params[a.Index].name, vir.Scalar(s.params[a.Index].vir))
		case plan.ArgCount:
			fn.AddParam("n", vir.Scalar(vir.I64))
		case plan.ArgBound:
			fn.AddParam(fmt.Sprintf("n%d", a.Index), vir.Scalar(vir.I64))
		case plan.ArgConst: // its type is the Index, which means nothing
			fn.AddParam(fmt.Sprintf("c%d", i), vir.Scalar(vir.Elem(a.Index)))
		}
	}
	for _, other := range b.ks { // one of them at most
		if k.shared && other.Fn.Name == k.name {
			fn = other.Fn
		}
	}
	fn.Results = []vir.Type{vir.Scalar(vir.I64)}
	for _, e := range k.results {
		fn.Results = append(fn.Results, vir.Scalar(e))
	}
	out := &plan.Kernel{Fn: fn, Level: "avx2", Args: k.args, Trip: k.trip, Bounds: k.bounds, Overlaps: k.overlaps,
		Min: k.min, Block: k.block, Strip: k.strip, Partial: k.partial, Complete: k.complete, First: k.first, Again: k.first > 0}
	if k.wideMin > 0 {
		out.Wide, out.WideMin = fn, k.wideMin
	}
	if k.level != "" {
		out.Level = k.level
	}
	for _, st := range s.states {
		out.Outs = append(out.Outs, st.out)
	}
	return out
}

// testImporter finds the standard library by source, guard in this module, and
// a stand-in for package cpu.
type testImporter struct{}

var fakes = map[string]string{
	pathCPU:                "package cpu\nvar AVX2, AVX512 bool",
	"example.com/parallel": "package parallel; func For(n int, f func(int)) {}; func Least(n int) int { return 1 }",
	pathTwintest: `package twintest
		import "testing"
		type Option func()
		func Check(t testing.TB, want, got any, opts ...Option) {}
		func BenchCalls(b *testing.B, prepare any, opts ...Option) {}
		func Keep(results ...any) {}
		func Reassoc() Option { return nil }
		func Contract() Option { return nil }
		func Independent() Option { return nil }
		func Exclusive() Option { return nil }
		func Block(n int) Option { return nil }
		func Depth(n int) Option { return nil }
		func Goroutines() Option { return nil }
		func Original(any) Option { return nil }
		func Apart() Option { return nil }`,
}

func (testImporter) Import(path string) (*types.Package, error) {
	stdLock.Lock()
	defer stdLock.Unlock()
	var files []*ast.File
	switch {
	case path == pathUnsafe:
		return types.Unsafe, nil
	case path == pathGuard:
		pkgs, err := parser.ParseDir(fset, "../../runtime/guard", nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for name, f := range pkgs["guard"].Files {
			if !strings.HasSuffix(name, "_test.go") {
				files = append(files, f)
			}
		}
	case fakes[path] != "":
		f, err := parser.ParseFile(fset, path, fakes[path], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = []*ast.File{f}
	default:
		return std.Import(path)
	}
	if done[path] == nil {
		conf := types.Config{Importer: std}
		p, err := conf.Check(path, fset, files, nil)
		if err != nil {
			return nil, err
		}
		done[path] = p
	}
	return done[path], nil
}

var done = map[string]*types.Package{}
