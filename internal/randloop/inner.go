package randloop

import (
	"fmt"
	"strings"
)

// innerSayings have variables in inner loops that are wider than what they hold.
var innerSayings = []saying{{"digits", false, digits}, {"inner sums", false, innerSums}, {"sums of all", false, sumsOfAll}}

// wideLocals declares the variables of an iteration, and gives their type and what is stored behind the inner loop.
func wideLocals(d *idiom) (wide, locals, stored string) {
	wide = pick(d.generator, "int", "int", "int", "int64", "int32", "uint32")
	locals = fmt.Sprintf("\t\ts, c, a := %s(%s), %[1]s(0), %[1]s(1)\n\t\t_, _, _ = s, c, a\n", wide, pick(d.generator, "0", "0", "1", "v&15"))
	out := pick(d.generator, "int", "int64", "int32", "uint8", "uint16", "int16")
	d.params = append(d.params, "dst []"+out)
	value := pick(d.generator, "s", "s", "s >> 8", "s>>3&0xff", "s / 9", "s % 100", "s + c", "c", "min(s>>3, 100)", "max(s, 3)", "a - s")
	return wide, locals, fmt.Sprintf("\t\tdst[i] = %s(%s)\n", out, value)
}

// digits takes a number to pieces.
func digits(d *idiom) string {
	x := d.slice("x", pick(d.generator, "uint8", "int8", "uint16", "int16", "int32", "uint32", "int", "int64"))
	wide, locals, stored := wideLocals(d)
	k := pick(d.generator, "10", "2", "3", "7", "16", "1000")
	start := pick(d.generator, "int(v)", "int(v)", "-int(v)", "int(v) & 0xffff", "int(v) + int(v)", "int(v) >> 3")
	head := fmt.Sprintf(pick(d.generator, "for n := %s; n > 0; n /= %s {", "for n := %s; n != 0; n /= %s {", "for n := %s; n > 2; n = (n - 1) / %s {",
		"for n := %s; n >= 1; n >>= 1 + %s&1 {", "for n := %s & 0xff; n > 0; n -= %s {", "for n := %s; 0 < n && c < 9; n /= %s {"), start, k)
	return "\tfor i, v := range " + x.name + " {\n" + locals + "\t\t" + head + "\n" + d.innerBody(wide) + "\t\t}\n" + stored + "\t}\n"
}

// innerSums goes through a second slice, or along the first one, in each iteration.
func innerSums(d *idiom) string {
	x := d.slice("x", pick(d.generator, "uint8", "int8", "uint16", "int16", "int32", "uint8"))
	y := d.slice("y", pick(d.generator, x.typ, x.typ, "uint8", "int16"))
	wide, locals, stored := wideLocals(d)
	head, u := "for j, u := range y[:min(len(y), 37)] {\n\t\t\t_ = j\n", "int(u)"
	if d.chance(0.4) {
		d.params = append(d.params, "k int")
		head, u = "for j := 0; j < k&15 && i+j < len(x); j++ {\n", "int(x[i+j])"
	}
	u = fmt.Sprintf(pick(d.generator, "%s", "%s", "%s - int(v)", "%s * int(v)", "%s * 3", "%s & 31", "abs(%s - int(v))"), u)
	if strings.HasPrefix(u, "abs(") {
		d.types = fmt.Sprintf("func abs%d(n int) int {\n\tif n < 0 {\n\t\treturn -n\n\t}\n\treturn n\n}\n\n", d.n)
		u = fmt.Sprintf("abs%d%s", d.n, u[len("abs"):])
	}
	return "\tfor i, v := range " + x.name + " {\n" + locals + "\t\t" + head + "\t\t\tn := " + u + "\n" + d.innerBody(wide) + "\t\t}\n" + stored + "\t}\n" + "\t_ = " + y.name + "\n"
}

// sumsOfAll has inner loops go on with variables of the function.
func sumsOfAll(d *idiom) string {
	elem := pick(d.generator, "uint8", "int16", "int32", "uint32", "uint32", "int", "uint64")
	x := d.slice("x", elem)
	wide := pick(d.generator, "int", "int", elem, "uint32", "int64")
	d.results = append(d.results, "s "+wide, "t "+wide, "some bool")
	k := pick(d.generator, "2", "3", "5", "10")
	head := pick(d.generator, "w > "+k+"; w /= "+k, "w != 0; w >>= "+k, "w > 0; w /= 1 + "+k, "w > "+k+"; w -= w/2 + 1", "w != 0; w &= w - 1")
	if head[2:4] == "!=" && strings.HasPrefix(elem, "int") {
		head = "w > 0" + head[len("w != 0"):] // negative numbers would never become 0
	}
	var sb strings.Builder
	statements := func(indent string) {
		for range 1 + d.rnd.IntN(2) {
			line := pick(d.generator, "s++", "s++", "s += T(w)", "s -= T(w & 15)", "t ^= T(v)", "t ^= T(w * 3)", "if w&1 != 0 {\n\ts += 2\n}", "if w == 5 {\n\tsome = true\n}",
				"if v&w == 3 {\n\tt ^= 1\n\tcontinue\n}", "if w == 7 {\n\tbreak\n}", "s += T(v) - T(w)")
			if strings.Contains(line, "break") && len(indent) < 3 {
				continue // that would end the loop around
			}
			sb.WriteString(indent + strings.ReplaceAll(strings.ReplaceAll(line, "T(", wide+"("), "\n", "\n"+indent) + "\n")
		}
	}
	around := func() {
		if d.chance(0.3) {
			sb.WriteString("\t\t{\n\t\tw := v\n\t\t_ = w\n")
			statements("\t\t")
			sb.WriteString("\t\t}\n")
		}
	}
	sb.WriteString("\tfor _, v := range " + x.name + " {\n")
	around()
	sb.WriteString("\t\tfor w := v; " + head + " {\n\t\t\t_ = w\n")
	statements("\t\t\t")
	sb.WriteString("\t\t}\n")
	around()
	sb.WriteString("\t}\n")
	return sb.String()
}

// innerBody computes with int n for variables of type wide.
func (d *idiom) innerBody(wide string) string {
	var sb strings.Builder
	sb.WriteString("\t\t\t_ = n\n")
	for range 1 + d.rnd.IntN(2) {
		line := pick(d.generator, "s += T(n % 10)", "s = s*10 + T(n%10)", "s += T(n)", "s -= T(n)", "s ^= T(n & 1)", "s = s*31 + T(n)", "s = s>>1 ^ T(n)",
			"if n%2 == 0 {\n\t\t\t\ts += T(n / 2)\n\t\t\t}", "if n > 5 {\n\t\t\t\tc++\n\t\t\t}", "c++", "c += T(n >> 1 & 1)", "s = max(s, T(n))", "s = min(s, T(n%7))", "a, s = s, a+s",
			"s += T(n * 5)", "s = (s + T(n)) / 2", "s = (s<<3 | T(n&7)) & 0xffff", "if s > 1000 {\n\t\t\t\ts -= 999\n\t\t\t}")
		sb.WriteString("\t\t\t" + strings.ReplaceAll(line, "T(", wide+"(") + "\n")
	}
	return sb.String()
}
