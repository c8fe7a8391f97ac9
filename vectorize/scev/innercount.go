package scev

import (
	"math"

	"github.com/lanewise/lanewise/vectorize/internal/number"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// An InnerCount says how long a loop inside of the region's runs at most: while its
// counter Phi, which starts at Start and goes on by Step, compares as Cond says with
// Limit, as signed numbers. Both are linear in the iterations of the loops around it, or
// the same in all of them.
type InnerCount struct {
	Phi, Start, Limit *vir.Value
	Step              int64
	Cond              plan.Cond // not NotEq
}

// InnerCount finds the count of l by the condition in its header.
func (s *Info) InnerCount(l *loops.Loop) (InnerCount, bool) {
	return s.innerCountOf(l, func(v *vir.Value) bool {
		x, ok := s.Nested(v)
		return s.IsInvariant(v) || ok && x.Step(l).IsConst(0)
	})
}

// FixedCount is InnerCount for callers to whom it matters only that start and limit are the same in all turns.
func (s *Info) FixedCount(l *loops.Loop) (InnerCount, bool) {
	return s.innerCountOf(l, func(v *vir.Value) bool { return v.Op == vir.OpConst || v.Block == nil || !l.Contains(v.Block) })
}

func (s *Info) innerCountOf(l *loops.Loop, fixed func(*vir.Value) bool) (InnerCount, bool) {
	for _, c := range conditionsOf(l) {
		if n, ok := s.innerCount(l, c); ok && fixed(n.Start) && fixed(n.Limit) {
			return n, true
		}
	}
	return InnerCount{}, false
}

// conditionsOf are those in the header of l that all hold while it runs; nil if the header does not decide.
func conditionsOf(l *loops.Loop) []condition {
	term := l.Header.Term()
	if term == nil || term.Op != vir.OpBr || l.Contains(l.Header.Succs[0]) == l.Contains(l.Header.Succs[1]) {
		return nil
	}
	inner := Info{loop: l, header: l.Header}
	return inner.conjuncts(term)
}

func (s *Info) innerCount(l *loops.Loop, c condition) (InnerCount, bool) {
	r, ok := relationOf(c)
	if !ok || r.unsigned || r.cond == plan.NotEq || r.x.Type != vir.Scalar(vir.I64) {
		return InnerCount{}, false
	}
	n := InnerCount{Phi: r.x, Limit: r.y, Cond: r.cond}
	if of, _, _ := s.Inner(n.Phi); of != l {
		n = InnerCount{Phi: r.y, Limit: r.x, Cond: mirrored[r.cond]}
	}
	of, start, step := s.Inner(n.Phi)
	n.Start, n.Step = start, step
	up := n.Cond == plan.Less || n.Cond == plan.LessEq
	return n, of == l && step != 0 && up == (step > 0) && -maxInnerStep <= step && step <= maxInnerStep
}

// maxInnerStep bounds the steps of counters, so that they do not wrap behind their
// limit.
const maxInnerStep = 1 << 16

// Last is the number of iterations that l does at most before the last one, in terms
// of what is known before the region's loop; nil when there is no such expression. It
// may be negative, and is right in exact arithmetic.
func (s *Info) Last(l *loops.Loop) *plan.Expr {
	n, ok := s.InnerCount(l)
	if !ok {
		if turns := halvings(l); turns > 0 {
			return plan.Const(turns - 1)
		}
		return nil
	}
	start := n.Start
	if start.Op == vir.OpLeast {
		start = start.Args[0] // it is that in some iteration
	}
	from, ok := s.Nested(start)
	to, ok2 := s.Nested(n.Limit)
	if !ok || !ok2 || Blockwise(to.Start) || start != n.Start && len(to.Terms) > 0 {
		return nil
	}
	d := &Nested{Start: plan.Const(0)}
	d.plus(&to, plan.Const(1))
	d.plus(&from, plan.Const(-1))
	step := n.Step
	if step < 0 {
		minus := &Nested{Start: plan.Const(0)}
		minus.plus(d, plan.Const(-1))
		d, step = minus, -step
	}
	if n.Cond == plan.Less || n.Cond == plan.Greater {
		d.Start = Simplify(plan.Add(d.Start, plan.Const(-1)))
	}
	most := s.most(d)
	switch {
	case most == nil || step == 1:
		return most
	case most.Op == plan.ExprConst && most.Const > -1<<62:
		return plan.Const(number.FloorDiv(most.Const, step))
	}
	return most // larger than needed
}

// most is the largest value of d in any iteration of the region, if only its loop
// matters and counts up to a constant.
func (s *Info) most(d *Nested) *plan.Expr {
	if len(d.Terms) == 0 {
		return d.Start
	}
	t := s.count
	if len(d.Terms) == 1 && d.Terms[0].Loop == nil && d.Terms[0].Step.Op == plan.ExprConst && d.Terms[0].Step.Const < 0 {
		return s.atFirst(d)
	}
	if len(d.Terms) > 1 || d.Terms[0].Loop != nil || t == nil || t.refusal != nil || t.Step != 1 || t.Unsigned || t.Limit.Op != plan.ExprConst {
		return nil
	}
	last := t.Limit.Const - 1
	if last > math.MaxInt32 || last < 0 || !s.Natural(Affine{Start: t.Start, Step: 1, Width: 64}) {
		return nil
	}
	// The main induction lies in 0..last, and d is c + k times that.
	k := d.Terms[0].Step
	if k.Op != plan.ExprConst || k.Const <= 0 || k.Const > math.MaxInt32 {
		return nil
	}
	c, ok := Diff(d.Start, plan.Mul(t.Start, k))
	if !ok || c < math.MinInt32 || c > math.MaxInt32 {
		return nil
	}
	return plan.Const(c + k.Const*last)
}

// atFirst is d, which goes down, in the first iteration of the region's loop: in the very
// first one if what the main induction starts with is a constant, else in the first one
// from the current state on.
func (s *Info) atFirst(d *Nested) *plan.Expr {
	if first, _, ok := s.FromFirst(*d); ok && first.Start.Op == plan.ExprConst {
		return first.Start
	}
	return d.Start
}
