package lower

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// lowerLoop builds
//
//	entry -> header -> body ... -> latch -> header
//	           \-> exit
//
// as plan.Region describes it.
func (l *lowerer) lowerLoop() {
	l.findLeaving()
	l.classify()
	entry := l.newBlock("entry")
	l.header, l.latch, l.exit = l.newBlock("header"), l.newBlock("latch"), l.newBlock("exit")
	l.out = &vir.Block{Name: "out"}
	l.mark(l.loop)
	l.enter(entry)
	l.b.Jmp(l.header)
	l.enter(l.header)

	body := l.newBlock("body")
	var block *ast.BlockStmt
	var next func()
	switch s := l.loop.(type) {
	case *ast.ForStmt:
		block, next = s.Body, l.forHeader(s, body)
	case *ast.RangeStmt:
		block, next = s.Body, l.rangeHeader(s, body)
	}
	l.targets = append(l.targets, target{label: l.label, next: l.latch})
	l.stmts(block.List[l.decided:])
	l.jump(l.latch)
	l.start(l.latch)
	if l.b.Cur == nil || !slices.ContainsFunc(l.latch.Preds, func(p *vir.Block) bool { return !l.left[p] }) {
		l.refuse(l.loop, "EarlyExit", "no iteration reaches the end of the loop")
	}
	next()
	l.close()
}

// classify decides for every variable that the loop sets whether it is carried
// in a register or lives in memory.
func (l *lowerer) classify() {
	l.assigned = make(map[*types.Var]bool)
	l.memory = make(map[*types.Var]bool)
	l.findMoved(l.loopParts(), l.facts)
	stores := false
	targetsOf(l.loopParts(), l.leaving, func(e ast.Expr) {
		v := rootVar(l.info, e)
		if l.movedField(e) {
			return
		}
		switch {
		case v == nil, isPackageLevel(v):
			stores = stores || !isBlank(e)
		case !l.inBody(v):
			l.assigned[v] = true
			stores = stores || !l.moves(v) && !l.carried(v)
		}
	})
	l.inspectStaying(l.loop, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !l.info.Types[call.Fun].IsType() && l.builtinName(call) == "" {
			stores = true // by a body that is inlined
		}
		return true
	})
	l.stores = stores
	l.findAppended()
	stores = l.stores
	for v := range l.facts.addressed {
		l.memory[v] = stores
	}
	for v := range l.assigned {
		if !l.carried(v) && !l.appended[v] && !l.moves(v) {
			l.memory[v] = true
		}
	}
}

// loopParts is the loop without what runs before the first iteration.
func (l *lowerer) loopParts() ast.Node {
	s, ok := l.loop.(*ast.ForStmt)
	if !ok {
		return l.loop
	}
	return &ast.ForStmt{For: s.For, Cond: s.Cond, Post: s.Post, Body: s.Body}
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// forHeader builds the header of a three-clause loop and returns what builds
// the latch.
func (l *lowerer) forHeader(s *ast.ForStmt, body *vir.Block) func() {
	l.addStates()
	plain, rest := l.splitCondition(s.Cond)
	if first := l.firstExit(s, plain, rest); first != nil {
		c := l.noneOf(first)
		l.headerIsPlain(first)
		l.decided = 1
		l.learn(c, true)
		l.beginBody(c, body)
	} else if plain == nil {
		l.mark(s)
		l.beginBody(l.bool(true), body)
	} else {
		c := l.condition(plain)
		l.headerIsPlain(plain)
		if _, ok := c.IsConst(); ok {
			l.refuse(plain, "LoopCond", "the loop condition is constant")
		}
		l.learn(c, true)
		l.beginBody(c, body)
	}
	for _, e := range rest {
		l.stops = true
		next := l.newBlock("more")
		l.cond(e, next, l.out)
		l.start(next)
	}
	return func() {
		if s.Post != nil {
			l.stmt(s.Post)
			if l.b.Cur != l.latch {
				l.refuse(s.Post, "LoopPost", "the post statement branches")
			}
		}
	}
}

// splitCondition splits a conjunction into what the header decides, nil when that
// is nothing, and what the body decides, by leaving the loop: all from the first
// operand on that is more than a calculation.
func (l *lowerer) splitCondition(e ast.Expr) (plain ast.Expr, rest []ast.Expr) {
	if e == nil {
		return nil, nil
	}
	if c := l.constOf(e); c != nil && c.Kind() == constant.Bool && constant.BoolVal(c) {
		return nil, nil
	}
	if x, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && x.Op == token.LAND && l.constOf(x) == nil {
		left, rest := l.splitCondition(x.X)
		if left == nil || len(rest) > 0 {
			return left, append(rest, x.Y)
		}
		if right, more := l.splitCondition(x.Y); right == nil || len(more) > 0 {
			return left, []ast.Expr{x.Y}
		}
		return e, nil
	}
	if l.calculates(e) {
		return e, nil
	}
	return nil, []ast.Expr{e}
}

// calculates reports whether e can be lowered without a branch or a check.
func (l *lowerer) calculates(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if l.constOf(n) == nil && l.pathOf(n) == nil {
				ok = ok && l.limitPath(n) != nil
				return false
			}
		case *ast.CallExpr:
			ok = ok && (l.constOf(n) != nil || l.invariant(n) || l.harmlessCall(n))
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LAND, token.LOR:
				ok = ok && l.harmless(n.Y)
			case token.QUO, token.REM, token.SHL, token.SHR:
				ok = ok && (l.constOf(n) != nil || l.harmless(n))
			}
		}
		return ok
	})
	return ok
}

