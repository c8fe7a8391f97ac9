package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// A variable that is set to a few constants is one of them where a loop begins:
//
//	step := 4
//	if overlap {
//		step = -4
//	}
//
// Which one it is most likely to be is known before it is known how it gets there. So it is behind if step == 4.

// usual is the smallest positive number that in, a local variable which is no counter, may be, of those that it is set to: constants,
// and their sums and products with such variables; or that a condition around the loop says that it is. It is 0 where there is none,
// or the variable may be anything.
func (l *lowerer) usual(in *liveIn) (least int64) {
	id, ok := in.Expr.(*ast.Ident)
	if !ok || in.Kind != ParamValue {
		return 0
	}
	v, ok := objectOf(l.info, id).(*types.Var)
	if !ok || !isInteger(v.Type()) {
		return 0
	}
	for _, n := range append(l.equals(v), l.numbers(v, 0)...) {
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// equals are constants that v is in branches which the loop stands in.
func (l *lowerer) equals(v *types.Var) (all []int64) {
	ast.Inspect(l.decl.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok || l.loop.Pos() < s.Body.Pos() || s.Body.End() <= l.loop.Pos() {
			return true
		}
		for _, c := range conjuncts(s.Cond) {
			e, ok := c.(*ast.BinaryExpr)
			if !ok || e.Op != token.EQL || !l.isVar(ast.Unparen(e.X), v) {
				continue
			}
			if is := l.info.Types[e.Y].Value; is != nil {
				n, _ := constant.Int64Val(constant.ToInt(is))
				all = append(all, n)
			}
		}
		return true
	})
	return all
}

const (
	deepestNumber = 4  // variables that one may be made of, each of the one before
	mostNumbers   = 16 // that one may be
)

// numbers are all that v is set to behind its declaration, and with it; nil where that may be anything.
func (l *lowerer) numbers(v *types.Var, depth int) (all []int64) {
	if depth > deepestNumber || isPackageLevel(v) || l.facts.addressed[v] || l.facts.captured[v] {
		return nil
	}
	anything := true // so are parameters
	l.assignments(func(to, value ast.Expr, zero bool) {
		if !l.isVar(to, v) {
			return
		}
		anything = anything && !l.declares(to, v)
		switch {
		case zero:
			all = append(all, 0)
		case value == nil:
			anything = true
		default:
			ns := l.numbersOf(value, depth)
			anything = anything || ns == nil
			all = append(all, ns...)
		}
	})
	if anything || len(all) > mostNumbers {
		return nil
	}
	return all
}

// numbersOf are all that e may be; nil where that may be anything.
func (l *lowerer) numbersOf(e ast.Expr, depth int) (all []int64) {
	if c := l.info.Types[e].Value; c != nil {
		if n, exact := constant.Int64Val(constant.ToInt(c)); exact {
			return []int64{n}
		}
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := objectOf(l.info, e).(*types.Var); ok {
			return l.numbers(v, depth+1)
		}
	case *ast.UnaryExpr:
		if e.Op == token.SUB {
			for _, n := range l.numbersOf(e.X, depth+1) {
				all = append(all, -n)
			}
		}
	case *ast.BinaryExpr:
		f := map[token.Token]func(x, y int64) int64{
			token.ADD: func(x, y int64) int64 { return x + y }, token.SUB: func(x, y int64) int64 { return x - y },
			token.MUL: func(x, y int64) int64 { return x * y },
		}[e.Op]
		if f == nil {
			return nil
		}
		for _, x := range l.numbersOf(e.X, depth+1) {
			for _, y := range l.numbersOf(e.Y, depth+1) {
				all = append(all, f(x, y))
			}
		}
	}
	if len(all) > mostNumbers {
		return nil
	}
	return all
}

// conjuncts are conditions that all hold where e does.
func conjuncts(e ast.Expr) []ast.Expr {
	e = ast.Unparen(e)
	if x, ok := e.(*ast.BinaryExpr); ok && x.Op == token.LAND {
		return append(conjuncts(x.X), conjuncts(x.Y)...)
	}
	return []ast.Expr{e}
}
