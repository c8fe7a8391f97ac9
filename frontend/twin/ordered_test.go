package twin

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestOrdered counts a loop from k+1, and one from 1, to n, in a loop that counts k up to n, which makes a difference of it
// if neither changes, and a loop from k+1 to the length of a slice.
func TestOrdered(t *testing.T) {
	for _, tt := range []struct {
		around, body string
		want, fixed  string // from k+1, and from 1
		counts       bool   // k does, up from 0 or more
	}{
		{"for k := 0; k < n; k++", "", "n-k-1", "n-1", true},
		{"for k := 3; k < n; k++", "", "n-k-1", "n-1", true},
		{"for k := range n", "", "n-k-1", "n-1", true},
		{"for k := range x", "", "", "", true},
		{"for k := 0; k < len(x); k++", "", "", "", true},
		{"for k := 0; k < n; k++", "m++", "n-k-1", "n-1", true},
		{"for k := 0; k < m; k++", "", "", "", true},
		{"for k := -1; k < n; k++", "", "", "", false},
		{"for k := m; k < n; k++", "", "", "", false},
		{"for k := 0; k <= n; k++", "", "", "", false},
		{"for k := 0; k != n; k++", "", "", "", false},
		{"for k := 9; k < n; k--", "", "", "", false},
		{"for k := 0; k < n; k += m", "", "", "", false},
		{"for k := 0; k < n; m++", "", "", "", false},
		{"for k := 0; k < n; k++", "n--", "", "", true},
		{"for k := 0; k < n; k++", "k -= m", "", "", false},
		{"for k := range n", "n = m", "", "", true},
		{"for k := range n", "k -= m", "", "", false},
		{"for k := 0; k < n; k++", "set()", "", "", true},
		{"for k := 0; k < n; k++", "*p = m", "", "", true},
	} {
		before := "set, p := func() {}, &m"
		switch tt.body {
		case "set()":
			before = "set, p := func() { n = m }, &m"
		case "*p = m":
			before = "set, p := func() {}, &n"
		}
		b := newBuilder(t, `package p

func f(n, m int, x []int) {
	`+before+`
	_, _ = set, p
	`+tt.around+` {
		for i := k; i < n; i++ {
			_ = i
		}
		`+tt.body+`
	}
}
`)
		tw := b.twin("f", "F", []loopSpec{{loop: 1,
			params: []paramSpec{value("k", "k", vir.I64), value("n", "n", vir.I64), length("x")},
			kernel: &kernelSpec{name: "k", args: []plan.Arg{count}, min: 8, block: 8}}})
		l := newLoop(newTwinFunction(newFile(b.pkg, b.ks, b.options()), tw), tw.Regions[0], b.ks[tw.Regions[0]], nil)
		length := ""
		if tt.counts {
			length = "len(x)-k-1"
		}
		for _, c := range []struct {
			start, limit *plan.Expr
			want         string
		}{{plan.Add(exprA, number(1)), exprB, tt.want}, {number(1), exprB, tt.fixed}, {plan.Add(exprA, number(1)), exprLen, length}, {plan.Add(exprA, number(3)), exprLen, ""}} {
			got := l.tripOf(plan.Trip{Cond: plan.Less, Start: c.start, Limit: c.limit, Step: 1})
			got = strings.ReplaceAll(got, " ", "")
			if c.want == "" && !strings.HasPrefix(got, "guard.TripLess(") || c.want != "" && got != c.want {
				t.Errorf("%s { %s }: %s, want %q", tt.around, tt.body, got, c.want)
			}
		}
	}
}
