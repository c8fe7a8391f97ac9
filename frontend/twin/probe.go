package twin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir/plan"
)

// Loops that may end at any iteration, inside of other loops: the length of a name in a list of
// names, digits of numbers. How long one of them runs shows when it runs: the user's loop does as many iterations as a
// call is worth, and only where it goes on then, is there anything else to ask about.
//
//	i := 0
//	end := min(i+20, len(x))
//	for i < end && x[i] != 0 {
//		i++
//	}
//	if i >= end && i < len(x) {
//		if n := ...; n >= 16 && ... {
//			<kernel calls>
//		}
//		<the user's loop, going on from the current state>
//	}
//
// Short loops pay for a comparison, and no loop takes more than twice the best time. The calls stand aside, so that the
// compiler keeps variables in registers where there are none.

// probes reports whether l is printed in that way.
func (l *loop) probes() bool {
	return l.insideLoop() && l.k.Partial && l.k.First > 0 && l.runes == nil && !l.k.Recurs() && l.k.Short == 0 && !l.k.Few
}

// probeLength is the number of iterations done first: where the branch that ends them is predicted wrong, it costs as much as a
// call.
func (l *loop) probeLength() int64 { return max(2*l.k.Min, l.k.Peel) }

// leastCalled is the fewest iterations of the loop in which a kernel is called.
func (l *loop) leastCalled() int64 {
	if l.probes() {
		return l.probeLength() + l.worthCall()
	}
	return l.least1()
}

// probed is the replacement for such a loop.
func (l *loop) probed() (string, error) {
	var own []string
	var sb strings.Builder
	probe := l.probeLength()
	l.enter(&sb, &own)
	entry := sb.String()
	sb.Reset()
	l.inside = true
	if l.leaves() {
		l.exit = l.local("done")
	}
	more := l.probe(&sb, &own, probe)
	fmt.Fprintf(&sb, "if %s {\n", more)
	l.goesOnFrom()
	l.n = l.oneOf("n", "left")
	before, _ := l.header(&own)
	l.tested = true
	sb.WriteString(before + " {\n")
	l.bindPointers(&sb, &own)
	l.state(&sb, &own)
	sb.WriteString(l.lateLeast() + l.lateBounds())
	l.calls(&sb, &own)
	sb.WriteString("}\n" + l.again(remainder{}) + "\n}\n")
	if l.exit != "" {
		sb.WriteString(l.exit + ":\n")
	}
	text := entry + l.unread(sb.String()) + sb.String()
	l.release(own...)
	if !l.hoisted && l.naming == "" {
		text = "{\n" + text + "}"
	}
	return l.wrap(text, false), l.err
}

// probe prints the user's loop for at most so many iterations, and gives the condition that it may go on behind them.
func (l *loop) probe(sb *strings.Builder, own *[]string, most int64) (more string) {
	if l.rng != nil && l.usesValue() && canSlice(l.typeOf(l.rng.X)) {
		return l.probeHead(sb, own, most)
	}
	r := remainder{most: fmt.Sprint(most), declared: true, exit: l.exit}
	i, limit, ok := l.countsByOne()
	ok = ok && (l.three == nil || l.stays(l.three.Cond.(*ast.BinaryExpr).Y, true))
	if !ok {
		var x ast.Expr
		if i, x, ok = l.countsInBody(); ok {
			limit, r.limit = l.source(x.Pos(), x.End()), x
		}
	}
	if !ok {
		r.counter = l.oneOf("k", "probed")
		*own = append(*own, r.counter)
		fmt.Fprintf(sb, "%s := 0\n%s\n", r.counter, l.again(r))
		return fmt.Sprintf("%s == %d", r.counter, most)
	}
	r.counter, r.byOne = l.oneOf("end", "until"), true
	*own = append(*own, r.counter)
	fmt.Fprintf(sb, "%s := %s\n%s\n", r.counter, l.least(i+"+"+r.most, limit), l.again(r))
	return fmt.Sprintf("%[1]s >= %[2]s && %[1]s < %[3]s", i, r.counter, limit)
}

