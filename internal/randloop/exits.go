package randloop

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Some loops are left from inside. Where and how is drawn from numbers of their own,
// so that all other loops stay what they are.

// exits decides whether the loops of function i may be left.
func (g *generator) mayExit(seed uint64, i int) {
	g.exits = rand.New(rand.NewPCG(seed+1000003, uint64(i)))
	if g.exits.IntN(6) > 0 {
		g.exits = nil
		return
	}
	g.used = append(g.used, "exit")
}

// exit leaves the loop now and then, perhaps after some work.
func (g *generator) exit(indent int) string {
	if g.exits == nil || g.exits.IntN(2) == 0 {
		return ""
	}
	rest := g.rnd
	g.rnd = g.exits
	defer func() { g.rnd = rest }()

	in := tabs(indent)
	cond := g.condition(1)
	switch g.rnd.IntN(3) {
	case 0:
		cond = fmt.Sprintf("%s%%37 == %d", g.index, g.rnd.IntN(37))
	case 1:
		cond = fmt.Sprintf("(%s) && %s%%%d == 3", cond, g.index, 5+g.rnd.IntN(30))
	}
	work := ""
	if len(g.sums) > 0 && g.chance(0.5) {
		s := pick(g, g.sums...)
		work = fmt.Sprintf("%s\t%s++\n", in, s.name)
		if g.chance(0.5) { // what nobody reads but the iteration that leaves
			work = fmt.Sprintf("%s\t%s = %s\n", in, s.name, g.expr(s.typ, 1))
		}
	}
	leave := pick(g, "break", "return", "return", `panic("left")`)
	s := fmt.Sprintf("%sif %s {\n%s%s\t%s\n%s}\n", in, cond, work, in, leave, in)
	if g.chance(0.3) {
		s = fmt.Sprintf("%sif %s {\n%s%s}\n", in, g.condition(1), s, in)
	}
	return s
}

// leftWith is a search that ends with what earlier iterations have set: variables that nobody
// reads but the iteration that leaves the loop.
func (d *idiom) leftWith() string {
	d.integerMain()
	d.slicesOf("x", "y")
	d.params, d.results = append(d.params, "tab *[8]"+d.main), []string{"at " + d.main, "n int"}
	now, read := "", "last"
	switch d.rnd.IntN(6) {
	case 0:
		now, read = "w := last", "w"
	case 1:
		now, read = fmt.Sprintf("w := %s(1)\n\t\tif last > %d {\n\t\t\tw += last\n\t\t}", d.main, d.rnd.IntN(9)), "w"
	case 2:
		now, read = "p := &tab[last&7]", "*p"
	case 3:
		now, read = "at = last", "at"
	case 4:
		read = "last+older"
	}
	cond := pick(d.generator, "x[i] > 5", "x[i]&15 == 3", d.condition(0))
	leave := pick(d.generator, fmt.Sprintf("return %s, i", read), fmt.Sprintf("at = %s\n\t\t\tbreak", read), fmt.Sprintf("panic(int64(%s))", read))
	exit := fmt.Sprintf("if %s {\n\t\t\t%s\n\t\t}", cond, leave)
	set := pick(d.generator, "last = ", "older, last = last, ") + pick(d.generator, "x[i] ^ 3", d.main+"(i)", d.value(d.main))
	lines := []string{exit, set}
	if now != "" {
		lines = []string{now, exit, set}
		if d.chance(0.5) {
			lines = []string{now, set, exit}
		}
	}
	if d.chance(0.3) {
		lines = append(lines, fmt.Sprintf("y[i] = %s", d.value(d.slices[1].typ)))
	}
	if d.chance(0.3) {
		lines = append(lines, "at = 0")
	}
	if strings.Contains(read, "older") || strings.Contains(set, "older") || d.chance(0.6) {
		return fmt.Sprintf("\tlast, older := %s(7), %[1]s(1)\n\t_ = older\n", d.main) + d.each(lines...)
	}
	head := fmt.Sprintf("\tfor i, last := 0, %s(7); i < len(x); i++ {", d.main)
	if d.chance(0.3) {
		head = fmt.Sprintf("\tfor i, last := 0, %s(7); ; i++ {\n\t\tif i == len(x) {\n\t\t\treturn last, -1\n\t\t}", d.main)
	}
	return fmt.Sprintf("%s\n\t\t%s\n\t}\n", head, strings.Join(lines, "\n\t\t"))
}
