package randloop

import (
	"fmt"
	"strings"
)

// sweepSayings are rows of a length known at run time, each gone through by several loops, forth and back, which may reach
// into other rows.
var sweepSayings = []saying{{"sweeps", false, sweeps}}

func sweeps(d *idiom) string {
	d.params = append(d.params, "x []"+d.main, "n, m int", "k "+d.main)
	d.results = []string{"sum " + d.main}
	var sb strings.Builder
	fmt.Fprintf(&sb, "\tvar memory [4000]%s\n\ty := memory[:]\n\tfor i := range y {\n\t\ty[i] = %[1]s(i&63) + k\n\t}\n", d.main)
	fmt.Fprintf(&sb, "\tm = m&63 + %s\n\tn = %s\n\trows := (len(y) - 4*m) / (n + 1)\n", pick(d.generator, "1", "30", "33"),
		pick(d.generator, "n & 127", "m + n&7 - 3", "2*m + n&15 - 8", "m", "n&63 + 20", "2*m - 1", "m - 2"))
	sb.WriteString("\tfor i := 0; i < rows; i++ {\n")
	place := func(j string) string {
		return "y[2*m+i*n" + j + pick(d.generator, "", "", "+1", "-1") + "]"
	}
	for range 1 + d.rnd.IntN(3) {
		if d.chance(0.3) {
			fmt.Fprintf(&sb, "\t\t%s = %s %s k\n", place(pick(d.generator, "", "+n-1", "+m-1")), place(""), d.op())
		}
		fmt.Fprintf(&sb, "\t\t%s {\n", pick(d.generator, "for j := 0; j < m; j++", "for j := 0; j < m; j++", "for j := m - 1; j >= 0; j--", "for j := 1; j < m-1; j++", "for j := 0; j < n-2 && n <= m; j++"))
		j := pick(d.generator, "+j", "+j", "-j", "+2*j", "+m-j", "+n-j-1")
		item := "(%s %s k) * (k + 2)"
		if isFloat(d.main) {
			item = pick(d.generator, "k / (%s %s 3)", item)
		}
		before := fmt.Sprintf("y[2*m+i*n%s%s]", j, pick(d.generator, "-1", "-1", "+1", ""))
		fmt.Fprintf(&sb, "\t\t\ty[2*m+i*n%s] = %s\n\t\t}\n", j, fmt.Sprintf(item, before, d.op()))
	}
	sb.WriteString("\t}\n\tfor _, v := range y {\n\t\tsum = sum + sum + v\n\t}\n\tfor i, v := range y[:min(len(x), len(y))] {\n\t\tx[i] = v\n\t}\n")
	return sb.String()
}
