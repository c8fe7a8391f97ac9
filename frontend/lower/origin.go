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
	var made ast.Expr
	sets := 0
	ast.Inspect(l.src.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, e := range n.Lhs {
				if id, ok := ast.Unparen(e).(*ast.Ident); ok && objectOf(l.info, id) == v {
					if sets++; n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
						made = n.Rhs[i]
					}
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if l.info.Defs[id] == v {
					if sets++; len(n.Names) == len(n.Values) {
						made = n.Values[i]
					}
				}
			}
		case *ast.IncDecStmt:
			if l.isVar(n.X, v) {
				sets++
			}
		case *ast.RangeStmt:
			if l.isVar(n.Key, v) || l.isVar(n.Value, v) {
				sets++
			}
		}
		return true
	})
	if made == nil || sets != 1 {
		return nil
	}
	return l.narrower(made, v.Type())
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
	has := func(e ast.Expr) (found bool) {
		if e != nil {
			ast.Inspect(e, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || ok && objectOf(l.info, id) == v
				return !found
			})
		}
		return found
	}
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
