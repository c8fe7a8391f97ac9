package twin

import (
	"fmt"
	"strings"

	"github.com/lanewise/lanewise/vir/plan"
)

// redo prints a call that does the last iterations, fewer than a block, with some before them that are done
// already. A single one takes no longer in scalar code:
//
//	if n > 1 && n < block {
//		back := n - block
//		i += back
//		d := kernel(..., block)
//		if d < block {
//			d = -back
//		}
//		i += d
//	}
func (l *loop) redo(sb *strings.Builder, own *[]string) {
	if !l.redoes() {
		return
	}
	back := l.local("back")
	*own = append(*own, back)
	cond := append([]string{fmt.Sprintf("%s > 1 && %[1]s < %d", l.n, l.k.Redo)}, l.overlaps(l.k.RedoApart)...)
	fmt.Fprintf(sb, "if %s {\n%s := %s - %d\n", strings.Join(cond, " && "), back, l.n, l.k.Redo)
	d := l.d
	l.d = back
	l.updates(sb)
	l.d = d
	l.call(sb, own, fmt.Sprint(l.k.Redo))
	fmt.Fprintf(sb, "if %s < %d {\n%[1]s = -%[3]s\n", l.d, l.k.Redo, back)
	if l.k.State > 0 {
		fmt.Fprintf(sb, "%s[0] = 0\n", l.saved)
	}
	sb.WriteString("}\n")
	l.updates(sb)
	sb.WriteString("}\n")
}

// redoes reports whether the last iterations may be done once more: what they have changed is known.
func (l *loop) redoes() bool {
	return l.k.Redo > 0 && !l.k.Rest && !l.keepsCount() && l.steps()
}

// perhapsFew reports whether there may be fewer iterations than those that are done once more when the calls begin: since
// bounds have been tested that are not known to hold, outside of stretches, which are long enough.
func (l *loop) perhapsFew() bool {
	return l.redoes() && !l.k.Recurs() && l.testsInside()
}

// steps reports whether all that a call changes are variables that go on by what stays the same, and can go back by them:
// what is sliced off in front is gone.
func (l *loop) steps() bool {
	for s, o := range l.k.Outs {
		switch o.Kind {
		case plan.OutSame:
		case plan.OutExpr:
			if _, ok := l.progress(s, o); !ok || isEnd(l.r.Vars[s].Part) {
				return false
			}
		default:
			return false
		}
	}
	return !l.takesLastStep()
}
