package twin

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

// header prints everything up to the opening brace of the vector path, and
// says whether that declares variables outside of the if statement. Names that
// are not go to own.
func (l *loop) header(own *[]string) (text string, outer bool) {
	tripParams := slices.Concat(params(l.k.Trip.Start), params(l.k.Trip.Limit))
	first := l.preconditions(tripParams)
	count := l.least(l.earlyBounds(l.trip(), first)...)
	rest := slices.DeleteFunc(l.preconditions(l.allParams()), func(c string) bool { return slices.Contains(first, c) })

	var sb strings.Builder
	outer = l.bindOverlaps(&sb)
	early, late := l.overlapsInStep()
	l.lateOverlaps = late
	conds := slices.Concat(
		[]string{fmt.Sprintf("%s >= %d", l.n, max(l.k.Min, 1)), l.level()},
		rest, l.givens(), l.innerWorth(), l.overlaps(early))
	if len(first) == 0 {
		*own = append(*own, l.n)
		start := fmt.Sprintf("if %s := %s; ", l.n, count)
		sb.WriteString(start + l.join(conds, 120-len(start)))
		return sb.String(), outer
	}
	fmt.Fprintf(&sb, "%s := 0\nif %s {\n%s = %s\n}\n", l.n, l.join(first, 120), l.n, count)
	fmt.Fprintf(&sb, "if %s", l.join(conds, 120))
	return sb.String(), true
}

// level is the test of the CPU.
func (l *loop) level() string { return l.cpu() + "." + strings.ToUpper(l.k.Level) }

// join is the conjunction of conditions, on lines of at most about width.
func (l *loop) join(conds []string, width int) string {
	if s := strings.Join(conds, " && "); len(s) <= width {
		return s
	}
	return fill(conds, " &&", width)
}

// fill joins parts with a separator, on several lines: as many parts on each
// as fit the width.
func fill(parts []string, sep string, width int) string {
	var sb strings.Builder
	used := 0
	for i, p := range parts {
		switch {
		case i == 0:
		case used+len(p) > width:
			sb.WriteString(sep + "\n")
			used = 0
		default:
			sb.WriteString(sep + " ")
		}
		sb.WriteString(p)
		used += len(p) + len(sep) + 1
	}
	return sb.String()
}

// params lists the live-ins in x.
func params(x *plan.Expr) []int {
	if x == nil {
		return nil
	}
	if x.Op == plan.ExprParam {
		return []int{x.Param}
	}
	return append(params(x.X), params(x.Y)...)
}

// allParams lists the live-ins, those first that kernel, bounds and overlap
// tests need. The others matter for their preconditions: the loop may evaluate
// *p and drop the value, and still panic.
func (l *loop) allParams() []int {
	ps := l.usedParams()
	for i := range l.r.Params {
		ps = append(ps, i)
	}
	return ps
}

// usedParams lists the live-ins that kernel, bounds and overlap tests need.
func (l *loop) usedParams() []int {
	var ps []int
	for _, a := range l.k.Args {
		if a.Kind == plan.ArgParam {
			ps = append(ps, a.Index)
		}
	}
	for _, b := range l.k.Bounds {
		ps = append(ps, boundParams(b)...)
	}
	for _, o := range l.k.Overlaps {
		ps = append(ps, o.A.Param, o.B.Param)
		ps = append(ps, params(o.A.Off)...)
		ps = append(ps, params(o.B.Off)...)
		for _, x := range []*plan.Expr{o.A.Extent, o.B.Extent} {
			if x != nil {
				ps = append(ps, params(x)...)
			}
		}
	}
	return ps
}

func boundParams(b plan.Bound) []int {
	return slices.Concat(params(b.Start), params(b.Lo), params(b.Hi))
}

