package randloop

import (
	"fmt"
)

// Whole nests go through matrices row by row and from end to end, or nearly so: each
// row goes on where the one before has ended.

func (w *nest) whole(n int) string {
	c := &columnNest{nest: w, flat: w.chance(0.6), transpos: true}
	params := c.matrices()
	results := w.results()
	w.inits = fmt.Sprintf("\tm &= %d\n\tn &= %d\n", pick(w.generator, 7, 31), pick(w.generator, 3, 7, 15, 63))
	counter := w.chance(0.4)
	c.vector.at = func() string { return "v[2]" }
	if counter {
		w.inits += "\tk := 0\n"
		c.vector.at = func() string { return "v[k]" }
	}
	c.slices[len(c.slices)-1] = c.vector
	rows, columns := "m", "n"
	if !c.flat {
		rows, columns = pick(w.generator, "a", fmt.Sprint(matrixRows), "3"), pick(w.generator, "a[i]", fmt.Sprint(matrixCols), fmt.Sprint(matrixCols-1))
	}
	c.i, c.j = "i", "j"
	w.around, w.index = []string{"i", "j"}, "j"
	body := ""
	for range pick(w.generator, 1, 1, 1, 2) {
		body += c.statement(3)
	}
	for _, v := range w.sums {
		body += w.reduce(3, v)
	}
	if counter {
		if w.chance(0.5) {
			body += fmt.Sprintf("\t\t\tv[k] = %s\n", c.expr(c.vector.typ, 1))
		}
		body += "\t\t\tk++\n"
	}
	loop := fmt.Sprintf("\tfor i := range %s {\n\t\tfor j := range %s {\n%s\t\t}\n\t}\n", rows, columns, body)
	return w.declared(n, params, results, w.types, w.inits+loop)
}
