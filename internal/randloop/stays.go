package randloop

import (
	"fmt"
	"strings"
)

// staySayings are loops that read where they load and store, or how long they run, from elements at subscripts
// that do not change.
var staySayings = []saying{{"elements that stay", false, staying}}

func staying(d *idiom) string {
	d.slicesOf("x")
	d.slice("y", d.main)
	t := pick(d.generator, "int", "int", d.main, "int16", "uint8", "uint32", "int64")
	if isFloat(t) || t[0] == 'u' && len(t) > 5 && d.chance(0.5) {
		t = "int8"
	}
	d.params = append(d.params, "w []"+t, "k int")
	inside := d.chance(0.5)
	at := pick(d.generator, "k", "k&3", "k+1", "0", "len(w)-1")
	if inside {
		at = pick(d.generator, "r", "r", "len(w)-1-r")
	}
	step := fmt.Sprintf("w[%s]", at)
	if t != "int" {
		step = fmt.Sprintf("int(%s)", step)
	}
	x, y := "x", pick(d.generator, "x", "y")
	if d.chance(0.1) && t == d.main {
		x = "w" // changes what is read
	}
	value := fmt.Sprintf("%s[i] %s %s[i-%s]", x, d.op(), y, step)
	head := ""
	switch d.rnd.IntN(5) {
	case 0:
		head = fmt.Sprintf("for i := len(%s) - 1; i >= %s; i-- {", x, step)
	case 1:
		head = fmt.Sprintf("for i := %s; i < len(%s); i++ {", step, x)
	case 2:
		head = fmt.Sprintf("for i := 0; i < %s; i++ {", step)
		value = fmt.Sprintf("%s[i] %s %s[i]", x, d.op(), y)
	case 3:
		head = fmt.Sprintf("for i := range %s {", x)
		value = fmt.Sprintf("%s[i] %s %s[i+%s]", x, d.op(), y, step)
	default:
		head = fmt.Sprintf("for i := %s; i < len(%s)-%s; i++ {", step, x, step)
	}
	lines := []string{fmt.Sprintf("%s[i] = %s", x, value)}
	switch d.rnd.IntN(4) {
	case 0:
		lines = []string{fmt.Sprintf("if %s > %s[i] {", value, x), "\t" + lines[0], "}"}
	case 1:
		lines = append([]string{fmt.Sprintf("if %s {", d.condition(0)), "\tcontinue", "}"}, lines...)
	}
	if !inside {
		return fmt.Sprintf("\t%s\n\t\t%s\n\t}\n", head, strings.Join(lines, "\n\t\t"))
	}
	return fmt.Sprintf("\tfor r := range w {\n\t\t%s\n\t\t\t%s\n\t\t}\n\t}\n", head, strings.Join(lines, "\n\t\t\t"))
}
