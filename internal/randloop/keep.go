package randloop

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Some loops put side by side what they keep, or deal out what lies side by side. How is
// drawn from numbers of their own, so that all other loops stay what they are.

// mayKeep decides whether the loops of function i keep elements.
func (g *generator) mayKeep(seed uint64, i int) {
	g.keeps = rand.New(rand.NewPCG(seed+2000003, uint64(i)))
	if g.keeps.IntN(8) > 0 {
		g.keeps = nil
		return
	}
	g.used = append(g.used, "keep")
}

// keptOutputs are parameters for what is kept and results that count it.
func (g *generator) keptOutputs() (params, results []string) {
	if g.keeps == nil {
		return nil, nil
	}
	rest := g.rnd
	g.rnd = g.keeps
	defer func() { g.rnd = rest }()
	for _, name := range []string{"o0", "o1"} {
		v := variable{name: name, typ: g.typ()}
		g.kept = append(g.kept, v)
		params = append(params, fmt.Sprintf("%s []%s", v.name, v.typ))
	}
	counter := pick(g, "int", "int", "int", "int64", "int32", "uint8", "int16", "uint")
	return params, []string{"n0 " + counter, "n1 " + counter}
}

// keep stores what is kept.
func (g *generator) keep(indent int) string {
	if g.keeps == nil {
		return ""
	}
	rest := g.rnd
	g.rnd = g.keeps
	defer func() { g.rnd = rest }()

	in := tabs(indent)
	store := func(v variable, n string) string {
		x := g.expr(v.typ, 1)
		if g.chance(0.2) && !isFloat(v.typ) {
			x = fmt.Sprintf("%s(%s)", v.typ, g.index)
		}
		return fmt.Sprintf("%s\t%s[%s] = %s\n", in, v.name, n, x)
	}
	a, b := g.kept[0], g.kept[1]
	if x := g.slices[0]; g.chance(0.3) && x.at == nil && x.field == "" && !x.ro && !strings.Contains(x.name, ".") {
		a = x // in place
	}
	cond, up := g.condition(1), in+"\tn0++\n"
	if g.chance(0.2) { // until there are enough
		half := fmt.Sprintf("int(n0) >= len(%s)/2", g.slices[0].name)
		enough := pick(g, "int(n0) == len(o0)", "int(n0) >= len(o0)", "n0 == 9", "n0 > 40", half, "n0 != 3")
		up += fmt.Sprintf("%s\tif %s {\n%[1]s\t\tbreak\n%[1]s\t}\n", in, enough)
	}
	switch g.rnd.IntN(9) {
	case 8:
		return g.sortedOut(indent, cond, strings.TrimPrefix(store(a, "n0"), "\t")+strings.TrimPrefix(up, "\t"))
	case 0:
		return fmt.Sprintf("%s%sif %s {\n%s%s}\n", strings.TrimPrefix(store(a, "n0"), "\t"), in, cond, up, in)
	case 1:
		return fmt.Sprintf("%sif %s {\n%s%s%s%s}\n", in, cond, store(a, "n0"), store(b, "n0"), up, in)
	case 2:
		return fmt.Sprintf("%sif %s {\n%s%s%s} else {\n%s%s\tn1++\n%s}\n", in, cond, store(a, "n0"), up, in, store(b, "n1"), in, in)
	case 3:
		first := strings.Replace(store(a, "n0"), "[n0]", "[n0-1]", 1)
		return fmt.Sprintf("%sif %s {\n%s%s\tif %s {\n\t%s%s\t\tn1++\n%s\t}\n%s}\n", in, cond, up+first, in, g.condition(0), store(b, "n1"), in, in, in)
	}
	if g.rnd.IntN(2) == 0 {
		return fmt.Sprintf("%sif %s {\n%s%s%s}\n", in, cond, store(a, "n0"), up, in)
	}
	return g.deal(indent, a, b, cond)
}

// sortedOut does what keeps an element behind conditions that leave it out, or in the case of some.
func (g *generator) sortedOut(indent int, cond, keep string) string {
	in := tabs(indent)
	x := g.slices[0]
	item, c := g.element(x), func() string { return fmt.Sprint(g.rnd.IntN(9)) }
	cases := fmt.Sprintf("%s + 1, %s(%s)", item, x.typ, c()) // constants that are the same are an error
	body := in + "\t" + strings.ReplaceAll(strings.TrimRight(keep, "\n"), "\n", "\n\t")[len(in):] + "\n"
	switch g.rnd.IntN(4) {
	case 0:
		return fmt.Sprintf("%[1]sif %[2]s {\n%[1]s\tcontinue\n%[1]s}\n%[3]s", in, cond, keep)
	case 1:
		return fmt.Sprintf("%[1]sswitch {\n%[1]scase %[2]s:\n%[1]s\tcontinue\n%[1]scase %[3]s:\n%[1]s\tcontinue\n%[1]s}\n%[4]s", in, cond, g.condition(1), keep)
	case 2:
		return fmt.Sprintf("%[1]sswitch %[2]s {\n%[1]scase %[3]s:\n%[1]sdefault:\n%[4]s%[1]s}\n", in, item, cases, body)
	}
	return fmt.Sprintf("%[1]sswitch %[2]s {\n%[1]scase %[3]s:\n%[4]s%[1]s}\n", in, item, cases, body)
}

// deal reads b by the first counter, and perhaps stores to a by position or by the other
// counter.
func (g *generator) deal(indent int, a, b variable, cond string) string {
	in := tabs(indent)
	at := g.index
	if a.name == "o0" {
		at = "n1"
	}
	to := func(x string) string { return fmt.Sprintf("%s[%s] = %s(%s)\n", a.name, at, a.typ, x) }
	read := fmt.Sprintf("%s[n0]", b.name)
	count := ""
	if at == "n1" {
		count = in + "\tn1++\n"
	}
	switch g.rnd.IntN(3) {
	case 0:
		return fmt.Sprintf("%sif %s {\n%s\t%s%s\tn0++\n%s%s}\n", in, cond, in, to(read), in, count, in)
	case 1:
		body := fmt.Sprintf("%svar d %s\n%sif %s {\n%s\td = %s\n%s\tn0++\n%s}\n", in, b.typ, in, cond, in, read, in, in)
		return body + in + to("d") + strings.TrimPrefix(count, "\t")
	}
	body := fmt.Sprintf("%sd := %s\n%sif %s {\n%s\tn0++\n%s}\n", in, read, in, cond, in, in)
	return body + in + to("d") + strings.TrimPrefix(count, "\t")
}
