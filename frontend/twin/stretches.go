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

// longEnough is the condition that stretches can be worth a call: rings are not shorter than that.
func (l *loop) longEnough() (conds []string) {
	for _, b := range l.k.Bounds {
		if !l.k.Recurs() || !b.Recurs || b.Conditional || b.Hi.Op == plan.ExprConst || l.changes(b.Hi) {
			continue
		}
		enough := (l.least1() + shortStretch) * max(b.Step, -b.Step)
		c := fmt.Sprintf("%s >= %d", l.linear(b.Hi), enough)
		if r := l.ring(); r != nil && slices.ContainsFunc(params(b.Hi), func(p int) bool { return p == r.Size || p == r.Len }) {
			c = fmt.Sprintf("(%s || %s >= %d)", c, l.n, worthRing*l.least1())
		}
		if !slices.Contains(conds, c) {
			conds = append(conds, c)
		}
	}
	return conds
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
//			n = pause
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
	fmt.Fprintf(sb, "%s %s < %s {\n%[2]s = %[3]s\n%[3]s *= 2\n} else {\n%[2]s += %[4]d\n}\n", next, l.n, pause, l.least1())
	if l.leaves() && l.exit == "" {
		l.exit = l.local("done")
	}
	fmt.Fprintf(sb, "%s := 0\n", k)
	sb.WriteString(l.again(remainder{most: l.n, counter: k, declared: true, exit: l.exit}))
	fmt.Fprintf(sb, "\nif %s < %s {\nbreak\n}", k, l.n)
	sb.WriteString("\n}\n")
}
