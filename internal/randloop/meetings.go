package randloop

import (
	"fmt"
	"strings"
)

// meetingSayings store, element after element, to where an element is that others load: in slices, and in rows of matrices.
var meetingSayings = []saying{{"elements that are met", false, meeting}}

func meeting(d *idiom) string {
	d.slicesOf("x")
	d.slice("y", d.main)
	stays := pick(d.generator, "x[k]", "x[k]", "x[0]", "x[len(x)-1]", "x[len(x)/2]", "x[k&7]", "x[k/2] "+d.op()+" x[k/2+1]")
	lines := []string{
		fmt.Sprintf("x[i] = x[i] %s %s", d.op(), "("+stays+")"),
		fmt.Sprintf("y[i] = y[i] %s %s", d.op(), "("+stays+")"),
	}
	if d.chance(0.3) {
		lines[0] = fmt.Sprintf("x[i] = %s", stays)
	}
	if d.chance(0.2) {
		lines[0] = fmt.Sprintf("if %s {\n\t%s\n}", d.condition(0), lines[0])
	}
	switch d.rnd.IntN(4) {
	case 0:
		lines[0], lines[1] = lines[1], lines[0]
	case 1:
		lines[1] = fmt.Sprintf("m %s= %s\ny[i] = y[i] %s %s(m)", pick(d.generator, "+", "-"), pick(d.generator, "1", "3"), d.op(), d.main)
		d.params = append(d.params, "m "+pick(d.generator, "int8", "int", "uint16", "int64"))
	default:
		lines = lines[:1]
	}
	d.params = append(d.params, "k int")
	body := strings.Join(lines, "\n") + "\n"
	switch d.rnd.IntN(5) {
	case 0:
		return "\tfor i := len(x) - 1; i >= 0; i-- {\n" + indented(body, 2) + "\t}\n"
	case 1:
		return fmt.Sprintf("\tfor i := %s; i < len(x); i++ {\n", pick(d.generator, "1", "k", "k+1", "k/2")) + indented(body, 2) + "\t}\n"
	case 2: // rows
		inRow := strings.NewReplacer("x[i]", "x[r*w+i]", "y[i]", "y[r*w+i]", "x[k]", pick(d.generator, "x[r*w+k]", "x[r*w+k]", "x[k*w+i]", "x[k*w+r]"),
			"x[0]", "x[r*w]", "len(x)-1", "r*w+w-1", "len(x)/2", "r*w+w/2", "x[k&7]", "x[r*w+k&7]")
		d.params = append(d.params, "w int")
		d.inits = "\tw, k = w&31+1, k&15\n"
		return fmt.Sprintf("\tfor r := 0; r < len(x)/w; r++ {\n\t\tfor i := %s; i < w; i++ {\n", pick(d.generator, "0", "0", "0", "k", "r")) +
			indented(inRow.Replace(body), 3) + "\t\t}\n\t}\n"
	}
	return "\tfor i := range x {\n" + indented(body, 2) + "\t}\n"
}
