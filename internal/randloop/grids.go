package randloop

import (
	"fmt"
	"strings"
)

// gridSayings look at neighbours up to where a matrix or a slice ends.
var gridSayings = []saying{{"grid", false, grid}, {"last elements", false, lastElements}}

// A gridder writes a loop over the elements of a matrix, in rows or flat, and what is around each.
type gridder struct {
	*idiom
	flat bool
	h, w string // of the matrix
}

func grid(d *idiom) string {
	g := &gridder{d, d.chance(0.5), "len(g)", "len(g[y])"}
	t := pick(d.generator, d.main, "uint8", "float32", "int", "bool")
	if g.flat {
		g.h, g.w = "h", "w"
		d.params = append(d.params, "out, g []"+t, "w, h int")
		d.inits = pick(d.generator, "\tw, h = w%40, h%7\n", "\tw, h = w&63, h&7\n", "\tw, h = w&15+20, h&7+1\n")
	} else {
		d.params = append(d.params, "out, g [][]"+t)
	}
	d.types = fmt.Sprintf("func clamp%d(v, lo, hi int) int {\n\tif v < lo {\n\t\treturn lo\n\t}\n\tif v > hi {\n\t\treturn hi\n\t}\n\treturn v\n}\n\n", d.n) +
		fmt.Sprintf("func around%d(i, n int) int {\n\tif i < 0 {\n\t\ti += n\n\t} else if i >= n {\n\t\ti -= n\n\t}\n\treturn i\n}\n\n", d.n)
	add, stored := "s += %s", "s"
	wide := t
	switch {
	case t == "bool":
		wide, add, stored = "int", "if %s {\n\ts++\n}", pick(d.generator, "s == 3", "s&1 == 0", "s > 1")
	case !isFloat(t):
		wide = pick(d.generator, t, "int")
		add, stored = "s += "+wide+"(%s)", t+"("+pick(d.generator, "s", "s / 3", "s >> 1")+")"
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, "\tfor y := %s; y < %s; y++ {\n\t\tfor x := %s; x < %s; x++ {\n\t\t\ts := %s(0)\n", pick(d.generator, "0", "0", "1"), g.h, pick(d.generator, "0", "0", "1"), g.w, wide)
	if d.chance(0.5) {
		g.around(&sb, add)
	} else {
		for range 2 + d.rnd.IntN(4) {
			g.one(&sb, add)
		}
	}
	fmt.Fprintf(&sb, "\t\t\t%s = %s\n\t\t}\n\t}\n", g.at("out", "y", "x"), stored)
	return sb.String()
}

// at is the element of matrix m in a row and a column.
func (g *gridder) at(m, row, col string) string {
	if g.flat {
		return fmt.Sprintf("%s[%s*w+%s]", m, row, col)
	}
	return fmt.Sprintf("%s[%s][%s]", m, row, col)
}

// around goes through the neighbours in two loops.
func (g *gridder) around(sb *strings.Builder, add string) {
	sb.WriteString("\t\t\tfor dy := -1; dy <= 1; dy++ {\n\t\t\t\tfor dx := -1; dx <= 1; dx++ {\n")
	lines := pick(g.generator, "", "if dy == 0 && dx == 0 {\n\tcontinue\n}\n")
	row, col := g.held("y+dy", g.h), g.held("x+dx", g.w)
	switch g.rnd.IntN(3) {
	case 0:
		lines += fmt.Sprintf("v, u := y+dy, x+dx\nif v < 0 || v >= %s || u < 0 || u >= %s {\n\tcontinue\n}\n", g.h, g.w)
		row, col = "v", "u"
	case 1:
		lines += fmt.Sprintf("v, u := %s, %s\n", row, col)
		row, col = "v", "u"
	}
	lines += fmt.Sprintf(add, g.at("g", row, col)) + "\n"
	sb.WriteString(indented(lines, 5) + "\t\t\t\t}\n\t\t\t}\n")
}