// condition is the loop condition. An operand that is the same in every
// iteration is calculated before the loop.
func (l *lowerer) condition(e ast.Expr) *vir.Value {
	if x, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && l.constOf(x) == nil {
		switch x.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.NEQ, token.EQL:
			t := l.typeOf(x.X)
			if l.constOf(x.X) != nil {
				t = l.typeOf(x.Y)
			}
			if isInteger(t) {
				a, b := l.bound(x.X, t), l.bound(x.Y, t)
				l.mark(x)
				return l.compare(x, x.Op, a, b, t)
			}
		}
	}
	return l.scalar(e)
}

// bound is an operand of the loop condition, or the number of a range loop:
// a live-in when it is worth one. What only adds and multiplies stays visible.
func (l *lowerer) bound(e ast.Expr, t types.Type) *vir.Value {
	if l.constOf(e) != nil || !l.invariant(e) || !intricate(e) {
		return l.scalarAs(e, t)
	}
	vt, ok := scalarType(t)
	if !ok {
		return l.scalar(e)
	}
	root := types.NewVar(e.Pos(), l.pkg, "limit", t)
	return l.liveIn(ParamValue, &path{expr: e, key: "limit " + l.exprKey(e), name: "limit", typ: t, root: root}, vt).v
}

// limitPath is a number at an invariant subscript, as in j < end[i], where the loop stores
// nothing; nil for others. Conditions read it before the loop, which they would do in
// any case: when that panics, the loop runs as written.
func (l *lowerer) limitPath(e *ast.IndexExpr) *path {
	if l.stores || l.frame.outer != nil || !isNumber(l.typeOf(e)) || !l.invariant(e.Index) {
		return nil
	}
	p := l.pathOf(e.X)
	if p == nil {
		return nil
	}
	return p.index(l, e)
}

func intricate(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || n.Op != token.ADD && n.Op != token.SUB && n.Op != token.MUL
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			found = found || ok && (id.Name == "min" || id.Name == "max")
		}
		return !found
	})
	return found
}

func (l *lowerer) beginBody(c *vir.Value, body *vir.Block) {
	l.b.Br(c, body, l.exit)
	l.enter(body)
	l.b.Append(&vir.Value{Op: vir.OpIter})
}

// headerIsPlain refuses conditions that are more than a calculation.
func (l *lowerer) headerIsPlain(cond ast.Expr) {
	if l.b.Cur != l.header {
		l.refuse(cond, "LoopCond", "the loop condition branches")
	}
	for _, v := range l.header.Insts {
		if v.Op.Info().Effect {
			l.refuse(cond, "LoopCond", "the loop condition can panic")
		}
	}
}

