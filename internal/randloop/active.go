package randloop

import (
	"fmt"
	"strings"
)

// activeSayings go on with sums and recurrences in the iterations in which a condition holds.
var activeSayings = []saying{{"sums of those iterations", false, activeSums}}

func activeSums(d *idiom) string {
	if d.chance(0.6) {
		d.main = pick(d.generator, "float64", "float32")
	}
	d.slicesOf("x", "y")
	flags := d.chance(0.3)
	if flags {
		d.params = append(d.params, "ok []bool")
	}
	d.scalar("a", d.main)
	var names []string
	for k := range 1 + d.rnd.IntN(3) {
		names = append(names, fmt.Sprintf("s%d", k))
		d.results = append(d.results, names[k]+" "+d.main)
	}
	counts := d.chance(0.4)
	if counts {
		d.results = append(d.results, "n "+pick(d.generator, "int", "int8", "uint32", d.main))
	}
	step := func() string {
		var lines []string
		for range pick(d.generator, 1, 1, 2) {
			s, e := pick(d.generator, names...), d.value(d.main)
			line := fmt.Sprintf(pick(d.generator, "%[1]s += %[2]s", "%[1]s += %[2]s", "%[1]s -= %[2]s", "%[1]s *= %[2]s", "%[1]s = %[1]s*a + %[2]s", "%[1]s += (%[2]s - %[1]s) * a", "%[1]s = %[3]s + %[2]s"),
				s, e, pick(d.generator, names...))
			lines = append(lines, line)
		}
		if counts && d.chance(0.5) {
			lines = append(lines, "n++")
		}
		return strings.Join(lines, "\n") + "\n"
	}
	cond := func() string {
		if flags && d.chance(0.4) {
			return pick(d.generator, "ok[i]", "!ok[i]")
		}
		return d.condition(0)
	}
	var sb strings.Builder
	switch d.rnd.IntN(5) {
	case 0:
		fmt.Fprintf(&sb, "if %s {\n\tcontinue\n}\n%s", cond(), step())
	case 1:
		fmt.Fprintf(&sb, "switch {\ncase %s:\n%scase %s:\n%s", cond(), indented(step(), 1), cond(), indented(step(), 1))
		if d.chance(0.5) {
			fmt.Fprintf(&sb, "default:\n%s", indented(step(), 1))
		}
		sb.WriteString("}\n")
	default:
		fmt.Fprintf(&sb, "if %s {\n%s}", cond(), indented(step(), 1))
		for range d.rnd.IntN(2) {
			fmt.Fprintf(&sb, " else if %s {\n%s}", cond(), indented(step(), 1))
		}
		if d.chance(0.3) {
			fmt.Fprintf(&sb, " else {\n%s}", indented(step(), 1))
		}
		sb.WriteString("\n")
	}
	if d.chance(0.1) {
		fmt.Fprintf(&sb, "y[i] = %s\n", d.value(strings.TrimPrefix(d.params[1], "y []")))
	}
	if d.chance(0.4) {
		d.clause = pick(d.generator, " simdlen(2)", " simdlen(4)", " simdlen(8)", " simdlen(32)")
	}
	head := "for i := range x {"
	if d.chance(0.2) {
		head = "for i := len(x) - 1; i >= 0; i-- {"
	}
	return "\t" + head + "\n" + indented(sb.String(), 2) + "\t}\n"
}
