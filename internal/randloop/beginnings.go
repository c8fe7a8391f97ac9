package randloop

import (
	"fmt"
	"strings"
)

// beginningSayings are loops that begin with nothing, go on from the element before in some arms, look for something in constant
// texts, or have literals that read what they set.
var beginningSayings = []saying{{"first item", false, firstItem}, {"element before in arms", false, elementBefore},
	{"constant text", false, constantText}, {"literal that reads", false, readingLiteral}}

// firstItem takes the first of some items whatever it is, and the best one from then on.
func firstItem(d *idiom) string {
	d.slicesOf("x")
	d.slice("w", d.typ())
	d.results = []string{"lo, hi " + d.main, "n int", "some bool"}
	less, more := "v < lo", "v > hi"
	if d.chance(0.3) {
		less, more = "v <= lo", "hi <= v"
	}
	none := pick(d.generator, "!some", "n == 0", "!some", "n < 1", "first")
	set := pick(d.generator, "some = true", "some = true\n\t\tn++", "n++", "first = false", "some, n = true, n+1")
	if d.chance(0.5) {
		both := pick(d.generator, [2]string{"!some", "some = true"}, [2]string{"n == 0", "n++"}, [2]string{"first", "first = false"})
		none, set = both[0], both[1]
	}
	begin := pick(d.generator, "true", "true", "n == 0")
	body := []string{"v := " + d.value(d.main), "_ = v"}
	skip := d.condition(1)
	switch d.rnd.IntN(4) {
	case 0:
		body = append(body, fmt.Sprintf("if %s && (%s || %s) {\n\t\t\tlo = v\n\t\t\t%s\n\t\t}", skip, none, less, set))
	case 1:
		body = append(body, fmt.Sprintf("if %s {\n\t\t\tcontinue\n\t\t}\n\t\tif %s || %s {\n\t\t\tlo = v\n\t\t}\n\t\tif %[2]s || %[4]s {\n\t\t\thi = v\n\t\t}\n\t\t%[5]s", skip, none, less, more, set))
	case 2:
		body = append(body, fmt.Sprintf("if !(%s) {\n\t\t\tcontinue\n\t\t}\n\t\tif %s {\n\t\t\tlo, hi = v, v\n\t\t\t%s\n\t\t\tcontinue\n\t\t}\n\t\tlo, hi = min(lo, v), max(hi, v)", skip, none, set))
	case 3:
		body = append(body, fmt.Sprintf("if %s {\n\t\t\tif %s {\n\t\t\t\tlo = v\n\t\t\t} else if %s {\n\t\t\t\tlo = v\n\t\t\t}\n\t\t\t%s\n\t\t}", skip, none, less, set))
	}
	if d.chance(0.15) {
		body = append(body, "w[i] = "+d.value(d.slices[1].typ))
	}
	text := fmt.Sprintf("\tfirst := %s\n\t_ = first\n", begin)
	if d.chance(0.3) { // goes on counting
		d.params = append(d.params, "before int")
		text += "\tn = before\n"
		if d.chance(0.6) {
			body = append(body[:2:2], fmt.Sprintf("if n == 0 || %s {\n\t\t\tlo = v\n\t\t}\n\t\tif %s || n == 0 {\n\t\t\thi = v\n\t\t}\n\t\tn++", less, more))
		}
	}
	return text + d.each(body...)
}

// elementBefore stores an element in several arms, some of which load the one before.
func elementBefore(d *idiom) string {
	d.slicesOf("x", "w")
	d.params = append(d.params, "z []"+d.main)
	before := "z[i]"
	at := "z[i+1]"
	if d.chance(0.4) {
		before, at = "z[i-1]", "z[i]"
	}
	arm := func() string {
		switch d.rnd.IntN(6) {
		case 0:
			return fmt.Sprintf("%s = %s", at, d.value(d.main))
		case 1:
			return fmt.Sprintf("%s = max(%s, %s)", at, before, d.value(d.main))
		case 2:
			return fmt.Sprintf("%s = min(%s, %s)", at, d.value(d.main), before)
		case 3:
			return fmt.Sprintf("%s = %s", at, before)
		case 4:
			return fmt.Sprintf("%s = x[i]", at)
		}
		return fmt.Sprintf("%s = %s + %s", at, before, d.value(d.main))
	}
	body := fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t} else {\n\t\t\t%s\n\t\t}", d.condition(1), arm(), arm())
	switch d.rnd.IntN(5) {
	case 0:
		body = fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t} else if %s {\n\t\t\t%s\n\t\t} else {\n\t\t\t%s\n\t\t}", d.condition(1), arm(), d.condition(0), arm(), arm())
	case 1:
		body = fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t}", d.condition(1), arm())
	case 2:
		body = fmt.Sprintf("v := %s\n\t\tif %s {\n\t\t\tv += %s\n\t\t}\n\t\t%s = v", d.value(d.main), d.condition(1), before, at)
	}
	head := pick(d.generator, "for i := range x {", "for i := range min(len(x), len(w)) {", "for i := 1; i < len(x); i++ {", "for i := len(x) / 3; i < len(x)-1; i++ {")
	return "\t" + head + "\n\t\t" + body + "\n\t}\n"
}

