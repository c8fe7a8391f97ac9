package twin

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

func boundParams(b plan.Bound) []int {
	return slices.Concat(params(b.Start), params(b.Lo), params(b.Hi))
}

// givens are the bounds that say what a value known before the loop is.
func (l *loop) givens() []string {
	var conds []string
	for _, b := range l.k.Bounds {
		if !isGiven(b) {
			continue
		}
		conds = append(conds, fmt.Sprintf("%s == %s", l.linear(b.Start), l.linear(b.Lo)))
	}
	return conds
}

func isGiven(b plan.Bound) bool {
	one := b.Lo.Op == plan.ExprConst && b.Hi.Op == plan.ExprConst && b.Hi.Const == b.Lo.Const+1
	return one && b.Step == 0 && !b.Conditional
}

// trip is the number of iterations on entry, possibly negative for none. It is
// never too large: where a sum could overflow upwards, package guard counts.
func (l *loop) trip() string { return l.tripOf(l.k.Trip) }

func (l *loop) tripOf(t plan.Trip) string {
	start, limit := l.linear(t.Start), l.linear(t.Limit)
	extra := int64(0)
	if t.Cond == plan.LessEq || t.Cond == plan.GreaterEq {
		extra = 1
	}
	unsigned := t.Unsigned && t.Cond != plan.NotEq
	from, to := start, limit // counting up
	if t.Step < 0 {
		from, to = limit, start
	}
	if (t.Step == 1 || t.Step == -1) && from.isConst() {
		add := extra - from.c
		var exact bool // or overflows to a negative number
		if unsigned {
			exact = from.c >= 0
		} else {
			exact = add >= 0 || to.natural() && from.natural()
		}
		if exact {
			l.few = l.few || to.natural()
			return to.plus(constant64(add), 1).String()
		}
	}
	if t.Step == 1 && !unsigned && t.Cond != plan.NotEq && l.ordered(from, to) {
		return to.plus(from, -1).plus(constant64(extra), 1).String()
	}
	few := fewBits(t.Start) && fewBits(t.Limit) || t.Step == 1 && to.natural() && l.above(t.Start, constant64(0))
	if (t.Step == 1 || t.Step == -1) && t.Cond != plan.NotEq && !unsigned && few {
		return to.plus(from, -1).plus(constant64(extra), 1).String()
	}
	l.few = l.few || t.Step > 0 && from.isConst() && from.c >= 0 && to.natural()
	name := [...]string{"TripLess", "TripLessEq", "TripGreater", "TripGreaterEq", "TripNotEq"}[t.Cond]
	s, e := start.String(), limit.String()
	if unsigned {
		name += "U"
		s, e = l.asUint(start), l.asUint(limit)
	}
	return fmt.Sprintf("%s.%s(%s, %s, %d)", l.guard(), name, s, e, t.Step)
}

// fewBits reports whether x is far from overflowing: numbers of at most 32 bits, and
// constants added to them.
func fewBits(x *plan.Expr) bool {
	switch x.Op {
	case plan.ExprConst:
		return -1<<40 < x.Const && x.Const < 1<<40
	case plan.ExprSext, plan.ExprZext:
		return x.Bits <= 32
	case plan.ExprAdd:
		return x.Y.Op == plan.ExprConst && fewBits(x.Y) && (x.X.Op == plan.ExprSext || x.X.Op == plan.ExprZext) && fewBits(x.X)
	}
	return false
}

func (l *loop) asUint(x linear) string {
	if x.isConst() && x.c >= 0 {
		return x.String()
	}
	if x.isConst() {
		return fmt.Sprintf("%d", uint64(x.c))
	}
	return fmt.Sprintf("%s(%s)", l.pre("uint"), x)
}

// earlyBounds appends to the trip count the bounds that are as simple as it
// and need no other preconditions. What is left goes to lateLeast and lateBounds.
func (l *loop) earlyBounds(trip string, first []string) []string {
	counts := []string{trip}
	for _, b := range l.k.Bounds {
		if b.Conditional || isGiven(b) || l.impliedByTrip(b) {
			continue
		}
		if b.Ends {
			l.late = append(l.late, b)
			continue
		}
		text, ok := l.simpleBound(b)
		for _, c := range l.preconditions(boundParams(b)) {
			ok = ok && slices.Contains(first, c)
		}
		l.few = l.few || ok && l.linear(b.Hi).natural()
		switch {
		case text != "" && (!ok || l.k.Ends()): // the last iterations may need less than the others
			l.lateCounts = append(l.lateCounts, text)
		case !ok:
			l.late = append(l.late, b)
		case !slices.Contains(counts, text):
			counts = append(counts, text)
		}
	}
	return smallest(counts)
}

