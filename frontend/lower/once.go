package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Straight-line code is lowered as the body of a loop of one iteration,
//
//	for range 1 {
//		statements
//	}
//
// whose other states are the variables that the statements set for those behind them.
// A return statement at the end with operands sets variables that stand for the results;
// one without leaves the named results, which are variables like any others.

// once is what is special about straight-line code.
type once struct {
	last    ast.Stmt               // what is read behind it is live; nil when nothing is
	ret     *ast.ReturnStmt        // at the end, or nil
	results []Result               // what the operands of ret set
	hoisted map[*types.Var]bool    // declared by the statements and read behind them
	temps   map[*types.Var]*liveIn // results in memory of their own

}

// A Result is one of the operands of the return statement that ends straight-line code.
type Result struct {
	Obj  *types.Var // stands for it
	Name *ast.Ident // the name of Obj in expressions: the printer's to choose
	Type types.Type
	// Temp is the parameter that points to the result, which the caller allocates; -1 when
	// the result is made of states.
	Temp int
}

// Straight lowers statements that follow each other in a list of the function, in no loop,
// the last of which may be a return statement. Nothing else in them may lead elsewhere
// than to the statement behind them, but for panics. Name becomes the name of the function.
func Straight(src *Source, list []ast.Stmt, name string) (r *Region, refusal *Refusal) {
	l := newLowerer(src, straightLoop(list), nil, name)
	defer l.recoverRefusal(&r, &refusal)
	l.lowerOnce(list)
	l.clean()
	r = l.region()
	r.Loop = l.loop.(*ast.RangeStmt)
	r.onceParts(l)
	return r, nil
}

// straightLoop is the loop of one iteration around the statements.
func straightLoop(list []ast.Stmt) *ast.RangeStmt {
	first, last := list[0], list[len(list)-1]
	pos := first.Pos()
	return &ast.RangeStmt{
		For: pos, TokPos: token.NoPos, Range: pos,
		X:    &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: "1"},
		Body: &ast.BlockStmt{Lbrace: pos, List: list, Rbrace: last.End() - 1},
	}
}

func (l *lowerer) lowerOnce(list []ast.Stmt) {
	l.once = &once{hoisted: make(map[*types.Var]bool), temps: make(map[*types.Var]*liveIn)}
	if ret, ok := list[len(list)-1].(*ast.ReturnStmt); ok {
		l.once.ret, list = ret, list[:len(list)-1]
		l.findResults()
	}
	if len(list) > 0 && len(l.once.results) == 0 {
		l.once.last = list[len(list)-1]
	}
	l.findHoisted(list)
	l.findLeaving()
	l.classify()
	entry := l.newBlock("entry")
	l.header, l.latch, l.exit = l.newBlock("header"), l.newBlock("latch"), l.newBlock("exit")
	l.out = &vir.Block{Name: "out"}
	l.mark(l.loop)
	l.enter(entry)
	l.b.Jmp(l.header)
	l.enter(l.header)
	l.addCounter(l.loop.(*ast.RangeStmt), vir.Scalar(vir.I64))
	l.limit = l.int64(1)
	l.beginBody(l.b.Cmp(vir.OpIcmpSlt, l.counter, l.limit), l.newBlock("body"))
	l.stmts(list)
	if l.once.ret != nil && l.b.Cur != nil {
		l.returnOnce()
	}
	l.jump(l.latch)
	l.start(l.latch)
	if l.b.Cur == nil || !slices.ContainsFunc(l.latch.Preds, func(p *vir.Block) bool { return !l.left[p] }) {
		l.refuse(l.loop, "EarlyExit", "no way leads to the end of the statements")
	}
	l.countUp()
	l.close()
}

