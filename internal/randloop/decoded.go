package randloop

import (
	"fmt"
	"strings"
)

// decodedSayings read numbers of some width from the front or the end of bytes, and go on with the rest.
var decodedSayings = []saying{{"decoded", false, decoding}}

func decoding(d *idiom) string {
	text := pick(d.generator, "[]byte", "[]byte", "string")
	d.types = strings.NewReplacer("#", fmt.Sprint(d.n), "BYTES", text).Replace(`func number#(p BYTES, width int) (v uint64, n int) {
	for j := width - 1; j >= 0; j-- {
		v <<= 8
		v += uint64(p[j])
	}
	return v, width
}

func last#(p BYTES) (v uint32, rest BYTES) {
	n := len(p) - 1
	return uint32(p[n]) * 3, p[:n]
}

`)
	d.params = append(d.params, "k, width int, p "+text, "x []"+d.main)
	d.results = append(d.results, "s uint64", "n int")
	width := pick(d.generator, "width", "width", "width", "1", "2", "3")
	lines := []string{fmt.Sprintf("v, m := number%d(p, %s)", d.n, width), "p = p[m:]"}
	if d.chance(0.2) {
		lines = []string{fmt.Sprintf("w, rest := last%d(p)", d.n), "p, n = rest, n+int(w)", "v := uint64(w)"}
	}
	use := []string{"_ = v", "s += v", "s = max(s, v)", "x[i] = " + d.main + "(v)", "x[i%16] += " + d.main + "(v)", "if v > 100 {\n\t\t\tn++\n\t\t}", "if v == 7 {\n\t\t\tbreak\n\t\t}"}
	lines = append(lines, "_ = v", pick(d.generator, use...))
	if d.chance(0.3) {
		lines = append(lines, pick(d.generator, use...))
	}
	if d.chance(0.4) {
		d.results = append(d.results, "rest "+text)
		lines = append(lines, "rest = p")
	}
	head := pick(d.generator, "for i := 2; i < k; i++ {", "for i := 0; i < k; i++ {", "for i := range x {", fmt.Sprintf("for i := 0; len(p) >= %s && i < 1000; i++ {", strings.ReplaceAll(width, "width", "max(width, 1)")))
	return "\t" + head + "\n\t\t_ = i\n\t\t" + strings.Join(lines, "\n\t\t") + "\n\t}\n"
}
