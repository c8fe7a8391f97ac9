package lower

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// Slices and strings that the loop moves: variables that are sliced again and again,
//
//	for len(x) >= 4 {               header:
//		s += x[0] + x[3]              %off = phi [0, entry], [%off1, latch]
//		x = x[4:]                     %n = sub %x_len, %off
//	}                                %c = icmp.sge %n, 4
//	                           ==>  body:
//	                                 load [%x + %off*4], [%x + %off*4 + 12]
//	                                 %off1 = add %off, 4
//
// are a start and an end inside of what the variable holds when the loop begins; those of
// the two that move are numbers like any other. Everything the variable is set to is a
// part of that memory, and 0 <= start <= end <= length holds at all times, as slice
// expressions are checked.
//
// What the variable holds after a call is what Go makes of x[start:end]: where its capacity is
// used up, that is Go's own choice, and so is whether it is nil. Memory behind the length is
// never used: an iteration that slices into it is left to the scalar code, like one
// that panics.

// A moved variable is a part of some memory.
type moved struct {
	at         place // of the first element of the memory
	elem       types.Type
	len        *vir.Value // of the memory
	start, end bool       // whether these move; otherwise they are 0 and len
}

// Leaves of a moved variable.
const (
	startLeaf = iota
	endLeaf
)

// ends says which ends of a variable a loop moves, and whether a loop inside does.
type ends struct{ start, end, inside bool }

func (l *lowerer) setMoved(v *types.Var, m *moved) {
	if l.moved[v] == nil {
		l.movedVars = append(l.movedVars, v)
	}
	l.moved[v] = m
}

// movedVar is the moved variable that e names, or nil.
func (l *lowerer) movedVar(e ast.Expr) *types.Var {
	if v := l.sliceVar(e); v != nil && l.moved[v] != nil {
		return v
	}
	return nil
}

// addMovedStates makes the ends of v that move states.
func (l *lowerer) addMovedStates(v *types.Var, id *ast.Ident) {
	t := l.substitute(v.Type())
	p := &path{expr: id, key: fmt.Sprintf("%s@%d", v.Name(), v.Pos()), name: v.Name(), typ: t, root: v}
	l.addMoved(v, p, nil, l.liveAfter(v))
}

// addMoved makes the ends of the variable or field at p states; field is nil for
// variables.
func (l *lowerer) addMoved(v *types.Var, p *path, field ast.Expr, live bool) {
	t := p.typ
	m := &moved{at: place{base: l.sliceData(p)}, elem: elemOf(t), len: l.sliceLen(p)}
	m.start, m.end = l.moving[v].start, l.moving[v].end
	l.setMoved(v, m)
	i64 := vir.Scalar(vir.I64)
	if m.start {
		s := l.addStateOf(Var{Obj: v, Expr: field, Part: Start, Type: t}, startLeaf, Param{Kind: ParamStart, Expr: p.expr, Type: t}, v.Name(), i64)
		s.Init, s.Live = new(int64), live
	}
	if m.end {
		s := l.addStateOf(Var{Obj: v, Expr: field, Part: Length, Type: t}, endLeaf, Param{Kind: ParamLen, Expr: p.expr, Type: t, NonNil: p.nonNil}, v.Name(), i64)
		s.Live = live
	}
}

// bindMoved makes v, which has a place of its own in every iteration, a moved variable
// that begins as w. What loops inside move does not count from the start of another moved
// variable, which is another one behind a call of the kernel: such a loop may be
// interrupted, and go on in the next call.
func (l *lowerer) bindMoved(v *types.Var, w view) {
	if by := l.moving[v]; w.of != nil && !by.inside {
		end := l.stopOf(w)
		l.setMoved(v, &moved{at: w.of.at, elem: w.elem, len: w.of.len, start: true, end: true})
		l.set(key{v, startLeaf}, w.start)
		l.set(key{v, endLeaf}, end)
		return
	}
	l.check(&w.at)
	w = l.closed(w)
	m := &moved{at: w.at, elem: w.elem, len: w.len, start: l.moving[v].start, end: l.moving[v].end}
	l.setMoved(v, m)
	if m.start {
		l.set(key{v, startLeaf}, l.int64(0))
	}
	if m.end {
		l.set(key{v, endLeaf}, w.len)
	}
}

// movedEnds is where v starts and ends in its memory.
func (l *lowerer) movedEnds(v *types.Var, m *moved) (start, end *vir.Value) {
	start, end = l.int64(0), m.len
	if m.start {
		start = l.get(key{v, startLeaf})
	}
	if m.end {
		end = l.get(key{v, endLeaf})
	}
	return start, end
}

// movedView is what v is at this point.
func (l *lowerer) movedView(e ast.Expr, v *types.Var) view {
	m := l.moved[v]
	start, end := l.movedEnds(v, m)
	if start == nil || end == nil {
		l.refuse(e, "Variable", "%s has no value here", v.Name())
	}
	return view{at: l.element(m.at, m.elem, start), elem: m.elem, lo: start, limit: end, of: m, start: start}
}

// stopOf is where a part of a moved variable ends in its memory.
func (l *lowerer) stopOf(w view) *vir.Value {
	if w.len == nil {
		return w.limit
	}
	return l.sum(w.start, w.len)
}

// moveTo evaluates e, to which v is set.
func (l *lowerer) moveTo(e ast.Expr, v *types.Var) view {
	w, ok := l.viewOf(e)
	if !ok {
		l.refuseVarying(e)
	}
	if !ok || w.of != l.moved[v] {
		l.refuse(e, "Slice", "%s is set to another slice", v.Name())
	}
	l.noteMovement(v, e, w)
	return w
}

// move sets v to a part of itself.
func (l *lowerer) move(v *types.Var, w view) {
	m := l.moved[v]
	if m.start {
		l.set(key{v, startLeaf}, w.start)
	}
	if m.end {
		l.set(key{v, endLeaf}, l.stopOf(w))
	}
}

// sum is a + b, without what cancels out.
func (l *lowerer) sum(a, b *vir.Value) *vir.Value {
	f := linearOf(a).plus(linearOf(b), 1)
	switch {
	case len(f.terms) == 0:
		return l.int64(f.c)
	case len(f.terms) == 1 && f.terms[0].coef == 1 && f.c == 0:
		return f.terms[0].v
	case len(f.terms) == 1 && f.terms[0].coef == 1:
		return l.b.Same(vir.OpAdd, f.terms[0].v, l.int64(f.c))
	}
	return l.b.Same(vir.OpAdd, a, b)
}
