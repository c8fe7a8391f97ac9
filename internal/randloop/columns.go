package randloop

import (
	"fmt"
	"strings"
)

// Column nests store in their inner loops: to elements of matrices that are arrays, or
// slices with rows of n, and to vectors. What they read may have been stored by the
// same or by other iterations of both loops.

const (
	matrixRows = 18
	matrixCols = 40
)

// A columnNest is what the statements of such a nest may use.
type columnNest struct {
	*nest
	flat     bool
	transpos bool // the outer loop goes along rows
	mats     []variable
	vector   variable
	through  bool   // a counter goes up in inner loops and around them
	i, j     string // row and column, as the statement is to call them
}

func (w *nest) columns(n int) string {
	c := &columnNest{nest: w, flat: w.chance(0.5), transpos: w.chance(0.35)}
	if c.through = w.chance(0.2); c.through {
		w.used = append(w.used, "counter through loops")
	}
	params := c.matrices()
	w.inits = fmt.Sprintf("\tm &= %d\n\tn &= %d\n", pick(w.generator, 3, 7, 15, 31), pick(w.generator, 15, 31, 63))
	w.index, w.around = "i", []string{"i"}
	var sb strings.Builder
	if w.chance(0.3) {
		sb.WriteString(c.outside())
	}
	for range pick(w.generator, 1, 1, 1, 2) {
		sb.WriteString(c.loop(2))
	}
	if w.chance(0.3) {
		sb.WriteString(c.outside())
	}
	if c.through {
		w.inits += fmt.Sprintf("\tk := %d\n\t_ = k\n", w.rnd.IntN(3))
		sb.WriteString(pick(w.generator, "\t\tk++\n", "\t\tk += 2\n", ""))
	}
	head := pick(w.generator, "for i := range n {", "for i := 0; i < n; i++ {", "for i := 1; i < n-1; i++ {", "for i := range v {", "for i := 2; i < len(v); i++ {")
	if !c.flat {
		head = fmt.Sprintf("for i := %d; i < %d; i++ {", w.rnd.IntN(3), matrixCols-w.rnd.IntN(5))
		if c.transpos {
			head = fmt.Sprintf("for i := %d; i < %d; i++ {", w.rnd.IntN(3), matrixRows-w.rnd.IntN(3))
		}
	}
	if w.chance(0.6) {
		head = "//vec:loop\n\t" + head
	}
	return fmt.Sprintf("%s//vec:func F%d%s\nfunc f%d(%s) {\n%s\t%s\n%s\t}\n}\n", w.types, n, w.clauses, n, strings.Join(params, ", "), w.inits, head, sb.String())
}

// matrices makes the memory of the nest.
func (c *columnNest) matrices() []string {
	list := []string{"m, n int"}
	for _, name := range []string{"a", "b", "d"}[:1+c.rnd.IntN(3)] {
		v := variable{name: name, typ: c.typ()}
		if c.chance(0.6) && len(c.mats) > 0 {
			v.typ = c.mats[0].typ
		}
		v.at = func() string { return c.element(v) }
		c.mats = append(c.mats, v)
		if c.flat {
			list = append(list, name+" []"+v.typ)
		} else {
			list = append(list, fmt.Sprintf("%s *[%d][%d]%s", name, matrixRows, matrixCols, v.typ))
		}
	}
	if c.through {
		list = append(list, "flat []"+c.mats[0].typ)
	}
	c.vector = variable{name: "v", typ: c.typ()}
	c.vector.at = func() string { return "v[i]" }
	list = append(list, "v []"+c.vector.typ)
	c.slices = append(append(c.slices, c.mats...), c.vector)
	if c.chance(0.3) {
		s := variable{name: "w", typ: c.typ()}
		c.scalars = append(c.scalars, s)
		list = append(list, "w "+s.typ)
	}
	return list
}

// offset is a small number to be added.
func (c *columnNest) offset() string {
	return pick(c.generator, "", "", "", "", "-1", "-1", "+1", "+2", "-2")
}

// element is an element of a matrix near the place of the statement.
func (c *columnNest) element(v variable) string {
	row, col := c.j, c.i
	if c.j != "1" {
		row += c.offset()
	}
	if c.chance(0.25) {
		col += c.offset()
	}
	if c.chance(0.04) {
		col = pick(c.generator, "0", "1", c.j)
	}
	return c.at(v, row, col)
}

