package randloop

import "fmt"

// copySayings are loops over arrays and structs that they copy before they subscript them.
var copySayings = []saying{{"copies of arrays", false, copiedArrays}}

func copiedArrays(d *idiom) string {
	t, m := d.main, pick(d.generator, 3, 4, 8, 26, 70)
	row := fmt.Sprintf("[%d]%s", m, t)
	at := "p"
	if d.chance(0.4) {
		d.types = fmt.Sprintf("type row%d struct {\n\tn int32\n\tv %s\n}\n\n", d.n, row)
		row, at = fmt.Sprintf("row%d", d.n), "p.v"
	}
	of := "x[i]"
	if at == "p.v" {
		of = "x[i].v"
	}
	d.params = append(d.params, "x []"+row, "y []"+t, "w []int32", "k int", "lim "+t)
	d.results = append(d.results, "n int", "s "+t)
	if isFloat(t) {
		d.clause = pick(d.generator, "", " reassoc")
	}
	head := pick(d.generator, "for i, p := range x {\n", "for i := range x {\n\t\tp := x[i]\n", "for i := len(x) - 1; i >= 0; i-- {\n\t\tp := x[i]\n")
	j := fmt.Sprintf("(k+i)&%d", pick(d.generator, 1, 3, 7))
	statements := []string{
		fmt.Sprintf("y[i] = %s[k]", at),
		fmt.Sprintf("y[i] = %s[%s]", at, j),
		fmt.Sprintf("s += %s[k]", at),
		fmt.Sprintf("if %s[k] > lim {\n\t\t\tn++\n\t\t}", at),
		fmt.Sprintf("for j := 0; j < k; j++ {\n\t\t\ts += %s[j]\n\t\t}", at),
		fmt.Sprintf("for j := range %s {\n\t\t\tif %[1]s[j] == lim {\n\t\t\t\tn++\n\t\t\t}\n\t\t}", at),
		fmt.Sprintf("for j, v := range %s {\n\t\t\tif v < %[1]s[(j+k)&1] {\n\t\t\t\tn++\n\t\t\t}\n\t\t}", at),
		fmt.Sprintf("y[i] = %s[w[i]&3]", at),
		fmt.Sprintf("for j := 0; j < k; j++ {\n\t\t\ty[i*3+j] = %s[j]\n\t\t}", at), // stores between uses
		fmt.Sprintf("for j, v := range %s {\n\t\t\ty[i*%d+j] = v + %s[k]\n\t\t}", at, m, at),
		fmt.Sprintf("for j, v := range %s {\n\t\t\ty[i*%d+j] = v\n\t\t}", of, m),
		fmt.Sprintf("for j, v := range %s {\n\t\t\ty[i+j] += v\n\t\t}", of),
		fmt.Sprintf("for _, v := range %s {\n\t\t\ty[i] = max(y[i], v)\n\t\t}", of),
		fmt.Sprintf("%s[k] = %s[0]", of, at),
		fmt.Sprintf("%s[0], %[1]s[1] = %s[k], %[2]s[0]", of, at),
		fmt.Sprintf("%s[k&1] = lim", at), // no copy any more
	}
	body := "\t" + head + "\t\t_, _ = i, p\n"
	for range 1 + d.rnd.IntN(3) {
		body += "\t\t" + pick(d.generator, statements...) + "\n"
	}
	return body + "\t}\n"
}