// findResults makes variables for the operands of the return statement.
func (l *lowerer) findResults() {
	if len(l.once.ret.Results) == 0 {
		return
	}
	sig := l.src.Info.Defs[l.src.Decl.Name].Type().(*types.Signature)
	for v := range sig.Results().Variables() {
		t := l.substitute(v.Type())
		if _, ok := leaves(t); !ok || !l.nameable(t) {
			l.refuse(l.once.ret, typeID(t), "a result is %s", describe(t))
		}
		l.once.results = append(l.once.results, Result{
			Obj: types.NewVar(v.Pos(), l.pkg, "result", t), Name: &ast.Ident{NamePos: l.once.ret.Pos(), Name: "result"}, Type: t, Temp: -1,
		})
	}
}

// isResult reports whether v stands for an operand of the return statement.
func (l *lowerer) isResult(v *types.Var) bool {
	return l.once != nil && slices.ContainsFunc(l.once.results, func(r Result) bool { return r.Obj == v })
}

// findHoisted finds the variables that the statements declare for those behind them. They
// are declared before, in a twin.
func (l *lowerer) findHoisted(list []ast.Stmt) {
	declared := make(map[types.Object]bool)
	for _, s := range list {
		for _, id := range declaredBy(s) {
			if o := l.info.Defs[id]; o != nil {
				declared[o] = true
			}
		}
	}
	end := l.loop.End()
	used := make(map[types.Object]bool)
	ast.Inspect(l.src.Decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() >= end && declared[l.info.Uses[id]] {
			used[l.info.Uses[id]] = true
		}
		return true
	})
	for _, s := range list {
		ids := declaredBy(s)
		if !slices.ContainsFunc(ids, func(id *ast.Ident) bool { return used[l.info.Defs[id]] }) {
			continue
		}
		for _, id := range ids {
			l.hoist(id)
		}
	}
}

// hoist has the variable that id declares declared before.
func (l *lowerer) hoist(id *ast.Ident) {
	o := l.info.Defs[id]
	if o == nil {
		return
	}
	v, isVar := o.(*types.Var)
	if !isVar {
		l.refuse(id, "Stmt", "%s is declared here and used behind code that becomes a block", id.Name)
	}
	t := l.substitute(v.Type())
	if _, ok := leaves(t); !ok || !l.nameable(t) || isLocalType(v.Type()) {
		l.refuse(id, typeID(t), "%s, %s, is declared here and used behind code that becomes a block", id.Name, describe(t))
	}
	l.once.hoisted[v] = true
}

// isLocalType reports whether a type is declared in a function.
func isLocalType(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.Obj().Pkg() != nil && t.Obj().Parent() != t.Obj().Pkg().Scope()
	case *types.Array:
		return isLocalType(t.Elem())
	}
	return false
}

// declaredBy lists the names that a statement declares for those behind it.
func declaredBy(s ast.Stmt) (ids []*ast.Ident) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			for _, e := range s.Lhs {
				if id, ok := e.(*ast.Ident); ok {
					ids = append(ids, id)
				}
			}
		}
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		if !ok {
			return nil
		}
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				ids = append(ids, spec.Names...)
			case *ast.TypeSpec:
				ids = append(ids, spec.Name)
			}
		}
	}
	return ids
}

// onceAssigned adds what straight-line code sets besides what its assignments name, and
// reports whether any of it is in memory.
func (l *lowerer) onceAssigned() (stores bool) {
	if l.once == nil {
		return false
	}
	for v := range l.once.hoisted {
		l.assigned[v] = true
		stores = stores || l.inMemory(v)
	}
	for _, r := range l.once.results {
		l.assigned[r.Obj] = true
		stores = stores || l.inMemory(r.Obj)
	}
	return stores
}

// inRegisters reports whether variables of type t are kept in registers by gc. It
// corresponds to ssa.CanSSA of the compiler.
func inRegisters(t types.Type) bool {
	if sizes.Sizeof(t) > 4*8 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return u.Len() == 0 || u.Len() == 1 && inRegisters(u.Elem())
	case *types.Struct:
		if u.NumFields() > 4 {
			return false
		}
		for f := range u.Fields() {
			if !inRegisters(f.Type()) {
				return false
			}
		}
	}
	return true
}

