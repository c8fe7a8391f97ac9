package randloop

import (
	"fmt"
	"strings"
)

// arraySayings are loops over small arrays inside of others: behind pointers, in parameters, of elements, by their places or with
// what is in them, which may change meanwhile.
var arraySayings = []saying{{"array loops", false, arrayLoops}}

func arrayLoops(d *idiom) string {
	n := pick(d.generator, 2, 3, 4, 4, 4, 8)
	d.params = []string{fmt.Sprintf("x, y [][%d]%s", n, d.main), fmt.Sprintf("m *[%d][%[1]d]%s", n, d.main),
		fmt.Sprintf("p *[%d]%s", n, d.main), fmt.Sprintf("q [%d]%s", n, d.main), "k " + d.main}
	d.results = []string{fmt.Sprintf("after [%d]%s", n, d.main)}
	loops := []string{
		"for c := range m {\n\tx[i][c] = x[i][c] OP m[c][1]\n}",
		"for c := range p {\n\tx[i][c] = p[c] OP y[i][c]\n}",
		"for c := range p {\n\tp[c] = p[c] OP y[i][c]\n}",
		"for c := range p {\n\tp[c] = p[c] OP y[i][c]\n\tx[i][c] = p[c] OP k\n}",
		"for c, t := range q {\n\tx[i][c] = y[i][c] OP t\n}",
		"for c, t := range q {\n\tx[i][c] = x[i][c] OP t\n\tq[(c+1)%N] = t OP k\n}",
		"for c, t := range *p {\n\tx[i][c] = y[i][c] OP t\n}",
		"v := &x[i]\nfor c := range v {\n\tv[c] = v[c] OP y[i][N-1-c]\n}",
		"v := &x[i]\nfor c := range v {\n\tv[c] = v[c] OP k\n\tp[c] = v[c] OP p[c]\n}",
		"v := y[i]\nvar r [N]T\nfor a := range m {\n\tfor b := range v {\n\t\tr[a] += m[a][b] * v[b]\n\t}\n}\nx[i] = r",
		"for c := range x[i] {\n\tif x[i][c] > k {\n\t\tbreak\n\t}\n\tx[i][c] = y[i][c] OP k\n}",
		"for _, t := range q {\n\tk = k OP t\n}\nx[i][0] = k",
	}
	first := ""
	if d.chance(0.2) { // something points to the array
		first = "\ts := q[:]\n"
		loops = append(loops, "for c, t := range q {\n\tx[i][c] = y[i][c] OP t\n\ts[i%N] = t OP k\n}")
	}
	var lines []string
	for range 1 + d.rnd.IntN(2) {
		text := strings.NewReplacer("OP", d.op(), "N", fmt.Sprint(n), "T", d.main).Replace(pick(d.generator, loops...))
		lines = append(lines, "{\n\t\t\t"+strings.ReplaceAll(text, "\n", "\n\t\t\t")+"\n\t\t}")
	}
	end := "\tafter = q\n"
	if first != "" {
		end += "\tafter[0] = s[0]\n"
	}
	return first + d.each(lines...) + end
}
