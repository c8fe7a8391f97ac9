package randloop

import "fmt"

// runeSayings are loops over the runes of strings.
var runeSayings = []saying{{"runes", false, runesOf}}

func runesOf(d *idiom) string {
	d.params = append(d.params, "text string", "c0 rune")
	d.results = append(d.results, "n, at int", "last rune")
	head := pick(d.generator, "for i, c := range text", "for i, c := range text", "for i, c := range text[1:]", "for i, c = range text")
	body := ""
	if head == "for i, c = range text" {
		body = "\tvar i int\n\tvar c rune\n"
	}
	what := pick(d.generator, "c == c0", "c >= '0' && c <= '9'", "unicode.IsSpace(c)", "unicode.IsLetter(c)", "unicode.IsUpper(c) || c == '_'",
		"c < c0", "c > 0x7e", "unicode.IsPunct(c)", "unicode.ToLower(c) == c0", "!unicode.IsPrint(c)")
	also := pick(d.generator, "c == '.'", "c > c0+30", "unicode.IsDigit(c)", "i > 100", "c == 0x7f")
	statements := []string{
		fmt.Sprintf("if %s {\n\t\t\tn++\n\t\t}", what),
		fmt.Sprintf("if %s {\n\t\t\tat = i\n\t\t}", what),
		fmt.Sprintf("if %s {\n\t\t\tbreak\n\t\t}", also),
		fmt.Sprintf("if %s {\n\t\t\treturn n, i, c\n\t\t}", also),
		fmt.Sprintf("if %s {\n\t\t\tcontinue\n\t\t}", also),
		fmt.Sprintf("switch c {\n\t\tcase 'a', 'e', c0:\n\t\t\tn++\n\t\tcase ' ':\n\t\t\tat = i\n\t\t\tcontinue\n\t\t}"),
		"last = last*31 + c",
		"if i-at != 1 {\n\t\t\tn++\n\t\t}\n\t\tat = i",
		"if c != last {\n\t\t\tn += 2\n\t\t}\n\t\tlast = c",
		"n += utf8.RuneLen(c)",
	}
	switch d.rnd.IntN(4) {
	case 0:
		d.slice("x", "int32")
		statements = append(statements, "x[i] = c", "x[n] += c", "if c > c0 {\n\t\t\tx[i] = unicode.ToUpper(c)\n\t\t}")
	case 1:
		d.params = append(d.params, "y []uint8", "k int")
		statements = append(statements, "y[k] = uint8(c)\n\t\tk++", "y[i] ^= uint8(c)", "y[i+k] = uint8(unicode.ToUpper(c))")
	}
	body += "\t" + head + " {\n\t\t_, _ = i, c\n"
	for range 1 + d.rnd.IntN(3) {
		body += "\t\t" + pick(d.generator, statements...) + "\n"
	}
	return body + "\t}\n"
}
