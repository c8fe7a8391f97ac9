package loopvec

import (
	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vir"
)

// A guard is a step by 1 that is taken below a limit only, or above one.
type guard struct {
	when     *vir.Value // and only where this holds, if there is one
	limit    *vir.Value
	up       bool
	any      bool // or on the other side of the limit as well
	unsigned bool
}

// guard is nil for other choices.
func (c *confiner) guard(v *vir.Value) *guard {
	cond, step, stays := v.Args[0], v.Args[1], v.Args[2]
	not := false
	if cond.Op == vir.OpNot {
		cond, not = cond.Args[0], true
	}
	if step == c.phi {
		step, stays, not = stays, step, !not
	}
	if stays != c.phi || step.Op != vir.OpAdd && step.Op != vir.OpSub || step.Args[0] != c.phi {
		return nil
	}
	by, ok := step.Args[1].ConstInt()
	if step.Op == vir.OpSub {
		by = -by
	}
	if !ok || by != 1 && by != -1 {
		return nil
	}
	if cond.Op != vir.OpAnd || not {
		return c.guardBy(cond, not, by == 1)
	}
	when, below := cond.Args[0], cond.Args[1]
	if c.m.free(below) {
		when, below = below, when
	}
	g := c.guardBy(below, false, by == 1)
	if g == nil || !c.m.free(when) {
		return nil
	}
	g.when = when
	return g
}

// guardBy is the guard of a step that is taken where cond holds, or where it does not.
func (c *confiner) guardBy(cond *vir.Value, not, up bool) *guard {
	g := &guard{up: up, unsigned: cond.Op == vir.OpIcmpUlt || cond.Op == vir.OpIcmpUle}
	less := false // the variable is on the left
	switch {
	case len(cond.Args) != 2:
		return nil
	case cond.Args[0] == c.phi:
		g.limit, less = cond.Args[1], true
	case cond.Args[1] == c.phi:
		g.limit = cond.Args[0]
	default:
		return nil
	}
	if !c.m.free(g.limit) {
		return nil
	}
	strict := true
	switch cond.Op {
	case vir.OpIcmpNe, vir.OpIcmpEq:
		g.any = true
		if not != (cond.Op == vir.OpIcmpEq) {
			return nil
		}
		return g
	case vir.OpIcmpSlt, vir.OpIcmpUlt:
	case vir.OpIcmpSle, vir.OpIcmpUle:
		strict = false
	default:
		return nil
	}
	if not { // not less is the other one, or equal
		less, strict = !less, !strict
	}
	if less != up {
		return nil
	}
	if !strict { // also at the limit
		k, ok := g.limit.ConstInt()
		if all := ranges.Full(g.limit.Type.Elem.Bits()); !ok || k == all.SLo || k == all.SHi || g.unsigned && (k <= 0 || uint64(k) == all.UHi) {
			return nil
		}
		k--
		if up {
			k += 2
		}
		g.limit = c.constant(g.limit.Type, k)
	}
	return g
}

// guardedStep is the range behind g, where that is a minimum or maximum.
func (c *confiner) guardedStep(g *guard, r interval) (interval, bool) {
	k, ok := c.free(g.limit)
	c.all = c.all.union(k)
	switch {
	case !ok || !r.within(span(40, 0)):
		return interval{}, false
	case g.up:
		c.all.hi = max(c.all.hi, r.hi+1)
		return interval{r.lo, max(r.hi, min(r.hi+1, k.hi))}, true
	}
	c.all.lo = min(c.all.lo, r.lo-1)
	return interval{min(r.lo, max(r.lo-1, k.lo)), r.hi}, true
}

// clamps reports whether all guards are minima or maxima wherever the variable is in a call.
func (c *confiner) clamps() bool {
	ok := true
	for v := range c.m.body.Func.Values {
		if v.Op != vir.OpSelect || !c.m.bound[v] {
			continue
		}
		if g := c.guard(v); g != nil {
			k, known := c.free(g.limit)
			ok = ok && known && (g.up && c.in.hi <= k.lo || !g.up && k.hi <= c.in.lo)
		}
	}
	return ok
}

// A comeback is a choice of a step and of what the variable comes back to, both constants, where it never is on
// the other side of that. So it is the least of both, or the largest:
//
//	ends ? 0 : n + 1    ==>   min(n + 1, ends ? 0 : largest)
type comeback struct {
	ends   *vir.Value
	not    bool // it comes back where ends does not hold
	by, to int64
}

// returns reports whether v is such a choice.
func (c *confiner) returns(v *vir.Value) (r comeback, ok bool) {
	if v != c.next || v.Op != vir.OpSelect || c.unsigned {
		return r, false
	}
	to, step := v.Args[1], v.Args[2]
	if _, r.not = step.IsConst(); r.not {
		to, step = step, to
	}
	if step.Op != vir.OpAdd || step.Args[0] != c.phi {
		return r, false
	}
	r.ends = v.Args[0]
	r.by, ok = step.Args[1].ConstInt()
	k, alsoOk := to.ConstInt()
	r.to = k
	next, bound := interval{c.in.lo + r.by, c.in.hi + r.by}, numberBound(c.width)
	above, below := r.by > 0 && r.to <= next.lo, r.by < 0 && next.hi <= r.to
	return r, ok && alsoOk && (above || below) && next.within(interval{1 - bound, bound})
}

// least is what r makes of phi. Elsewhere the limit is the largest small number: see speculate.go.
func (r comeback) least(b *vir.Builder, phi *vir.Value) *vir.Value {
	t := phi.Type
	op, none := vir.OpSmin, numberBound(t.Elem.Bits())
	if r.by < 0 {
		op, none = vir.OpSmax, 1-none
	}
	to, other := b.Int(t, r.to), b.Int(t, none)
	if r.not {
		to, other = other, to
	}
	return b.Op(op, t, b.Op(vir.OpAdd, t, phi, b.Int(t, r.by)), b.Op(vir.OpSelect, t, r.ends, to, other))
}
