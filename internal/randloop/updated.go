package randloop

import (
	"fmt"
	"math/bits"
	"strings"
)

// updateSayings are loops of which several iterations in a row combine something with one element.
var updateSayings = []saying{{"updated elements", false, updatedElements}, {"bits of words", false, bitWords}}

// bitWords are loops of which iterations have a bit each of a variable.
func bitWords(d *idiom) string {
	d.slicesOf("x", "w")
	t := pick(d.generator, "uint64", "uint64", "uint64", "int64", "uint32", "int32", "uint16", "uint8")
	d.params = append(d.params, "from int", "m0 "+t)
	d.results = append(d.results, "m "+t, "n int")
	at := pick(d.generator, "i", "i", "(i & 63)", "(i + from)", "((i + from) & 63)", "uint(i)", "uint(i+from)", "(2 * i & 63)", "(63 - i)", "(i - 3)", "uint8(i)", "(i % 64)", "n")
	op := pick(d.generator, "|=", "|=", "|=", "^=", "+=", "-=", "&^=")
	body := fmt.Sprintf("m %s 1 << %s", op, at)
	switch d.rnd.IntN(5) {
	case 0, 1, 2:
		body = fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t}", d.condition(1), body)
	case 3:
		body = fmt.Sprintf("if %s {\n\t\t\tn++\n\t\t} else {\n\t\t\t%s\n\t\t}", d.condition(1), body)
	}
	if d.chance(0.2) {
		body += "\n\t\tx[i] = " + d.value(d.main)
	}
	if d.chance(0.1) {
		body += "\n\t\tif m == 7 {\n\t\t\tn++\n\t\t}"
	}
	if d.chance(0.1) {
		body += "\n\t\tif n > 9 {\n\t\t\tbreak\n\t\t}"
	}
	return "\tm = m0\n" + d.each(body)
}

func updatedElements(d *idiom) string {
	d.slicesOf("x", "w")
	t := d.typ()
	d.params = append(d.params, "y []"+t, "k int")
	if isFloat(t) {
		d.clause = pick(d.generator, "", " reassoc")
	}
	per := pick(d.generator, 4, 8, 16, 32, 64, 64, 100, 128, 1024)
	at := fmt.Sprintf(pick(d.generator, "i/%d", "i/%d", "(i+k)/%d", "i/%d+k", "(i+3)/%d"), per)
	if per&(per-1) == 0 && d.chance(0.5) {
		at = fmt.Sprintf(pick(d.generator, "i>>%d", "(i+k)>>%d", "int(uint(i)>>%d)", "i>>%d-k"), bits.TrailingZeros(uint(per)))
	}
	var update string
	switch {
	case !isFloat(t) && d.chance(0.4):
		update = d.bitUpdate("y["+at+"]", width(t))
	case isFloat(t): // sums that do not overflow: an infinite element would tell their order
		update = fmt.Sprintf("y[%s] %s= %s(int8(%s))", at, pick(d.generator, "+", "+", "-"), t, d.element(d.slices[0]))
	case d.chance(0.2):
		update = fmt.Sprintf("y[%[1]s] = %[2]s(y[%[1]s], %[3]s)", at, pick(d.generator, "min", "max"), d.value(t))
	case d.chance(0.2):
		update = fmt.Sprintf("y[%s]%s", at, pick(d.generator, "++", "--"))
	default:
		update = fmt.Sprintf("y[%s] %s= %s", at, pick(d.generator, "+", "+", "-", "^", "|", "&", "*"), d.value(t))
	}
	if d.chance(0.5) {
		update = fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t}", d.condition(1), update)
	}
	lines := []string{update}
	if d.chance(0.3) {
		lines = append(lines, fmt.Sprintf("x[i] = %s", d.value(d.main)))
	}
	if d.chance(0.2) {
		return d.each(lines...)
	}
	return "\tfor i := range x {\n\t\t" + strings.Join(lines, "\n\t\t") + "\n\t}\n"
}

// bitUpdate sets, clears or replaces a bit of element e of n bits.
func (d *idiom) bitUpdate(e string, n int) string {
	at := fmt.Sprintf(pick(d.generator, "(i & %[2]d)", "(i %% %[1]d)", "uint(i&%[2]d)", "((i+k) & %[2]d)"), n, n-1)
	if d.chance(0.5) {
		return fmt.Sprintf("%s %s= 1 << %s", e, pick(d.generator, "|", "|", "^", "&^", "&^", "+"), at)
	}
	other := at
	if d.chance(0.1) {
		other = fmt.Sprintf("((i+1) & %d)", n-1)
	}
	arms := [2]string{fmt.Sprintf("%s |= 1 << %s", e, at), fmt.Sprintf("%s &^= 1 << %s", e, other)}
	if d.chance(0.3) {
		arms[0], arms[1] = arms[1], arms[0]
	}
	if d.chance(0.2) {
		return fmt.Sprintf("v := %[1]s &^ (1 << %[2]s)\n\t\tif %[3]s {\n\t\t\tv |= 1 << %[2]s\n\t\t}\n\t\t%[1]s = v", e, at, d.condition(1))
	}
	return fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t} else {\n\t\t\t%s\n\t\t}", d.condition(1), arms[0], arms[1])
}
