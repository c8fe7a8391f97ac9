package twin

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// TestOrdered counts a loop from k+1, and one from 1, to n, in a loop that counts k up to n, which makes a difference of it
// if neither changes.
func TestOrdered(t *testing.T) {
	for _, tt := range []struct {
		around, body string
		want, fixed  string // from k+1, and from 1
	}{
		{"for k := 0; k < n; k++", "", "n-k-1", "n-1"},
		{"for k := 3; k < n; k++", "", "n-k-1", "n-1"},
		{"for k := range n", "", "n-k-1", "n-1"},
		{"for k := 0; k < n; k++", "m++", "n-k-1", "n-1"},
		{"for k := 0; k < m; k++", "", "", ""},
		{"for k := -1; k < n; k++", "", "", ""},
		{"for k := m; k < n; k++", "", "", ""},
		{"for k := 0; k <= n; k++", "", "", ""},
		{"for k := 0; k != n; k++", "", "", ""},
		{"for k := 9; k < n; k--", "", "", ""},
		{"for k := 0; k < n; k += m", "", "", ""},
		{"for k := 0; k < n; m++", "", "", ""},
		{"for k := 0; k < n; k++", "n--", "", ""},
		{"for k := 0; k < n; k++", "k -= m", "", ""},
		{"for k := range n", "n = m", "", ""},
		{"for k := range n", "k -= m", "", ""},
		{"for k := 0; k < n; k++", "set()", "", ""},
		{"for k := 0; k < n; k++", "*p = m", "", ""},
	} {
		before := "set, p := func() {}, &m"
		switch tt.body {
		case "set()":
			before = "set, p := func() { n = m }, &m"
		case "*p = m":
			before = "set, p := func() {}, &n"
		}
		b := newBuilder(t, `package p

func f(n, m int) {
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
			params: []paramSpec{value("k", "k", vir.I64), value("n", "n", vir.I64)},
			kernel: &kernelSpec{name: "k", args: []plan.Arg{count}, min: 8, block: 8}}})
		l := newLoop(newTwinFunction(newFile(b.pkg, b.ks, b.options()), tw), tw.Regions[0], b.ks[tw.Regions[0]], nil)
		for start, want := range map[*plan.Expr]string{plan.Add(exprA, number(1)): tt.want, number(1): tt.fixed} {
			got := l.tripOf(plan.Trip{Cond: plan.Less, Start: start, Limit: exprB, Step: 1})
			got = strings.ReplaceAll(got, " ", "")
			if want == "" && !strings.HasPrefix(got, "guard.TripLess(") || want != "" && got != want {
				t.Errorf("%s { %s }: %s, want %q", tt.around, tt.body, got, want)
			}
		}
	}
}
