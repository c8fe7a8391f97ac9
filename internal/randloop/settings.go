package randloop

import (
	"fmt"
	"strings"
)

// settingSayings set variables under one of several conditions, in chains of arms and one after the other.
var settingSayings = []saying{{"set under either", false, settings}}

func settings(d *idiom) string {
	d.slicesOf("x")
	d.slice("w", d.main)
	d.results = []string{"r " + d.main, "k int"}
	set := func() string {
		s := pick(d.generator, "r = x[i]", "r = w[i]", "r = x[i] "+d.op()+" w[i]", "r = 3", "r = x[i]\n\tk = i", "k = i", "k = 7", "r = w[i]\n\tk = -i", "r = r")
		return "{\n\t" + s + "\n}"
	}
	var sb strings.Builder
	for range pick(d.generator, 1, 1, 2) {
		fmt.Fprintf(&sb, "if %s %s", d.condition(0), set())
		for range d.rnd.IntN(3) {
			fmt.Fprintf(&sb, " else if %s %s", d.condition(0), set())
		}
		switch d.rnd.IntN(5) {
		case 0:
			fmt.Fprintf(&sb, " else {\n%s}", indented(fmt.Sprintf("if %s %s\n", d.condition(0), set()), 1))
		case 1:
			fmt.Fprintf(&sb, " else %s", set())
		}
		sb.WriteString("\n")
	}
	if d.chance(0.15) {
		sb.WriteString("if w[i] == r {\n\tk++\n}\n")
	}
	return "\tfor i := range x {\n" + indented(sb.String(), 2) + "\t}\n"
}
