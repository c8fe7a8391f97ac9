package twin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lanewise/lanewise/frontend"
)

// Tests prints vec_test.go: for every twin a differential test against the original, or
// where that is compiled with fusion against a copy of it without, and a benchmark of original and twin. A twin
// that calls the original is tested against that. The file has the constraint
// of the kernels; in every other build all twins call the originals.
func Tests(p *frontend.Package, ks Kernels, opt Options) ([]byte, error) {
	f := newFile(p, ks, opt)
	f.suffix = "Ref"
	for _, t := range public(p) {
		if err := f.test(t); err != nil {
			return nil, err
		}
	}
	return f.finish(Constraint, nil)
}

// test prints test, benchmark and reference of one twin.
func (f *file) test(t *frontend.Twin) error {
	d := t.Func.Decl
	c := newFunction(f, f.original(t), t.TypeArgs)
	scalar, err := c.instance(d.Name.Name)
	if err != nil {
		return err
	}
	ref, scalarOnly := d.Name.Name+"Ref", len(f.allVectorized(t)) == 0
	if looksLikeTest(ref) {
		ref = lowerFirst(ref)
	}
	if t.TypeArgs != nil {
		ref = lowerFirst(t.Name) + "Ref"
	}
	switch {
	case scalarOnly:
		ref = scalar
	case d.Recv == nil:
		ref = f.fresh(ref)
	default:
		recv := t.Func.Obj.Signature().Recv().Type()
		ref = unused(ref, func(name string) bool {
			obj, _, _ := types.LookupFieldOrMethod(recv, true, f.pkg.Types, name)
			return obj != nil || f.taken[name]
		})
		f.taken[ref] = true
	}
	prefix, title := "", t.Name
	if d.Recv != nil {
		prefix, title = receiver(d)+".", upperFirst(baseName(starless(d.Recv.List[0].Type), ""))+"_"+t.Name
	}
	testing, twintest := f.imports.own(pathTesting), f.imports.own(pathTwintest)
	tb := f.param("t")
	args := []string{prefix + ref, prefix + t.Name}
	if !scalarOnly {
		args = append(args, fmt.Sprintf("%s.Original(%s%s)", twintest, prefix, scalar))
	}
	args = append(args, f.testOptions(t, twintest)...)
	f.printf("func %s(%s *%s.T) { %s.Check(%s, %s) }\n\n", f.fresh("TestTwin"+title), tb, testing, twintest, tb, strings.Join(args, ", "))
	if err := f.benchmark(t, f.fresh("BenchmarkTwin"+title), scalar); err != nil {
		return err
	}
	if scalarOnly {
		return nil
	}
	if err := c.signature(ref); err != nil {
		return err
	}
	if err := c.copyBody(); err != nil {
		return err
	}
	return c.print(fmt.Sprintf("%s is %s with every product rounded by itself.", ref, d.Name.Name))
}

// param is a name like base that hides nothing of the package.
func (f *file) param(base string) string {
	return unused(base, func(s string) bool {
		return f.taken[s] || f.pkg.Types.Scope().Lookup(s) != nil || f.imports.declares(s)
	})
}

// depth is how deep the loops of t are nested. A kernel that keeps an eye on the time
// has a loop inside, if only one of a function that it calls.
func (f *file) depth(t *frontend.Twin) int {
	depth := f.loopDepth(t.Func.Decl.Body)
	for _, r := range f.allVectorized(t) {
		if f.kernels[r].Timed {
			depth = max(depth, 2)
		}
	}
	return depth
}

// loopDepth counts what copies or clears whole slices as a loop.
func (f *file) loopDepth(body ast.Node) int {
	deepest := 0
	var within []ast.Node
	grows := map[*ast.CallExpr]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		for n != nil && len(within) > 0 && n.Pos() >= within[len(within)-1].End() {
			within = within[:len(within)-1]
		}
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			within = append(within, n)
			deepest = max(deepest, len(within))
		case *ast.AssignStmt:
			if call, ok := appendsToItself(n); ok {
				grows[call] = true
			}
		case *ast.CallExpr:
			if f.goesThroughSlice(n) && !grows[n] {
				deepest = max(deepest, len(within)+1)
			}
		}
		return true
	})
	return deepest
}

// looksAtBits reports whether floats are taken to pieces, so that the sign and payload of a
// NaN become part of other values.
func (f *file) looksAtBits(body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		fn, ok := f.pkg.TypesInfo.Uses[id].(*types.Func)
		found = found || ok && fn.Pkg() != nil && fn.Pkg().Path() == "math" &&
			slices.Contains([]string{"Copysign", "Float32bits", "Float64bits", "Signbit"}, fn.Name())
		return true
	})
	return found
}

// goesThroughSlice reports whether the time of a builtin grows with the length of a slice.
func (f *file) goesThroughSlice(call *ast.CallExpr) bool {
	return slices.Contains([]string{"append", "clear", "copy", "make"}, builtinName(f.pkg.TypesInfo, call))
}

