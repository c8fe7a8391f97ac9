package randloop

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Some loops are a few statements over neighbouring elements of the same slices, so
// that iterations depend on each other in both directions: what is loaded first, and
// what is stored first, decides.

// mayNeighbour decides whether the loop of function i is one of them.
func (g *generator) mayNeighbour(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed+7000003, uint64(i)))
	if r.IntN(9) == 0 {
		g.used = append(g.used, "neighbours")
		g.near = r
	}
}

// neighbours writes such a function.
func (g *generator) neighbours(n int) string {
	g.rnd, g.exits, g.states, g.keeps = g.near, nil, nil, nil
	g.used = []string{"neighbours"}
	g.main = pick(g, "float32", "float32", "int32", "float64", "int16", "uint8", "int64")
	fields := g.chance(0.15)
	var params []string
	types := ""
	if fields {
		types = fmt.Sprintf("type rec%d struct {\n\tr, g, b %s\n}\n\n", n, g.main)
		params = append(params, fmt.Sprintf("x []rec%d", n))
	}
	for _, name := range []string{"x", "y", "z", "u"}[:2+g.rnd.IntN(3)] {
		if !fields {
			g.slices = append(g.slices, variable{name: name, typ: g.main})
			params = append(params, name+" []"+g.main)
			continue
		}
		g.slices = append(g.slices, variable{name: "x", typ: g.main, field: "." + pick(g, "r", "g", "b")})
	}
	if g.held = !fields && g.chance(0.4); g.held {
		params = append(params, "q []"+g.main, "k int")
	}
	step := pick(g, 1, 1, 1, 1, 1, 2, 3)
	reach := pick(g, 1, 1, 2, 3, 9)
	leaps := step > 1 && g.chance(0.4) // the counter does the steps
	e := func() string { return g.near1(step, reach, leaps) }
	g.index = "i"
	head := fmt.Sprintf("for i := %d; i < (len(x)-%d)/%d; i++ {", reach, reach, step)
	switch {
	case leaps:
		head = fmt.Sprintf("for i := %d; i < len(x)-%d; i += %d {", reach+g.rnd.IntN(3), reach, step)
	case g.chance(0.25):
		head = fmt.Sprintf("for i := (len(x)-1-%d)/%d; i >= %d; i-- {", reach, step, reach)
	}
	var sb strings.Builder
	if g.chance(0.3) {
		sb.WriteString("\t\tt := " + e() + "\n\t\t_ = t\n")
		g.temps = append(g.temps, variable{name: "t", typ: g.main})
	}
	for range 2 + g.rnd.IntN(3) {
		sb.WriteString(g.nearStmt(e))
	}
	return fmt.Sprintf("%s//vec:func F%d\nfunc f%d(%s) {\n\t%s\n%s\t}\n}\n", types, n, n, strings.Join(params, ", "), head, sb.String())
}

// near1 is a neighbour of the current element, or one that all iterations have in common.
func (g *generator) near1(step, reach int, leaps bool) string {
	if g.held && g.chance(0.3) {
		return pick(g, "q[0]", "q[1]", "q[k]", "q[k]", "x[k]")
	}
	x := pick(g, g.slices...)
	at := "i"
	switch {
	case leaps && g.chance(0.4):
		at = fmt.Sprintf("i/%d", step)
	case step > 1 && !leaps:
		at = fmt.Sprintf("%d*i", step)
	}
	if g.chance(0.5) {
		at += fmt.Sprintf("%s%d", pick(g, "+", "-"), 1+g.rnd.IntN(reach))
	}
	return x.name + "[" + at + "]" + x.field
}

func (g *generator) nearStmt(e func() string) string {
	item := func() string {
		if g.temps != nil && g.chance(0.2) {
			return "t"
		}
		return e()
	}
	value := item()
	for range g.rnd.IntN(3) {
		op := pick(g, "+", "-", "*")
		if !isFloat(g.main) {
			op = pick(g, "+", "-", "^", "|")
		}
		value = fmt.Sprintf("%s %s %s", value, op, item())
	}
	s := fmt.Sprintf("%s %s %s", e(), pick(g, "=", "=", "=", "+="), value)
	if g.temps != nil && g.chance(0.2) {
		s = "t = " + value
	}
	cond := fmt.Sprintf("%s %s %s", item(), pick(g, "<", ">", "<="), item())
	switch g.rnd.IntN(8) {
	case 0:
		return fmt.Sprintf("\t\tif %s {\n\t\t\t%s\n\t\t}\n", cond, s)
	case 1:
		return fmt.Sprintf("\t\tif %s {\n\t\t\t%s\n\t\t} else {\n\t\t\t%s = %s\n\t\t}\n", cond, s, e(), item())
	case 2:
		return fmt.Sprintf("\t\tif %s {\n\t\t\t%s\n\t\t\tcontinue\n\t\t}\n", cond, s)
	}
	return "\t\t" + s + "\n"
}
