package randloop

import (
	"fmt"
	"strings"
)

// Matrix nests go along the rows of matrices in slices, of which each iteration of the outer
// loop has one of its own: the sums of rows, products with a vector, distances from a point. Other
// rows are slices, which the loops inside go through.

// A matrixNest is what the statements of such a nest may use.
type matrixNest struct {
	*nest
	width  string // of a row
	rows   []string
	narrow string // a number of few bits that goes with i, and may wrap around
}

func (w *nest) matrix(n int) string {
	c := &matrixNest{nest: w, narrow: pick(w.generator, "uint8(i)", "uint8(i+200)", "uint8(3*i)", "int16(i)", "uint8(i)%64", "h", "h", "h+250")}
	w.index, w.around = "i", []string{"i"}
	params := c.memory()
	results := w.results()
	w.inits = fmt.Sprintf("\tm &= %d\n\tn &= %d\n", pick(w.generator, 3, 15, 31), pick(w.generator, 7, 15, 31))
	var sb strings.Builder
	for i := range 1 + w.rnd.IntN(2) {
		v := variable{name: string("tu"[i]), typ: w.typ()}
		fmt.Fprintf(&sb, "\t\t%s := %s\n\t\t_ = %[1]s\n", v.name, pick(w.generator, v.typ+"(0)", v.typ+"(x[i])", w.constant(v.typ)))
		w.locals = append(w.locals, v)
	}
	w.temps = append(w.temps, w.locals...)
	if w.chance(0.3) {
		sb.WriteString(fmt.Sprintf("\t\trow := a[i*%s%s:]\n\t\t_ = row\n", c.width, pick(w.generator, "", "+1")))
		c.rows = append(c.rows, "row")
	}
	for range pick(w.generator, 1, 1, 2) {
		sb.WriteString(c.along())
	}
	sb.WriteString(w.behind())
	head := pick(w.generator, "for i := range out {", "for i := range out {", "for i := range min(m, len(out)) {", "for i := 1; i < len(out); i += 2 {", "for i := len(out) - 1; i >= 0; i-- {", "for i, e := range x {")
	if strings.HasPrefix(c.narrow, "h") {
		head = fmt.Sprintf("for h := %s; int(h) < min(len(out), 250); h++ {\n\t\ti := int(h)\n\t\t_ = i", pick(w.generator, "uint8(0)", "uint8(0)", "uint8(2)", "uint16(1)", "int16(0)"))
	}
	if w.chance(0.6) {
		head = "//vec:loop\n\t" + head
	}
	if strings.Contains(head, ", e ") {
		head += "\n\t\tif i >= len(out) {\n\t\t\tbreak\n\t\t}\n\t\t_ = e"
	}
	return w.declared(n, params, results, w.types, fmt.Sprintf("%s\t%s\n%s\t}\n", w.inits, head, sb.String()))
}

// memory makes the slices of the nest.
func (c *matrixNest) memory() []string {
	list := []string{"m, n int"}
	c.width = pick(c.generator, "n", "n", "n", "m", "17", "(n+1)", "1024")
	for _, name := range []string{"a", "b"}[:1+c.rnd.IntN(2)] {
		v := variable{name: name, typ: c.typ(), ro: true}
		v.at = func() string { return c.element(v.name) }
		c.in = append(c.in, v)
		list = append(list, name+" []"+v.typ)
	}
	if c.chance(0.4) {
		v := variable{name: "g", typ: c.typ(), ro: true}
		v.at = func() string { return c.ofSlices(v.typ) }
		c.in = append(c.in, v)
		list = append(list, "g [][]"+v.typ)
	}
	x := variable{name: "x", typ: c.typ(), ro: true}
	x.at = func() string { return fmt.Sprintf("x[%s]", c.counter()) }
	out := variable{name: "out", typ: c.typ()}
	out.at = func() string { return "out[i]" }
	c.out = []variable{out}
	c.slices = append(append(c.slices, c.in...), x)
	if c.chance(0.2) {
		c.slices = append(c.slices, out)
	}
	return append(list, "x []"+x.typ, "id []"+pick(c.generator, "int32", "int", "uint8"), "out []"+out.typ)
}