// rangeHeader does the same for a range loop, which counts a hidden variable.
func (l *lowerer) rangeHeader(s *ast.RangeStmt, body *vir.Block) func() {
	t := l.typeOf(s.X)
	i64 := vir.Scalar(vir.I64)
	var elem place
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsInteger != 0:
			l.rangeInt(s, t, body)
			return l.countUp
		case u.Info()&types.IsString != 0:
			l.refuse(s.X, "RuneRange", "ranging over a string decodes runes; use an index loop for bytes")
		}
	case *types.Slice:
		p := l.rangePath(s)
		l.addCounter(s, i64)
		l.limit = l.sliceLen(p)
		elem = place{typ: u.Elem()}
		if s.Value != nil && !isBlank(s.Value) {
			elem.base = l.sliceData(p)
		}
	case *types.Array, *types.Pointer:
		p := l.rangePath(s)
		a, isValue := u.(*types.Array)
		if !isValue {
			if a, isValue = pointee(t).Underlying().(*types.Array); !isValue {
				l.refuse(s.X, "RangeExpr", "cannot range over this")
			}
			isValue = false
		}
		l.addCounter(s, i64)
		l.limit = l.int64(a.Len())
		elem = l.rangeArray(s, p, a, isValue)
	default:
		l.refuse(s.X, "Range"+typeID(t), "ranging over %s", describe(t))
	}
	l.beginBody(l.b.Cmp(vir.OpIcmpSlt, l.counter, l.limit), body)
	l.rangeVars(s, elem)
	return l.countUp
}

// rangePath is the range expression, which must mean the same whenever it is
// evaluated: Go evaluates it once, a twin each time it calls the kernel.
func (l *lowerer) rangePath(s *ast.RangeStmt) *path {
	if x, ok := ast.Unparen(s.X).(*ast.SliceExpr); ok {
		if p := l.slicePath(x); p != nil {
			return p
		}
		l.refuse(s.X, "RangeExpr", "the range expression slices what the loop may change; do that before the loop")
	}
	p := l.pathOf(s.X)
	if p == nil {
		l.refuseVarying(s.X)
		l.refuse(s.X, "RangeExpr", "the range expression is no variable or field")
	}
	return p
}

// slicePath is x[lo:hi] as a range expression. Nothing runs before it and it has
// no effect, so that a twin may evaluate it as often as it likes: if it panics,
// it does so at once and as the original.
func (l *lowerer) slicePath(x *ast.SliceExpr) *path {
	p := l.pathOf(x.X)
	if p == nil || p.indexed {
		return nil
	}
	id := p.key + "["
	for _, e := range []ast.Expr{x.Low, x.High, x.Max} {
		if e != nil {
			if !l.invariant(e) && (l.stores || !l.plainRead(e)) {
				return nil
			}
			id += l.exprKey(e)
		}
		id += ":"
	}
	t := p.typ
	if d := pointee(t); d != nil {
		t = d
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		t = types.NewSlice(a.Elem())
	}
	q := p.clone()
	q.expr, q.key, q.typ, q.name = x, id+"]", t, p.name+"_part"
	return q
}

// plainRead reports whether e only reads variables and calculates.
func (l *lowerer) plainRead(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && (l.info.Types[n.Fun].IsType() || l.builtinName(n) == "len")
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.FuncLit, *ast.TypeAssertExpr:
			ok = false
		case *ast.Ident:
			v, isVar := objectOf(l.info, n).(*types.Var)
			ok = ok && !(isVar && l.assigned[v])
		}
		return ok
	})
	return ok
}

// rangeArray is the first element of the array that is ranged over.
func (l *lowerer) rangeArray(s *ast.RangeStmt, p *path, a *types.Array, isValue bool) place {
	elem := place{typ: a.Elem()}
	if s.Value == nil || isBlank(s.Value) {
		return elem
	}
	if isValue && p.memory && l.stores {
		l.refuse(s.X, "ArrayCopy", "ranging over an array copies it, and the loop may store to it; range over a pointer or a slice of it")
	}
	if !isValue {
		if p = p.deref(); p == nil {
			l.refuse(s.X, "RangeExpr", "the range expression is no variable or field")
		}
	}
	elem.base = l.address(p)
	return elem
}