// inMemory reports whether v is better left in memory by straight-line code: it lives
// there anyway, and its numbers stand side by side.
func (l *lowerer) inMemory(v *types.Var) bool {
	return l.once != nil && !isPackageLevel(v) && !inRegisters(l.substitute(v.Type()))
}

// resultState makes the states of a result without a name, or a place in memory for it.
func (l *lowerer) resultState(v *types.Var) {
	i := slices.IndexFunc(l.once.results, func(r Result) bool { return r.Obj == v })
	r := &l.once.results[i]
	if l.inMemory(v) {
		in := l.addLiveIn(Param{Kind: ParamTemp, Expr: r.Name, Type: r.Type}, "result", vir.Scalar(vir.Ptr))
		in.order, in.pos = orderMemory, l.once.ret.Pos()
		in.v.Param = vir.ParamFacts{ElemSize: int(sizes.Sizeof(r.Type)), FixedLen: 1}
		if a, ok := r.Type.Underlying().(*types.Array); ok && a.Len() > 0 {
			in.v.Param = vir.ParamFacts{ElemSize: int(sizes.Sizeof(a.Elem())), FixedLen: a.Len()}
		}
		l.once.temps[v] = in
		return
	}
	ls, _ := leaves(r.Type)
	for k, leaf := range ls {
		vt, _ := scalarType(leaf.typ)
		w := Var{Obj: v, Part: leaf.part, Type: leaf.of}
		if len(leaf.path) > 0 {
			w.Expr = leafExpr(r.Name, r.Type, leaf.path)
		}
		s := l.addStateOf(w, k, Param{Kind: ParamZero, Type: leaf.typ}, leafName("result", r.Type, leaf), vt)
		s.Live = true
	}
}

// returnOnce is the return statement at the end.
func (l *lowerer) returnOnce() {
	s := l.once.ret
	if len(s.Results) == 0 {
		return
	}
	vals := l.returned(s, l.once.results)
	if l.b.Cur == nil {
		return
	}
	for i, r := range l.once.results {
		if in := l.once.temps[r.Obj]; in != nil {
			l.store(s, place{base: in.v, typ: r.Type}, vals[i])
			continue
		}
		for k, x := range vals[i] {
			l.set(key{r.Obj, k}, x)
		}
	}
}

// returned evaluates the operands of a return statement.
func (l *lowerer) returned(s *ast.ReturnStmt, results []Result) (vals [][]*vir.Value) {
	if len(s.Results) == 1 && len(results) > 1 {
		call, ok := ast.Unparen(s.Results[0]).(*ast.CallExpr)
		if !ok {
			l.refuse(s, "Expr", "this return is not supported")
		}
		l.direct = true
		return l.call(call)
	}
	for i, e := range s.Results {
		l.mark(e)
		l.direct = len(s.Results) == 1
		vals = append(vals, l.valueAs(e, results[i].Type))
	}
	return vals
}

// onceParts tells what a twin has to know of straight-line code.
func (r *Region) onceParts(l *lowerer) {
	r.Returns = l.once.ret != nil
	r.Results = l.once.results
	for i := range r.Results {
		if in := l.once.temps[r.Results[i].Obj]; in != nil {
			r.Results[i].Temp = slices.IndexFunc(l.ins, func(other *liveIn) bool { return other == in })
		}
	}
	for _, v := range l.assignedInOrder() {
		if l.once.hoisted[v] {
			r.Hoisted = append(r.Hoisted, v)
		}
	}
}

// lastOnce is the statement behind which straight-line code ends, nil for loops and where
// nothing is behind it.
func (l *lowerer) lastOnce() ast.Stmt {
	if l.once == nil {
		return nil
	}
	return l.once.last
}
