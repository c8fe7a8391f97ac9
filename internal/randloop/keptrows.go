package randloop

import (
	"fmt"
	"strings"
)

// rowSayings are iterations that keep something, one element behind the other, or count, by what a loop inside has found.
var rowSayings = []saying{{"kept by loops inside", false, keptByLoops}}

func keptByLoops(d *idiom) string {
	d.slice("x", d.main)
	d.slice("w", pick(d.generator, d.main, d.main, d.typ()))
	w := d.slices[1].typ
	d.params = append(d.params, "k int")
	t := pick(d.generator, "int", "int", "int32", "uint8", w)
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if d.chance(0.2) {
		add("if %s {", d.condition(0))
		add("\tcontinue")
		add("}")
	}
	add("s := %s(%s)", t, pick(d.generator, "0", "1", "x[i]"))
	add("%s", pick(d.generator, "for j := range w {", "for j := range w {", "for j := 0; j < k; j++ {", "for j := range 3 {", "for j := 0; j < i%7; j++ {"))
	item := pick(d.generator, "w[j]", "w[j]", w+"(x[i])", "w["+pick(d.generator, "j", "(i+j)&3", "len(w)-1-j")+"]")
	cond := fmt.Sprintf("%s %s %s(%s)", item, pick(d.generator, ">", "<", "!=", "=="), w, pick(d.generator, "x[i]", "3", "x[0]", "x[i]"))
	switch d.rnd.IntN(3) {
	case 0:
		add("\ts += %s(%s)", t, item)
	case 1:
		add("\tif %s {", cond)
		add("\t\ts++")
		if d.chance(0.5) {
			add("\t\tif s > 2 {")
			add("\t\t\tbreak")
			add("\t\t}")
		}
		add("\t}")
	default:
		add("\tif %s {", cond)
		add("\t\ts = %s(j)", t)
		add("\t\tbreak")
		add("\t}")
	}
	add("}")
	value, elem := "x[i]", d.main
	switch d.rnd.IntN(3) {
	case 0:
		value, elem = "s", t
	case 1:
		value, elem = "i", "int"
	}
	keep := fmt.Sprintf("s %s %d", pick(d.generator, ">", "<", "==", "!="), d.rnd.IntN(4))
	if d.chance(0.2) {
		keep += " && " + d.condition(0)
	}
	add("if %s {", keep)
	d.params = append(d.params, "out []"+elem)
	if d.chance(0.3) {
		d.results = append(d.results, "r []"+elem)
		d.inits = "\tr = out\n"
		add("\tr = append(r, %s)", value)
	} else {
		d.results = append(d.results, "n int")
		add("\tout[n] = %s", value)
		add("\tn++")
	}
	add("}")
	if d.chance(0.2) {
		d.slice("z", d.main)
		add("z[i] = %s(s)", d.main)
	}
	return "\tfor i := range x {\n\t\t" + strings.Join(lines, "\n\t\t") + "\n\t}\n"
}