func (l *lowerer) rangeInt(s *ast.RangeStmt, t types.Type, body *vir.Block) {
	if s.Key != nil && !isBlank(s.Key) {
		t = l.typeOf(s.Key)
	}
	vt, ok := scalarType(t)
	if !ok {
		l.refuse(s.X, "RangeExpr", "ranging over %s", describe(t))
	}
	ast.Inspect(s.X, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := l.info.Uses[id].(*types.Var); ok && l.assigned[v] {
				l.refuse(id, "RangeExpr", "the loop sets %s, which its range expression reads", id.Name)
			}
		}
		return true
	})
	l.addCounter(s, vt)
	if c := l.constOf(s.X); c != nil {
		l.limit = l.constValue(s.X, c, t)
	} else {
		l.limit = l.bound(s.X, t)
	}
	l.headerIsPlain(s.X)
	for _, v := range l.header.Insts {
		if v.Op.IsLoad() && l.stores {
			l.refuse(s.X, "RangeExpr", "the loop may store to what its range expression reads")
		}
	}
	less := vir.OpIcmpSlt
	if isUnsigned(t) {
		less = vir.OpIcmpUlt
	}
	l.beginBody(l.b.Cmp(less, l.counter, l.limit), body)
	l.rangeVars(s, place{})
}

// addCounter makes the hidden counter and then the other states.
func (l *lowerer) addCounter(s *ast.RangeStmt, t vir.Type) {
	name := "i"
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		name = id.Name
	}
	c := l.addState(nil, nil, name, t)
	c.Init = new(int64)
	c.Local = true
	l.counter = c.phi
	l.addStates()
}

func (l *lowerer) countUp() {
	l.mark(l.loop)
	l.set(key{}, l.b.Op(vir.OpAdd, l.counter.Type, l.counter, l.int(l.counter.Type, 1)))
}

// rangeVars sets the variables of the range clause at the start of an iteration.
func (l *lowerer) rangeVars(s *ast.RangeStmt, elem place) {
	var dst []ast.Expr
	var vals [][]*vir.Value
	if s.Key != nil && !isBlank(s.Key) {
		dst = append(dst, s.Key)
		vals = append(vals, []*vir.Value{l.counter})
	}
	if s.Value != nil && !isBlank(s.Value) {
		l.mark(s.Value)
		p := l.element(elem, elem.typ, l.counter)
		if !l.bindRow(s, p) {
			dst = append(dst, s.Value)
			vals = append(vals, l.load(s.Value, p))
		}
	}
	l.rangeAssign(s, dst, vals)
}

// rangeAssign gives the variables of a range clause their values.
func (l *lowerer) rangeAssign(s *ast.RangeStmt, dst []ast.Expr, vals [][]*vir.Value) {
	if s.Tok == token.DEFINE {
		for i, e := range dst {
			l.setVar(l.info.Defs[e.(*ast.Ident)].(*types.Var), vals[i])
		}
		return
	}
	l.assignValues(dst, vals)
}

// addStates makes a header phi for every variable that is carried in a register.
func (l *lowerer) addStates() {
	defer l.addMovedFields()
	for _, v := range l.assignedInOrder() {
		id := l.firstUse(v)
		l.shared(v, id)
		if l.roomless[v] {
			l.refuse(id, "Append", "%s may start without room, and then grows best by itself; declare it by make, or by slicing another slice", v.Name())
		}
		if !l.isState(v) {
			continue
		}
		if l.appended[v] {
			l.addLengthState(v, id)
			continue
		}
		if l.moves(v) {
			l.addMovedStates(v, id)
			continue
		}
		t, ok := scalarType(l.substitute(v.Type()))
		if !ok {
			l.addLeafStates(v, id)
			continue
		}
		s := l.addState(v, l.entryExpr(v, id), v.Name(), t)
		s.Local = l.declaredByLoop(v)
		s.Live = !s.Local && l.liveAfter(v)
		s.Init = l.initialValue(v)
	}
}

// assignedInOrder are the variables that the loop sets: those it declares, then
// the others, by declaration.
func (l *lowerer) assignedInOrder() []*types.Var {
	vars := slices.Collect(maps.Keys(l.assigned))
	outside := func(v *types.Var) int {
		if l.declaredByLoop(v) {
			return 0
		}
		return 1
	}
	slices.SortFunc(vars, func(a, b *types.Var) int {
		return cmp.Or(cmp.Compare(outside(a), outside(b)), cmp.Compare(a.Pos(), b.Pos()))
	})
	return vars
}

