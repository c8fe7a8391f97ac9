package randloop

import (
	"fmt"
	"strings"
)

// decodedSayings read numbers of some width from the front or the end of bytes, and go on with the rest.
var decodedSayings = []saying{{"decoded", false, decoding}, {"fields decoded", false, fieldsDecoded}}

// fieldsDecoded read as many numbers as a header has, and go on behind it.
func fieldsDecoded(d *idiom) string {
	n := pick(d.generator, 4, 8, 9, 12, 16)
	width := pick(d.generator, 16, 32, 64)
	d.params = append(d.params, fmt.Sprintf("m *[%d]%s", n, d.main), "p []byte", "k int")
	d.results = append(d.results, "n int", "rest []byte")
	value := fmt.Sprintf("%s(binary.%s.Uint%d(p[:%d]))", d.main, pick(d.generator, "LittleEndian", "BigEndian"), width, width/8)
	lines := []string{fmt.Sprintf("m[i] %s %s", pick(d.generator, "=", "=", "+="), value), fmt.Sprintf("p = p[%d:]", width/8)}
	if d.chance(0.3) {
		lines = append(lines, fmt.Sprintf("n += %s", pick(d.generator, "1", "3", "k", "i")))
	}
	if d.chance(0.3) {
		lines = append(lines, "k -= 5")
	}
	var before string
	if d.chance(0.5) {
		before = fmt.Sprintf("\tif len(p) < %d {\n\t\treturn\n\t}\n", n*width/8)
	}
	behind := pick(d.generator, "", "\tif k > len(p) {\n\t\tk = len(p)\n\t}\n", "\tfor _, c := range p {\n\t\tn += int(c)\n\t}\n")
	return fmt.Sprintf("%s\tfor i := range %d {\n\t\t%s\n\t}\n%s\tn += k + len(p)\n\trest = p\n", before, n, strings.Join(lines, "\n\t\t"), behind)
}

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
