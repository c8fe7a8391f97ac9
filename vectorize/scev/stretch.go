package scev

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// Stretches. A subscript may go on steadily for many iterations and jump then: a position
// in a ring buffer, (pos+i)&mask or (pos+i)%n, a neighbour that the border holds back,
// max(i-1, 0), or what a condition on the counter chooses:
//
//	j := pos + i
//	if j >= n {
//		j -= n
//	}
//
// Between two jumps it changes by a constant. The bounds on which that rests recur.

const (
	// maxStretchStep is the largest step, up or down, of what is looked at.
	maxStretchStep = 16
	// minStretch is the fewest iterations of a stretch whose length is known: shorter
	// ones end before a call is worth it.
	minStretch = 64
)

var minInt, maxInt = plan.Const(math.MinInt64), plan.Const(math.MaxInt64)

// ahead and behind are beyond all that programs count to, where expressions are made of limits.
var ahead, behind = plan.Const(1 << 62), plan.Const(-1 << 62)

// stretch is the evolution of v from the current iteration up to a jump, nil for none.
func (s *Info) stretch(v *vir.Value) *Affine {
	if s.loop == nil || len(s.loop.Children) > 0 || len(v.Args) < 2 {
		return nil
	}
	x, y := v.Args[0], v.Args[1]
	switch v.Op {
	case vir.OpAnd:
		if a := s.masked(x, y); a != nil {
			return a
		}
		return s.masked(y, x)
	case vir.OpSrem, vir.OpUrem:
		if a := s.heldRemainder(v); a != nil {
			return a
		}
		return s.remainder(x, y)
	case vir.OpSmin, vir.OpSmax:
		if a := s.heldBack(v.Op, x, y); a != nil {
			return a
		}
		return s.heldBack(v.Op, y, x)
	case vir.OpSelect:
		return s.chosen(v)
	}
	return nil
}

// moves is the evolution of v if it moves by a small step, nil for others.
func (s *Info) moves(v *vir.Value) *Affine {
	if a := s.affineOf(v); a != nil && a.Step != 0 && -maxStretchStep <= a.Step && a.Step <= maxStretchStep {
		return a
	}
	return nil
}

// long reports whether stretches of so many values are worth it at this step.
func long(values, step int64) bool { return values/max(step, -step) >= minStretch }

// masked is x & m for the low bits of x: the mask is one less than a power of two.
func (s *Info) masked(x, m *vir.Value) *Affine {
	a := s.moves(x)
	mask, ok := s.Invariant(m)
	if a == nil || !ok {
		return nil
	}
	mask = Simplify(plan.Zext(mask, a.Width))
	values := Simplify(plan.Add(mask, plan.Const(1)))
	wrap := slices.Clip(a.Wrap)
	if mask.Op != plan.ExprConst {
		wrap = append(wrap, IsLow(mask))
	} else if mask.Const&values.Const != 0 || !long(values.Const, a.Step) {
		return nil
	}
	start := Simplify(plan.And(a.Start, mask))
	recurs := plan.Bound{Start: start, Step: a.Step, Lo: plan.Const(0), Hi: values, Recurs: plan.Jumps}
	return &Affine{Start: start, Step: a.Step, Wrap: append(wrap, recurs)}
}

// IsLow is the bound under which mask is one less than a power of two, or all bits.
func IsLow(mask *plan.Expr) plan.Bound {
	both := plan.And(mask, plan.Add(mask, plan.Const(1)))
	return plan.Bound{Start: Simplify(both), Lo: plan.Const(0), Hi: plan.Const(1)}
}

// heldRemainder is the remainder v of an x that stays, by a positive number.
func (s *Info) heldRemainder(v *vir.Value) *Affine {
	x, ok := s.Invariant(v.Args[0])
	size, ok2 := s.Invariant(v.Args[1])
	if !ok || !ok2 || v.Type != vir.Scalar(vir.I64) {
		return nil
	}
	a := &Affine{Start: Simplify(plan.Rem(x, size))}
	if size.Op != plan.ExprConst || size.Const < 1 {
		a.Wrap = append(a.Wrap, plan.Bound{Start: size, Lo: plan.Const(1), Hi: maxInt})
	}
	if v.Op == vir.OpUrem {
		a.Wrap = append(a.Wrap, plan.Bound{Start: x, Lo: plan.Const(0), Hi: maxInt})
	}
	return a
}

// remainder is x % n while x is not negative.
func (s *Info) remainder(x, n *vir.Value) *Affine {
	a := s.moves(x)
	size, ok := s.Invariant(n)
	if a == nil || !ok || a.Width != 64 || size.Op == plan.ExprConst && !long(size.Const, a.Step) {
		return nil
	}
	start := Simplify(plan.Rem(a.Start, size))
	recurs := plan.Bound{Start: start, Step: a.Step, Lo: plan.Const(0), Hi: size, Recurs: plan.Jumps}
	return &Affine{Start: start, Step: a.Step, Wrap: append(slices.Clip(s.NotNegative(*a)), recurs)}
}

// heldBack is the smaller or larger of x and y, while that is x, which moves.
func (s *Info) heldBack(op vir.Op, x, y *vir.Value) *Affine {
	a := s.moves(x)
	limit, ok := s.Invariant(y)
	if a == nil || !ok || a.Width != 64 {
		return nil
	}
	recurs := plan.Bound{Start: a.Start, Step: a.Step, Lo: limit, Hi: maxInt, Recurs: plan.Jumps}
	if op == vir.OpSmin {
		recurs.Lo, recurs.Hi = minInt, Simplify(plan.Add(limit, plan.Const(1)))
	}
	return &Affine{Start: a.Start, Step: a.Step, Wrap: append(slices.Clip(a.Wrap), recurs)}
}

