package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// Complex numbers are pairs of floats, as in memory: real part first. What gc
// does with them (cmd/compile/internal/ssagen, 1.26), none of it fused on amd64
// below v3 and all of it what a twin promises:
//
//	x + y, x - y, -x   part by part, in the type of the parts
//	x == y             both parts equal; x != y is the opposite
//	x * y              re = xr*yr - xi*yi, im = xr*yi + xi*yr; complex64 parts
//	                   are converted to float64 first, and the two results back
//	x / y              a call of the runtime: refused
//	complex64(x)       part by part
//
// Products of converted float32 are exact, so that a complex64 product rounds
// twice: the sum, and the result.

func (l *lowerer) complexUnary(e *ast.UnaryExpr) []*vir.Value {
	x := l.value(e.X)
	l.mark(e)
	if e.Op == token.ADD {
		return x
	}
	return []*vir.Value{l.b.Same(vir.OpFneg, x[0]), l.b.Same(vir.OpFneg, x[1])}
}

func (l *lowerer) complexBinary(e *ast.BinaryExpr, t types.Type) []*vir.Value {
	x, y := l.valueAs(e.X, t), l.valueAs(e.Y, t)
	l.mark(e)
	return l.complexArith(e, e.Op, x, y)
}

func (l *lowerer) complexArith(n ast.Node, op token.Token, x, y []*vir.Value) []*vir.Value {
	switch op {
	case token.ADD:
		return []*vir.Value{l.b.Same(vir.OpFadd, x[0], y[0]), l.b.Same(vir.OpFadd, x[1], y[1])}
	case token.SUB:
		return []*vir.Value{l.b.Same(vir.OpFsub, x[0], y[0]), l.b.Same(vir.OpFsub, x[1], y[1])}
	case token.MUL:
		return l.complexProduct(x, y)
	case token.QUO:
		l.refuse(n, "Complex", "complex division is a call")
	}
	l.refuse(n, "Expr", "operator %s is not supported here", op)
	panic("unreachable")
}

func (l *lowerer) complexProduct(x, y []*vir.Value) []*vir.Value {
	t, wide := x[0].Type, vir.Scalar(vir.F64)
	widen := func(v *vir.Value) *vir.Value {
		if t == wide {
			return v
		}
		return l.b.Op(vir.OpFpext, wide, v)
	}
	mul := func(a, b *vir.Value) *vir.Value { return l.b.Same(vir.OpFmul, a, b) }
	xr, yr, xi, yi := widen(x[0]), widen(y[0]), widen(x[1]), widen(y[1])
	re := l.b.Same(vir.OpFsub, mul(xr, yr), mul(xi, yi))
	im := l.b.Same(vir.OpFadd, mul(xr, yi), mul(xi, yr))
	if t != wide {
		re, im = l.b.Op(vir.OpFptrunc, t, re), l.b.Op(vir.OpFptrunc, t, im)
	}
	return []*vir.Value{re, im}
}

// complexBuiltin is complex(re, im).
func (l *lowerer) complexBuiltin(e *ast.CallExpr) []*vir.Value {
	h := half(l.typeOf(e))
	re, im := l.scalarAs(e.Args[0], h), l.scalarAs(e.Args[1], h)
	return []*vir.Value{re, im}
}

// part is real(x) or imag(x).
func (l *lowerer) part(e *ast.CallExpr, p Part) *vir.Value {
	return l.value(e.Args[0])[p-Real]
}

// complexConversion is complex64(x) or complex128(x).
func (l *lowerer) complexConversion(e *ast.CallExpr, from, to types.Type) []*vir.Value {
	x := l.value(e.Args[0])
	l.mark(e)
	f, t := half(from), half(to)
	return []*vir.Value{l.convert(e, x[0], f, t), l.convert(e, x[1], f, t)}
}

// constLeaves is the constant c as a value of type t.
func (l *lowerer) constLeaves(n ast.Node, c constant.Value, t types.Type) []*vir.Value {
	if !isComplex(t) {
		return []*vir.Value{l.constValue(n, c, t)}
	}
	h := half(t)
	return []*vir.Value{l.constValue(n, constant.Real(c), h), l.constValue(n, constant.Imag(c), h)}
}

func (l *lowerer) partPath(p *path, part Part) *path {
	q := p.clone()
	q.expr = l.partExpr(p.expr, part)
	q.typ = half(p.typ)
	q.key = map[Part]string{Real: "real ", Imag: "imag "}[part] + p.key
	q.name = p.name + map[Part]string{Real: "_re", Imag: "_im"}[part]
	return q
}

// partExpr is a part of e as an expression for use before the loop.
func (l *lowerer) partExpr(e ast.Expr, p Part) ast.Expr {
	name := map[Part]string{Real: "real", Imag: "imag"}[p]
	if name == "" {
		return e
	}
	for _, b := range []string{"real", "imag", "complex"} {
		if scope := l.src.Home.Scope().Innermost(l.loop.Pos()); scope != nil {
			if _, o := scope.LookupParent(b, l.loop.Pos()); o != types.Universe.Lookup(b) {
				l.refuse(l.loop, "Complex", "%s is not the builtin here", b)
			}
		}
	}
	return &ast.CallExpr{Fun: ast.NewIdent(name), Args: []ast.Expr{e}}
}