// constantText looks for bytes and runes.
func constantText(d *idiom) string {
	text := pick(d.generator, `"aeiou"`, `" \t\r\n"`, `"0123456789abcdef"`, `"x"`, `"äöü€"`, `"a\xffb"`, `",;:!?.-_()[]{}<>/\\|+*"`)
	d.results = append(d.results, "n, at int", "last rune")
	head, c := "for i, c := range text {", "c"
	if d.chance(0.5) {
		head, c = "for i, c := range []byte(text) {", "rune(c)"
	}
	d.params = append(d.params, "text string")
	find := pick(d.generator, "strings.ContainsRune(%s, %s)", "strings.IndexRune(%s, %s) >= 0", "strings.IndexByte(%s, byte(%s)) > 1", "strings.IndexByte(%s, byte(%s)) < 0", "strings.IndexRune(%s, %s) == n&3")
	if d.chance(0.3) {
		d.slice("x", "int32")
		c = "rune(x[i%max(1, len(x))])"
	}
	lines := []string{
		fmt.Sprintf("if %s {\n\t\t\tn++\n\t\t}", fmt.Sprintf(find, text, c)),
		fmt.Sprintf("if %s {\n\t\t\tat = i\n\t\t\tlast = %s\n\t\t}", fmt.Sprintf(find, text, c), c),
		fmt.Sprintf("at += strings.IndexByte(%s, byte(%s))", text, c),
		fmt.Sprintf("for k, m := range %s {\n\t\t\tif m == %s {\n\t\t\t\tat += k\n\t\t\t\tbreak\n\t\t\t}\n\t\t}", text, c),
		fmt.Sprintf("for k, m := range []byte(%s) {\n\t\t\tif rune(m) == %s {\n\t\t\t\tat = k\n\t\t\t\tn++\n\t\t\t}\n\t\t}", text, c),
		fmt.Sprintf("if %s {\n\t\t\treturn n, i, %s\n\t\t}", fmt.Sprintf(find, text, c), c),
		fmt.Sprintf("if %s {\n\t\t\tcontinue\n\t\t}", fmt.Sprintf(find, text, c)),
	}
	body := "\t" + head + "\n\t\t_, _ = i, c\n"
	for range 1 + d.rnd.IntN(2) {
		body += "\t\t" + pick(d.generator, lines...) + "\n"
	}
	return body + "\t}\n"
}

// readingLiteral calls a literal that reads variables and counters of the loop.
func readingLiteral(d *idiom) string {
	d.slicesOf("x", "y")
	d.results = append(d.results, "s "+d.main, "n int")
	lit := "f := func(v " + d.main + ") " + d.main + " { return " + pick(d.generator, "v + s", "v ^ s", "max(v, s)", "v * "+d.main+"(n)", "v - x[0]") + " }"
	if isFloat(d.main) {
		lit = strings.ReplaceAll(lit, "^", "*")
	}
	inside := d.chance(0.4)
	if inside {
		lit = "f := func(v " + d.main + ") " + d.main + " { return v + " + pick(d.generator, "x[i]", d.main+"(i)", d.main+"(len(y))") + " }"
	}
	var lines []string
	if inside {
		lines = append(lines, lit)
	}
	lines = append(lines, pick(d.generator, "x[i] = f(x[i])", "x[i] = f("+d.value(d.main)+")", "s = max(s, f(x[i]))", "if f(x[i]) > 3 {\n\t\t\tn++\n\t\t}"))
	if d.chance(0.6) {
		lines = append(lines, pick(d.generator, "n++", "s = x[i]", "s += x[i]", fmt.Sprintf("if %s {\n\t\t\tn += 2\n\t\t}", d.condition(0))))
	}
	body := d.each(lines...)
	if !inside {
		body = "\t" + lit + "\n" + body
	}
	if d.chance(0.3) && !inside {
		body += "\ts = f(s)\n"
	}
	return body
}
