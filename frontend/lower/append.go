package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/lanewise/lanewise/vir"
)

// Appending to a slice variable of the function,
//
//	out = append(out, v)
//
// is a store behind what it holds, and its length goes up:
//
//	check.index %n, %out_cap
//	store %v, [%out + %n*size]
//	%n1 = add %n, 1
//
// Where several values are appended at once, there must be room for all of them before one is stored.
//
// The state variable is the length; the data and the capacity are as they were when the
// kernel was called. Where the check fails, the slice grows: that is left to the user's
// code, and the next call gets what is new. So the variable must not be used in any other way
// while the loop goes on.
//
// The compiler lets slices that start with nothing grow on the stack, unless they are used
// as the twin uses them. So only parameters, and variables declared by make or by slicing another
// one, are taken: those it leaves alone.

// findAppended finds the variables that the loop sets by append only. Loops with loops
// inside have none.
func (l *lowerer) findAppended() {
	l.appended, l.roomless = make(map[*types.Var]bool), make(map[*types.Var]bool)
	for v := range l.assigned {
		if !l.isAppended(v) {
			continue
		}
		if !l.hasRoom(v) {
			l.roomless[v] = true
			continue
		}
		l.appended[v], l.stores = true, true
	}
}

// hasRoom reports whether v is a parameter, or declared by make or by slicing another variable,
// and set by append, make and slicing only.
func (l *lowerer) hasRoom(v *types.Var) bool {
	made, others, appends := l.isParameter(v), 0, 0
	ast.Inspect(l.src.Decl.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		if l.appendTo(s) == v {
			appends++
		}
		for i, e := range s.Lhs {
			if !l.isVar(e, v) {
				continue
			}
			if len(s.Lhs) == len(s.Rhs) && l.givesRoom(s.Rhs[i]) {
				made = made || l.declares(e, v)
				continue
			}
			others++
		}
		return true
	})
	return made && others == appends
}

// givesRoom holds for slicing and for make.
func (l *lowerer) givesRoom(e ast.Expr) bool {
	call, isCall := ast.Unparen(e).(*ast.CallExpr)
	_, isSliced := ast.Unparen(e).(*ast.SliceExpr)
	return isSliced || isCall && l.builtinName(call) == "make"
}

// isParameter reports whether v is one of the function's, not a result or the receiver.
func (l *lowerer) isParameter(v *types.Var) bool {
	fn, _ := l.src.function()
	for _, f := range fn.Params.List {
		for _, id := range f.Names {
			if l.info.Defs[id] == v {
				return true
			}
		}
	}
	return false
}

func (l *lowerer) isAppended(v *types.Var) bool {
	t := l.substitute(v.Type())
	if !isSlice(t) || l.facts.addressed[v] || l.facts.captured[v] || l.declaredByLoop(v) {
		return false
	}
	if _, ok := leaves(elemOf(t)); !ok || sizes.Sizeof(elemOf(t)) == 0 {
		return false
	}
	uses, appends, flat := 0, 0, true
	l.inspectStaying(l.loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if objectOf(l.info, n) == v {
				uses++
			}
		case *ast.AssignStmt:
			if l.appendTo(n) == v {
				appends++
			}
		case *ast.ForStmt, *ast.RangeStmt:
			flat = flat && (n == l.loop || !mentions(l.info, n, v))
		}
		return true
	})
	return flat && uses == 2*appends
}

// appendsFew reports whether a call appends elements that are its arguments, or the bytes of one.
func (l *lowerer) appendsFew(call *ast.CallExpr) bool {
	if l.builtinName(call) == "append" {
		return len(call.Args) >= 2 && !call.Ellipsis.IsValid()
	}
	_, _, ok := l.appendedBytes(call)
	return ok
}

// appendedBytes is how many bytes a call of binary.LittleEndian.AppendUint16 or the like appends, and whether the first one is the highest.
func (l *lowerer) appendedBytes(call *ast.CallExpr) (size int64, big, ok bool) {
	fn := typeutil.StaticCallee(l.info, call)
	if fn == nil || len(call.Args) != 2 {
		return 0, false, false
	}
	big, ok = endian(fn)
	switch fn.Name() {
	case "AppendUint16":
		size = 2
	case "AppendUint32":
		size = 4
	case "AppendUint64":
		size = 8
	}
	return size, big, ok && size > 0
}

// appendTo is the variable of statement out = append(out, x, y), nil of another one.
func (l *lowerer) appendTo(s *ast.AssignStmt) *types.Var {
	if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil
	}
	call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || !l.appendsFew(call) {
		return nil
	}
	to, ok := ast.Unparen(s.Lhs[0]).(*ast.Ident)
	from, ok2 := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok || !ok2 || objectOf(l.info, to) != objectOf(l.info, from) {
		return nil
	}
	v, _ := objectOf(l.info, to).(*types.Var)
	return v
}

// addLengthState makes the length of an appended variable a state.
func (l *lowerer) addLengthState(v *types.Var, id *ast.Ident) {
	t := l.substitute(v.Type())
	s := l.addStateOf(Var{Obj: v, Part: Length, Type: t}, 0, Param{Kind: ParamLen, Expr: id, Type: t}, v.Name(), vir.Scalar(vir.I64))
	s.Live = l.liveAfter(v)
}

// appendStmt lowers a statement that appends to v.
func (l *lowerer) appendStmt(s *ast.AssignStmt, v *types.Var) {
	call := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	elem := elemOf(l.substitute(v.Type()))
	if size, big, ok := l.appendedBytes(call); ok {
		x := l.scalarAs(call.Args[1], l.typeOf(call.Fun).(*types.Signature).Params().At(1).Type())
		if l.b.Cur == nil {
			return
		}
		if big {
			x = l.b.Same(vir.OpBswap, x)
		}
		l.storeScalar(x, l.roomFor(s, v, size).at(0))
		return
	}
	var items [][]*vir.Value
	for _, e := range call.Args[1:] {
		items = append(items, l.valueAs(e, elem))
	}
	if l.b.Cur == nil {
		return
	}
	r := l.roomFor(s, v, int64(len(items)))
	for _, vals := range items {
		l.store(s, r, vals)
		r.disp += sizes.Sizeof(elem)
	}
}

// roomFor is the place of so many elements behind v, which become part of it.
func (l *lowerer) roomFor(s *ast.AssignStmt, v *types.Var, count int64) place {
	t := l.substitute(v.Type())
	p := &path{expr: s.Lhs[0], key: fmt.Sprintf("%s@%d", v.Name(), v.Pos()), name: v.Name(), typ: t, root: v}
	data := l.liveIn(ParamSliceData, p, vir.Scalar(vir.Ptr)).v
	room := l.liveIn(ParamCap, p, vir.Scalar(vir.I64)).v
	data.Param = vir.ParamFacts{ElemSize: int(sizes.Sizeof(elemOf(t))), Len: room}
	l.mark(s)
	n := l.get(key{v, 0})
	l.inRange(l.sum(n, l.int64(count-1)), room)
	l.set(key{v, 0}, l.sum(n, l.int64(count)))
	return l.element(place{base: data}, elemOf(t), n)
}
