package scev

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A condition must hold, or with negate must not, for the loop to run on.
type condition struct {
	v      *vir.Value
	negate bool
}

// conjuncts are the conditions that all hold while the loop runs, as in
// i < n && i < m.
func (s *Info) conjuncts(term *vir.Value) []condition {
	var all []condition
	var split func(condition)
	split = func(c condition) {
		switch {
		case c.v.Op == vir.OpNot:
			split(condition{c.v.Args[0], !c.negate})
		case c.v.Op == vir.OpAnd && !c.negate, c.v.Op == vir.OpOr && c.negate:
			split(condition{c.v.Args[0], c.negate})
			split(condition{c.v.Args[1], c.negate})
		default:
			all = append(all, c)
		}
	}
	split(condition{term.Args[0], !s.loop.Contains(s.header.Succs[0])})
	return all
}

// relation is a comparison x rel y that keeps the loop running.
type relation struct {
	cond     plan.Cond
	unsigned bool
	x, y     *vir.Value
}

// relationOf reads a condition as a comparison of scalar integers.
func relationOf(c condition) (relation, bool) {
	cond, negate := c.v, c.negate
	var r relation
	switch cond.Op {
	case vir.OpIcmpEq, vir.OpIcmpNe:
		r.cond = plan.NotEq
		if negate != (cond.Op == vir.OpIcmpEq) {
			return r, false // runs while equal
		}
		negate = false
	case vir.OpIcmpSlt, vir.OpIcmpUlt:
		r.cond = plan.Less
	case vir.OpIcmpSle, vir.OpIcmpUle:
		r.cond = plan.LessEq
	default:
		return r, false
	}
	if negate {
		r.cond = negated[r.cond]
	}
	r.unsigned = cond.Op == vir.OpIcmpUlt || cond.Op == vir.OpIcmpUle
	r.x, r.y = cond.Args[0], cond.Args[1]
	return r, r.x.Type.Elem.IsInt() && !r.x.Type.IsVector()
}

var mirrored = [...]plan.Cond{
	plan.Less: plan.Greater, plan.LessEq: plan.GreaterEq,
	plan.Greater: plan.Less, plan.GreaterEq: plan.LessEq, plan.NotEq: plan.NotEq,
}

var negated = [...]plan.Cond{
	plan.Less: plan.GreaterEq, plan.LessEq: plan.Greater,
	plan.Greater: plan.LessEq, plan.GreaterEq: plan.Less,
}
