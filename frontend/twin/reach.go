package twin

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

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
//
// In a loop, what its statements leave alone counts as a parameter.
type reach struct {
	*function
	loop   ast.Stmt // nil for the whole function
	ranges map[types.Object]*interval
	rough  bool // some bound that was asked for is not always met
}

// An interval is a variable between two expressions, minus one where they are not included; nil is unknown.
type interval struct {
	least, most      ast.Expr
	leastUp, mostOff int64 // what is to be added to least and subtracted from most
	length           bool  // most is something with a length
}

// newReach is that of the whole function.
func newReach(c *function) *reach {
	r := &reach{function: c, ranges: map[types.Object]*interval{}}
	r.setAndMoved()
	ast.Inspect(c.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if n.Cond != nil {
				r.condition(n.Body, n.Cond)
			}
		case *ast.RangeStmt:
			r.rangeLoop(n)
		}
		return true
	})
	return r
}

// in is r for code in front of a loop.
func (r *reach) in(loop ast.Stmt) *reach {
	return &reach{function: r.function, loop: loop, ranges: r.ranges}
}

// setAndMoved notes variables that get one value, and go from there into one direction if at all.
func (r *reach) setAndMoved() {
	writes := map[types.Object]int{} // those that are not understood
	changes(r.info, r.decl.Body, func(x ast.Expr) bool {
		if obj := r.object(x); obj != nil {
			writes[obj]++
		}
		return false
	})
	set := map[types.Object]ast.Expr{}
	moves := map[types.Object][2]bool{} // down, up
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if ok && s.Tok == token.DEFINE && len(s.Lhs) == len(s.Rhs) {
			for i, x := range s.Lhs {
				if obj := r.object(x); obj != nil {
					set[obj] = s.Rhs[i]
					writes[obj]--
				}
			}
		}
		if x, up := moved(n); x != nil {
			if obj := r.object(x); obj != nil {
				m := moves[obj]
				m[up] = true
				moves[obj] = m
				writes[obj]--
			}
		}
		return true
	})
	for obj, x := range set {
		if writes[obj] != 0 {
			continue
		}
		v := &interval{}
		if !moves[obj][0] {
			v.least = x
		}
		if !moves[obj][1] {
			v.most = x
		}
		r.ranges[obj] = v
	}
}

// moved is the variable that a statement makes larger, 1, or smaller, 0; nil for other statements.
func moved(n ast.Node) (x ast.Expr, up int) {
	tok := token.ILLEGAL
	switch s := n.(type) {
	case *ast.IncDecStmt:
		x, tok = s.X, s.Tok
	case *ast.AssignStmt:
		x, tok = s.Lhs[0], s.Tok
	}
	switch tok {
	case token.INC, token.ADD_ASSIGN, token.MUL_ASSIGN, token.SHL_ASSIGN:
		return x, 1
	case token.DEC, token.SUB_ASSIGN, token.QUO_ASSIGN, token.SHR_ASSIGN:
		return x, 0
	}
	return nil, 0
}

// given reports whether a variable is known in front of the code.
func (r *reach) given(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	switch {
	case !ok || v.IsField() || v.Parent() == v.Pkg().Scope():
		return false
	case r.loop == nil:
		return v.Parent() == r.info.Scopes[r.decl.Type] && !assigned(r.info, r.decl.Body, v)
	}
	inside := r.loop.Pos() <= v.Pos() && v.Pos() < r.loop.End()
	return !inside && !assigned(r.info, r.loop, v)
}

// object is the variable that x names, nil for other expressions.
func (r *reach) object(x ast.Expr) types.Object {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok {
		return r.info.ObjectOf(id)
	}
	return nil
}

// condition notes what the condition of a loop says of variables that stay what they are in its body.
func (r *reach) condition(body *ast.BlockStmt, cond ast.Expr) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return
	}
	switch b.Op {
	case token.LAND:
		r.condition(body, b.X)
		r.condition(body, b.Y)
	case token.LSS, token.LEQ:
		r.between(body, b.X, b.Y, less(b.Op == token.LSS))
	case token.GTR, token.GEQ:
		r.between(body, b.Y, b.X, less(b.Op == token.GTR))
	}
}

// between notes that x is at most y minus off.
func (r *reach) between(body *ast.BlockStmt, x, y ast.Expr, off int64) {
	counter := func(x ast.Expr) *interval {
		if obj := r.object(x); obj != nil && !assigned(r.info, body, obj) {
			return r.ranges[obj]
		}
		return nil
	}
	if v := counter(x); v != nil && v.most == nil {
		v.most, v.mostOff = y, off
	}
	if v := counter(y); v != nil && v.least == nil {
		v.least, v.leastUp = x, off
	}
}

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
	if obj == nil || assigned(r.info, s.Body, obj) {
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
	d, ok := r.most(l, to.plus(from, -1))
	if t.Cond == plan.LessEq || t.Cond == plan.GreaterEq {
		d.c++
	}
	return d, ok
}

// most is what a sum is at most.
func (r *reach) most(l *loop, sum linear) (linear, bool) {
	most := constant64(sum.c)
	for _, t := range sum.terms {
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
	if r.given(obj) {
		return operand(l.asInt(x.Name, t)), true
	}
	v := r.ranges[obj]
	if v == nil {
		return linear{}, false
	}
	r.rough = r.rough || v.least != v.most
	switch {
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

// lengthOf is the length of x, if x is a parameter that stays, or a variable for part of something.
func (r *reach) lengthOf(l *loop, x ast.Expr) (linear, bool) {
	t := r.info.TypeOf(x)
	id, ok := ast.Unparen(x).(*ast.Ident)
	switch {
	case !ok:
	case r.given(r.info.ObjectOf(id)) && takesMemory(t):
		return operand(l.length(id, t)), true
	default:
		if v := r.ranges[r.info.ObjectOf(id)]; v != nil && v.least == v.most && v.most != nil {
			if s, ok := ast.Unparen(v.most).(*ast.SliceExpr); ok && s.High != nil {
				return r.sliced(l, s)
			}
		}
	}
	return linear{}, false
}

// sliced is the length of s: of a row, x[y*w:(y+1)*w].
func (r *reach) sliced(l *loop, s *ast.SliceExpr) (linear, bool) {
	length := polynomialOf(r.info, s.High)
	if s.Low != nil {
		length = length.plus(polynomialOf(r.info, s.Low), -1)
	}
	var sum linear
	for _, key := range slices.Sorted(maps.Keys(length)) {
		switch m := length[key]; len(m.factors) {
		case 0:
			sum.c += m.coef
		case 1:
			x, ok := r.bound(l, m.factors[0], m.coef > 0, 0)
			if !ok {
				return linear{}, false
			}
			sum = sum.plus(x, m.coef)
		default:
			return linear{}, false
		}
	}
	return sum, true
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
		r.rough = true
		for _, a := range x.Args {
			if y, ok := r.bound(l, a, true, depth+1); ok {
				return y, true
			}
		}
	}
	return linear{}, false
}
