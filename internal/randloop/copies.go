package randloop

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Some loops are unrolled by hand: their iterations do the same several times, one
// element after the other, or nearly the same.

// mayCopy decides whether the loop of function i is one of them.
func (g *generator) mayCopy(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed+8000009, uint64(i)))
	if r.IntN(9) == 0 && g.near == nil && g.order == nil && g.moving == nil && g.recur == nil {
		g.used = append(g.used, "copies")
		g.copied = r
	}
}

// A copied is text that is different for each copy.
type copied func(k int) string

// copies writes such a function.
func (g *generator) copies(n int) string {
	g.rnd, g.exits, g.states, g.keeps, g.inducts = g.copied, nil, nil, nil, nil
	g.used = []string{"copies"}
	g.main = pick(g, "float32", "float32", "float64", "int32", "int32", "int16", "uint8", "int64")
	var params, results []string
	for _, name := range []string{"x", "y", "z"}[:1+g.rnd.IntN(3)] {
		g.slices = append(g.slices, variable{name: name, typ: g.main})
		params = append(params, name+" []"+g.main)
	}
	params = append(params, "a "+g.main)
	factor := pick(g, 2, 2, 3, 4, 4, 4, 5, 8)
	head, at := g.copyHead(factor)
	e := func(k int) string { return fmt.Sprintf(at, k) }
	var parts [][]string // statements of each copy
	for range factor {
		parts = append(parts, nil)
	}
	separate := true // statements may stand in any order
	for s := range 1 + g.rnd.IntN(3) {
		stmt, result := g.copyStmt(s, factor, e)
		results = append(results, result...)
		separate = separate && len(result) == 0
		for k := range factor {
			parts[k] = append(parts[k], stmt(k))
		}
	}
	if g.chance(0.15) {
		parts[g.rnd.IntN(factor)][0] = "_ = a"
	}
	clause := ""
	if g.chance(0.5) {
		clause = " reassoc"
	}
	return fmt.Sprintf("//vec:func F%d%s\nfunc f%d(%s) (%s) {\n\t%s\n\t\t_, _ = a, i\n\t\t%s\n\t}\n\treturn\n}\n", n, clause, n,
		strings.Join(params, ", "), strings.Join(results, ", "), head, strings.Join(g.arranged(parts, separate), "\n\t\t"))
}

// copyHead is the head of the loop, and how copies write their subscripts.
func (g *generator) copyHead(factor int) (head, at string) {
	switch g.rnd.IntN(6) {
	case 0:
		return fmt.Sprintf("for i := range (len(x) - 3) / %d {", factor), fmt.Sprintf("%d*i+%%d", factor)
	case 1:
		return fmt.Sprintf("for i := len(x) - 1; i >= %d; i -= %d {", factor+2, factor), "i-%d"
	case 2:
		return fmt.Sprintf("for i := 0; i < len(x); i += %d {", factor), "i+%d" // into a panic, perhaps
	}
	return fmt.Sprintf("for i := 0; i+%d <= len(x); i += %d {", factor+3, factor), "i+%d"
}

// arranged are the statements of all copies: copy by copy, statement by statement, or in
// any order.
func (g *generator) arranged(parts [][]string, separate bool) (all []string) {
	way := g.rnd.IntN(4)
	if way == 1 {
		for s := range parts[0] {
			for _, p := range parts {
				all = append(all, p[s])
			}
		}
		return all
	}
	for _, p := range parts {
		all = append(all, p...)
	}
	if way == 2 && separate {
		g.rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	return all
}

// copyStmt is statement s of all copies, and the results that it has.
func (g *generator) copyStmt(s, factor int, at copied) (stmt copied, results []string) {
	x := g.copyExpr(at, 2)
	to := pick(g, g.slices...).name
	sum := fmt.Sprintf("s%d", s)
	op := pick(g, "+=", "+=", "+=", "-=", "=")
	switch g.rnd.IntN(9) {
	case 0:
		return func(k int) string { return fmt.Sprintf("%s %s %s", sum, op, x(k)) }, []string{sum + " " + g.main}
	case 1:
		return func(k int) string { return fmt.Sprintf("%s = max(%[1]s, %s)", sum, x(k)) }, []string{sum + " " + g.main}
	case 2:
		for k := range factor {
			results = append(results, fmt.Sprintf("%s_%d %s", sum, k, g.main))
		}
		op = pick(g, "+=", "+=", "-=")
		return func(k int) string { return fmt.Sprintf("%s_%d %s %s", sum, k, op, x(k)) }, results
	case 3:
		last := x(factor - 1)
		for k := range factor - 1 {
			last += " + " + x(k)
		}
		return func(k int) string {
			if k > 0 {
				return "_ = a"
			}
			return sum + " += " + last
		}, []string{sum + " " + g.main}
	case 4:
		return func(k int) string { return fmt.Sprintf("%s[%s] = %s + %s; %[3]s = %[4]s", to, at(k), sum, x(k)) }, []string{sum + " " + g.main}
	case 5, 6:
		y := g.copyExpr(at, 1)
		return func(k int) string { return fmt.Sprintf("if %s > a { %s[%s] = %s }", y(k), to, at(k), x(k)) }, nil
	}
	return func(k int) string { return fmt.Sprintf("%s[%s] %s %s", to, at(k), op, x(k)) }, nil
}

// copyExpr is an expression over the elements of a copy.
func (g *generator) copyExpr(at copied, depth int) copied {
	if depth == 0 || g.chance(0.3) {
		name, off := pick(g, g.slices...).name, ""
		switch g.rnd.IntN(8) {
		case 0:
			return func(int) string { return "a" }
		case 1:
			off = "+1"
		case 2:
			return func(k int) string { return fmt.Sprintf("%s(%s)", g.main, at(k)) }
		}
		return func(k int) string { return name + "[" + at(k) + off + "]" }
	}
	x, y := g.copyExpr(at, depth-1), g.copyExpr(at, depth-1)
	op := pick(g, "+", "+", "*", "-")
	swaps := op != "-" && !isFloat(g.main)
	return func(k int) string {
		if swaps && k%3 == 2 {
			return fmt.Sprintf("(%s %s %s)", y(k), op, x(k))
		}
		return fmt.Sprintf("(%s %s %s)", x(k), op, y(k))
	}
}
