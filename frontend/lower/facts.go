package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// facts are what has to be known of a whole function before its loops.
type facts struct {
	addressed  map[*types.Var]bool // &v, v[:], or a method with pointer receiver
	kept       map[*types.Var]bool // those of them whose address is more than an argument or receiver of calls: see borrow.go
	captured   map[*types.Var]bool // used inside a function literal that does not declare it
	held       map[*types.Var]bool // and the literal is not only called, or sets it
	inLiterals map[*types.Var]bool // set by function literals
	results    map[*types.Var]bool // named results
	counters   map[*types.Var]bool // headers of loops count with them
	defers     bool
	gotos      bool
}

// findFacts are the facts of a source: what a function literal captures others may see, so that it does not matter
// for its own loops where such a variable is declared.
func (s *Source) findFacts() *facts {
	fs := findFacts(s.Info, s.Decl)
	if s.Lit != nil {
		fs.addResults(s.Info, s.Lit.Type)
	}
	return fs
}

func findFacts(info *types.Info, decl *ast.FuncDecl) *facts {
	fs := &facts{
		addressed:  make(map[*types.Var]bool),
		kept:       make(map[*types.Var]bool),
		captured:   make(map[*types.Var]bool),
		held:       make(map[*types.Var]bool),
		inLiterals: make(map[*types.Var]bool),
		results:    make(map[*types.Var]bool),
		counters:   make(map[*types.Var]bool),
	}
	fs.addResults(info, decl.Type)
	called := onlyCalled(info, decl.Body)
	lent := make(map[ast.Node]bool)
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			lends(info, n, lent)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				fs.address(info, n.X, lent[n])
			}
		case *ast.SliceExpr:
			if t := info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					fs.address(info, n.X, false)
				}
			}
		case *ast.SelectorExpr:
			if takesAddress(info, n) {
				fs.address(info, n.X, lent[n])
			}
		case *ast.ForStmt:
			fs.count(info, stepped(n.Post))
		case *ast.RangeStmt:
			fs.count(info, n.Key)
		case *ast.FuncLit:
			fs.capture(info, n, called[n])
		case *ast.DeferStmt:
			fs.defers = true
		case *ast.BranchStmt:
			fs.gotos = fs.gotos || n.Tok == token.GOTO
		}
		return true
	})
	return fs
}

func (fs *facts) addResults(info *types.Info, fn *ast.FuncType) {
	if fn.Results == nil {
		return
	}
	for _, field := range fn.Results.List {
		for _, name := range field.Names {
			if v, ok := info.Defs[name].(*types.Var); ok {
				fs.results[v] = true
			}
		}
	}
}

// stepped is what the post statement of a loop adds something to or subtracts something from; nil for others.
func stepped(post ast.Stmt) ast.Expr {
	switch s := post.(type) {
	case *ast.IncDecStmt:
		return s.X
	case *ast.AssignStmt:
		if s.Tok == token.ADD_ASSIGN || s.Tok == token.SUB_ASSIGN {
			return s.Lhs[0]
		}
	}
	return nil
}

func (fs *facts) count(info *types.Info, counter ast.Expr) {
	if id, ok := counter.(*ast.Ident); ok {
		if v, ok := objectOf(info, id).(*types.Var); ok {
			fs.counters[v] = true
		}
	}
}

// takesAddress reports whether e is a method value or call that passes &e.X.
func takesAddress(info *types.Info, e *ast.SelectorExpr) bool {
	s := info.Selections[e]
	if s == nil || s.Kind() != types.MethodVal || isPointer(s.Recv()) {
		return false
	}
	sig := s.Obj().Type().(*types.Signature)
	return sig.Recv() != nil && isPointer(sig.Recv().Type())
}

func (fs *facts) address(info *types.Info, e ast.Expr, lent bool) {
	if v := rootVar(info, e); v != nil {
		fs.addressed[v] = true
		fs.kept[v] = fs.kept[v] || !lent
	}
}

func (fs *facts) capture(info *types.Info, lit *ast.FuncLit, onlyCalled bool) {
	set := assignedIn(info, lit.Body)
	maps.Copy(fs.inLiterals, set)
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() && (v.Pos() < lit.Pos() || v.Pos() >= lit.End()) {
				fs.captured[v] = true
				fs.held[v] = fs.held[v] || !onlyCalled || set[v]
			}
		}
		return true
	})
}