func (c *columnNest) at(v variable, row, col string) string {
	if c.transpos {
		row, col = col, row
	}
	if c.flat {
		if strings.ContainsAny(row, "+-") {
			row = "(" + row + ")"
		}
		return fmt.Sprintf("%s[%s*n+%s]", v.name, row, col)
	}
	return fmt.Sprintf("%s[%s][%s]", v.name, row, col)
}

// outside is a statement of the outer loop.
func (c *columnNest) outside() string {
	c.i, c.j = "i", "1"
	if !c.flat && c.chance(0.2) {
		c.j = "i"
	}
	v := c.vector
	dst := "v[i]"
	if c.chance(0.3) {
		v = pick(c.generator, c.mats...)
		dst = c.at(v, c.j, c.i)
	}
	return fmt.Sprintf("\t\t%s %s %s\n", dst, pick(c.generator, "=", "+="), c.expr(v.typ, 1))
}

// loop is an inner loop.
func (c *columnNest) loop(indent int) string {
	rows := "m"
	if !c.flat {
		rows = fmt.Sprint(matrixRows - 2)
		if c.transpos {
			rows = fmt.Sprint(matrixCols - 2)
		}
	}
	var head string
	switch c.rnd.IntN(10) {
	case 0:
		head = fmt.Sprintf("for j := %s - 1; j >= 2; j-- {", rows)
	case 1:
		head = fmt.Sprintf("for j := 1; j < %s; j += %d {", rows, 2+c.rnd.IntN(3))
	case 2:
		head = fmt.Sprintf("for j := 2; j < min(i, %s); j++ {", rows)
	case 3:
		head = fmt.Sprintf("for j := %d; j <= i; j++ {", c.rnd.IntN(4))
	case 4:
		head = fmt.Sprintf("for j := 2; j < %s-i; j++ {", rows)
	case 5:
		head = fmt.Sprintf("for j := %s; j < %s; j++ {", pick(c.generator, "i", "i", "i + 1", "2 * i", rows+" - i", "i - 3"), rows)
	default:
		head = fmt.Sprintf("for j := %d; j < %s; j++ {", c.rnd.IntN(3), rows)
	}
	c.i, c.j = "i", "j"
	c.around, c.index = []string{"i", "j"}, "j"
	body := ""
	for range 1 + c.rnd.IntN(2) {
		body += c.statement(indent + 1)
	}
	if c.chance(0.1) {
		inner := c.statement(indent + 2)
		body += fmt.Sprintf("%sfor k := range %s {\n%s%s}\n", tabs(indent+1), pick(c.generator, "3", "m&3", "20"), inner, tabs(indent+1))
	}
	if c.through {
		body += tabs(indent+1) + pick(c.generator, "k++\n", "k++\n", "k += 3\n")
	}
	if c.chance(0.05) {
		body += fmt.Sprintf("%sif %s {\n%sbreak\n%[1]s}\n", tabs(indent+1), c.condition(1), tabs(indent+2))
	}
	c.around, c.index = []string{"i"}, "i"
	return fmt.Sprintf("%s%s\n%s%[1]s}\n", tabs(indent), head, body)
}

// statement stores, mostly to the element of the matrix that the counters name.
func (c *columnNest) statement(indent int) string {
	v := c.mats[c.rnd.IntN(len(c.mats))]
	dst := c.at(v, c.j, c.i)
	switch {
	case c.chance(0.1):
		v, dst = c.vector, "v[i]"
	case c.chance(0.15):
		dst = c.element(v)
	}
	more := ""
	if c.through && v.typ == c.mats[0].typ && c.chance(0.6) {
		more = " + flat[k]"
	}
	s := fmt.Sprintf("%s%s %s %s%s\n", tabs(indent), dst, pick(c.generator, "=", "=", "+="), c.expr(v.typ, c.depth), more)
	if c.chance(0.2) {
		s = fmt.Sprintf("%sif %s {\n\t%s%[1]s}\n", tabs(indent), c.condition(1), s)
	}
	return s
}
