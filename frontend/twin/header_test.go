package twin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

const tripSource = `package p

func trip(a, b int, x []int32) {
	for i := a; i < b; i++ {
		_ = x
	}
}
`

// tripLoop is a loop with live-ins 0: a, 1: b, 2: len(x).
func tripLoop(t *testing.T, trip plan.Trip, bounds ...plan.Bound) *loop {
	b := newBuilder(t, tripSource)
	spec := loopSpec{
		params: []paramSpec{value("a", "a", vir.I64), value("b", "b", vir.I64), length("x")},
		kernel: &kernelSpec{name: "k", args: []plan.Arg{count}, trip: trip, bounds: bounds, min: 8, block: 8},
	}
	tw := b.twin("trip", "Trip", []loopSpec{spec})
	f := newFile(b.pkg, b.ks, b.options())
	c := newTwinFunction(f, tw)
	l := newLoop(c, tw.Regions[0], b.ks[tw.Regions[0]], nil)
	l.n = "n"
	return l
}

var (
	exprA, exprB, exprLen = plan.Param(0), plan.Param(1), plan.Param(2)
)

func number(c int64) *plan.Expr { return plan.Const(c) }

func TestTripText(t *testing.T) {
	for _, tt := range []struct {
		trip plan.Trip
		want string
	}{
		{plan.Trip{Cond: plan.Less, Start: number(0), Limit: exprLen, Step: 1}, "len(x)"},
		{plan.Trip{Cond: plan.Less, Start: number(0), Limit: exprB, Step: 1}, "b"},
		{plan.Trip{Cond: plan.LessEq, Start: number(0), Limit: exprB, Step: 1}, "b+1"},
		{plan.Trip{Cond: plan.LessEq, Start: number(1), Limit: exprB, Step: 1}, "b"},
		{plan.Trip{Cond: plan.Less, Start: number(1), Limit: exprLen, Step: 1}, "len(x)-1"},
		{plan.Trip{Cond: plan.Less, Start: number(1), Limit: plan.Sub(exprLen, number(1)), Step: 1}, "len(x)-2"},
		{plan.Trip{Cond: plan.Less, Start: number(1), Limit: exprB, Step: 1}, "guard.TripLess(1, b, 1)"},
		{plan.Trip{Cond: plan.Less, Start: exprA, Limit: exprB, Step: 1}, "guard.TripLess(a, b, 1)"},
		{plan.Trip{Cond: plan.Less, Start: number(0), Limit: exprB, Step: 3}, "guard.TripLess(0, b, 3)"},
		{plan.Trip{Cond: plan.LessEq, Start: number(0), Limit: exprB, Step: 1, Unsigned: true}, "b+1"},
		{plan.Trip{Cond: plan.Less, Start: exprA, Limit: exprB, Step: 1, Unsigned: true}, "guard.TripLessU(uint(a), uint(b), 1)"},
		{plan.Trip{Cond: plan.Greater, Start: exprA, Limit: number(0), Step: -1}, "a"},
		{plan.Trip{Cond: plan.GreaterEq, Start: plan.Sub(exprLen, number(1)), Limit: number(0), Step: -1}, "len(x)"},
		{plan.Trip{Cond: plan.GreaterEq, Start: exprA, Limit: number(2), Step: -1}, "guard.TripGreaterEq(a, 2, -1)"},
		{plan.Trip{Cond: plan.NotEq, Start: number(0), Limit: exprB, Step: 1}, "b"},
		{plan.Trip{Cond: plan.NotEq, Start: exprA, Limit: exprB, Step: -2}, "guard.TripNotEq(a, b, -2)"},
		{plan.Trip{Cond: plan.Less, Start: number(0), Limit: plan.Mul(exprA, plan.Sub(exprB, number(1))), Step: 1}, "a*(b-1)"},
		{plan.Trip{Cond: plan.Less, Start: number(0), Limit: plan.Sub(plan.Sub(exprB, number(1)), plan.Mul(number(2), exprA)), Step: 1}, "b-2*a-1"},
		{plan.Trip{Cond: plan.Less, Start: number(0), Limit: plan.Sub(plan.Neg(exprA), exprB), Step: 1}, "-a-b"},
		{plan.Trip{Cond: plan.Less, Start: number(0), Limit: plan.Zext(plan.Add(exprA, number(1)), 8), Step: 1}, "int(uint8(a+1))"},
		{plan.Trip{Cond: plan.Less, Start: number(0), Limit: plan.Sext(exprA, 32), Step: 1}, "int(int32(a))"},
	} {
		if got := tripLoop(t, tt.trip).trip(); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.trip, got, tt.want)
		}
	}
}

