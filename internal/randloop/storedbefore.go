package randloop

import (
	"fmt"
	"strings"
)

// beforeSayings are iterations that store an element before a loop inside, and again in it or behind it.
var beforeSayings = []saying{{"stored before loops", false, storedBefore}}

func storedBefore(d *idiom) string {
	d.slice("x", d.main)
	out := d.slice("y", d.typ())
	d.slice("w", pick(d.generator, d.main, d.main, out.typ))
	d.params = append(d.params, "k int")
	element := pick(d.generator, "y[i]", "y[i]", "y[i]", "y[i+k]", "x[i]", "y[len(y)-1-i]")
	t := out.typ
	if element == "x[i]" {
		t = d.main
	}
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if d.chance(0.2) {
		add("was := %s", element)
	} else {
		add("was := %s", d.value(t))
	}
	add("_ = was")
	add("%s = %s", element, pick(d.generator, "was", "0", d.value(t)))
	if d.chance(0.2) {
		add("if %s {", d.condition(0))
		add("\tcontinue")
		add("}")
	}
	add("%s", pick(d.generator, "for j := range w {", "for j := range w {", "for j := 0; j < k; j++ {"))
	other := pick(d.generator, "x[i]", "x[i]", "x[(i+j)%len(x)]", "w[0]")
	add("\tif w[j] %s %s(%s) {", pick(d.generator, ">", "<", "=="), d.slices[2].typ, other)
	add("\t\t%s = %s", element, pick(d.generator, t+"(j)", "was", "was", t+"(w[j])"))
	if end := pick(d.generator, "break", "break", "continue", ""); end != "" {
		add("\t\t%s", end)
	}
	add("\t}")
	if d.chance(0.3) {
		add("\tif w[j] == 1 {")
		add("\t\tbreak")
		add("\t}")
	}
	add("}")
	if d.chance(0.4) {
		add("if %s > 3 {", element)
		add("\t%s = was", element)
		add("}")
	}
	return "\tfor i := range x {\n\t\t" + strings.Join(lines, "\n\t\t") + "\n\t}\n"
}
