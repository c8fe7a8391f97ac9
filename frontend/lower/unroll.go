package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// Small loops inside the loop that run a constant number of times are unrolled: their
// counters become constants, so that arrays of the loop's own keep their elements in
// registers.

// Limits of unrolling: iterations, and nodes of syntax in all of them. Where the counter
// selects elements of local arrays there is no other way, and more is allowed.
const (
	unrollTrips  = 16
	unrollNodes  = 700
	neededTrips  = 64
	neededFactor = 8
	// unrollStores is how many stores to memory loops inside one another may become, each pair of which is looked at; one
	// for each iteration of a single loop is always few enough.
	unrollStores = 32
)

// unroll builds s as that many copies of its body; false when it stays a loop.
func (l *lowerer) unroll(s *ast.ForStmt, label *types.Label) bool {
	c, ok := l.countedFor(s)
	if !ok || !l.smallEnough(s.Body, c.v, len(c.values)) {
		return false
	}
	l.copies(s.Body, label, c)
	return true
}

// counted is a loop whose counter takes known values.
type counted struct {
	v      *types.Var // nil when nobody sees it
	values []int64
}

// countedFor recognizes for k := a; k < b; k += c with constants.
func (l *lowerer) countedFor(s *ast.ForStmt) (c counted, ok bool) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 || s.Cond == nil || s.Post == nil {
		return c, false
	}
	id, ok := init.Lhs[0].(*ast.Ident)
	first := l.constOf(init.Rhs[0])
	if !ok || first == nil {
		return c, false
	}
	v, ok := l.info.Defs[id].(*types.Var)
	if !ok || !isInteger(l.substitute(v.Type())) || l.facts.addressed[v] || l.facts.held[v] || assignsTo(l.info, s.Body, v) {
		return c, false
	}
	cond, ok := ast.Unparen(s.Cond).(*ast.BinaryExpr)
	if !ok || !l.isVar(cond.X, v) || l.constOf(cond.Y) == nil {
		return c, false
	}
	step, ok := l.stepOf(s.Post, v)
	if !ok || step == 0 {
		return c, false
	}
	c.v = v
	limit := l.constOf(cond.Y)
	for _, k := range []constant.Value{first, limit, constant.MakeInt64(step)} {
		if !representable(constant.ToInt(k), types.Typ[types.Int32]) {
			return c, false
		}
	}
	for x := constInt(first); holds(cond.Op, x, constInt(limit)); x += step {
		if len(c.values) == neededTrips || x != int64(int32(x)) || !representable(constant.MakeInt64(x+step), l.substitute(v.Type())) {
			return c, false // the last: the counter wraps
		}
		c.values = append(c.values, x)
	}
	return c, true
}

func holds(op token.Token, x, y int64) bool {
	switch op {
	case token.LSS:
		return x < y
	case token.LEQ:
		return x <= y
	case token.GTR:
		return x > y
	case token.GEQ:
		return x >= y
	case token.NEQ:
		return x != y
	}
	return false
}

func (l *lowerer) isVar(e ast.Expr, v *types.Var) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && objectOf(l.info, id) == v
}

// stepOf is the constant that a post statement adds to v.
func (l *lowerer) stepOf(s ast.Stmt, v *types.Var) (int64, bool) {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		if s.Tok == token.INC {
			return 1, l.isVar(s.X, v)
		}
		return -1, l.isVar(s.X, v)
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || !l.isVar(s.Lhs[0], v) || l.constOf(s.Rhs[0]) == nil {
			return 0, false
		}
		c := constInt(l.constOf(s.Rhs[0]))
		switch s.Tok {
		case token.ADD_ASSIGN:
			return c, true
		case token.SUB_ASSIGN:
			return -c, true
		}
	}
	return 0, false
}

