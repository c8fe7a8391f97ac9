package twin

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/lanewise/lanewise/vir/plan"
)

// A reach tells how large the variables of a function get, or how small, from parameters that stay what they
// are: in
//
//	for i := 0; i < m; i++ {
//		for j := i + 1; j < n; j++ {
//
// j is 1 at least and n-1 at most. Overflows are not thought of, and each bound is one that somebody would see at
// a glance: it chooses between codes that do the same.
type reach struct {
	*function
	given  map[types.Object]bool
	writes map[types.Object]int // assignments, and addresses taken
	ranges map[types.Object]*interval
}

// An interval is a variable between two expressions, minus one where they are not included; nil is unknown.
type interval struct {
	least, most      ast.Expr
	leastUp, mostOff int64 // what is to be added to least and subtracted from most
	length           bool  // most is something with a length
}

func newReach(c *function) *reach {
	r := &reach{function: c, given: c.given(), writes: map[types.Object]int{}, ranges: map[types.Object]*interval{}}
	changes(c.info, c.decl.Body, func(x ast.Expr) bool {
		if obj := r.object(x); obj != nil {
			r.writes[obj]++
		}
		return false
	})
	ast.Inspect(c.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			r.define(n)
		case *ast.ForStmt:
			r.forLoop(n)
		case *ast.RangeStmt:
			r.rangeLoop(n)
		}
		return true
	})
	return r
}

// object is the variable that x names, nil for other expressions.
func (r *reach) object(x ast.Expr) types.Object {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok {
		return r.info.ObjectOf(id)
	}
	return nil
}

// define notes variables that get one value for good.
func (r *reach) define(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE || len(s.Lhs) != len(s.Rhs) {
		return
	}
	for i, x := range s.Lhs {
		if obj := r.object(x); obj != nil && r.writes[obj] == 1 {
			r.ranges[obj] = &interval{least: s.Rhs[i], most: s.Rhs[i]}
		}
	}
}

// forLoop notes a counter, which the init statement, the condition and the post statement say all about.
func (r *reach) forLoop(s *ast.ForStmt) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != len(init.Rhs) {
		return
	}
	for i, x := range init.Lhs {
		obj := r.object(x)
		if obj == nil || r.writes[obj] != 2 || assigned(r.info, s.Body, obj) {
			continue
		}
		v := &interval{}
		switch direction(s.Post) {
		case 1:
			v.least = init.Rhs[i]
		case -1:
			v.most = init.Rhs[i]
		}
		r.condition(v, obj, s.Cond)
		r.ranges[obj] = v
	}
}

// direction is 1 for a post statement that adds or multiplies, -1 for one that takes away.
func direction(post ast.Stmt) int {
	tok := token.ILLEGAL
	switch s := post.(type) {
	case *ast.IncDecStmt:
		tok = s.Tok
	case *ast.AssignStmt:
		tok = s.Tok
	}
	switch tok {
	case token.INC, token.ADD_ASSIGN, token.MUL_ASSIGN, token.SHL_ASSIGN:
		return 1
	case token.DEC, token.SUB_ASSIGN, token.QUO_ASSIGN, token.SHR_ASSIGN:
		return -1
	}
	return 0
}

// condition notes what cond says of a variable.
func (r *reach) condition(v *interval, obj types.Object, cond ast.Expr) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return
	}
	if b.Op == token.LAND {
		r.condition(v, obj, b.X)
		r.condition(v, obj, b.Y)
		return
	}
	x, y, op := b.X, b.Y, b.Op
	if r.object(y) == obj {
		x, y, op = y, x, mirrored[op]
	}
	if r.object(x) != obj {
		return
	}
	switch op {
	case token.LSS, token.LEQ:
		v.most, v.mostOff = y, less(op == token.LSS)
	case token.GTR, token.GEQ:
		v.least, v.leastUp = y, less(op == token.GTR)
	}
}

// mirrored are comparisons with the operands exchanged.
var mirrored = map[token.Token]token.Token{token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ}

func less(strict bool) int64 {
	if strict {
		return 1
	}
	return 0
}

// rangeLoop notes a key.
func (r *reach) rangeLoop(s *ast.RangeStmt) {
	if s.Key == nil || s.Tok != token.DEFINE {
		return
	}
	obj := r.object(s.Key)
	if obj == nil || r.writes[obj] != 1 {
		return
	}
	b := basic(r.info.TypeOf(s.X))
	r.ranges[obj] = &interval{least: firstKey, most: s.X, mostOff: 1, length: b == nil || b.Info()&types.IsInteger == 0}
}

// firstKey is the least key, known as a constant by its form alone.
var firstKey = &ast.BasicLit{Kind: token.INT, Value: "0"}

