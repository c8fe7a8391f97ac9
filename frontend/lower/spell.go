package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/types/typeutil"
)

// spell is the integer e as it may stand before the loop, nil when it may have another value
// in some iteration, or panic. Counters of unrolled loops and constants that the loop declares
// have no name there, or mean something else: their values stand for them. Where there are
// none it is e itself.
func (l *lowerer) spell(e ast.Expr) ast.Expr {
	if c := l.constOf(e); c != nil {
		if l.info.Types[e].Value != nil && !l.namesOwnConst(e) {
			return e
		}
		return number(c)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return l.spellPart(e, e.X, func(x ast.Expr) ast.Expr { return &ast.ParenExpr{X: x} })
	case *ast.Ident, *ast.SelectorExpr:
		if p := l.pathOf(e); p != nil && !p.memory && !p.indexed && len(p.nonNil) == 0 && isInteger(p.typ) {
			return e
		}
		if x := l.meaning(e); x != nil {
			return l.spell(&ast.ParenExpr{X: x})
		}
	case *ast.UnaryExpr:
		if e.Op == token.SUB || e.Op == token.XOR {
			return l.spellPart(e, e.X, func(x ast.Expr) ast.Expr { return &ast.UnaryExpr{Op: e.Op, X: x} })
		}
	case *ast.BinaryExpr:
		return l.spellBinary(e)
	case *ast.CallExpr:
		return l.spellCall(e)
	}
	return nil
}

// meaning is what e, the name of an integer that the body of the loop declares and nothing else sets, is
// declared with; nil for other expressions.
func (l *lowerer) meaning(e ast.Expr) ast.Expr {
	id, ok := e.(*ast.Ident)
	if !ok || l.frame.outer != nil {
		return nil
	}
	v, ok := objectOf(l.info, id).(*types.Var)
	if !ok || !isInteger(l.substitute(v.Type())) || !l.inBody(v) || l.facts.addressed[v] || l.facts.held[v] {
		return nil
	}
	x, ok := l.meanings[v]
	if !ok {
		if x = l.only(v); x != nil && !types.Identical(l.info.TypeOf(x), v.Type()) {
			x = nil // an untyped number, or a conversion
		}
		l.meanings[v] = x
	}
	return x
}

// spellPart is e, made of its part anew if that is not spelled as it stands.
func (l *lowerer) spellPart(e, part ast.Expr, remake func(ast.Expr) ast.Expr) ast.Expr {
	switch x := l.spell(part); x {
	case nil:
		return nil
	case part:
		return e
	default:
		return remake(x)
	}
}

func (l *lowerer) spellBinary(e *ast.BinaryExpr) ast.Expr {
	switch e.Op {
	case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
	case token.QUO, token.REM:
		if l.info.Types[e.Y].Value == nil && !l.dividing {
			return nil
		}
	case token.SHL, token.SHR:
		if l.info.Types[e.Y].Value == nil {
			return nil
		}
	default:
		return nil
	}
	x, y := l.spell(e.X), l.spell(e.Y)
	switch {
	case x == nil || y == nil:
		return nil
	case x == e.X && y == e.Y:
		return e
	}
	base, c := l.offset(e)
	switch {
	case base == e:
		return &ast.BinaryExpr{X: x, Op: e.Op, Y: y}
	case c == 0:
		return l.spell(base)
	case c < 0:
		return &ast.BinaryExpr{X: l.spell(base), Op: token.SUB, Y: number(constant.MakeInt64(-c))}
	}
	return &ast.BinaryExpr{X: l.spell(base), Op: token.ADD, Y: number(constant.MakeInt64(c))}
}

// offset is e without the constants that are added to it or subtracted, if it is an int, and
// what they come to: y+i-1 with i=1 is y.
func (l *lowerer) offset(e ast.Expr) (base ast.Expr, c int64) {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.ADD && b.Op != token.SUB || !types.Identical(l.typeOf(e), types.Typ[types.Int]) {
		return e, 0
	}
	if k := l.constOf(b.Y); k != nil && constInt(k) == int64(int32(constInt(k))) {
		base, c = l.offset(b.X)
		if b.Op == token.SUB {
			return base, c - constInt(k)
		}
		return base, c + constInt(k)
	}
	if k := l.constOf(b.X); k != nil && b.Op == token.ADD && constInt(k) == int64(int32(constInt(k))) {
		base, c = l.offset(b.Y)
		return base, c + constInt(k)
	}
	return e, 0
}

// divisors are what the spelled e divides by, where that is no constant.
func (l *lowerer) divisors(e ast.Expr) (all []ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.QUO || b.Op == token.REM) {
			if _, isLit := b.Y.(*ast.BasicLit); !isLit && l.info.Types[b.Y].Value == nil {
				all = append(all, b.Y)
			}
		}
		return true
	})
	return all
}

// spellCall is a conversion of an integer, a length, a minimum or a maximum, or the call of a function that does nothing
// but calculate.
func (l *lowerer) spellCall(e *ast.CallExpr) ast.Expr {
	if tv := l.info.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
		if !isInteger(l.typeOf(e)) || !isInteger(l.typeOf(e.Args[0])) {
			return nil
		}
		return l.spellPart(e, e.Args[0], func(x ast.Expr) ast.Expr { return &ast.CallExpr{Fun: e.Fun, Args: []ast.Expr{x}} })
	}
	switch l.builtinName(e) {
	case "len":
		if p := l.pathOf(e.Args[0]); p != nil && !p.indexed && len(p.nonNil) == 0 && (isString(p.typ) || isSlice(p.typ)) {
			return e
		}
	case "min", "max":
		if isInteger(l.typeOf(e)) {
			return l.spellArgs(e)
		}
	case "":
		if fn, ok := typeutil.Callee(l.info, e).(*types.Func); ok && l.frame.outer == nil && l.isNamed(e.Fun, fn) && l.isTotal(fn) {
			return l.spellArgs(e)
		}
	}
	return nil
}

// isNamed reports whether e is the name of fn, and is so before the loop.
func (l *lowerer) isNamed(e ast.Expr, fn *types.Func) bool {
	_, ok := e.(*ast.Ident)
	return ok && fn.Pkg() == l.src.Pkg && l.means(fn, l.loop.Pos())
}

// spellArgs is call e with its arguments spelled.
func (l *lowerer) spellArgs(e *ast.CallExpr) ast.Expr {
	args := make([]ast.Expr, len(e.Args))
	for i, a := range e.Args {
		if args[i] = l.spell(a); args[i] == nil {
			return nil
		}
	}
	if slices.Equal(args, e.Args) {
		return e
	}
	return &ast.CallExpr{Fun: e.Fun, Args: args}
}

// unrolledCounter reports whether id is the counter of a loop of which there are copies.
func (l *lowerer) unrolledCounter(id *ast.Ident) bool {
	v, ok := objectOf(l.info, id).(*types.Var)
	return ok && l.known[v] != nil
}

// number is integer c as a part of an expression, nil for other constants.
func number(c constant.Value) ast.Expr {
	k, ok := constant.Int64Val(constant.ToInt(c))
	if !ok {
		return nil
	}
	x := &ast.BasicLit{Kind: token.INT, Value: strconv.FormatInt(k, 10)}
	if k < 0 {
		return &ast.ParenExpr{X: x}
	}
	return x
}
