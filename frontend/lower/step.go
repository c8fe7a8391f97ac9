package lower

import (
	"go/ast"
	"go/types"

	"github.com/lanewise/lanewise/vir"
)

// A slice without capacity, and a string without length, begin where the one began that
// they are the end of: gc lets no pointer go past what it points to. A twin that moves a
// variable in one step takes the last step of the original by itself, x[off-4:][4:], to get
// the same. So that step must be known, where anybody may see the variable later.

// A Step is by how much a variable is moved: a constant, or an expression that does not change.
type Step struct {
	Const int64
	Expr  ast.Expr // nil for a constant
	key   string   // of Expr
}

// A stepKind says what is known of the last step to a part of a moved variable.
type stepKind uint8

const (
	noStep stepKind = iota
	knownStep
	unknownStep
)

// A lastStep is the last step by which the start of something has moved.
type lastStep struct {
	kind stepKind
	Step
}

// stepBy is the last step behind a slice expression that starts at low, nil for 0.
func (l *lowerer) stepBy(before lastStep, low ast.Expr) lastStep {
	if low == nil {
		return before
	}
	if c := l.constOf(low); c != nil {
		if constInt(c) == 0 {
			return before
		}
		return lastStep{knownStep, Step{Const: constInt(c)}}
	}
	if before.kind != noStep || l.frame.outer != nil || !l.invariant(low) || l.namesAlias(low) {
		return lastStep{kind: unknownStep}
	}
	return lastStep{knownStep, Step{Expr: l.spell(low), key: l.exprKey(low)}}
}

// A movement is a statement that moves a variable.
type movement struct {
	lastStep
	block *vir.Block
	once  bool // one slice expression
}

func (l *lowerer) noteMovement(v *types.Var, e ast.Expr, w view) {
	x, ok := ast.Unparen(e).(*ast.SliceExpr)
	once := ok && l.movedVar(x.X) == v
	if w.step.kind != noStep || l.moved[v].end {
		l.movements[v] = append(l.movements[v], movement{w.step, l.b.Cur, once})
	}
}

// finalStep is the last step of v in the iterations of the loop; false when that is not
// known.
func (l *lowerer) finalStep(v *types.Var) (*Step, bool) {
	ms := l.movements[v]
	if isString(l.substitute(v.Type())) && l.moved[v].end && (len(ms) != 1 || !ms[0].once) {
		return nil, false // the end of some iteration's string may matter
	}
	var last *movement
	same := true
	for i := range ms {
		if m := &ms[i]; m.kind != noStep {
			same = same && (last == nil || m.kind == last.kind && m.Const == last.Const && m.key == last.key)
			last = m
		}
	}
	if last == nil || last.kind == unknownStep || !same && (last.Expr != nil || !l.reachedFrom(l.b.Cur, last.block)) {
		return nil, false
	}
	if l.moved[v].end && (last.Expr != nil || !same || !l.reachedFrom(l.b.Cur, last.block)) {
		return nil, false // both ends are set at once
	}
	return &last.Step, true
}

// firstMoved is where v occurs in the loop, or the field that v stands for.
func (l *lowerer) firstMoved(v *types.Var) ast.Node {
	for _, f := range l.fields.list {
		if f.v == v {
			return f.sel
		}
	}
	return l.firstUse(v)
}

// closeMoved finds the last steps of the variables that are used behind the loop.
func (l *lowerer) closeMoved() {
	for _, s := range l.states {
		if s.Part != Start || !s.Live {
			continue
		}
		step, ok := l.finalStep(s.Obj)
		if !ok {
			l.refuse(l.firstMoved(s.Obj), "Slice", "what is left of %s is used behind the loop, which moves it by different steps", s.Obj.Name())
		}
		s.Step = step
	}
}