// canSlice reports whether t is a slice or a string.
func canSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok || basic(t) != nil && basic(t).Info()&types.IsString != 0
}

// probeHead is probe for the elements of a slice or string: as the loop over its head, where no subscript is checked.
func (l *loop) probeHead(sb *strings.Builder, own *[]string, most int64) (more string) {
	all, head := l.ranged, l.oneOf("head", "front")
	*own = append(*own, head)
	fmt.Fprintf(sb, "%s := %s[:%s]\n", head, all, l.least(fmt.Sprint(most), l.rangeLimit()))
	l.ranged = head
	sb.WriteString(l.again(remainder{exit: l.exit}) + "\n")
	i := l.counter
	more = fmt.Sprintf("%s == %s", i, l.rangeLimit())
	l.ranged = all
	return fmt.Sprintf("%s && %s < %s", more, i, l.rangeLimit())
}

// countsInBody are the counter of a loop that adds 1 to it, and the limit, which stays the same, where there is more to
// the condition than their comparison.
func (l *loop) countsInBody() (i string, limit ast.Expr, ok bool) {
	t := l.k.Trip
	if l.three == nil || l.three.Cond == nil || t.Cond != plan.Less || t.Unsigned || t.Step != 1 || t.Start.Op != plan.ExprParam {
		return "", nil, false
	}
	s, ok := l.stateOf[t.Start.Param]
	if !ok || l.r.Vars[s].Obj == nil || l.r.Vars[s].Expr != nil || l.r.Vars[s].Part != frontend.Whole {
		return "", nil, false
	}
	for i, c := range conjuncts(l.three.Cond) {
		b, isComparison := c.(*ast.BinaryExpr)
		if !isComparison || b.Op != token.LSS || !isInt(l.typeOf(b.X)) || !l.stays(b.Y, i == 0) {
			continue
		}
		if id, isName := ast.Unparen(b.X).(*ast.Ident); isName && l.pkg.TypesInfo.ObjectOf(id) == l.r.Vars[s].Obj {
			return id.Name, b.Y, true
		}
	}
	return "", nil, false
}

// stays reports whether x is made of lengths and variables that the loop leaves alone, whatever it stores; if it is
// asked first, also of other memory where the loop stores nothing.
func (l *loop) stays(x ast.Expr, first bool) bool {
	ok := l.leavesAlone(x) && pureCalls(l.pkg.TypesInfo, x)
	memory := first && l.storesNothing()
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, isVar := l.pkg.TypesInfo.Uses[n].(*types.Var)
			ok = ok && (memory || !isVar || v.Parent() != l.pkg.Types.Scope())
		case *ast.SelectorExpr:
			ok = ok && memory
		case *ast.IndexExpr, *ast.StarExpr, *ast.SliceExpr:
			ok = false
		}
		return ok
	})
	return ok
}

// storesNothing reports whether the loop changes variables of its own only.
func (l *loop) storesNothing() bool {
	for v := range l.k.Fn.Values {
		if v.Op.IsStore() {
			return false
		}
	}
	return !slices.ContainsFunc(l.r.Vars, func(v frontend.Var) bool { return v.Expr != nil })
}

// conjuncts are what must hold for e to hold.
func conjuncts(e ast.Expr) []ast.Expr {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok && b.Op == token.LAND {
		return append(conjuncts(b.X), conjuncts(b.Y)...)
	}
	return []ast.Expr{ast.Unparen(e)}
}

// goesOnFrom makes the kernel one whose first iterations have been done.
func (l *loop) goesOnFrom() {
	k := *l.k
	k.Min = max(k.Min-max(k.First, k.Peel), 1)
	k.First, k.Peel = 0, 0
	l.k = &k
}
