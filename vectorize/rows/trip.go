package rows

import (
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vir/plan"
)

// Trip is the trip count of the loop inside of r's, if it is known and the same in all iterations of that.
func Trip(r *plan.Region) (t plan.Trip, ok bool) {
	n, err := Split(r, r.Clauses)
	if err != nil {
		return t, false
	}
	if t, _, err = scev.New(n.Inner).Trip(); err != nil {
		return t, false
	}
	first, grows, ok := n.innerTrip(t)
	return first, ok && grows == 0
}

// innerTrip is the trip count of the inner loop in the outer one's first iteration, in terms of that
// one's live-ins, and how many iterations more, or fewer, each has than the one before, if that is always the same.
func (n *Nest) innerTrip(t plan.Trip) (first plan.Trip, grows int64, ok bool) {
	sc := scev.New(n.region)
	start, ok := n.outside(sc, t.Start)
	limit, ok2 := n.outside(sc, t.Limit)
	grows = limit.Step - start.Step
	if !ok || !ok2 || grows%t.Step != 0 {
		return t, 0, false
	}
	if start.Step == limit.Step && start.Step != 0 {
		t.Start, t.Limit = plan.Const(0), scev.Simplify(plan.Sub(limit.Start, start.Start))
	} else {
		t.Start, t.Limit = start.Start, limit.Start
	}
	return t, grows / t.Step, true
}

// outside is an expression of the inner loop's live-ins in terms of the outer one's, as it goes
// from iteration to iteration of that.
func (n *Nest) outside(sc *scev.Info, x *plan.Expr) (scev.Affine, bool) {
	if x == nil {
		return scev.Affine{}, true
	}
	switch x.Op {
	case plan.ExprParam:
		a, ok := sc.Evolution(n.live[x.Param])
		return a, ok && a.StepExpr == nil && (a.Step == 0 || a.Width == 64)
	case plan.ExprLoad:
		return scev.Affine{}, false
	}
	y := *x
	l, ok := n.outside(sc, x.X)
	r, ok2 := n.outside(sc, x.Y)
	if !ok || !ok2 {
		return scev.Affine{}, false
	}
	step := l.Step + r.Step
	switch {
	case x.Op == plan.ExprSub:
		step = l.Step - r.Step
	case step != 0 && x.Op != plan.ExprAdd:
		return scev.Affine{}, false
	}
	y.X, y.Y = l.Start, r.Start
	return scev.Affine{Start: scev.Simplify(&y), Step: step}, true
}