// unrollRange does the same for ranges over constants, over arrays of the loop's own, over the places of other arrays, and over
// the elements of those where the loop may be left early or stores.
func (l *lowerer) unrollRange(s *ast.RangeStmt, label *types.Label) bool {
	if c, ok := l.listed(s); ok {
		if !l.smallEnough(s.Body, c.v, len(c.values)) {
			return false
		}
		l.copies(s.Body, label, c)
		return true
	}
	if l.unrollKnown(s, label) || l.unrollText(s, label) || l.unrollElements(s, label) {
		return true
	}
	value, hasValue := s.Value.(*ast.Ident)
	hasValue = hasValue && value.Name != "_"
	isArr := isArray(l.typeOf(s.X))
	stays := isArr && l.storesIn(s.Body) > 0 && l.staysAsIs(s.X)
	behind := l.once != nil || leavesEarly(s.Body) || stays // copies load elements of arrays in memory
	n, known := l.placesIn(s, hasValue, behind)
	if !known {
		return false
	}
	c, ok := l.rangeCounter(s, n)
	if !ok {
		return false
	}
	loc, local := local{}, false
	if isArr {
		loc, local = l.localOf(s.X)
	}
	if !local && !l.smallEnough(s.Body, c.v, int(n)) {
		return false
	}
	var elements view
	if hasValue && !local { // elsewhere elements of arrays in memory are loaded by a loop
		v, ok := l.viewOf(s.X)
		if !behind || isArr && l.stores && !stays || !ok {
			return false
		}
		elements = l.closed(v)
	}
	var vals [][]*vir.Value
	if hasValue && local { // of the array as it was
		for k := range n {
			vals = append(vals, l.getLocal(s.X, loc.elem(k)))
		}
	}
	i := 0
	l.copiesWith(s.Body, label, c, func() {
		switch {
		case hasValue && local:
			l.declare(value, vals[i])
		case hasValue:
			l.mark(value)
			if p := l.viewElement(elements, l.int(vir.Scalar(vir.I64), int64(i))); !l.bindRow(s, p) {
				l.declare(value, l.load(value, p))
			}
		}
		i++
	})
	return true
}

// placesIn is the number of places that s ranges over, if that is a constant and copies of its body may be better: with elements
// of arrays behind pointers only if these are loaded by copies, and without where iterations need not stay apart.
func (l *lowerer) placesIn(s *ast.RangeStmt, hasValue, behind bool) (n int64, ok bool) {
	t := l.typeOf(s.X)
	switch c := l.constOf(s.X); {
	case c != nil && c.Kind() == constant.Int:
		return constInt(c), true
	case isArray(t):
		return t.Underlying().(*types.Array).Len(), true
	case isArrayPointer(t) && (behind && l.pathOf(s.X) != nil || !hasValue && isName(s.X) && !l.carriesElements(s.Body)):
		return pointee(t).Underlying().(*types.Array).Len(), true
	}
	return 0, false
}

// carriesElements reports whether body stores to elements of what is the same in all iterations of the loop, which these may
// hand to each other: elements may be computed side by side then, and iterations not.
func (l *lowerer) carriesElements(body *ast.BlockStmt) (found bool) {
	targetsOf(body, nil, func(t ast.Expr) {
		for !found {
			switch x := ast.Unparen(t).(type) {
			case *ast.SelectorExpr:
				t = x.X
				continue
			case *ast.IndexExpr:
				v := rootVar(l.info, x)
				found = v != nil && !l.isLocal(v) || v == nil && l.pathOf(x.X) != nil
			}
			return
		}
	})
	return found
}

func isName(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.Ident)
	return ok
}

// leavesEarly reports whether the loop with that body ends by a break. Copies of the body skip what is behind one, where
// the lanes of a loop would wait for each other.
func leavesEarly(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK && n.Label == nil
		}
		return !found
	})
	return found
}

// rangeCounter is the counter of a range over n elements.
func (l *lowerer) rangeCounter(s *ast.RangeStmt, n int64) (c counted, ok bool) {
	if s.Tok == token.ASSIGN || n > neededTrips {
		return c, false
	}
	if id, ok := s.Key.(*ast.Ident); ok && id.Name != "_" {
		c.v, _ = l.info.Defs[id].(*types.Var)
		if c.v == nil || l.facts.addressed[c.v] || l.facts.held[c.v] || assignsTo(l.info, s.Body, c.v) {
			return c, false
		}
	}
	for k := range n {
		c.values = append(c.values, k)
	}
	return c, true
}

