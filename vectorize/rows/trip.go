package rows

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// fewValues is how many iterations of the inner loop are no more than about as many others.
const fewValues = 4

// Trip is the trip count of the loop inside of r's, if it is known and the same in all iterations of that.
func Trip(r *plan.Region) (t plan.Trip, ok bool) {
	n, err := Split(r, r.Clauses)
	if err != nil {
		return t, false
	}
	if t, _, err = scev.New(n.Inner).Trip(); err != nil {
		return t, false
	}
	first, grows, ok := n.innerTrip(t, false)
	return first, ok && grows == 0
}

// innerTrip is the trip count of the inner loop in the outer one's first iteration, in terms of that
// one's live-ins, and how many iterations more, or fewer, each has than the one before, if that is always the same:
// about, if the least bits of numbers do not matter.
func (n *Nest) innerTrip(t plan.Trip, about bool) (first plan.Trip, grows int64, ok bool) {
	sc := scev.New(n.region)
	start, ok := n.outside(sc, t.Start, about)
	limit, ok2 := n.outside(sc, t.Limit, about)
	grows = limit.Step - start.Step
	if !ok || !ok2 || grows%t.Step != 0 || !start.StepExpr.Same(limit.StepExpr) {
		return t, 0, false
	}
	if start.Step == limit.Step && start.Step != 0 || start.StepExpr != nil {
		t.Start, t.Limit = plan.Const(0), scev.Simplify(plan.Sub(limit.Start, start.Start))
	} else {
		t.Start, t.Limit = start.Start, limit.Start
	}
	return t, grows / t.Step, true
}

// outside is an expression of the inner loop's live-ins in terms of the outer one's, as it goes
// from iteration to iteration of that. About says that what has few values, as (i+j)&1 has, may be the least of them.
func (n *Nest) outside(sc *scev.Info, x *plan.Expr, about bool) (scev.Affine, bool) {
	if x == nil {
		return scev.Affine{}, true
	}
	switch x.Op {
	case plan.ExprParam:
		deep := 0
		if about {
			deep = deepSums
		}
		a, ok := evolution(sc, n.live[x.Param], deep)
		return a, ok && (a.StepExpr == nil || about) && (a.Step == 0 || a.Width == 64)
	case plan.ExprLoad:
		return scev.Affine{}, false
	}
	y := *x
	l, ok := n.outside(sc, x.X, about)
	r, ok2 := n.outside(sc, x.Y, about)
	if !ok || !ok2 {
		return scev.Affine{}, false
	}
	step := l.Step + r.Step
	switch {
	case l.StepExpr != nil || r.StepExpr != nil:
		y.X, y.Y = l.Start, r.Start
		by, ok := symbolicStep(x.Op, l, r)
		return scev.Affine{Start: scev.Simplify(&y), StepExpr: by}, ok
	case x.Op == plan.ExprSub:
		step = l.Step - r.Step
	case step != 0 && x.Op != plan.ExprAdd:
		return scev.Affine{}, false
	}
	y.X, y.Y = l.Start, r.Start
	return scev.Affine{Start: scev.Simplify(&y), Step: step}, true
}

// symbolicStep is the step of the sum or difference of l and r, one of which moves by what is known before the loop only.
func symbolicStep(op plan.ExprOp, l, r scev.Affine) (*plan.Expr, bool) {
	switch {
	case op != plan.ExprAdd && op != plan.ExprSub || l.Step != 0 || r.Step != 0:
		return nil, false
	case r.StepExpr == nil:
		return l.StepExpr, true
	case l.StepExpr == nil && op == plan.ExprAdd:
		return r.StepExpr, true
	}
	return nil, false
}

// deepSums is how many sums in one another may have summands of few values.
const deepSums = 4

// evolution is that of v, of which sums, as many as deep in one another, may have summands of few values, or of v but for
// the last iterations, where something that stays the same limits it.
func evolution(sc *scev.Info, v *vir.Value, deep int) (scev.Affine, bool) {
	a, ok := sc.Evolution(v)
	if ok || deep == 0 {
		return a, ok
	}
	switch v.Op {
	case vir.OpSmin, vir.OpPhi, vir.OpSelect:
		if len(v.Args) >= 2 {
			return unlimited(sc, v)
		}
	case vir.OpAnd, vir.OpUrem, vir.OpSrem:
		for _, x := range v.Args {
			if c, ok := x.ConstInt(); ok && 0 < c && c <= fewValues {
				return scev.Affine{Start: plan.Const(0), Width: 64}, true
			}
		}
	case vir.OpAdd, vir.OpSub:
		x, ok := evolution(sc, v.Args[0], deep-1)
		y, ok2 := evolution(sc, v.Args[1], deep-1)
		if !ok || !ok2 || x.StepExpr != nil || y.StepExpr != nil {
			return a, false
		}
		if v.Op == vir.OpSub {
			return scev.Affine{Start: plan.Sub(x.Start, y.Start), Step: x.Step - y.Step, Width: 64}, true
		}
		return scev.Affine{Start: plan.Add(x.Start, y.Start), Step: x.Step + y.Step, Width: 64}, true
	}
	return a, false
}

// unlimited is how v goes on as long as nothing that stays the same is chosen in its place.
func unlimited(sc *scev.Info, v *vir.Value) (a scev.Affine, ok bool) {
	choices := v.Args[len(v.Args)-2:]
	for i, x := range choices {
		e, ok := sc.Evolution(x)
		_, stays := sc.Invariant(choices[1-i])
		if ok && stays && (e.Step != 0 || e.StepExpr != nil) {
			return e, true
		}
	}
	return a, false
}
