package randloop

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Some loops add up floats without leave to do so in another order, or go on from what
// the iteration before has computed in some other way. They ask for a number of lanes, so
// that they get kernels whatever the costs say.

// mayOrder decides whether the loop of function i is one of them.
func (g *generator) mayOrder(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed+4000037, uint64(i)))
	if r.IntN(9) == 0 {
		g.used = append(g.used, "order")
		g.order = r
	}
}

// ordered writes such a function.
func (g *generator) ordered(n int) string {
	g.rnd, g.exits, g.states, g.keeps, g.inducts = g.order, nil, nil, nil, nil
	g.used = []string{"order"}
	g.main, g.mixed, g.depth = pick(g, floatTypes...), .15, 2
	g.index = "i"
	var params, results []string
	for _, name := range []string{"x", "y", "z"}[:1+g.rnd.IntN(3)] {
		v := variable{name: name, typ: g.typ()}
		g.slices = append(g.slices, v)
		params = append(params, name+" []"+v.typ)
	}
	g.scalars = []variable{{name: "a", typ: g.main}}
	params = append(params, "a "+g.main)
	for k := range 1 + g.rnd.IntN(3) {
		v := variable{name: fmt.Sprintf("s%d", k), typ: g.main}
		g.sums = append(g.sums, v)
		results = append(results, v.name+" "+v.typ)
	}
	head := "for i := range x {"
	if g.chance(0.2) {
		head = "for i := len(x) - 1; i >= 0; i-- {"
	}
	var sb strings.Builder
	for range 1 + g.rnd.IntN(3) {
		sb.WriteString(g.orderStmt(2, 1))
	}
	return fmt.Sprintf("//vec:func F%d simdlen(%d)\nfunc f%d(%s) (%s) {\n\t%s\n%s\t}\n\treturn\n}\n",
		n, pick(g, 2, 4, 8, 16), n, strings.Join(params, ", "), strings.Join(results, ", "), head, sb.String())
}

// orderStmt goes on with a variable, or uses it.
func (g *generator) orderStmt(indent, depth int) string {
	s, in := pick(g, g.sums...), tabs(indent)
	e := func() string { return g.expr(s.typ, g.depth) }
	switch k := g.rnd.IntN(16); {
	case k < 5:
		return fmt.Sprintf("%s%s %s %s\n", in, s.name, pick(g, "+=", "+=", "+=", "-=", "*="), e())
	case k == 5:
		return fmt.Sprintf("%s%s = %[2]s + %s - %s\n", in, s.name, e(), e())
	case k == 6:
		return fmt.Sprintf("%s%s = %[2]s*a + %s\n", in, s.name, e())
	case k == 7:
		return fmt.Sprintf("%s%s, %s = %[3]s, %[2]s+%s\n", in, g.sums[0].name, g.sums[len(g.sums)-1].name, e())
	case k == 8:
		y := pick(g, g.slices...)
		return fmt.Sprintf("%s%s[i] = %s(%s)\n", in, y.name, y.typ, s.name+pick(g, "", "*2"))
	case k == 9:
		return fmt.Sprintf("%s%s += (%s - %[2]s) * a\n", in, s.name, e())
	case k == 10 && depth > 0:
		return fmt.Sprintf("%sif %s {\n%s%[1]s} else {\n%[4]s%[1]s}\n", in, g.condition(1), g.orderStmt(indent+1, depth-1), g.orderStmt(indent+1, depth-1))
	case k == 11 && depth > 0:
		return fmt.Sprintf("%sif %s {\n%s%s\tcontinue\n%[1]s}\n", in, g.condition(1), g.orderStmt(indent+1, depth-1), in)
	case k < 15 && depth > 0:
		return fmt.Sprintf("%sif %s {\n%s%[1]s}\n", in, g.condition(1), g.orderStmt(indent+1, depth-1))
	}
	return fmt.Sprintf("%s%s += %s\n", in, s.name, e())
}
