package twin

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

const (
	// worthRing is how many times as many iterations as a call takes a copy of a short table takes to be worth it.
	worthRing = 3
	// ringRoom is the bytes that there are for one: enough for the stretches to count for little, few enough to clear.
	ringRoom = 512
)

// ring is the table that the loop goes round in and that may be copied, nil for none, or one of which the kernel has no use. A
// variable that goes round is one that can be set to what it would be in the table itself.
func (l *loop) ring() *plan.Ring {
	r := l.k.Ring
	if r == nil || !slices.Contains(l.k.Args, plan.Arg{Kind: plan.ArgParam, Index: r.Table}) {
		return nil
	}
	if r.Var < 0 {
		return r
	}
	v := l.r.Vars[r.Var]
	if l.k.State > 0 || v.Obj == nil || v.Expr != nil || v.Part != frontend.Whole || l.isCounter(r.Var) || !types.Identical(v.Obj.Type(), types.Typ[types.Int]) {
		return nil
	}
	return r
}

// repeat declares a copy of a short table that holds it several times, which stands for the table in kernels, and
// gives the text that makes it:
//
//	var room [512]byte
//	ringp, ring := keyp, len(key)
//	if guard.Clear(...) {
//		ringp, ring = guard.Repeat(room[:], keyp, len(key), 1, n)
//	}
func (l *loop) repeat(sb *strings.Builder, own *[]string) (made string) {
	r := l.ring()
	if r == nil {
		return ""
	}
	var less int64
	if r.Mask {
		less = 1
	}
	table, size := l.pointer(r.Table), l.linear(plan.Param(r.Size)).plus(constant64(less), 1)
	room, at, n := l.local("room"), l.local("ringp"), l.local("ring")
	*own = append(*own, room, at, n)
	conds := l.overlaps(r.Apart)
	vars, first := at+", "+n, fmt.Sprintf("%s, %s", table, size)
	repeat := fmt.Sprintf("%s = %s.Repeat(%s[:], %s, %s, %d, %s)\n", vars, l.guard(), room, table, size, r.Elem, l.n)
	numbers := map[int]linear{r.Size: natural(n).plus(constant64(less), -1)}
	if r.Len != r.Size {
		all, held := l.linear(plan.Param(r.Len)), l.local("held")
		*own = append(*own, held)
		conds = append([]string{fmt.Sprintf("%s <= %s", size, all)}, conds...)
		vars, first = vars+", "+held, fmt.Sprintf("%s, %s", first, all)
		repeat += fmt.Sprintf("%s = %s\n", held, l.greatest(held, n))
		numbers[r.Len] = natural(held)
	}
	if r.Var >= 0 {
		conds = append([]string{fmt.Sprintf("%s(%s) < %[1]s(%[3]s)", l.pre("uint"), l.variable(r.Var), size)}, conds...)
		l.around = fmt.Sprintf("%s %%= %s\n", l.variable(r.Var), size)
	}
	fmt.Fprintf(sb, "var %s [%d]%s\n%s := %s\n", room, ringRoom, l.pre("byte"), vars, first)
	if len(conds) > 0 {
		repeat = fmt.Sprintf("if %s {\n%s}\n", l.join(conds, 110), repeat)
	}
	l.numbers, l.pointers[r.Table] = numbers, at
	return repeat
}

// natural is a variable that holds a length.
func natural(name string) linear { return linear{terms: []term{{coef: 1, text: name, natural: true}}} }