// unrollPart does the same for ranges over v, a part of a slice or string that has a constant
// length, x[4*i:4*i+4]. Whole slices are known by their variables: their rows are loops.
func (l *lowerer) unrollPart(s *ast.RangeStmt, label *types.Label, v view) bool {
	n, ok := v.len.ConstInt()
	if _, isPart := ast.Unparen(s.X).(*ast.SliceExpr); !ok || !isPart || l.once != nil {
		return false
	}
	c, ok := l.rangeCounter(s, n)
	if !ok || !l.smallEnough(s.Body, c.v, int(n)) {
		return false
	}
	i := int64(0)
	l.copiesWith(s.Body, label, c, func() {
		if s.Value != nil && !isBlank(s.Value) {
			l.mark(s.Value)
			p := l.viewElement(v, l.int(vir.Scalar(vir.I64), i))
			if !l.bindRow(s, p) {
				l.declare(s.Value.(*ast.Ident), l.load(s.Value, p))
			}
		}
		i++
	})
	return true
}

// copies builds the body once for each value of the counter.
func (l *lowerer) copies(body *ast.BlockStmt, label *types.Label, c counted) {
	l.copiesWith(body, label, c, func() {})
}

func (l *lowerer) copiesWith(body *ast.BlockStmt, label *types.Label, c counted, begin func()) {
	done := l.newBlock("done")
	for _, x := range c.values {
		if l.b.Cur == nil {
			break
		}
		l.unrolled++
		next := l.newBlock("next")
		if c.v != nil {
			l.known[c.v] = constant.MakeInt64(x)
			vt, _ := scalarType(l.substitute(c.v.Type()))
			l.set(key{c.v, 0}, l.int(vt, x))
		}
		begin()
		l.targets = append(l.targets, target{label: label, brk: done, next: next})
		l.stmts(body.List)
		l.targets = l.targets[:len(l.targets)-1]
		l.jump(next)
		l.start(next)
	}
	if c.v != nil {
		delete(l.known, c.v)
	}
	l.jump(done)
	l.start(done)
}

// smallEnough reports whether that many copies of body are.
func (l *lowerer) smallEnough(body *ast.BlockStmt, v *types.Var, trips int) bool {
	if l.once != nil {
		return l.onceSmall(body, v, trips)
	}
	needed := false
	ast.Inspect(body, func(n ast.Node) bool {
		x, ok := n.(*ast.IndexExpr)
		needed = needed || ok && v != nil && l.needsCounter(x, v)
		return !needed
	})
	return fewCopies(nodesIn(body), trips, needed) && trips*l.storesIn(body) <= max(unrollStores, trips)
}

// storesIn is how many stores to memory there are below n, those in loops that run a constant number of times as often.
func (l *lowerer) storesIn(n ast.Node) (stores int) {
	store := func(x ast.Expr) {
		if x, ok := ast.Unparen(x).(*ast.IndexExpr); ok {
			if root := rootVar(l.info, x); root == nil || !l.isLocal(root) || !isArray(l.substitute(l.info.TypeOf(x.X))) {
				stores++
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if c, ok := l.countedFor(n); ok {
				stores += len(c.values) * l.storesIn(n.Body)
				return false
			}
		case *ast.RangeStmt:
			if c := l.constOf(n.X); c != nil && c.Kind() == constant.Int {
				stores += int(constInt(c)) * l.storesIn(n.Body)
				return false
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				store(x)
			}
		case *ast.IncDecStmt:
			store(n.X)
		}
		return true
	})
	return stores
}

// nodesIn is the number of nodes of syntax below n, with n.
func nodesIn(n ast.Node) (nodes int) {
	ast.Inspect(n, func(n ast.Node) bool {
		if n != nil {
			nodes++
		}
		return true
	})
	return nodes
}

// fewCopies reports whether copies of so many nodes of syntax are few, where they are needed perhaps.
func fewCopies(nodes, trips int, needed bool) bool {
	if needed {
		return trips <= neededTrips && nodes*trips <= neededFactor*unrollNodes
	}
	return trips <= unrollTrips && nodes*trips <= unrollNodes
}

