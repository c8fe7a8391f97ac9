package vectorize

import (
	"slices"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vectorize/rows"
	"github.com/lanewise/lanewise/vectorize/scev"
	"github.com/lanewise/lanewise/vectorize/sink"
	"github.com/lanewise/lanewise/vir/plan"
)

// sunken tries a loop with what loops inside store in each turn in registers.
func sunken(r *plan.Region, t *target.Target, opt Options) (*plan.Kernel, []diag.Remark) {
	if slices.Contains(opt.Skip, "sink") {
		return nil, nil
	}
	l := sink.Split(r)
	if l == nil {
		return nil, nil
	}
	if l.Turns {
		b, ok := turns(l.Region)
		if !ok {
			return nil, nil
		}
		opt.bounds = append(slices.Clip(opt.bounds), b)
	}
	k, remarks := run(l.Region, t, opt)
	if k == nil {
		return nil, nil
	}
	k.Overlaps = append(k.Overlaps, l.Apart...)
	opt.made("sink", r, t, k)
	for _, name := range l.Names {
		remarks = noted(remarks, r, "sink:Register", r.Pos, "what an iteration stores to "+name+" before or in a loop inside is kept in a register until that has ended")
	}
	return k, remarks
}

// turns is the bound under which the loop inside of r's turns at least once, if it turns as often in all iterations.
func turns(r *plan.Region) (plan.Bound, bool) {
	t, ok := rows.Trip(r)
	if !ok || t.Unsigned {
		return plan.Bound{}, false
	}
	lo, hi := t.Start, t.Limit
	if t.Step < 0 {
		lo, hi = hi, lo
	}
	switch t.Cond {
	case plan.Less, plan.Greater:
	case plan.LessEq, plan.GreaterEq:
		hi = scev.Simplify(plan.Add(hi, plan.Const(1)))
	default:
		return plan.Bound{}, false
	}
	return plan.Bound{Start: lo, Lo: lo, Hi: hi}, true
}