// shared refuses to set variables that somebody else may look at while the loop
// runs or after it panicked.
func (l *lowerer) shared(v *types.Var, at ast.Node) {
	switch {
	case l.facts.captured[v]:
		l.refuse(at, "Captured", "the loop sets %s, which a function literal uses", v.Name())
	case l.facts.addressed[v] && isNumber(l.substitute(v.Type())):
		l.refuse(at, "AddressTaken", "the loop sets %s, whose address is taken", v.Name())
	case l.facts.results[v] && l.facts.defers:
		l.refuse(at, "Defer", "the loop sets %s, a result that deferred functions may read", v.Name())
	}
}

func (l *lowerer) declaredByLoop(v *types.Var) bool {
	return l.loop.Pos() <= v.Pos() && v.Pos() < l.loop.End()
}

// firstUse is an identifier of v inside of the loop.
func (l *lowerer) firstUse(v *types.Var) (found *ast.Ident) {
	ast.Inspect(l.loop, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && found == nil && objectOf(l.info, id) == v {
			found = id
		}
		return found == nil
	})
	return found
}

// entryExpr is what v holds when the loop starts, as an expression for use
// before the loop: what the init statement gives it if the loop declares it,
// else v itself. What cannot be evaluated twice stays v too.
func (l *lowerer) entryExpr(v *types.Var, id *ast.Ident) ast.Expr {
	if x := l.initExpr(v); x != nil && l.declaredByLoop(v) && l.repeatable(x) {
		return x
	}
	return id
}

// repeatable reports whether evaluating e once more can neither be noticed nor
// panic.
func (l *lowerer) repeatable(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := l.builtinName(n)
			ok = ok && (l.info.Types[n.Fun].IsType() || name == "len" || name == "cap" || name == "min" || name == "max")
		case *ast.BinaryExpr:
			switch n.Op {
			case token.QUO, token.REM, token.SHL, token.SHR:
				ok = ok && l.constOf(n.Y) != nil
			}
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.SelectorExpr:
			if s := l.info.Selections[n]; s != nil {
				ok = ok && s.Kind() == types.FieldVal && !s.Indirect()
			}
		case *ast.IndexExpr, *ast.StarExpr, *ast.SliceExpr, *ast.TypeAssertExpr, *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// initialValue is the constant integer that the init statement gives v, or nil.
func (l *lowerer) initialValue(v *types.Var) *int64 {
	x := l.initExpr(v)
	if x == nil {
		return nil
	}
	if c := l.constOf(x); c != nil {
		if i, exact := constant.Int64Val(constant.ToInt(c)); exact {
			return &i
		}
	}
	return nil
}

// initExpr is the expression that the init statement assigns to v, or nil.
func (l *lowerer) initExpr(v *types.Var) ast.Expr {
	s, ok := l.loop.(*ast.ForStmt)
	if !ok {
		return nil
	}
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != len(init.Rhs) || init.Tok != token.DEFINE && init.Tok != token.ASSIGN {
		return nil
	}
	for i, e := range init.Lhs {
		if id, ok := e.(*ast.Ident); ok && objectOf(l.info, id) == v {
			return init.Rhs[i]
		}
	}
	return nil
}

// countable refuses loops whose iterations nothing counts: a condition in the
// header, or else a subscript that must stay inside of something.
func (l *lowerer) countable() {
	if _, ok := l.header.Term().Args[0].IsConst(); !ok {
		return
	}
	for v := range l.f.Values {
		if v.Op == vir.OpCheckIndex {
			return
		}
	}
	l.refuse(l.loop, "LoopCond", "the loop has no condition, and no subscript that bounds it")
}

// close completes the phis and leaves the loop.
func (l *lowerer) close() {
	l.countable()
	l.mark(l.loop)
	l.closeMoved()
	last := make([]*vir.Value, len(l.states))
	for i, s := range l.states {
		last[i] = l.get(s.key)
	}
	l.b.Jmp(l.header)
	phis := make([]*vir.Value, len(l.states))
	for i, s := range l.states {
		s.phi.Args = []*vir.Value{s.in.v, last[i]}
		phis[i] = s.phi
		l.f.Results = append(l.f.Results, s.phi.Type)
	}
	l.enter(l.exit)
	l.b.Ret(phis...)
}
