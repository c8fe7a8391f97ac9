package scev

import (
	"math"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// trip is the answer of Trip. The count is exact or too small: it is the number
// of t from 0 on for which Start + t*Step, in exact arithmetic, compares with
// Limit. Until the first t for which it does not, the induction cannot wrap,
// since all values lie between Start and Limit. (With NotEq a Limit that is
// never hit exactly, or lies on the other side of Start, counts as no
// iterations.)
type trip struct {
	plan.Trip
	wrap    []plan.Bound
	main    *vir.Value
	values  interval // values of Start + t*Step during the counted iterations
	refusal *Refusal
}

const idTrip = "loopvec:TripCount"

func (s *Info) findTrip() *trip {
	if s.loop == nil {
		return &trip{refusal: refuse(s.region.Pos, idTrip, "not a loop with one header and one latch")}
	}
	term := s.header.Term()
	if term == nil || term.Op != vir.OpBr || len(s.loop.Exits) != 1 || s.loop.Exits[0].From != s.header {
		return &trip{refusal: refuse(s.region.Pos, idTrip, "the loop does not end by its condition alone")}
	}
	if c, ok := term.Args[0].IsConst(); ok && c != 0 {
		return s.countByCheck()
	}
	t, r := s.countAll(s.conjuncts(term))
	if r != nil {
		return &trip{refusal: r}
	}
	return t
}

// countByCheck counts the iterations of a loop without a condition: those in which
// the first subscript that all of them check stays inside. The panic of the next
// one, if it comes to that, is the scalar loop's. Subscripts are 64 bits wide.
func (s *Info) countByCheck() *trip {
	for _, v := range s.header.Succs[0].Insts {
		if v.Op != vir.OpCheckIndex || v.Masked {
			continue
		}
		idx, n := s.affineOf(v.Args[0]), s.affineOf(v.Args[1])
		if idx == nil || n == nil || idx.Step == 0 || n.Step != 0 {
			continue
		}
		t := &trip{main: s.root(v.Args[0]), wrap: append(append([]plan.Bound(nil), idx.Wrap...), n.Wrap...)}
		t.Start, t.Step, t.Endless = idx.Start, idx.Step, true
		t.Cond, t.Limit = plan.Less, n.Start
		if idx.Step < 0 {
			t.Cond, t.Limit = plan.GreaterEq, plan.Const(0)
		}
		t.values = s.valuesOf(t)
		return t
	}
	return &trip{refusal: refuse(s.region.Pos, idTrip, "the loop has no condition, and no subscript counts its iterations")}
}

// countAll counts by the first condition; every other one becomes a bound.
func (s *Info) countAll(conds []condition) (*trip, *Refusal) {
	var count *trip
	for _, c := range conds {
		t := &trip{}
		if r := s.countOf(t, c); r != nil {
			return nil, r
		}
		if count == nil {
			count = t
			continue
		}
		b, ok := s.asBound(t)
		if !ok {
			return nil, refuse(s.posOf(c.v), idTrip, "one of several loop conditions is not a comparison that a bound can express")
		}
		count.wrap = append(append(count.wrap, t.wrap...), b)
	}
	return count, nil
}

// asBound expresses a count as lo <= Start + t*Step < hi. At the ends of the
// 64-bit range it may hold for fewer iterations, never for more.
func (s *Info) asBound(t *trip) (plan.Bound, bool) {
	limit := s.rangeOf(t.Limit)
	if t.Unsigned && (limit.lo < 0 || s.rangeOf(t.Start).lo < 0) {
		return plan.Bound{}, false
	}
	b := plan.Bound{Start: t.Start, Step: t.Step, Lo: plan.Const(math.MinInt64), Hi: plan.Const(math.MaxInt64)}
	above := Simplify(plan.Add(t.Limit, plan.Const(1)))
	switch t.Cond {
	case plan.Less:
		b.Hi = t.Limit
	case plan.LessEq:
		b.Hi = above // wraps to a bound that never holds
	case plan.GreaterEq:
		b.Lo = t.Limit
	case plan.Greater:
		b.Lo = above
		return b, limit.hi < math.MaxInt64
	default:
		return b, false
	}
	return b, true
}

func (s *Info) posOf(v *vir.Value) vir.Pos {
	if v.Pos.IsValid() {
		return v.Pos
	}
	return s.region.Pos
}

func (s *Info) countOf(t *trip, c condition) *Refusal {
	pos := s.posOf(c.v)
	rel, ok := relationOf(c)
	if !ok {
		return refuse(pos, idTrip, "the loop condition is not a comparison of an integer with a limit")
	}
	ax, ay := s.affineOf(rel.x), s.affineOf(rel.y)
	if ax != nil && ax.Step == 0 || ax == nil && ay != nil && ay.Step != 0 {
		rel = relation{mirrored[rel.cond], rel.unsigned, rel.y, rel.x}
		ax, ay = ay, ax
	}
	switch {
	case ax == nil && ay == nil:
		return refuse(pos, idTrip, "no variable of the loop condition changes by a constant")
	case ax == nil:
		return refuse(pos, idTrip, "%s does not change by a constant", name(rel.x))
	case ay == nil:
		return refuse(pos, idTrip, "the limit of %s is not known before the loop", name(rel.x))
	case ax.Step == 0:
		return refuse(pos, idTrip, "the loop condition does not change")
	}
	t.main = s.root(rel.x)
	t.wrap = append(append(t.wrap, ax.Wrap...), ay.Wrap...)
	if rel.cond == plan.NotEq && !rel.unsigned {
		rel.unsigned = s.looksUnsigned(t.main)
	}
	t.Cond, t.Unsigned = rel.cond, rel.unsigned
	t.Start = extended(ax, rel.unsigned)
	t.Limit = extended(ay, rel.unsigned)
	t.Step = ax.Step
	if ay.Step != 0 {
		return s.countMeeting(t, rel, ax.Step, ay.Step, pos)
	}
	return s.countOneSided(t, rel, ax.Width, pos)
}

func (s *Info) countOneSided(t *trip, rel relation, width int, pos vir.Pos) *Refusal {
	switch up := t.Step > 0; {
	case rel.cond == plan.NotEq:
	case up != (rel.cond == plan.Less || rel.cond == plan.LessEq):
		return refuse(pos, idTrip, "%s moves away from its limit", name(rel.x))
	}
	if c := t.Limit; c.Op == plan.ExprConst && alwaysHolds(rel.cond, rel.unsigned, c.Const, width) {
		return refuse(pos, idTrip, "the loop condition always holds")
	}
	t.values = s.valuesOf(t)
	return nil
}

// alwaysHolds reports a limit that no value of the type can pass, as in i >= 0
// for an unsigned i.
func alwaysHolds(c plan.Cond, unsigned bool, limit int64, width int) bool {
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	switch {
	case unsigned && width == 64:
		lo, hi = 0, -1
	case width < 64:
		r := typeRange(width, !unsigned)
		lo, hi = r.lo, r.hi
	}
	return c == plan.LessEq && limit == hi || c == plan.GreaterEq && limit == lo
}

// countMeeting is the count of two inductions that run towards each other, as in
// i < j with i up and j down (one may stand still). While i < j held so far, both
// lie between the two start values, so neither has wrapped, and i < j is the
// same as start(i) + t*(step(i)-step(j)) < start(j).
func (s *Info) countMeeting(t *trip, rel relation, sx, sy int64, pos vir.Pos) *Refusal {
	step := sx - sy
	ok := false
	switch rel.cond {
	case plan.Less, plan.LessEq:
		ok = sx >= 0 && sy <= 0 && step > 0
	case plan.Greater, plan.GreaterEq:
		ok = sx <= 0 && sy >= 0 && step < 0
	}
	if !ok {
		return refuse(pos, idTrip, "%s and %s do not run towards each other", name(rel.x), name(rel.y))
	}
	t.Step = step
	t.values = everything
	return nil
}

// valuesOf bounds Start + t*Step over the counted iterations.
func (s *Info) valuesOf(t *trip) interval {
	start, limit := s.rangeOf(t.Start), s.rangeOf(t.Limit)
	if t.Unsigned && (start.lo < 0 || limit.lo < 0) {
		return everything
	}
	below := limit.plus(interval{-1, -1})
	above := limit.plus(interval{1, 1})
	switch {
	case t.Cond == plan.Less, t.Cond == plan.NotEq && t.Step > 0:
		return interval{start.lo, below.hi}
	case t.Cond == plan.LessEq:
		return interval{start.lo, limit.hi}
	case t.Cond == plan.Greater, t.Cond == plan.NotEq && t.Step < 0:
		return interval{above.lo, start.hi}
	}
	return interval{limit.lo, start.hi}
}

// extended is the start value in 64 bits.
func extended(a *Affine, unsigned bool) *plan.Expr {
	if unsigned {
		return Simplify(plan.Zext(a.Start, a.Width))
	}
	return Simplify(plan.Sext(a.Start, a.Width))
}

// root is the header phi that v is computed from.
func (s *Info) root(v *vir.Value) *vir.Value {
	seen := make(map[*vir.Value]bool)
	var find func(*vir.Value) *vir.Value
	find = func(v *vir.Value) *vir.Value {
		if seen[v] {
			return nil
		}
		seen[v] = true
		if s.isHeaderPhi(v) {
			if a := s.affineOf(v); a != nil && a.Step != 0 {
				return v
			}
			return nil
		}
		for _, a := range v.Args {
			if p := find(a); p != nil {
				return p
			}
		}
		return nil
	}
	return find(v)
}

// looksUnsigned guesses the signedness of an induction that is compared with !=
// only: a narrow one that is zero-extended somewhere is unsigned. A wrong guess
// makes the count too small, nothing else.
func (s *Info) looksUnsigned(phi *vir.Value) bool {
	for v := range s.region.Fn.Values {
		for _, a := range v.Args {
			if a != phi {
				continue
			}
			switch v.Op {
			case vir.OpZext, vir.OpUitof, vir.OpIcmpUlt, vir.OpIcmpUle, vir.OpUdiv, vir.OpUrem:
				return true
			}
		}
	}
	return false
}

// name is how a message calls a value.
func name(v *vir.Value) string {
	if v.Name != "" {
		return v.Name
	}
	if n := madeOf(v, make(map[*vir.Value]bool)); n != "" {
		return "an expression of " + n
	}
	return "what the loop condition compares"
}

// madeOf is the name of a value that v is computed from, "" if none has one.
func madeOf(v *vir.Value, seen map[*vir.Value]bool) string {
	for _, a := range v.Args {
		if a.Name != "" {
			return a.Name
		}
		if !seen[a] {
			seen[a] = true
			if n := madeOf(a, seen); n != "" {
				return n
			}
		}
	}
	return ""
}