// preconditions are the conditions under which live-ins can be evaluated, in
// an order in which each makes the next one safe: what lies inside another
// expression comes first.
func (l *loop) preconditions(ps []int) []string {
	type condition struct {
		text  string
		depth int
		index bool
	}
	var conds []condition
	for _, i := range ps {
		if _, ok := l.stateOf[i]; ok && l.inside {
			continue
		}
		p := &l.r.Params[i]
		for _, x := range p.NonNil {
			conds = append(conds, condition{l.exprText(x) + " != nil", size(x), false})
		}
		for _, x := range p.InRange {
			conds = append(conds, condition{l.inRange(x), size(x), true})
		}
	}
	slices.SortStableFunc(conds, func(a, b condition) int {
		if a.depth == b.depth && a.index != b.index {
			if a.index {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.depth, b.depth)
	})
	var texts []string
	for _, c := range conds {
		if !slices.Contains(texts, c.text) {
			texts = append(texts, c.text)
		}
	}
	return texts
}

// size is the number of nodes of x.
func size(x ast.Expr) int {
	n := 0
	ast.Inspect(x, func(m ast.Node) bool {
		if m != nil {
			n++
		}
		return true
	})
	return n
}

// inRange is the condition that x does not panic.
func (l *loop) inRange(x *ast.IndexExpr) string {
	length := l.lengthOf(l.exprText(x.X), l.typeOf(x.X))
	if v := l.pkg.TypesInfo.Types[x.Index].Value; v != nil {
		return fmt.Sprintf("%s < %s", constant.ToInt(v).ExactString(), length) // of any integer type in the source
	}
	u := l.pre("uint")
	return fmt.Sprintf("%s(%s) < %s(%s)", u, l.exprText(x.Index), u, length)
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

// innerWorth is the condition that the loop inside has enough iterations, if it can be
// told before.
func (l *loop) innerWorth() (conds []string) {
	if l.k.Inner == nil {
		return nil
	}
	few := l.few
	count := l.tripOf(*l.k.Inner)
	l.few = few
	if all := l.inAll(count); all != "" {
		conds = append(conds, all)
	}
	one := fmt.Sprintf("%s >= %d", count, l.k.InnerMin)
	if !l.k.Adjoining && l.k.InnerMin > 1 {
		conds = append(conds, one)
	}
	if len(l.k.InnerEqual) > 0 {
		var equal []string
		for _, e := range l.k.InnerEqual {
			equal = append(equal, fmt.Sprintf("%s == %s", l.linear(e.X), l.linear(e.Y)))
		}
		conds = append(conds, fmt.Sprintf("(%s || %s)", one, strings.Join(equal, " && ")))
	}
	return conds
}

// inAll is the condition that iterations with count inner ones each, at least one, have
// enough of them; "" where that is clear. It is asked without an overflow.
func (l *loop) inAll(count string) string {
	total := l.k.InnerTotal
	if c, err := strconv.ParseInt(count, 10, 64); err == nil && c > 0 {
		if c >= total {
			return ""
		}
		return fmt.Sprintf("%s >= %d", l.n, (total+c-1)/c)
	}
	if total <= 1 {
		return ""
	}
	enough := intLiteral(total)
	return fmt.Sprintf("%s*%s >= %s", l.least(l.n, enough), l.least(count, enough), enough)
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
	if (t.Step == 1 || t.Step == -1) && t.Cond != plan.NotEq && !unsigned && fewBits(t.Start) && fewBits(t.Limit) {
		return to.plus(from, -1).plus(constant64(extra), 1).String()
	}
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
		text, ok := l.simpleBound(b)
		for _, c := range l.preconditions(boundParams(b)) {
			ok = ok && slices.Contains(first, c)
		}
		l.few = l.few || ok && l.linear(b.Hi).natural()
		switch {
		case text != "" && !ok:
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
	if b.Step == 1 && hi.natural() && l.above(b.Start, l.linear(b.Lo)) {
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

// bindOverlaps gives names to the pointers that are tested before the vector
// path, where they can be formed without conditions.
func (l *loop) bindOverlaps(sb *strings.Builder) bool {
	var ps []int
	for _, o := range l.k.Overlaps {
		ps = append(ps, o.A.Param, o.B.Param)
	}
	names := l.bind(sb, ps)
	return len(names) > 0
}

// bind declares names for the pointers among ps that have none yet.
func (l *loop) bind(sb *strings.Builder, ps []int) []string {
	var names, texts []string
	for _, i := range ps {
		if l.pointers[i] != "" || !isPointer(&l.r.Params[i]) || l.moves(i) {
			continue
		}
		if !l.tested && len(l.preconditions([]int{i})) > 0 {
			continue
		}
		text := l.pointer(i)
		name := l.local(strings.Trim(baseName(l.r.Params[i].Expr, ""), "_") + "p")
		l.pointers[i] = name
		names, texts = append(names, name), append(texts, text)
	}
	if len(names) == 0 {
		return nil
	}
	if line := strings.Join(names, ", ") + " := " + strings.Join(texts, ", "); len(line) <= 110 {
		sb.WriteString(line + "\n")
		return names
	}
	for i, n := range names {
		fmt.Fprintf(sb, "%s := %s\n", n, texts[i])
	}
	return names
}

// moves reports whether pointer i is the data of a slice or string that the loop appends to
// or moves: it is another one behind a call.
func (l *loop) moves(i int) bool {
	p := &l.r.Params[i]
	if p.Kind != frontend.ParamSliceData && p.Kind != frontend.ParamStringData {
		return false
	}
	id, isVariable := p.Expr.(*ast.Ident)
	return slices.ContainsFunc(l.r.Vars, func(v frontend.Var) bool {
		switch {
		case !isEnd(v.Part):
			return false
		case v.Expr != nil:
			return l.exprText(v.Expr) == l.exprText(p.Expr)
		}
		return isVariable && v.Obj == l.pkg.TypesInfo.ObjectOf(id)
	})
}

// overlapsInStep are the pairs of streams that can be tested before the first iteration, and
// those that cannot: if Peel iterations come before the first call, what the variables say of
// a stream must be right from the beginning. It is not for a narrow subscript that would wrap
// around meanwhile.
func (l *loop) overlapsInStep() (early, late []plan.Overlap) {
	for _, o := range l.k.Overlaps {
		if l.k.Peel == 0 || l.inStep(o.A) && l.inStep(o.B) {
			early = append(early, o)
		} else {
			late = append(late, o)
		}
	}
	return early, late
}

// inStep reports whether every iteration moves s on by the same distance.
func (l *loop) inStep(s plan.Stream) bool {
	return l.affine(s.Off) && (s.Extent == nil || !l.changes(s.Extent))
}

// affine reports whether every iteration adds the same to x.
func (l *loop) affine(x *plan.Expr) bool {
	switch x.Op {
	case plan.ExprAdd, plan.ExprSub:
		return l.affine(x.X) && l.affine(x.Y)
	case plan.ExprNeg:
		return l.affine(x.X)
	case plan.ExprMul:
		return l.affine(x.X) && !l.changes(x.Y) || l.affine(x.Y) && !l.changes(x.X)
	case plan.ExprParam:
		return true
	}
	return !l.changes(x)
}

// changes reports whether x depends on variables of the loop.
func (l *loop) changes(x *plan.Expr) bool {
	return slices.ContainsFunc(params(x), func(i int) bool { _, ok := l.stateOf[i]; return ok })
}

// overlaps are the tests that pairs of streams keep clear of each other.
func (l *loop) overlaps(pairs []plan.Overlap) []string {
	var tests []string
	for _, o := range pairs {
		lo, hi := l.window(o, o.Lo), l.window(o, o.Hi)
		if o.Disjoint && !l.few {
			test := fmt.Sprintf("%s.Disjoint(%s, %s, %s)", l.guard(), l.stream(o.A), l.stream(o.B), l.n)
			if o.Follows {
				test = fmt.Sprintf("(%s || %s.Follows(%s, %s, %s, %s))", test, l.guard(),
					l.pointer(o.A.Param), l.pointer(o.B.Param), l.linear(o.A.Off), l.linear(o.B.Off))
			}
			tests = append(tests, test)
			continue
		}
		if o.Disjoint {
			lo, hi = l.apart(o)
			if o.Follows {
				hi = "0"
			}
		}
		tests = append(tests, fmt.Sprintf("%s.Clear(%s, %s, %s, %s, %s, %s)", l.guard(),
			l.pointer(o.A.Param), l.pointer(o.B.Param), l.linear(o.A.Off), l.linear(o.B.Off), lo, hi))
	}
	return tests
}

// apart is the window of distances at which two streams of n iterations have
// bytes in common. Its ends do not overflow when n is the length of something in
// memory.
func (l *loop) apart(o plan.Overlap) (lo, hi string) {
	alo, ahi := l.extent(o.A)
	blo, bhi := l.extent(o.B)
	return alo.plus(bhi, -1).String(), ahi.plus(blo, -1).String()
}

// extent is the range of bytes of n iterations of a stream, relative to where it
// starts.
func (l *loop) extent(s plan.Stream) (lo, hi linear) {
	if s.Extent != nil {
		return constant64(0), l.linear(s.Extent)
	}
	span := constant64(-s.Step).plus(operand(l.n), s.Step)
	if s.Step < 0 {
		return span, constant64(s.Size)
	}
	return constant64(0), span.plus(constant64(s.Size), 1)
}

// window is an end of an overlap's window. Streams of n elements are apart at a
// distance of n elements, which matters for neighbouring short slices when n
// may be less than the window holds.
func (l *loop) window(o plan.Overlap, end int64) string {
	size := o.A.Size
	plain := o.Exact && o.A.Step == o.B.Step && max(o.A.Step, -o.A.Step) == size && o.B.Size == size
	if !plain || end == 0 || end%size != 0 || max(end, -end) <= l.k.Min*size {
		return fmt.Sprint(end)
	}
	count := linear{terms: []term{{coef: size, text: l.least(l.n, intLiteral(max(end, -end)/size))}}}
	if end < 0 {
		count.terms[0].coef = -size
	}
	return count.String()
}

func (l *loop) stream(s plan.Stream) string {
	size := fmt.Sprint(s.Size)
	if s.Extent != nil {
		size = l.linear(s.Extent).String()
	}
	return fmt.Sprintf("%s, %s, %d, %s", l.pointer(s.Param), l.linear(s.Off), s.Step, size)
}

// canSayNil reports whether nil means what it should.
func (l *loop) canSayNil() bool {
	if !l.shadowed("nil") {
		return true
	}
	return !slices.ContainsFunc(l.allParams(), func(i int) bool { return len(l.r.Params[i].NonNil) > 0 })
}