// needsCounter reports whether x, with counter v in its subscript, is nothing unless that is
// known: an element of an array of the loop's own, or a row, of which there must be one for
// all iterations. An element of a string that never changes is a constant.
func (l *lowerer) needsCounter(x *ast.IndexExpr, v *types.Var) bool {
	t := l.info.TypeOf(x.X)
	if t == nil || !mentions(l.info, x.Index, v) {
		return false
	}
	if isArray(l.substitute(t)) {
		root := rootVar(l.info, x.X)
		return root != nil && l.isLocal(root)
	}
	if _, ok := l.knownText(x.X); ok {
		return true
	}
	row := l.info.TypeOf(x)
	return row != nil && isSlice(l.substitute(row))
}

// mentions reports whether v occurs below n.
func mentions(info *types.Info, n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && objectOf(info, id) == v
		return !found
	})
	return found
}

func assignsTo(info *types.Info, n ast.Node, v *types.Var) bool {
	found := false
	targetsOf(n, nil, func(e ast.Expr) { found = found || rootVar(info, e) == v })
	return found
}

// constOf is the constant that e is, nil for others. Counters of unrolled loops are
// constants, and so are parts of elements that such a loop takes from a table.
func (l *lowerer) constOf(e ast.Expr) constant.Value {
	if c := l.info.Types[e].Value; c != nil {
		return c
	}
	if n := l.knownLen(e); n != nil || len(l.known)+len(l.fixed) == 0 {
		return n
	}
	t := l.info.TypeOf(e)
	if t == nil || !isInteger(l.substitute(t)) {
		return nil
	}
	c := l.fold(e)
	if c == nil || !representable(c, l.substitute(t)) {
		return nil
	}
	return c
}

// fold calculates integers of known counters; nil where something else occurs.
func (l *lowerer) fold(e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.constOf(e.X)
	case *ast.Ident:
		v, _ := objectOf(l.info, e).(*types.Var)
		if c := l.known[v]; c != nil {
			return c
		}
		return l.partOfFixed(e)
	case *ast.SelectorExpr, *ast.IndexExpr:
		return l.partOfFixed(e)
	case *ast.UnaryExpr:
		if x := l.constOf(e.X); x != nil && e.Op == token.SUB {
			return constant.UnaryOp(e.Op, x, 0)
		}
	case *ast.CallExpr:
		if l.info.Types[e.Fun].IsType() && len(e.Args) == 1 && isInteger(l.typeOf(e.Args[0])) {
			return l.constOf(e.Args[0])
		}
	case *ast.BinaryExpr:
		return l.foldBinary(e)
	}
	return nil
}

func (l *lowerer) foldBinary(e *ast.BinaryExpr) constant.Value {
	x, y := l.constOf(e.X), l.constOf(e.Y)
	if x == nil || y == nil || x.Kind() != constant.Int || y.Kind() != constant.Int {
		return nil
	}
	switch e.Op {
	case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
		return constant.BinaryOp(x, e.Op, y)
	case token.QUO, token.REM:
		if constant.Sign(y) == 0 {
			return nil
		}
		op := e.Op
		if op == token.QUO {
			op = token.QUO_ASSIGN // of integers
		}
		return constant.BinaryOp(x, op, y)
	case token.SHL, token.SHR:
		if n, ok := constant.Uint64Val(y); ok && n < 64 && constant.Sign(x) >= 0 {
			return constant.Shift(x, e.Op, uint(n))
		}
	}
	return nil
}

// representable reports whether c is a value of integer type t; sums that wrap are left
// to the instructions.
func representable(c constant.Value, t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || c.Kind() != constant.Int {
		return false
	}
	bits := 8 * int(sizes.Sizeof(b))
	x, ok := constant.Int64Val(c)
	if !ok {
		return false
	}
	if b.Info()&types.IsUnsigned != 0 {
		return x >= 0 && (bits == 64 || x < 1<<bits)
	}
	return bits == 64 || -1<<(bits-1) <= x && x < 1<<(bits-1)
}