// onlyCalled are the function literals below n that are called where they stand, or by the name that they are
// declared with: nobody else knows them.
func onlyCalled(info *types.Info, n ast.Node) map[*ast.FuncLit]bool {
	called, later := make(map[*ast.FuncLit]bool), make(map[*ast.CallExpr]bool)
	named := make(map[types.Object]*ast.FuncLit)
	others := make(map[types.Object]int) // uses but calls
	declare := func(id *ast.Ident, x ast.Expr) {
		if lit, ok := x.(*ast.FuncLit); ok {
			named[info.Defs[id]] = lit
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Rhs {
				if n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
					declare(n.Lhs[i].(*ast.Ident), x)
				}
			}
		case *ast.ValueSpec:
			for i, x := range n.Values {
				declare(n.Names[i], x)
			}
		case *ast.DeferStmt:
			later[n.Call] = true
		case *ast.GoStmt:
			later[n.Call] = true
		case *ast.Ident:
			others[info.Uses[n]]++
		case *ast.CallExpr:
			switch fun := n.Fun.(type) {
			case *ast.Ident:
				if !later[n] {
					others[info.Uses[fun]]--
				}
			case *ast.FuncLit:
				called[fun] = !later[n]
			}
		}
		return true
	})
	for v, lit := range named {
		called[lit] = v != nil && others[v] == 0
	}
	return called
}

// Changes are what a function does to its variables.
type Changes struct{ set, inLiterals, addressed map[*types.Var]bool }

// ChangesOf are those of fn.
func ChangesOf(info *types.Info, fn *ast.FuncDecl) Changes {
	fs := findFacts(info, fn)
	return Changes{assignedIn(info, fn.Body), fs.inLiterals, fs.addressed}
}

// Any reports whether the function sets its variable v, or takes its address.
func (c Changes) Any(v *types.Var) bool { return c.set[v] || c.addressed[v] }

// DuringCalls reports whether v may be set while the function waits for a call: function literals in it set v, or something
// has its address.
func (c Changes) DuringCalls(v *types.Var) bool { return c.inLiterals[v] || c.addressed[v] }

// Keeps reports whether fn does anything with its parameter v, a function, but call it before it returns.
func Keeps(info *types.Info, fn *ast.FuncDecl, v *types.Var) (keeps bool) {
	calls := make(map[*ast.Ident]bool)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			ast.Inspect(n, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				keeps = keeps || ok && info.Uses[id] == v
				return !keeps
			})
			return false
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
				calls[id] = true
			}
		case *ast.Ident:
			keeps = keeps || info.Uses[n] == v && !calls[n]
		}
		return !keeps
	})
	return keeps
}

// assignedIn are the variables that statements below n set, or set a part of.
func assignedIn(info *types.Info, n ast.Node) map[*types.Var]bool {
	set := make(map[*types.Var]bool)
	targetsOf(n, nil, func(e ast.Expr) { set[rootVar(info, e)] = true })
	return set
}

// rootVar is the variable that e is a part of (fields of structs, elements of
// arrays), nil when there is none: memory behind a pointer or slice.
func rootVar(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.Ident:
			v, _ := objectOf(info, x).(*types.Var)
			return v
		case *ast.SelectorExpr:
			s := info.Selections[x]
			if s == nil {
				v, _ := info.Uses[x.Sel].(*types.Var)
				return v
			}
			if s.Kind() == types.FieldVal && s.Indirect() {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			t := info.TypeOf(x.X)
			if t == nil {
				return nil
			}
			_, isArray := t.Underlying().(*types.Array)
			_, mayBe := types.Unalias(t).(*types.TypeParam)
			if !isArray && !mayBe {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

func objectOf(info *types.Info, id *ast.Ident) types.Object {
	if o := info.Defs[id]; o != nil {
		return o
	}
	return info.Uses[id]
}

// isPackageLevel reports whether v is declared outside of all functions.
func isPackageLevel(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// targets are the expressions that statement n itself assigns to, or declares.
func targets(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		return slices.DeleteFunc([]ast.Expr{n.Key, n.Value}, func(e ast.Expr) bool { return e == nil })
	}
	return nil
}

// targetsOf calls yield for every expression that the statements below n assign
// to, not counting declarations nor the statements to skip.
func targetsOf(n ast.Node, skip map[ast.Stmt]bool, yield func(ast.Expr)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && skip[s] {
			return false
		}
		for _, e := range targets(n) {
			yield(e)
		}
		return true
	})
}
