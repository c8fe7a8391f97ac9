package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// A variable of struct, array or complex type that the loop sets is carried from
// iteration to iteration number by number where its parts are always named:
// s.x, s[2]. Where a subscript is not constant it lives in memory.

// carried reports whether v, which the loop sets, is carried in registers.
func (l *lowerer) carried(v *types.Var) bool {
	t := l.substitute(v.Type())
	if isNumber(t) {
		return true
	}
	if l.inMemory(v) {
		return false
	}
	if _, ok := leaves(t); !ok || l.facts.addressed[v] || l.facts.captured[v] || !l.nameable(t) {
		return false
	}
	ok := true
	var stack []ast.Node
	ast.Inspect(l.loop, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		if id, isID := n.(*ast.Ident); isID && objectOf(l.info, id) == v {
			ok = ok && l.namesPart(stack)
		}
		return true
	})
	return ok
}

// namesPart reports whether the identifier on top of stack is used as a whole or
// by fields and constant subscripts.
func (l *lowerer) namesPart(stack []ast.Node) bool {
	for i := len(stack) - 1; i > 0; i-- {
		switch p := stack[i-1].(type) {
		case *ast.ParenExpr:
		case *ast.SelectorExpr:
			if s := l.info.Selections[p]; s == nil || s.Kind() != types.FieldVal || s.Indirect() {
				return true
			}
		case *ast.IndexExpr:
			if p.X != stack[i] {
				return true
			}
			if l.constOf(p.Index) == nil {
				return false
			}
		case *ast.RangeStmt:
			return p.X != stack[i]
		default:
			return true
		}
	}
	return true
}

// nameable reports whether the twin can name every number inside of a variable
// of type t.
func (l *lowerer) nameable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Exported() && f.Pkg() != l.src.Pkg || !l.nameable(f.Type()) {
				return false
			}
		}
	case *types.Array:
		return l.nameable(u.Elem())
	}
	return true
}

// addLeafStates makes a header phi for every number in v that the loop sets; the
// others keep their values. Nobody can see what a blank field holds.
func (l *lowerer) addLeafStates(v *types.Var, id *ast.Ident) {
	t := l.substitute(v.Type())
	ls, ok := leaves(t)
	if !ok {
		l.refuse(id, typeID(t), "the loop sets %s, %s", v.Name(), describe(t))
	}
	set := l.leavesSet(v, len(ls))
	if l.once != nil && l.once.hoisted[v] {
		set = slices.Repeat([]bool{true}, len(ls))
	}
	local := l.declaredByLoop(v)
	live := !local && l.liveAfter(v)
	for k, leaf := range ls {
		vt, _ := scalarType(leaf.typ)
		at := leafExpr(id, t, leaf.path)
		name := leafName(v.Name(), t, leaf)
		p := Param{Kind: ParamValue, Expr: l.partExpr(at, leaf.part), Type: leaf.typ}
		switch {
		case leaf.blank:
			l.set(key{v, k}, l.constant(vt, 0))
			continue
		case !set[k]:
			in := l.addLiveIn(p, name, vt)
			in.order, in.pos = orderValue, v.Pos()
			l.set(key{v, k}, in.v)
			continue
		}
		w := Var{Obj: v, Part: leaf.part, Local: local, Type: leaf.of}
		if len(leaf.path) > 0 {
			w.Expr = at
		}
		s := l.addStateOf(w, k, p, name, vt)
		s.Live = live
	}
}

// leavesSet says which of the n leaves of v the loop sets.
func (l *lowerer) leavesSet(v *types.Var, n int) []bool {
	set := make([]bool, n)
	targetsOf(l.loopParts(), l.leaving, func(e ast.Expr) {
		if rootVar(l.info, e) != v {
			return
		}
		if loc, ok := l.localOf(e); ok {
			for k := range loc.n {
				set[loc.first+k] = true
			}
		}
	})
	return set
}

// leafExpr is the part of e, of type t, that path leads to.
func leafExpr(e ast.Expr, t types.Type, path []int) ast.Expr {
	for _, i := range path {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			e = &ast.SelectorExpr{X: e, Sel: ast.NewIdent(u.Field(i).Name())}
			t = u.Field(i).Type()
		case *types.Array:
			e = &ast.IndexExpr{X: e, Index: &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(i)}}
			t = u.Elem()
		}
	}
	return e
}

func leafName(name string, t types.Type, leaf leaf) string {
	for _, i := range leaf.path {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			name += "_" + u.Field(i).Name()
			t = u.Field(i).Type()
		case *types.Array:
			name += "_" + strconv.Itoa(i)
			t = u.Elem()
		}
	}
	return name + [...]string{Whole: "", Real: "_re", Imag: "_im"}[leaf.part]
}