// chosen is what a comparison of something that moves with a limit chooses. If both ways
// move alike it is the one of the current iteration, up to where the other one is taken;
// if one moves, that one.
func (s *Info) chosen(v *vir.Value) *Affine {
	yes, no := s.affineOf(v.Args[1]), s.affineOf(v.Args[2])
	steps := func(a *Affine) bool { return a != nil && a.Step != 0 }
	if !steps(yes) && !steps(no) || v.Type != vir.Scalar(vir.I64) {
		return nil
	}
	if steps(yes) && steps(no) {
		return s.either(condition{v: v.Args[0]}, yes, no)
	}
	a, c := yes, condition{v: v.Args[0]}
	if !steps(yes) {
		a, c.negate = no, true
	}
	x, limit, rel := s.comparison(c, s.moves)
	if x == nil || max(a.Step, -a.Step) > maxStretchStep {
		return nil
	}
	return &Affine{Start: a.Start, Step: a.Step, Wrap: slices.Concat(a.Wrap, x.Wrap, []plan.Bound{while(rel, x, limit)})}
}

// comparison reads c as one of something that moves, as evolution says, with something that
// does not; x is nil if it is no such comparison.
func (s *Info) comparison(c condition, evolution func(*vir.Value) *Affine) (x *Affine, limit *plan.Expr, rel plan.Cond) {
	r, ok := relationOf(c)
	if !ok || r.unsigned {
		return nil, nil, 0
	}
	if x = evolution(r.x); x == nil {
		r = relation{mirrored[r.cond], false, r.y, r.x}
		x = evolution(r.x)
	}
	limit, ok = s.Invariant(r.y)
	if x == nil || !ok || x.Width != 64 {
		return nil, nil, 0
	}
	return x, limit, r.cond
}

// while is the bound under which x compares with the limit like that.
func while(rel plan.Cond, x *Affine, limit *plan.Expr) plan.Bound {
	b := plan.Bound{Start: x.Start, Step: x.Step, Lo: minInt, Hi: maxInt, Recurs: plan.Jumps}
	above := Simplify(plan.Add(limit, plan.Const(1)))
	switch rel {
	case plan.Less:
		b.Hi = limit
	case plan.LessEq:
		b.Hi = above // wraps to a bound that never holds
	case plan.GreaterEq:
		b.Lo = limit
	case plan.Greater:
		b.Start, b.Lo = Simplify(plan.Sub(x.Start, plan.Const(1))), limit // wraps to one that does not hold
	case plan.NotEq:
		lo, hi := above, limit
		if limit.Op == plan.ExprConst { // it may lie behind: i == 0
			lo, hi = plan.Choose(x.Start, limit, behind, above), plan.Choose(limit, x.Start, ahead, limit)
		}
		if x.Step > 0 {
			b.Hi = hi
		} else {
			b.Lo = lo
		}
	}
	return b
}

// either is yes if c holds, else no, both of one step: what it is now, up to where c changes.
func (s *Info) either(c condition, yes, no *Affine) *Affine {
	x, limit, rel := s.comparison(c, s.moves)
	switch {
	case x == nil || yes.Step != no.Step || max(yes.Step, -yes.Step) > maxStretchStep:
		return nil
	case rel == plan.Greater || rel == plan.GreaterEq:
		rel, yes, no = negated[rel], no, yes
	}
	var holds *plan.Expr // 1 if x is below the limit
	edge := limit        // the first number that is not
	switch rel {
	case plan.Less:
		holds = plan.IsLess(x.Start, limit)
	case plan.LessEq:
		holds = plan.Sub(plan.Const(1), plan.IsLess(limit, x.Start))
		edge = plan.Add(limit, plan.Const(1))
	default:
		return nil
	}
	choose := func(a, b *plan.Expr) *plan.Expr {
		return Simplify(plan.Add(b, plan.Mul(holds, plan.Sub(a, b))))
	}
	b := plan.Bound{Start: x.Start, Step: x.Step, Lo: minInt, Hi: maxInt, Recurs: plan.Jumps}
	if x.Step > 0 {
		b.Hi = choose(edge, ahead)
	} else {
		b.Lo = choose(behind, edge)
	}
	return &Affine{Start: choose(yes.Start, no.Start), Step: yes.Step, Wrap: slices.Concat(yes.Wrap, no.Wrap, x.Wrap, []plan.Bound{b})}
}

// Increment is what v, of 64 bits, is more than a header phi in the same iteration.
func (s *Info) Increment(v, phi *vir.Value) (int64, bool) {
	k, bits, ok := s.increment(v, phi, 0)
	return k, ok && bits == 64
}

// Between is the bound under which condition v has an outcome in all iterations, provided
// that these add step to phi, of 64 bits.
func (s *Info) Between(v *vir.Value, outcome bool, phi *vir.Value, step int64) (plan.Bound, bool) {
	start, ok := s.Invariant(s.initial(phi))
	if !ok {
		return plan.Bound{}, false
	}
	x, limit, rel := s.comparison(condition{v, !outcome}, func(v *vir.Value) *Affine {
		k, ok := s.Increment(v, phi)
		if !ok {
			return nil
		}
		return &Affine{Start: Simplify(plan.Add(start, plan.Const(k))), Step: step, Width: 64}
	})
	if x == nil {
		return plan.Bound{}, false
	}
	return while(rel, x, limit), true
}