// TestBoundsBeforeEnds has the last iterations left to the caller: what the others read may be all there is.
func TestBoundsBeforeEnds(t *testing.T) {
	next := plan.Bound{Start: number(1), Step: 1, Lo: number(0), Hi: exprLen}
	ends := plan.Bound{Start: number(0), Step: 1, Lo: number(0), Hi: plan.Sub(exprLen, number(1)), Ends: true}
	l := tripLoop(t, plan.Trip{Cond: plan.Less, Start: number(0), Limit: exprLen, Step: 1}, next, ends)
	if got := l.earlyBounds(l.trip(), nil); len(got) != 1 {
		t.Errorf("asked before the kernel runs: %q", got)
	}
	if got, want := l.lateLeast(), "n = min(n, len(x)-1)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBoundText(t *testing.T) {
	up := plan.Trip{Cond: plan.Less, Start: number(0), Limit: exprB, Step: 1}
	down := plan.Trip{Cond: plan.GreaterEq, Start: plan.Sub(exprLen, number(1)), Limit: number(0), Step: -1}
	for _, tt := range []struct {
		trip  plan.Trip
		bound plan.Bound
		want  string
	}{
		{up, plan.Bound{Start: number(0), Step: 1, Lo: number(0), Hi: exprLen}, "min(b, len(x));"},
		{up, plan.Bound{Start: number(2), Step: 1, Lo: number(0), Hi: exprLen}, "min(b, len(x)-2);"},
		{up, plan.Bound{Start: number(0), Step: 1, Lo: number(0), Hi: exprB}, "b;"},
		{up, plan.Bound{Start: number(2), Step: 1, Lo: number(0), Hi: exprLen, Ends: true}, "b; n = guard.Within(n, 2, 1, 0, len(x))"},
		{up, plan.Bound{Start: number(-1), Step: 1, Lo: number(0), Hi: exprLen}, "b; n = guard.Within(n, -1, 1, 0, len(x))"},
		{up, plan.Bound{Start: exprA, Step: 0, Lo: number(0), Hi: exprLen}, "b; n = guard.Within(n, a, 0, 0, len(x))"},
		{up, plan.Bound{Start: number(0), Step: 2, Lo: number(0), Hi: exprLen}, "b; n = guard.Within(n, 0, 2, 0, len(x))"},
		{down, plan.Bound{Start: plan.Sub(exprLen, number(1)), Step: -1, Lo: number(0), Hi: exprLen}, "len(x);"},
		{down, plan.Bound{Start: exprLen, Step: -1, Lo: number(0), Hi: exprLen}, "len(x); n = guard.Within(n, len(x), -1, 0, len(x))"},
		{down, plan.Bound{Start: exprLen, Step: -1, Lo: number(0), Hi: exprLen, Conditional: true}, "len(x);"},
	} {
		l := tripLoop(t, tt.trip, tt.bound)
		got := l.least(l.earlyBounds(l.trip(), nil)...) + "; " + strings.ReplaceAll(strings.TrimSpace(l.lateLeast()+l.lateBounds()), "\n", "; ")
		if strings.TrimSpace(got) != tt.want {
			t.Errorf("%v: got %s, want %s", tt.bound, got, tt.want)
		}
	}
}

