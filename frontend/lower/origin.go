package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// A variable that is set once, to what was a narrower integer, has no other values:
//
//	a := uint32(alpha) // of a uint8
//
// Kernels get it in the narrower type, so that it is known what products with it can be.

// origin is the narrower integer type that local variable v has been made of, nil if there is
// none, or if v does anything but arithmetic in the loop: subscripts and conditions are
// analyzed as they are.
func (l *lowerer) origin(v *types.Var) *types.Basic {
	if !isInteger(v.Type()) || l.facts.addressed[v] || l.facts.captured[v] || !l.multiplies(v) {
		return nil
	}
	made := l.only(v)
	if made == nil {
		return nil
	}
	return l.narrower(made, v.Type())
}

// measured is the slice or string of which p, a variable that is set once, is the length, if that is set once as well; nil for
// others. Conditions about either are then known to say the same.
func (l *lowerer) measured(p *path) ast.Expr {
	id, ok := ast.Unparen(p.expr).(*ast.Ident)
	if !ok || l.once != nil || l.frame.outer != nil || !l.isVar(id, p.root) {
		return nil
	}
	of, ok := l.lengths[p.root]
	if !ok {
		of = l.lengthHeld(p.root)
		l.lengths[p.root] = of
	}
	return of
}

// lengthHeld is measured for variable n.
func (l *lowerer) lengthHeld(n *types.Var) ast.Expr {
	if !l.setOnce(n) {
		return nil
	}
	call, ok := l.declaredAs(n).(*ast.CallExpr)
	if !ok || l.builtinName(call) != "len" {
		return nil
	}
	of, ok := call.Args[0].(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := objectOf(l.info, of).(*types.Var)
	if !ok || !l.setOnce(v) || !l.means(v, l.loop.Pos()) || !isSlice(l.typeOf(of)) && !isString(l.typeOf(of)) {
		return nil
	}
	return of
}

// setOnce reports whether nothing is assigned to v, a local variable, behind its declaration.
func (l *lowerer) setOnce(v *types.Var) bool {
	return !isPackageLevel(v) && !l.facts.addressed[v] && !l.facts.captured[v] && !l.isSetAgain(v)
}

// only is the value that a local variable is declared with if nothing else is assigned to it, nil if
// there is none of its own.
func (l *lowerer) only(v *types.Var) ast.Expr {
	if l.isSetAgain(v) {
		return nil
	}
	return l.declaredAs(v)
}

func (l *lowerer) isSetAgain(v *types.Var) (again bool) {
	targetsOf(l.decl.Body, nil, func(e ast.Expr) { again = again || l.isVar(e, v) && !l.declares(e, v) })
	return again
}

func (l *lowerer) declaredAs(v *types.Var) (value ast.Expr) {
	l.assignments(func(to, x ast.Expr, _ bool) {
		if x != nil && l.declares(to, v) {
			value = x
		}
	})
	return value
}

// assignments calls yield for all that the function sets: to the value of an expression, to no more than 0 where it is declared
// without one, or to something else.
func (l *lowerer) assignments(yield func(to, value ast.Expr, zero bool)) {
	ast.Inspect(l.decl.Body, func(n ast.Node) bool {
		names, values, zero := targets(n), []ast.Expr(nil), false
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				values = n.Rhs
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				names = append(names, id)
			}
			values, zero = n.Values, n.Values == nil
		}
		for i, e := range names {
			if len(names) == len(values) {
				yield(e, values[i], false)
			} else {
				yield(e, nil, zero)
			}
		}
		return true
	})
}

// declares reports whether e is the identifier that declares v.
func (l *lowerer) declares(e ast.Expr, v *types.Var) bool {
	id, ok := e.(*ast.Ident)
	return ok && l.info.Defs[id] == v
}

// narrower is the type of x if e converts x to t from an integer of fewer bits.
func (l *lowerer) narrower(e ast.Expr, t types.Type) *types.Basic {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !l.info.Types[call.Fun].IsType() {
		return nil
	}
	from, to := l.info.TypeOf(call.Args[0]), basic(t)
	if from == nil || l.info.Types[call.Args[0]].Value != nil || !isInteger(from) {
		return nil
	}
	b := basic(from)
	if b == nil || b.Info()&types.IsUntyped != 0 || sizes.Sizeof(b) >= sizes.Sizeof(to) {
		return nil
	}
	return b
}

// multiplies reports whether v is part of a factor in the loop, and never of a subscript, a
// condition of the loop, or the number of bits of a shift.
func (l *lowerer) multiplies(v *types.Var) bool {
	factor, other := false, false
	has := func(e ast.Expr) bool { return e != nil && mentions(l.info, e, v) }
	ast.Inspect(l.loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			factor = factor || n.Op == token.MUL && has(n)
			other = other || (n.Op == token.SHL || n.Op == token.SHR) && has(n.Y)
		case *ast.IndexExpr:
			other = other || has(n.Index)
		case *ast.SliceExpr:
			other = other || has(n)
		case *ast.ForStmt:
			other = other || has(n.Cond)
		case *ast.RangeStmt:
			other = other || has(n.X)
		}
		return true
	})
	return factor && !other
}

// widened is local variable p, in the type t, of which kernels get what from holds of it.
func (l *lowerer) widened(p *path, from *types.Basic, t vir.Type) *vir.Value {
	narrow := *p
	narrow.key += " from " + from.Name()
	x := l.liveIn(ParamValue, &narrow, vir.Scalar(vir.IntElem(int(sizes.Sizeof(from))))).v
	return l.resize(x, t, isUnsigned(from))
}

// originOf is origin for what p denotes.
func (l *lowerer) originOf(p *path) *types.Basic {
	id, ok := ast.Unparen(p.expr).(*ast.Ident)
	if !ok || l.once != nil || p.content != "" || !l.isVar(id, p.root) || isPackageLevel(p.root) {
		return nil
	}
	if from, ok := l.origins[p.root]; ok {
		return from
	}
	from := l.origin(p.root)
	l.origins[p.root] = from
	return from
}