// smallest keeps one of the counts that are plain numbers.
func smallest(counts []string) []string {
	least, at := int64(math.MaxInt64), -1
	var kept []string
	for _, c := range counts {
		x, err := strconv.ParseInt(c, 10, 64)
		switch {
		case err != nil:
			kept = append(kept, c)
		case at < 0:
			least, at = x, len(kept)
			kept = append(kept, c)
		case x < least:
			least, kept[at] = x, c
		}
	}
	return kept
}

// simpleBound is a bound that counts up from a constant.
func (l *loop) simpleBound(b plan.Bound) (string, bool) {
	start, lo, hi := l.linear(b.Start), l.linear(b.Lo), l.linear(b.Hi)
	if b.Step != 1 || !start.isConst() || !lo.isConst() || start.c < lo.c || start.c < 0 {
		return "", false
	}
	if start.c > 0 && !hi.natural() {
		return "", false
	}
	return hi.plus(start, -1).String(), true
}

// impliedByTrip recognizes the loop that walks down through a whole slice.
func (l *loop) impliedByTrip(b plan.Bound) bool {
	t := l.k.Trip
	start, lo, hi, limit := l.linear(b.Start), l.linear(b.Lo), l.linear(b.Hi), l.linear(t.Limit)
	if b.Step != -1 || t.Step != -1 || t.Unsigned || !lo.isConst() || !limit.isConst() || !start.equals(l.linear(t.Start)) {
		return false
	}
	above := hi.plus(start, -1)
	if !above.isConst() || above.c <= 0 || !hi.natural() || !start.natural() {
		return false
	}
	return t.Cond == plan.GreaterEq && limit.c >= lo.c || t.Cond == plan.Greater && limit.c >= lo.c-1
}

// lateLeast limits the iterations inside the vector path by plain counts. They count from the
// first iteration, so that it comes before any iteration is done.
func (l *loop) lateLeast() string {
	if len(l.lateCounts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s = %s\n", l.n, l.least(append([]string{l.n}, l.lateCounts...)...))
}

// lateBounds limit the iterations there by bounds that count from where the variables are,
// and to none where streams are not clear of each other from there.
func (l *loop) lateBounds() string {
	var sb strings.Builder
	if tests := l.overlaps(l.lateOverlaps); tests != nil {
		clear := l.join(tests, 110)
		if len(tests) > 1 {
			clear = "(" + clear + ")"
		}
		fmt.Fprintf(&sb, "if !%s {\n%s = 0\n}\n", clear, l.n)
	}
	for _, b := range l.late {
		fmt.Fprintf(&sb, "%s = %s\n", l.n, l.within(l.n, b))
	}
	return sb.String()
}

// leading is at least the number of iterations, of n, for which a bound holds;
// where it is more than n or negative, n or none.
func (l *loop) leading(n string, b plan.Bound) string {
	start, hi := l.linear(b.Start), l.linear(b.Hi)
	if b.Step == 1 && b.Recurs == plan.Once && !l.k.Recurs() && hi.natural() && l.above(b.Start, l.linear(b.Lo)) {
		return hi.plus(start, -1).String()
	}
	return l.within(n, b)
}

// above reports whether x, which grows from iteration to iteration, is never
// below lo, nor negative.
func (l *loop) above(x *plan.Expr, lo linear) bool {
	c := int64(0)
	if x.Op == plan.ExprAdd && x.Y.Op == plan.ExprConst {
		x, c = x.X, x.Y.Const
	}
	if x.Op != plan.ExprParam || !lo.isConst() || c < 0 || c >= 1<<31 {
		return false
	}
	s, ok := l.stateOf[x.Param]
	if !ok {
		return false
	}
	first := int64(0)
	if l.r.Params[x.Param].Kind != frontend.ParamCounter {
		init := l.r.State[s].Init
		if init == nil || *init < 0 {
			return false
		}
		first = *init
	}
	return first >= lo.c
}

// within is the number of iterations, of n, for which a bound holds.
func (l *loop) within(n string, b plan.Bound) string {
	return fmt.Sprintf("%s.Within(%s, %s, %d, %s, %s)", l.guard(), n, l.linear(b.Start), b.Step, l.linear(b.Lo), l.linear(b.Hi))
}