// element is an element of a row, mostly of that of the iteration.
func (c *matrixNest) element(name string) string {
	i, k := "i", c.around[len(c.around)-1]
	if !c.inner {
		return fmt.Sprintf("%s[i]", name)
	}
	if name == "a" && len(c.rows) > 0 && c.chance(0.4) {
		return fmt.Sprintf("row[%s%s]", k, pick(c.generator, "", "", "+1"))
	}
	switch c.rnd.IntN(14) {
	case 0:
		i = "(i+1)"
	case 1:
		return fmt.Sprintf("%s[%s*%s+i]", name, k, c.width)
	case 2:
		return fmt.Sprintf("%s[%d*(i*%s+%s)+%d]", name, 2+c.rnd.IntN(3), c.width, k, c.rnd.IntN(4))
	case 3:
		i = "int(id[i])"
	case 4:
		return fmt.Sprintf("%s[%s]", name, k)
	case 5:
		return fmt.Sprintf("%s[i*%s-%s+%s]", name, c.width, k, c.width)
	case 6:
		return fmt.Sprintf("%s[%s*%s+int(%s)]", name, k, c.width, c.narrow)
	}
	return fmt.Sprintf("%s[%s]", name, pick(c.generator, i+"*"+c.width+"+"+k, i+"*"+c.width+"+"+k, k+"+"+c.width+"*"+i, i+"*"+c.width+"+"+k+"+1", "2+"+i+"*"+c.width+"+"+k))
}

// ofSlices is an element, of type t, of a row that is a slice.
func (c *matrixNest) ofSlices(t string) string {
	k := c.around[len(c.around)-1]
	if !c.inner {
		return t + "(x[i])"
	}
	row := pick(c.generator, k, k, k, k+"+1", "m", "i", k+"^1")
	return fmt.Sprintf("g[%s][%s]", row, pick(c.generator, "i", "i", "i+1", "len(out)-1-i", k, "m", "i+"+k, c.narrow, c.narrow))
}

// along is a loop along a row.
func (c *matrixNest) along() string {
	c.loops++
	k := fmt.Sprintf("k%d", c.loops)
	own := []variable{{name: k, typ: "int"}}
	head := ""
	switch c.rnd.IntN(10) {
	case 0, 1:
		head = fmt.Sprintf("for %s := 0; %[1]s < %[2]s; %[1]s++ {", k, pick(c.generator, "n", "m", c.width, "n-2"))
	case 2:
		head = fmt.Sprintf(pick(c.generator, "for %s := %d; %[1]s <= %[3]s; %[1]s++ {", "for %s := %d; %[1]s+1 < %[3]s; %[1]s += 2 {", "for %s := %d; %[3]s >= %[1]s+3; %[1]s++ {", "for %s := %[3]s + %[2]d; %[1]s-1 > 2; %[1]s-- {"), k, c.rnd.IntN(4), pick(c.generator, "n", "m"))
	case 3, 4:
		head = fmt.Sprintf("for %s := range x {", k)
	case 5:
		counts := []string{"n", "m", "8", "16"}
		if c.in[len(c.in)-1].name == "g" {
			counts = append(counts, "g", "g", "g")
		}
		head = fmt.Sprintf("for %s := range %s {", k, pick(c.generator, counts...))
	case 6:
		head = fmt.Sprintf("for %s := n; %[1]s >= 0; %[1]s-- {", k)
	case 7:
		if g := c.in[len(c.in)-1]; g.name == "g" {
			own = append(own, variable{name: "v" + k, typ: g.typ})
			head = fmt.Sprintf("for %s, v%[1]s := range g[%s] {", k, pick(c.generator, "i", "i", "i", "m"))
			break
		}
		fallthrough
	default:
		from := "i*" + c.width
		to := pick(c.generator, from+"+"+c.width, "(i+1)*"+c.width, from+"+n", from+"+8")
		own = append(own, variable{name: "v" + k, typ: c.in[0].typ})
		head = fmt.Sprintf("for %s, v%[1]s := range a[%s:%s] {", k, from, to)
	}
	temps := len(c.temps)
	c.temps = append(c.temps, own...)
	c.around, c.inner, c.index = append(c.around, k), true, k
	body := ""
	for range 1 + c.rnd.IntN(2) {
		body += c.set(3)
	}
	c.around, c.inner, c.index = c.around[:1], false, "i"
	c.temps = c.temps[:temps]
	s := "\t\t" + head + "\n"
	for _, v := range own {
		s += "\t\t\t_ = " + v.name + "\n"
	}
	return s + body + "\t\t}\n"
}