// span is what the counter of a loop goes through at most, a number of iterations for steps of one.
func (r *reach) span(l *loop, t plan.Trip) (linear, bool) {
	from, to := l.linear(t.Start), l.linear(t.Limit)
	if t.Step < 0 {
		from, to = to, from
	}
	d := to.plus(from, -1)
	most := constant64(d.c)
	if t.Cond == plan.LessEq || t.Cond == plan.GreaterEq {
		most.c++
	}
	for _, t := range d.terms {
		if t.x == nil {
			return linear{}, false
		}
		var y linear
		ok := false
		if t.length {
			y, ok = r.lengthOf(l, t.x)
		} else {
			y, ok = r.bound(l, t.x, t.coef > 0, 0)
		}
		if !ok {
			return linear{}, false
		}
		most = most.plus(y, t.coef)
	}
	return most, true
}

// bound is the most that x is, or the least, in terms of what is given.
func (r *reach) bound(l *loop, x ast.Expr, most bool, depth int) (linear, bool) {
	if depth > 16 {
		return linear{}, false // variables that are said by each other
	}
	if x == firstKey {
		return constant64(0), true
	}
	if v := r.info.Types[x].Value; v != nil {
		c, ok := constant.Int64Val(constant.ToInt(v))
		return constant64(c), ok
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return r.bound(l, x.X, most, depth+1)
	case *ast.Ident:
		return r.variable(l, x, most, depth)
	case *ast.UnaryExpr:
		y, ok := r.bound(l, x.X, !most, depth+1)
		return constant64(0).plus(y, -1), ok && x.Op == token.SUB
	case *ast.BinaryExpr:
		return r.binary(l, x, most, depth)
	case *ast.CallExpr:
		return r.call(l, x, most, depth)
	}
	return linear{}, false
}

func (r *reach) variable(l *loop, x *ast.Ident, most bool, depth int) (linear, bool) {
	obj := r.info.ObjectOf(x)
	t := r.info.TypeOf(x)
	if b := basic(t); b == nil || b.Info()&types.IsInteger == 0 {
		return linear{}, false
	}
	if r.given[obj] {
		return operand(l.asInt(x.Name, t)), true
	}
	v := r.ranges[obj]
	switch {
	case v == nil:
		return linear{}, false
	case most && v.length:
		y, ok := r.lengthOf(l, v.most)
		return y.plus(constant64(v.mostOff), -1), ok
	case most && v.most != nil:
		y, ok := r.bound(l, v.most, true, depth+1)
		return y.plus(constant64(v.mostOff), -1), ok
	case !most && v.least != nil:
		y, ok := r.bound(l, v.least, false, depth+1)
		return y.plus(constant64(v.leastUp), 1), ok
	}
	return linear{}, false
}

// lengthOf is the length of x, if x is a parameter that stays.
func (r *reach) lengthOf(l *loop, x ast.Expr) (linear, bool) {
	t := r.info.TypeOf(x)
	if id, ok := ast.Unparen(x).(*ast.Ident); ok && r.given[r.info.ObjectOf(id)] && takesMemory(t) {
		return operand(l.length(id, t)), true
	}
	return linear{}, false
}

func (r *reach) binary(l *loop, x *ast.BinaryExpr, most bool, depth int) (linear, bool) {
	a, ok := r.bound(l, x.X, most, depth+1)
	if !ok {
		return linear{}, false
	}
	switch x.Op {
	case token.ADD, token.SUB:
		b, ok := r.bound(l, x.Y, most == (x.Op == token.ADD), depth+1)
		return a.plus(b, 1-2*less(x.Op == token.SUB)), ok
	}
	b, ok := r.bound(l, x.Y, most, depth+1)
	if !ok || !b.isConst() || b.c <= 0 {
		return linear{}, false
	}
	switch {
	case x.Op == token.MUL:
		return constant64(0).plus(a, b.c), true
	case x.Op == token.QUO:
		return quotient(a, b.c), true
	case x.Op == token.SHR && b.c < 32:
		return quotient(a, 1<<b.c), true
	}
	return linear{}, false
}

func quotient(x linear, c int64) linear {
	if x.isConst() {
		return constant64(x.c / c)
	}
	return operand(fmt.Sprintf("%s/%s", x.factor(), intLiteral(c)))
}

// call is bound for lengths, for conversions, and for a minimum, which is no more than the first of its
// operands that is known.
func (r *reach) call(l *loop, x *ast.CallExpr, most bool, depth int) (linear, bool) {
	tv := r.info.Types[x.Fun]
	switch {
	case tv.IsType() && len(x.Args) == 1:
		return r.bound(l, x.Args[0], most, depth+1)
	case tv.IsBuiltin() && types.ExprString(x.Fun) == "len":
		return r.lengthOf(l, x.Args[0])
	case tv.IsBuiltin() && types.ExprString(x.Fun) == "min" && most:
		for _, a := range x.Args {
			if y, ok := r.bound(l, a, true, depth+1); ok {
				return y, true
			}
		}
	}
	return linear{}, false
}
