package twin

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

// Slices and strings that the loop appends to or moves. A kernel gets what they are when it is
// called, and says where they start and end in that; the twin slices them again:
//
//	x, y = x[4*d:], y[:len(y)-d]

// isEnd reports whether a part is the start or the end of a slice or string.
func isEnd(p frontend.Part) bool { return p == frontend.Length || p == frontend.Start }

// A newEnd is a slice or string and what it is after a call. Where moved is not empty, that is
// so if moved is more than 0; otherwise it stays what it is.
type newEnd struct{ name, value, moved string }

// newEnds lists the slices and strings that calls change.
func (l *loop) newEnds() []newEnd {
	var ends []newEnd
	var done []types.Object
	for s, o := range l.k.Outs {
		v := l.r.Vars[s]
		if isEnd(v.Part) && o.Kind != plan.OutSame && !slices.Contains(done, types.Object(v.Obj)) {
			done = append(done, v.Obj)
			ends = append(ends, l.newEnd(v.Obj))
		}
	}
	return ends
}

func (l *loop) newEnd(v types.Object) newEnd {
	e, stop := newEnd{}, ""
	if s := l.endState(v, frontend.Length); s >= 0 {
		e.name, stop = l.variable(s), l.newValue(s, l.k.Outs[s])
	}
	s := l.endState(v, frontend.Start)
	if s < 0 {
		e.value = fmt.Sprintf("%s[:%s]", e.name, stop)
		return e
	}
	e.name = l.variable(s)
	start := l.newStart(s)
	step := l.r.Vars[s].Step
	if step == nil {
		e.value = fmt.Sprintf("%s[%s:%s]", e.name, start, stop)
		return e
	}
	if !l.onlyProgress(s) {
		e.moved = start.String()
	}
	by := constant64(step.Const)
	if step.Expr != nil {
		by = l.intExpr(step.Expr, l.typeOf(step.Expr))
	}
	e.value = fmt.Sprintf("%s[%s:%s][%s:]", e.name, start.plus(by, -1), stop, by)
	return e
}

// newStart is the start that state s gets after a call.
func (l *loop) newStart(s int) linear {
	if o := l.k.Outs[s]; o.Kind == plan.OutExpr {
		return l.linear(o.Expr)
	}
	return operand(l.newValue(s, l.k.Outs[s]))
}

// onlyProgress reports whether state s, a start, is moved by every iteration.
func (l *loop) onlyProgress(s int) bool {
	_, ok := l.increment(s, l.k.Outs[s])
	return ok
}

// endState is the state that is an end of v and changes, or -1.
func (l *loop) endState(v types.Object, p frontend.Part) int {
	for s, o := range l.k.Outs {
		if l.r.Vars[s].Obj == v && l.r.Vars[s].Part == p && o.Kind != plan.OutSame {
			return s
		}
	}
	return -1
}

// takesLastStep reports whether some variable is moved by the iterations done, the last of
// them by itself: a call that has done none must not.
func (l *loop) takesLastStep() bool {
	return slices.ContainsFunc(l.r.Vars, func(v frontend.Var) bool { return v.Step != nil })
}

// updateEnds slices what calls change. It comes last, and all at once: other values are
// computed from the old lengths.
func (l *loop) updateEnds(sb *strings.Builder, ends []newEnd) {
	var names, values []string
	for _, e := range ends {
		if e.moved == "" {
			names, values = append(names, e.name), append(values, e.value)
		}
	}
	assignAll(sb, names, values)
	for _, e := range ends {
		if e.moved != "" {
			fmt.Fprintf(sb, "if %s > 0 {\n%s = %s\n}\n", e.moved, e.name, e.value)
		}
	}
}

func assignAll(sb *strings.Builder, names, values []string) {
	if len(names) > 0 {
		fmt.Fprintf(sb, "%s = %s\n", strings.Join(names, ", "), strings.Join(values, ", "))
	}
}
