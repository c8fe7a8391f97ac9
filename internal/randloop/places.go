package randloop

import (
	"fmt"
	"strings"
)

// placeSayings take counters for places in rows.
var placeSayings = []saying{{"places in rows", false, placing}}

// placing has rows of any length, most of them of a few blocks, and counters that start anywhere.
func placing(d *idiom) string {
	d.slicesOf("x")
	d.slice("y", d.main)
	d.slice("s", d.main)
	d.params = append(d.params, "w, h, from int")
	d.results = append(d.results, "n int")
	d.inits = pick(d.generator, "", "\tw, h = w&63, h&7+1\n", "\tw, h = w&63+9, h&7+1\n", "\tw, h = w&31+13, h&3+1\n", "\tw = 100\n", "\tw = len(s)\n", "\tfrom &= 127\n\tw &= 31\n")
	c := pick(d.generator, "i", "i", "i", "i+3", "from+i", "i-2", "2*i")
	row, column := fmt.Sprintf("(%s)/w", c), fmt.Sprintf("(%s)%%w", c)
	if d.chance(0.2) {
		row, column = fmt.Sprintf("int(uint(%s)/uint(w))", c), fmt.Sprintf("int(uint(%s)%%uint(w))", c)
	}
	lines := []string{fmt.Sprintf("r, c := %s, %s", row, column)}
	kept := len(lines) + 1
	lines = append(lines, "_, _ = r, c")
	for _, l := range []string{
		"x[i] = y[i] " + d.op() + " s[r]", "x[i] " + d.op() + "= s[c]", "s[r] " + d.op() + "= y[i]", "x[i] = y[c*h+r%h]", "n += r ^ c", "n += int(y[r]) * c",
		"x[i] = " + d.main + "(r*3 - c)", "if c > 0 && c < w-1 && r > 0 {\n\t\t\tx[i] = y[i-1] " + d.op() + " y[i+1]\n\t\t}", "if c == 5 {\n\t\t\tn++\n\t\t}",
		"if y[i] > s[r%h] {\n\t\t\tx[i] = " + d.main + "(c)\n\t\t}", "x[i] = s[r/h%7] " + d.op() + " y[i]",
	} {
		if d.chance(0.15) {
			lines = append(lines, l)
		}
	}
	if len(lines) == kept {
		lines = append(lines, "x[i] = y[i] "+d.op()+" s[r]")
	}
	return d.each(strings.Join(lines, "\n\t\t"))
}