// tripProgram compares every plain trip count with the one of package guard, at
// the corners of the integers: it may be smaller, never larger, and must be
// equal where the guard says something small.
func tripProgram(t *testing.T) string {
	var sb strings.Builder
	sb.WriteString(`package trips

import (
	"fmt"
	"math"

	"github.com/lanewise/lanewise/runtime/guard"
)

var corners = []int{0, 1, 2, 3, 7, 100, -1, -2, -7, math.MaxInt, math.MaxInt-1, math.MaxInt-5, math.MinInt, math.MinInt+1, math.MinInt+5}

func check(text string, got, want int) {
	if max(got, 0) > want || max(got, 0) < want && want < 1000 {
		panic(fmt.Sprintf("%s: got %d, want %d", text, got, want))
	}
}

func Run() {
	for _, a := range corners {
		for _, b := range corners {
			x := make([]int32, a&15)
			_, _ = b, x
`)
	ups := []*plan.Expr{number(0), number(1), number(2), number(-1), number(-9)}
	ends := []*plan.Expr{exprB, exprLen, plan.Sub(exprLen, number(1)), plan.Add(exprB, number(1)), plan.Sub(exprB, number(3)), plan.Sub(exprB, exprA), number(7)}
	n := 0
	for _, c := range ups {
		for _, e := range ends {
			for _, trip := range []plan.Trip{
				{Cond: plan.Less, Start: c, Limit: e, Step: 1},
				{Cond: plan.LessEq, Start: c, Limit: e, Step: 1},
				{Cond: plan.NotEq, Start: c, Limit: e, Step: 1},
				{Cond: plan.Less, Start: c, Limit: e, Step: 1, Unsigned: true},
				{Cond: plan.LessEq, Start: c, Limit: e, Step: 1, Unsigned: true},
				{Cond: plan.Greater, Start: e, Limit: c, Step: -1},
				{Cond: plan.GreaterEq, Start: e, Limit: c, Step: -1},
				{Cond: plan.NotEq, Start: e, Limit: c, Step: -1},
				{Cond: plan.Greater, Start: e, Limit: c, Step: -1, Unsigned: true},
			} {
				text := tripLoop(t, trip).trip()
				if strings.HasPrefix(text, "guard.") {
					continue
				}
				fmt.Fprintf(&sb, "check(fmt.Sprint(%q, a, b, len(x)), %s, %s)\n", fmt.Sprint(text, trip.Cond, trip.Unsigned), text, guardTrip(t, trip))
				n++
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d plain trip counts", n)
	}
	return sb.String() + "}\n}\n}\n"
}

// guardTrip counts with package guard, from variables, so that constants do
// not overflow.
func guardTrip(t *testing.T, trip plan.Trip) string {
	l := tripLoop(t, trip)
	name := [...]string{"TripLess", "TripLessEq", "TripGreater", "TripGreaterEq", "TripNotEq"}[trip.Cond]
	kind := "int"
	if trip.Unsigned {
		name, kind = name+"U", "uint"
	}
	return fmt.Sprintf("func() int { s, e := %s, %s; return guard.%s(%s(s), %s(e), %d) }()",
		l.linear(trip.Start), l.linear(trip.Limit), name, kind, kind, trip.Step)
}

// TestInnerConditionsComeFirst: the conditions of a live-in are in an order in
// which each can be evaluated.
func TestInnerConditionsComeFirst(t *testing.T) {
	b := newBuilder(t, `package p

type node struct{ next *node; rows [][]int32 }

func f(n *node, i int) {
	for j := range n.next.rows[i] {
		n.next.rows[i][j]++
	}
}
`)
	tw := b.twin("f", "F", []loopSpec{{
		params: []paramSpec{{name: "x", kind: frontend.ParamSliceData, expr: "n.next.rows[i]", vir: vir.Ptr,
			nonNil: []string{"n.next", "n"}, inRange: []string{"n.next.rows[i]"}}},
		kernel: &kernelSpec{name: "k"},
	}})
	f := newFile(b.pkg, b.ks, b.options())
	l := newLoop(newTwinFunction(f, tw), tw.Regions[0], b.ks[tw.Regions[0]], nil)
	want := "n != nil && n.next != nil && uint(i) < uint(len(n.next.rows))"
	if got := strings.Join(l.preconditions([]int{0}), " && "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestInnerWorth: rows by themselves and rows that adjoin are worth a call with so many elements in all. Loops in other loops
// compare with numbers, and take no minima of them.
func TestInnerWorth(t *testing.T) {
	const nest = `package p

func rows(a, b int, x []int32) {
	for range 2 {
		for i := a; i < b; i++ {
			_ = x
		}
	}
}
`
	conditions := func(loop int, k plan.Kernel) string {
		b := newBuilder(t, nest)
		tw := b.twin("rows", "Rows", []loopSpec{{loop: loop,
			params: []paramSpec{value("a", "a", vir.I64), value("b", "b", vir.I64), length("x")},
			kernel: &kernelSpec{name: "k", args: []plan.Arg{count}, min: 8, block: 8}}})
		kernel := b.ks[tw.Regions[0]]
		kernel.Inner, kernel.InnerGrows, kernel.InnerMin, kernel.InnerTotal, kernel.InnerEach = k.Inner, k.InnerGrows, k.InnerMin, k.InnerTotal, k.InnerEach
		kernel.Adjoining, kernel.InnerEqual, kernel.InnerJoined = k.Adjoining, k.InnerEqual, k.InnerJoined
		l := newLoop(newTwinFunction(newFile(b.pkg, b.ks, b.options()), tw), tw.Regions[0], kernel, nil)
		l.n = "n"
		return strings.Join(l.innerWorth(), " && ")
	}
	trip := func(limit *plan.Expr) *plan.Trip {
		return &plan.Trip{Cond: plan.Less, Start: number(0), Limit: limit, Step: 1}
	}
	equal := []plan.Equation{{X: exprA, Y: exprB}}
	for _, tt := range []struct {
		loop int
		k    plan.Kernel
		want string
	}{
		{0, plan.Kernel{Inner: trip(exprLen), InnerMin: 4, InnerTotal: 20, InnerEach: 3}, "len(x) >= 4 && min(n, 20)*min(len(x)-3, 20) >= 20"},
		{1, plan.Kernel{Inner: trip(exprLen), InnerMin: 4, InnerTotal: 20, InnerEach: 3}, "len(x) >= 4 && (n >= 20 || len(x) >= 23 || n*(len(x)-3) >= 20)"},
		{1, plan.Kernel{Inner: trip(exprLen), InnerMin: 1, InnerTotal: 20}, "(n >= 20 || len(x) >= 20 || n*len(x) >= 20)"},
		{0, plan.Kernel{Inner: trip(number(8)), InnerMin: 4, InnerTotal: 20, InnerEach: 3}, "8 >= 4 && n >= 4"},
		{0, plan.Kernel{Inner: trip(exprLen), InnerMin: 4, InnerTotal: 1, InnerEach: 3}, "len(x) >= 4"},
		{0, plan.Kernel{Inner: trip(exprLen), InnerMin: 4, InnerTotal: 20, InnerEach: 3, Adjoining: true, InnerJoined: 9}, "min(n, 9)*min(len(x), 9) >= 9"},
		{0, plan.Kernel{Inner: trip(exprLen), InnerMin: 4, InnerTotal: 20, InnerEach: 3, Adjoining: true, InnerJoined: 9, InnerEqual: equal},
			"(len(x) >= 4 && min(n, 20)*min(len(x)-3, 20) >= 20 || a == b && min(n, 9)*min(len(x), 9) >= 9)"},
		{1, plan.Kernel{Inner: trip(number(0)), InnerGrows: 1, InnerMin: 4, InnerTotal: 20, InnerEach: 3}, "n >= 8 && (n >= 20 || n/2 >= 23 || n*(n/2-3) >= 20)"},
		{0, plan.Kernel{Inner: trip(exprLen), InnerGrows: -1, InnerMin: 4, InnerTotal: 20, InnerEach: 3}, "len(x)-n/2 >= 4 && min(n, 20)*min(len(x)-n/2-3, 20) >= 20"},
		{0, plan.Kernel{Inner: trip(exprLen), InnerGrows: 3, InnerMin: 4, InnerTotal: 1, InnerEach: 3}, "len(x)+3*(n/2) >= 4"},
		{0, plan.Kernel{Inner: trip(exprLen), InnerMin: 1, InnerTotal: 1, Adjoining: true, InnerJoined: 9, InnerEqual: equal}, ""},
	} {
		if got := conditions(tt.loop, tt.k); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