// one is one neighbour.
func (g *gridder) one(sb *strings.Builder, add string) {
	dy, dx := pick(g.generator, "", "", "-1", "+1", "+2"), pick(g.generator, "", "", "-1", "+1", "-2")
	row, col := "y"+dy, "x"+dx
	if g.chance(0.5) {
		cond := g.inside(row, dy, g.h) + " && " + g.inside(col, dx, g.w)
		sb.WriteString(indented("if "+cond+" {\n"+indented(fmt.Sprintf(add, g.at("g", "("+row+")", "("+col+")"))+"\n", 1)+"}\n", 3))
		return
	}
	sb.WriteString(indented(fmt.Sprintf(add, g.at("g", g.held(row, g.h), g.held(col, g.w)))+"\n", 3))
}

// inside is the condition that number e, which is d beside the place of the iteration, is below n and not negative.
func (g *gridder) inside(e, d, n string) string {
	switch {
	case d == "" && g.chance(0.5):
		return "true"
	case strings.HasPrefix(d, "-"):
		return pick(g.generator, e+" >= 0", e[:1]+" >= "+d[1:], e+" > -1")
	}
	return pick(g.generator, e+" < "+n, e+" <= "+n+"-1", n+" > "+e, e[:1]+" < "+n+"-2")
}

// held is number e held between 0 and n.
func (g *gridder) held(e, n string) string {
	return fmt.Sprintf(pick(g.generator, "clamp%[1]d(%[2]s, 0, %[3]s-1)", "around%[1]d(%[2]s, %[3]s)", "((%[2]s+%[3]s)%%%[3]s)", "min(max(%[2]s, 0), %[3]s-1)", "max(min(%[2]s, %[3]s-1), 0)"), g.n, e, n)
}

func indented(lines string, tabs int) string {
	var sb strings.Builder
	for line := range strings.Lines(lines) {
		sb.WriteString(strings.Repeat("\t", tabs) + line)
	}
	return sb.String()
}

// lastElements asks whether there is a next element.
func lastElements(d *idiom) string {
	d.slicesOf("x")
	d.results = append(d.results, "c int")
	d.params = append(d.params, "dst []"+d.main, "n, from int")
	end := pick(d.generator, "len(x)", "n", "len(x)-1", "n+1")
	head := pick(d.generator, "for i := 0; i < %s; i++ {", "for i := from & 7; i < %s; i++ {", "for i := 2; i <= %s; i++ {", "for i := range x {", "for i := from; i < %s; i++ {")
	if strings.Contains(head, "%s") {
		head = fmt.Sprintf(head, end)
	} else {
		end = "len(x)"
	}
	d.inits = pick(d.generator, "\tn = min(n, len(x), len(dst))\n", "\tn &= 127\n", "")
	if d.inits == "" && strings.HasPrefix(end, "n") && strings.Contains(head, "from;") {
		d.inits = "\tfrom = max(from, n-200)\n" // or it would take long
	}
	var sb strings.Builder
	for range 1 + d.rnd.IntN(3) {
		say := strings.NewReplacer("K", pick(d.generator, "1", "1", "2", "3", "17"), "END", end, "OP", d.op()).Replace
		cond := say(pick(d.generator, "i+K < END", "i < END-K", "i != END-K", "i == END-K", "i >= END-K", "END-K > i", "i <= END-K", "i-K >= 0", "i < 0", "i > END+K", "i < n"))
		then := say(pick(d.generator, "dst[i] = x[i+K]", "dst[i] OP= x[i]", "c++", "if x[i+K] > x[i] {\n\tc++\n}", "dst[i] = 3", "x[i] OP= 1"))
		sb.WriteString("if " + cond + " {\n" + indented(then+"\n", 1) + "}")
		if d.chance(0.4) {
			sb.WriteString(" else {\n\tdst[i] = x[i]\n}")
		}
		sb.WriteString("\n")
	}
	return "\t" + head + "\n" + indented(sb.String(), 2) + "\t}\n"
}
