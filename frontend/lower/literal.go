package lower

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Function literals. A variable that is declared as one and never set is called like a
// function:
//
//	clamp := func(v int) uint8 { return uint8(max(lo, min(v, hi))) }
//	for i, v := range x {
//		dst[i] = clamp(v)
//	}
//
// What the literal uses of the function around it, and must not set, counts as further
// arguments.

// A literal is one that can be inlined.
type literal struct {
	in       *ast.FuncDecl // the function that it is part of
	body     *Body
	captured []*ast.Ident // a use of each of the variables
}

// literalOf is what e calls, nil if that is not known, or if it sets what it captures.
func (l *lowerer) literalOf(e *ast.CallExpr) *literal {
	switch fun := ast.Unparen(e.Fun).(type) {
	case *ast.FuncLit:
		return l.newLiteral(fun, "the function literal")
	case *ast.Ident:
		if v, ok := l.info.Uses[fun].(*types.Var); ok {
			return l.literalIn(v)
		}
	}
	return nil
}

// literalIn is the only value of v, nil if there are others, or if it cannot be inlined.
func (l *lowerer) literalIn(v *types.Var) *literal {
	known, ok := l.literals[v]
	if !ok {
		if b := l.src.Bound[v]; b.Lit != nil {
			known = l.newLiteralIn(b.In, findFacts(l.src.Info, b.In), b.Lit, v.Name())
		} else if lit, ok := l.only(v).(*ast.FuncLit); ok && !l.facts.addressed[v] {
			known = l.newLiteral(lit, v.Name())
		}
		l.literals[v] = known
	}
	return known
}

// boundTo is the function that e calls by the name of a parameter, nil for others.
func (l *lowerer) boundTo(e *ast.CallExpr) *types.Func {
	id, _ := ast.Unparen(e.Fun).(*ast.Ident)
	v, _ := l.info.Uses[id].(*types.Var)
	return l.src.Bound[v].Func
}

// declaresLiteral reports whether s declares a variable that is only called: nothing to do.
func (l *lowerer) declaresLiteral(s *ast.AssignStmt) bool {
	if len(s.Lhs) != 1 {
		return false
	}
	v, ok := l.info.Defs[s.Lhs[0].(*ast.Ident)].(*types.Var)
	return ok && isFunction(v) && l.literalIn(v) != nil
}

func isFunction(v *types.Var) bool { _, ok := v.Type().Underlying().(*types.Signature); return ok }

// newLiteral is lit as a function, with the facts of the one around it.
func (l *lowerer) newLiteral(lit *ast.FuncLit, name string) *literal {
	return l.newLiteralIn(l.decl, l.facts, lit, name)
}

func (l *lowerer) newLiteralIn(in *ast.FuncDecl, facts *facts, lit *ast.FuncLit, name string) *literal {
	decl := &ast.FuncDecl{Name: &ast.Ident{NamePos: lit.Pos(), Name: name}, Type: lit.Type, Body: lit.Body}
	fn := types.NewFunc(lit.Pos(), l.pkg, name, l.info.TypeOf(lit).(*types.Signature))
	set := assignedIn(l.info, lit.Body)
	captured := l.captures(lit)
	if slices.ContainsFunc(captured, func(id *ast.Ident) bool {
		v := l.info.Uses[id].(*types.Var)
		return set[v] || facts.addressed[v]
	}) {
		return nil
	}
	return &literal{in, &Body{Func: fn, Decl: decl, Info: l.info, Pkg: l.pkg, facts: facts}, captured}
}

// captures is a use of each variable of the function around it that lit uses, also by way of
// literals that it calls.
func (l *lowerer) captures(lit *ast.FuncLit) (captured []*ast.Ident) {
	seen := make(map[*types.Var]bool)
	var visit func(lit *ast.FuncLit)
	visit = func(lit *ast.FuncLit) {
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := l.info.Uses[id].(*types.Var)
			if !ok || v.IsField() || isPackageLevel(v) || lit.Pos() <= v.Pos() && v.Pos() < lit.End() || seen[v] {
				return true
			}
			seen[v] = true
			if !isFunction(v) {
				captured = append(captured, id)
			} else if called, ok := l.only(v).(*ast.FuncLit); ok {
				visit(called)
			}
			return true
		})
	}
	visit(lit)
	return captured
}

func (l *lowerer) inlineLiteral(e *ast.CallExpr, lit *literal) [][]*vir.Value {
	for _, id := range lit.captured {
		if v := l.info.Uses[id].(*types.Var); !l.namedHere(v) {
			l.refuse(e, "Call", "call of %s, which uses a %s that has no name here", lit.body.Func.Name(), v.Name())
		}
	}
	fr := l.newFrame(e, lit.body, lit.in)
	for p, t := range l.subst {
		fr.subst[p] = t
	}
	return l.inlineIn(fr, e, lit.captured)
}

// namedHere reports whether v, if the twin has to say it in front of the loop or inside of it, is what
// its name means there.
func (l *lowerer) namedHere(v *types.Var) bool {
	if l.frame.outer != nil || l.inBody(v) || l.isState(v) {
		return true // it is a value, or stands for one
	}
	return l.means(v, l.loop.Pos()) && (l.once != nil || l.means(v, loopBody(l.loop).Pos()))
}
