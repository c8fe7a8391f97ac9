package randloop

import "fmt"

// chosenSayings load again what they have chosen, by its place.
var chosenSayings = []saying{{"places chosen in rows", false, choosing}}

// choosing goes over rows, in which it keeps one or two places.
func choosing(d *idiom) string {
	d.slicesOf("x", "y")
	d.params = append(d.params, "w int")
	d.results = append(d.results, "n int")
	d.inits = pick(d.generator, "\tw = w&31 + 1\n", "\tw = w&127\n", "", "\tw = 10\n")
	row := pick(d.generator, "i*w+", "i*w+", "i*w-1+", "i+", "")
	less := pick(d.generator, "<", ">", "<=", ">=")
	other := pick(d.generator, "<", ">")
	first := pick(d.generator, "0", "0", "1", "w-1")
	body := fmt.Sprintf("if x[%sc] %s x[%sa] {\n\t\t\t\ta = c\n\t\t\t}", row, less, row)
	switch d.rnd.IntN(5) {
	case 0:
		body += fmt.Sprintf(" else if x[%sc] %s x[%sb] {\n\t\t\t\tb = c\n\t\t\t}", row, other, row)
	case 1:
		body += fmt.Sprintf("\n\t\t\tif x[%sc] %s x[%sb] {\n\t\t\t\tb = c\n\t\t\t}", row, other, row)
	case 2:
		body = fmt.Sprintf("if y[%sc]&1 == 0 && x[%sc] %s x[%sa] {\n\t\t\t\ta, b = c, a\n\t\t\t}", row, row, less, row)
		if isFloat(d.slices[1].typ) {
			body = fmt.Sprintf("if y[%sc] > 0 && x[%sc] %s x[%sa] {\n\t\t\t\ta, b = c, a\n\t\t\t}", row, row, less, row)
		}
	}
	head := pick(d.generator, "for c := 1; c < w; c++ {", "for c := range w {", "for c := w - 1; c >= 0; c-- {")
	use := pick(d.generator, "n += a ^ b", fmt.Sprintf("y[i] = %s(a - b)", d.slices[1].typ), fmt.Sprintf("y[i] %s= %s(a)\n\t\tn += b", pick(d.generator, "+", "-"), d.slices[1].typ))
	return fmt.Sprintf("\tfor i := range y {\n\t\ta, b := %s, 0\n\t\t%s\n\t\t\t%s\n\t\t}\n\t\t%s\n\t}\n", first, head, body, use)
}
