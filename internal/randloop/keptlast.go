package randloop

import "fmt"

// lastSayings are loops that compare with what they have kept last.
var lastSayings = []saying{{"kept last", false, keptLast}}

func keptLast(d *idiom) string {
	d.integerMain()
	d.slicesOf("x")
	d.slice("w", d.main)
	d.params = append(d.params, "z []"+d.main)
	d.results = []string{"k int"}
	to := pick(d.generator, "x", "z")
	first := pick(d.generator, "k = 1", "k = min(1, len(w))", "k = len(w) / 2", "")
	last := to + "[k-1]"
	item := pick(d.generator, "x[i]", "x[i]", "w[i]", d.value(d.main))
	if d.chance(0.3) {
		last = pick(d.generator, "x[i-1]", "x[i-1]", "w[i-1]", "x[i-2]")
	}
	keep := fmt.Sprintf("%s[k] = %s\n\t\t\tk++", to, item)
	if d.chance(0.2) {
		last, keep = to+"[k]", fmt.Sprintf("k++\n\t\t\t%s[k] = %s", to, item)
	}
	line := fmt.Sprintf("if %s %s %s {\n\t\t\t%s\n\t\t}", item, pick(d.generator, "!=", "!=", "!=", ">", ">=", "<"), last, keep)
	switch d.rnd.IntN(8) {
	case 0:
		line += fmt.Sprintf(" else if %s {\n\t\t\tk++\n\t\t}", d.condition(0))
	case 1:
		line = "old := k\n\t\t" + line + fmt.Sprintf("\n\t\tif %s {\n\t\t\tk = old\n\t\t}", d.condition(0))
	case 2:
		line += fmt.Sprintf("\n\t\tif %s == %s {\n\t\t\tw[i]++\n\t\t}", last, item)
	case 3:
		line = fmt.Sprintf("if %s {\n\t\t\tcontinue\n\t\t}\n\t\t", d.condition(0)) + line
	}
	head := pick(d.generator, "for i := range x {", "for i := 1; i < len(x); i++ {", "for i := 2; i < len(x); i++ {", "for i := k; i < len(x); i++ {")
	return fmt.Sprintf("\t%s\n\t%s\n\t\t%s\n\t}\n", first, head, line)
}
