package randloop

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Some loops look up items, of several elements side by side, by subscripts that they load:
// mostly under conditions, and lanes for which those are false have subscripts of nothing.

// mayLookUp decides whether the loop of function i is one of them.
func (g *generator) mayLookUp(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed+17000023, uint64(i)))
	if r.IntN(12) == 0 {
		g.used = append(g.used, "items")
		g.items = r
	}
}

// lookUps writes such a function.
func (g *generator) lookUps(n int) string {
	g.rnd, g.exits, g.states, g.keeps = g.items, nil, nil, nil
	g.used = []string{"items"}
	g.main = pick(g, "float32", "float64", "int", "int32", "int32", "uint8", "int16", "uint64")
	g.index = "i"
	key := variable{name: "k", typ: pick(g, "int", "int", "int32", "int32", "uint8", "uint16", "int64", "uint32")}
	x := variable{name: "x", typ: g.main}
	params := []string{"k []" + key.typ, "x []" + g.main, "z []" + g.main, "w []int32"}
	types, fields := "", []string{""}
	if g.chance(0.3) {
		types = fmt.Sprintf("type rec%d struct {\n\ta, b, c %s\n}\n\n", n, g.main)
		params[1], fields = fmt.Sprintf("x []rec%d", n), []string{".a", ".b", ".c"}
	}
	place, body := g.itemPlace(key), ""
	if g.chance(0.2) {
		body = "\t\tat := " + place + "\n\t\t_ = at\n"
		place = "at"
	}
	item := func() string {
		at := place
		if g.chance(0.5) {
			at += fmt.Sprintf("%s%d", pick(g, "+", "+", "+", "-"), 1+g.rnd.IntN(3))
		}
		return fmt.Sprintf("%s[%s]%s", x.name, at, pick(g, fields...))
	}
	for range 1 + g.rnd.IntN(3) {
		body += g.itemStmt(2, item, place)
	}
	head := pick(g, "for i := range k {", "for i := range len(z) {", "for i := 0; i < len(w); i++ {", "for i := len(k) - 1; i >= 0; i-- {")
	return fmt.Sprintf("%s//vec:func F%d\nfunc f%d(%s) (s %s) {\n\t%s\n%s\t}\n\treturn s\n}\n",
		types, n, n, strings.Join(params, ", "), g.main, head, body)
}

// itemPlace is where items begin: a loaded number, or a multiple of it.
func (g *generator) itemPlace(key variable) string {
	load := "k[i]"
	if key.typ != "int" {
		load = "int(k[i])"
	}
	return pick(g, load, load, load, "2*"+load, "3*"+load, "4*"+load, load+"*int(k[0])", load+"&^3", load+"&31", load+">>1")
}

// itemStmt is a statement about items, under a condition or not.
func (g *generator) itemStmt(indent int, item func() string, place string) string {
	in := tabs(indent)
	if indent < 4 && g.chance(0.7) {
		cond := g.itemCondition(item, place)
		switch g.rnd.IntN(6) {
		case 0:
			return fmt.Sprintf("%sif %s {\n%s\tcontinue\n%s}\n%s", in, cond, in, in, g.itemStmt(indent, item, place))
		case 1:
			return fmt.Sprintf("%sif %s {\n%s%s} else {\n%s%s}\n", in, cond, g.itemStmt(indent+1, item, place), in, g.itemStmt(indent+1, item, place), in)
		case 2:
			return fmt.Sprintf("%sswitch i {\n%scase 0, 1, 5:\n%s%sdefault:\n%s\tz[i]++\n%s}\n", in, in, g.itemStmt(indent+1, item, place), in, in, in)
		}
		return fmt.Sprintf("%sif %s {\n%s%s}\n", in, cond, g.itemStmt(indent+1, item, place), in)
	}
	value := item()
	for range g.rnd.IntN(4) {
		op := pick(g, "+", "-", "*")
		if !isFloat(g.main) {
			op = pick(g, "+", "-", "^", "&")
		}
		value = fmt.Sprintf("%s %s %s", value, op, item())
	}
	switch g.rnd.IntN(12) {
	case 0:
		return fmt.Sprintf("%s%s %s %s\n", in, item(), pick(g, "=", "+="), pick(g, "z[i]", "z[i]", value))
	case 1, 2, 3:
		return fmt.Sprintf("%ss = max(s, %s)\n", in, value)
	}
	return fmt.Sprintf("%sz[i] %s %s\n", in, pick(g, "=", "=", "+="), value)
}

func (g *generator) itemCondition(item func() string, place string) string {
	switch g.rnd.IntN(6) {
	case 0:
		return pick(g, "i < 2", "i > 20", "i&3 == 1", "i%5 != 0", "i == 7")
	case 1:
		return fmt.Sprintf("%s %s len(x)-%d", place, pick(g, "<", "<=", "!="), 1+g.rnd.IntN(5))
	case 2:
		return fmt.Sprintf("k[i] %s %d", pick(g, ">", "<", "!=", "=="), g.rnd.IntN(20))
	case 3:
		return fmt.Sprintf("%s %s %s", item(), pick(g, "<", "==", ">="), item())
	}
	return fmt.Sprintf("w[i] %s %d", pick(g, ">", "<", "!=", "=="), g.rnd.IntN(9)-4)
}
