package twin

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/lanewise/lanewise/vir/plan"
)

// header prints everything up to the opening brace of the vector path, and
// says whether that declares variables outside of the if statement. Names that
// are not go to own.
func (l *loop) header(own *[]string) (text string, outer bool) {
	tripParams := slices.Concat(params(l.k.Trip.Start), params(l.k.Trip.Limit))
	first := append(l.preconditions(tripParams), l.beforeDividing()...)
	count, within := l.counted(first)
	rest := without(l.preconditions(l.allParams()), first)

	var sb strings.Builder
	outer = l.bindOverlaps(&sb)
	early, late := l.overlapsInStep()
	if l.k.Recurs() {
		early, late = nil, l.k.Overlaps
	}
	l.lateOverlaps = late
	conds := slices.Concat(
		[]string{fmt.Sprintf("%s >= %d", l.n, l.least1()), l.level()}, l.enough(), l.startsPlain(),
		within, rest, l.longEnough(), l.givens(), without(l.innerWorth(), first), l.overlaps(early))
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

// without are conditions that are not among others.
func without(conds, others []string) []string {
	return slices.DeleteFunc(conds, func(c string) bool { return slices.Contains(others, c) })
}

// beforeDividing is what is asked first where counting takes a division, longer than short rows may: whether these are too short.
func (l *loop) beforeDividing() []string {
	if l.k.Trip.Limit.Op != plan.ExprQuo || l.k.Inner == nil || l.k.Short > 0 || l.k.Adjoining || l.k.InnerMin <= 1 || l.k.InnerGrows != 0 {
		return nil
	}
	return []string{l.inMean(l.innerCount())}
}

// counted is the number of iterations for the kernel. Where the loop ends by its condition or
// by a panic it is that of the loop, if the bounds hold for all of them: short loops have
// little to compute, and long ones nothing left over.
func (l *loop) counted(first []string) (count string, within []string) {
	trip := l.trip()
	if l.k.Recurs() {
		l.late = slices.DeleteFunc(slices.Clone(l.k.Bounds), func(b plan.Bound) bool {
			return b.Conditional || isGiven(b) || l.impliedByTrip(b)
		})
		return trip, nil
	}
	counts := l.earlyBounds(trip, first)
	if l.r.Stops || l.mayLeave() {
		return l.least(counts...), nil
	}
	numbers := counts[:1:1] // limits of the kernel: to pass them is no panic
	for _, c := range counts[1:] {
		if _, err := strconv.ParseInt(c, 10, 64); err == nil {
			numbers = append(numbers, c)
		} else {
			within = append(within, fmt.Sprintf("%s <= %s", l.n, c))
		}
	}
	l.exact = len(numbers) == 1 && numbers[0] == trip
	return l.least(numbers...), within
}

// doesAll reports whether kernels do all iterations of a loop that gets to the vector path.
func (l *loop) doesAll() bool {
	return l.exact && l.k.Complete && !l.perhapsNone() && !l.k.Trip.Endless
}

// least1 is the fewest iterations for which a kernel is called on some CPU, at least 1.
func (l *loop) least1() int64 {
	if l.fewerWide() {
		return max(l.k.WideMin, 1)
	}
	return max(l.k.Min, 1)
}

// fewerWide reports whether CPUs with AVX-512 call the kernel for fewer iterations than others.
func (l *loop) fewerWide() bool {
	return l.k.Wide != nil && l.k.Complete && l.k.WideMin < l.k.Min && l.k.Peel == 0
}

// moreWide reports whether CPUs with AVX-512 need clearly more iterations than others. Of nests that is a guess.
func (l *loop) moreWide() bool {
	return l.k.Wide != nil && l.k.WideMin >= l.k.Min+4 && l.k.WideMin*4 > l.k.Min*5 && l.k.Peel == 0 && !l.k.Timed
}

// enough is the condition that the CPU does so many iterations with the kernel.
func (l *loop) enough() []string {
	switch {
	case l.fewerWide():
		return []string{fmt.Sprintf("(%s >= %d || %s.AVX512)", l.n, max(l.k.Min, 1), l.cpu())}
	case l.moreWide():
		return []string{fmt.Sprintf("(%s >= %d || !%s.AVX512)", l.n, l.k.WideMin, l.cpu())}
	}
	return nil
}

// level is the test of the CPU, and of the compiler where it fuses what the kernel does not.
func (l *loop) level() string {
	test := l.cpu() + "." + strings.ToUpper(l.k.Level)
	if l.r.Compiled && l.callsFused(l.r.Loop, l.info, map[*types.Func]bool{}) {
		test += fmt.Sprintf(" && !%s.Fused", l.cpu())
	}
	return test
}

// join is the conjunction of conditions, each once, on lines of at most about width.
func (l *loop) join(conds []string, width int) string {
	conds = distinct(conds)
	if s := strings.Join(conds, " && "); len(s) <= width {
		return s
	}
	return fill(conds, " &&", width)
}

// distinct lists texts, each once.
func distinct(texts []string) (out []string) {
	for _, t := range texts {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
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
	if x.Op == plan.ExprParam || x.Op == plan.ExprLoad {
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
		for _, x := range []*plan.Expr{o.A.Stride, o.B.Stride, o.A.Extent, o.B.Extent} {
			if x != nil {
				ps = append(ps, params(x)...)
			}
		}
	}
	return ps
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
		for _, x := range p.NonZero {
			conds = append(conds, condition{l.exprText(x) + " != 0", size(x), false})
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
		texts = append(texts, c.text)
	}
	return distinct(texts)
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

// innerWorth is the condition that the loop inside has enough iterations, or few enough, if it can be
// told before.
func (l *loop) innerWorth() []string {
	if l.k.Inner == nil {
		return nil
	}
	count := l.innerCount()
	if l.k.Short > 0 {
		return []string{fmt.Sprintf("%s <= %d", count, l.k.Short)}
	}
	var alone []string
	if l.k.InnerMin > 1 {
		alone = append(alone, l.inMean(count))
	}
	alone = append(alone, l.inAll(l.mean(count), l.k.InnerTotal, l.k.InnerEach)...)
	if !l.k.Adjoining {
		return alone
	}
	joined := l.inAll(count, l.k.InnerJoined, 0)
	if len(l.k.InnerEqual) == 0 {
		return joined
	}
	if len(alone) == 0 {
		return nil
	}
	var equal []string
	for _, e := range l.k.InnerEqual {
		text := fmt.Sprintf("%s == %s", l.linear(e.X), l.linear(e.Y))
		if !slices.Contains(equal, text) { // rows of several slices are as far apart
			equal = append(equal, text)
		}
	}
	return []string{fmt.Sprintf("(%s || %s)", strings.Join(alone, " && "), strings.Join(append(equal, joined...), " && "))}
}

// innerCount is the number of iterations of the loop inside, in the first iteration.
func (l *loop) innerCount() string {
	defer func(few bool) { l.few = few }(l.few) // which is about this loop
	return l.tripOf(*l.k.Inner)
}

// inMean is the condition that iterations, of which the first has count inner ones, have enough of them in the mean.
func (l *loop) inMean(count string) string {
	least := l.k.InnerMin
	if c, err := strconv.ParseInt(count, 10, 64); err == nil && l.k.InnerGrows == 1 {
		return fmt.Sprintf("%s >= %d", l.n, 2*(least-c))
	}
	return fmt.Sprintf("%s >= %d", l.mean(count), least)
}

// mean is how many inner iterations all have in the mean if the first has count.
func (l *loop) mean(count string) string {
	switch grows := l.k.InnerGrows; {
	case grows == 0:
		return count
	case grows == -1:
		return fmt.Sprintf("%s-%s/2", count, l.n)
	case grows != 1:
		return fmt.Sprintf("%s+%d*(%s/2)", count, grows, l.n)
	case count == "0":
		return l.n + "/2"
	}
	return fmt.Sprintf("%s+%s/2", count, l.n)
}

// inAll is the condition that iterations with count inner ones each, at least one, have so many of them in all, less each for
// every iteration; none where that is clear. It is asked without an overflow.
func (l *loop) inAll(count string, total, each int64) []string {
	if c, err := strconv.ParseInt(count, 10, 64); err == nil && c > each {
		if c-each >= total {
			return nil
		}
		return []string{fmt.Sprintf("%s >= %d", l.n, (total+c-each-1)/(c-each))}
	}
	if total <= 1 {
		return nil
	}
	enough, more, factor := intLiteral(total), count, count
	if each > 0 {
		more = fmt.Sprintf("%s-%d", count, each)
		factor = "(" + more + ")"
	}
	if l.asksAgain() {
		return []string{fmt.Sprintf("(%[1]s >= %[2]s || %[3]s >= %[4]d || %[1]s*%[5]s >= %[2]s)", l.n, enough, count, total+each, factor)}
	}
	return []string{fmt.Sprintf("%s*%s >= %s", l.least(l.n, enough), l.least(more, enough), enough)}
}
