package twin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/vir/plan"
)

// Loops whose bounds fail now and then: where a position in a ring buffer jumps back to the
// start. What a call needs is found out for each stretch between two jumps.

// shortStretch is how many iterations more than a call is worth a stretch has to have.
const shortStretch = 4

// longEnough is the condition that stretches can be worth a call: rings are not shorter than that, and there are as many
// iterations between edges.
func (l *loop) longEnough() (conds []string) {
	for _, b := range l.k.Bounds {
		if b.Recurs == plan.Once || b.Conditional || b.Hi.Op == plan.ExprConst || l.changes(b.Hi) {
			continue
		}
		for _, c := range l.longStretch(b) {
			if !slices.Contains(conds, c) {
				conds = append(conds, c)
			}
		}
	}
	return conds
}

// longStretch is longEnough for b alone, or with those that hold from a later iteration on than b.
func (l *loop) longStretch(b plan.Bound) (conds []string) {
	step := max(b.Step, -b.Step)
	if b.Recurs == plan.Edges {
		end := l.linear(b.Hi).plus(l.linear(b.Start), -1)
		for _, low := range l.k.Bounds {
			if low.Recurs == plan.Edges && low.Hi.Op == plan.ExprConst && low.Step == b.Step && !low.Conditional && !l.changes(low.Lo) {
				between := end.plus(l.linear(low.Start), 1).plus(l.linear(low.Lo), -1)
				conds = append(conds, fmt.Sprintf("%s >= %d", between, l.least1()*step))
			}
		}
		if conds != nil {
			return conds
		}
	}
	c := fmt.Sprintf("%s >= %d", l.linear(b.Hi), (l.least1()+shortStretch)*step)
	if r := l.ring(); r != nil && slices.ContainsFunc(params(b.Hi), func(p int) bool { return p == r.Size || p == r.Len }) {
		c = fmt.Sprintf("(%s || %s >= %d)", c, l.n, worthRing*l.least1())
	}
	return []string{c}
}

// beforeEdges is the iterations before those of which bounds at edges hold, or less.
func (l *loop) beforeEdges() (counts []string) {
	for _, b := range l.late {
		if b.Recurs != plan.Edges {
			continue
		}
		start, count := l.linear(b.Start), ""
		switch {
		case b.Step == 1 && b.Hi.Op == plan.ExprConst:
			count = l.linear(b.Lo).plus(start, -1).String()
		case b.Step == -1 && b.Hi.Op != plan.ExprConst:
			count = start.plus(l.linear(b.Hi), -1).plus(constant64(1), 1).String()
		}
		if count != "" && !slices.Contains(counts, count) {
			counts = append(counts, count)
		}
	}
	return counts
}

// stretches prints the calls of such a loop. The user's code does what calls leave of a stretch; the
// iterations of stretches that are too short, or whose streams are not clear of each other, with some
// of the next one, which may be as short; and those that no stretch has, twice as many each time:
//
//	for pause := 1; ; {
//		n = <iterations>
//		if n < min {
//			break
//		}
//		n = guard.Within(n, ...)
//		if n >= min && guard.Clear(...) {
//			<calls>
//			pause = 1
//			if n <= 0 {
//				continue
//			}
//		} else if n < pause {
//			n = max(pause, <iterations before the first edge>)
//			pause *= 2
//		} else {
//			n += min
//		}
//		k := 0
//		for ; k < n && <condition>; <post> {
//			k++
//			<body>
//		}
//		if k < n {
//			break // the condition ended the loop, maybe before the number of iterations did
//		}
//	}
func (l *loop) stretches(sb *strings.Builder, own *[]string) {
	pause, k := l.local("pause"), l.oneOf("k", "paused")
	*own = append(*own, pause, k)
	fmt.Fprintf(sb, "for %s := 1; ; {\n%s = %s\nif %[2]s < %[4]d {\nbreak\n}\n", pause, l.n, l.trip(), l.least1())
	for _, b := range l.late {
		fmt.Fprintf(sb, "%s = %s\n", l.n, l.within(l.n, b))
	}
	worth := slices.Concat([]string{fmt.Sprintf("%s >= %d", l.n, l.least1())}, l.enough(), l.overlaps(l.lateOverlaps))
	fmt.Fprintf(sb, "if %s {\n", l.join(worth, 110))
	if l.k.State > 0 {
		fmt.Fprintf(sb, "%s[0] = 0\n", l.saved) // a block left unfinished behind the last stretch is done by now
	}
	l.calls(sb, own)
	fmt.Fprintf(sb, "%s = 1\n", pause)
	next := "} else if"
	if l.k.Complete {
		next = "continue\n}\nif"
	} else {
		fmt.Fprintf(sb, "if %s <= 0 {\ncontinue\n}\n", l.n)
	}
	skip := l.greatest(append([]string{pause}, l.beforeEdges()...)...)
	fmt.Fprintf(sb, "%s %s < %s {\n%[2]s = %[5]s\n%[3]s *= 2\n} else {\n%[2]s += %[4]d\n}\n", next, l.n, pause, l.least1(), skip)
	if l.leaves() && l.exit == "" {
		l.exit = l.local("done")
	}
	fmt.Fprintf(sb, "%s := 0\n", k)
	sb.WriteString(l.again(remainder{most: l.n, counter: k, declared: true, exit: l.exit}))
	fmt.Fprintf(sb, "\nif %s < %s {\nbreak\n}", k, l.n)
	sb.WriteString("\n}\n")
}