// appendsToItself returns the call of x = append(x, a, b), which seldom copies x.
func appendsToItself(s *ast.AssignStmt) (*ast.CallExpr, bool) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil, false
	}
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || call.Ellipsis.IsValid() {
		return nil, false
	}
	return call, types.ExprString(call.Args[0]) == types.ExprString(s.Lhs[0])
}

// looksLikeTest reports whether a function of that name in a test file is one for go test.
func looksLikeTest(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"}, func(kind string) bool { return strings.HasPrefix(name, kind) })
}

func lowerFirst(s string) string { return mapFirst(s, unicode.ToLower) }

func upperFirst(s string) string { return mapFirst(s, unicode.ToUpper) }

func mapFirst(s string, m func(rune) rune) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(m(r)) + s[n:]
}

func starless(x ast.Expr) ast.Expr {
	for {
		switch y := x.(type) {
		case *ast.ParenExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		default:
			return x
		}
	}
}

// receiver is the receiver's type as a method expression names it.
func receiver(d *ast.FuncDecl) string {
	x := ast.Unparen(d.Recv.List[0].Type)
	if _, ok := x.(*ast.StarExpr); ok {
		return "(" + types.ExprString(x) + ")"
	}
	return types.ExprString(x)
}

// testOptions are what the clauses of a twin and its loops allow, and the
// longest block.
func (f *file) testOptions(t *frontend.Twin, twintest string) []string {
	all := t.Clauses
	block := int64(0)
	for _, r := range f.allVectorized(t) {
		c := r.Clauses
		all.Reassoc = all.Reassoc || c.Reassoc
		all.Contract = all.Contract || c.Contract
		all.Independent = all.Independent || c.Independent
		all.Exclusive = all.Exclusive || c.Exclusive
		all.Approx = all.Approx || c.Approx
		block = max(block, f.kernels[r].Block)
	}
	var opts []string
	for _, o := range []struct {
		set  bool
		name string
	}{{all.Reassoc, "Reassoc"}, {all.Contract, "Contract"}, {all.Independent, "Independent"}, {all.Exclusive, "Exclusive"}, {all.Approx, "Approx"}} {
		if o.set {
			opts = append(opts, fmt.Sprintf("%s.%s()", twintest, o.name))
		}
	}
	if depth := f.depth(t); depth > 1 {
		opts = append(opts, fmt.Sprintf("%s.Depth(%d)", twintest, depth))
	}
	if f.startsGoroutines(t.Func.Decl) {
		opts = append(opts, twintest+".Goroutines()")
	}
	if f.mayEndProcess(t.Func.Obj, t.Func.Decl) {
		opts = append(opts, twintest+".Apart()")
	}
	if f.looksAtBits(t.Func.Decl.Body) {
		opts = append(opts, twintest+".Bits()")
	}
	if block > 0 {
		opts = append(opts, fmt.Sprintf("%s.Block(%d)", twintest, block))
	}
	if all.Reassoc && f.multiplies(t.Func.Decl) {
		opts = append(opts, twintest+".Products()")
	}
	if f.stepsByArgument(t.Func.Decl) {
		opts = append(opts, twintest+".Ints(1, 64)")
	}
	return opts
}

// multiplies reports whether a float variable is multiplied again and again, as far as
// an assignment shows it.
func (f *file) multiplies(d *ast.FuncDecl) bool {
	found := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || !frontend.IsRounded(f.pkg.TypesInfo, s.Lhs[0]) {
			return true
		}
		v, ok := s.Lhs[0].(*ast.Ident)
		if !ok {
			return true
		}
		found = found || s.Tok == token.MUL_ASSIGN
		ast.Inspect(s.Rhs[0], func(n ast.Node) bool {
			if x, ok := n.(*ast.BinaryExpr); ok && x.Op == token.MUL {
				found = found || f.names(x.X, v) || f.names(x.Y, v)
			}
			return true
		})
		return true
	})
	return found
}

// names reports whether x is the variable that id names.
func (f *file) names(x ast.Expr, id *ast.Ident) bool {
	y, ok := ast.Unparen(x).(*ast.Ident)
	return ok && f.pkg.TypesInfo.ObjectOf(y) == f.pkg.TypesInfo.ObjectOf(id)
}

// stepsByArgument reports whether a counter changes by what the caller says: such a loop
// runs forever when that is 0.
func (f *file) stepsByArgument(d *ast.FuncDecl) bool {
	found := false
	ast.Inspect(d.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.ForStmt)
		if !ok || loop.Post == nil {
			return true
		}
		post, ok := loop.Post.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for _, x := range post.Rhs {
			ast.Inspect(x, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || ok && f.isParam(d, f.pkg.TypesInfo.Uses[id])
				return true
			})
		}
		return true
	})
	return found
}

// isParam reports whether v is a parameter of d.
func (f *file) isParam(d *ast.FuncDecl, v types.Object) bool {
	return v != nil && d.Type.Params.Pos() <= v.Pos() && v.Pos() < d.Type.Params.End()
}
