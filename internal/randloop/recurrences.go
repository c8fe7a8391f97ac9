package randloop

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Some loops are recurrences: variables and neighbouring elements that are computed from
// those of the iterations before, also from each other and under conditions. Most
// would be no faster with lanes; half of them are made so whatever they cost.

// mayRecur decides whether the loop of function i is one of them.
func (g *generator) mayRecur(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed+5000077, uint64(i)))
	if g.near == nil && g.order == nil && g.moving == nil && r.IntN(9) == 0 {
		g.used = append(g.used, "recurrence")
		g.recur = r
	}
}

// recurrence writes such a function.
func (g *generator) recurrence(n int) string {
	g.rnd, g.exits, g.states, g.keeps = g.recur, nil, nil, nil
	g.used = []string{"recurrence"}
	g.main, g.index = pick(g, "float32", "float32", "float64", "int32", "int64", "uint16", "uint8"), "i"
	var params, results []string
	for _, name := range []string{"x", "y", "z", "u"}[:2+g.rnd.IntN(3)] {
		g.slices = append(g.slices, variable{name: name, typ: g.main})
		params = append(params, name+" []"+g.main)
	}
	var vars []variable
	for _, name := range []string{"s", "t", "q"}[:g.rnd.IntN(4)] {
		vars = append(vars, variable{name: name, typ: g.main})
		results = append(results, name+" "+g.main)
	}
	if g.chance(0.2) {
		results = append(results, "on bool")
	}
	reach := pick(g, 1, 1, 2, 3, 9)
	head := fmt.Sprintf("for i := %d; i < len(x); i++ {", reach)
	if g.chance(0.2) {
		head = fmt.Sprintf("for i := len(x) - 1 - %d; i >= 0; i-- {", reach)
	}
	r := &recurring{generator: g, vars: vars, reach: reach, down: strings.HasSuffix(head, "i-- {")}
	var sb strings.Builder
	for range 1 + g.rnd.IntN(3) {
		sb.WriteString(r.statement())
	}
	for _, v := range vars {
		if g.chance(0.2) {
			sb.WriteString(r.extremeUnder(v))
			continue
		}
		next := r.value(2)
		if g.chance(0.5) {
			next = r.several(v)
		}
		sb.WriteString(r.under(fmt.Sprintf("%s = %s", v.name, next)))
	}
	if len(results) > len(vars) {
		fmt.Fprintf(&sb, "\t\tif on {\n\t\t\ton = %s\n\t\t} else {\n\t\t\ton = %s\n\t\t}\n\t\tif on {\n\t\t\ty[i] = %s\n\t\t}\n", r.condition(), r.condition(), r.value(1))
	}
	clause := pick(g, "", "", " simdlen(8)", " simdlen(4)", " simdlen(8) exclusive")
	out := ""
	if len(results) > 0 {
		out = " (" + strings.Join(results, ", ") + ")"
	}
	return fmt.Sprintf("//vec:func F%d%s\nfunc f%d(%s)%s {\n\t%s\n%s\t}\n\treturn\n}\n",
		n, clause, n, strings.Join(params, ", "), out, head, sb.String())
}

// recurring writes the statements of a recurrence.
type recurring struct {
	*generator
	vars  []variable
	reach int
	down  bool
}

// before is an element that an iteration before has stored, or the one of this iteration.
func (r *recurring) before() string {
	x := pick(r.generator, r.slices...)
	sign := "-"
	if r.down {
		sign = "+"
	}
	if r.chance(0.3) {
		return x.name + "[i]"
	}
	return fmt.Sprintf("%s[i%s%d]", x.name, sign, 1+r.rnd.IntN(r.reach))
}

func (r *recurring) item() string {
	if len(r.vars) > 0 && r.chance(0.4) {
		return pick(r.generator, r.vars...).name
	}
	return r.before()
}

func (r *recurring) value(depth int) string {
	if depth == 0 || r.chance(0.2) {
		return r.item()
	}
	a, b := r.value(depth-1), r.value(depth-1)
	if r.chance(0.1) {
		b = pick(r.generator, "2", "3", "1")
	}
	if r.chance(0.15) {
		return fmt.Sprintf("%s(%s, %s)", pick(r.generator, "min", "max"), r.before(), b)
	}
	op := pick(r.generator, "+", "-", "*")
	if !isFloat(r.main) && r.chance(0.4) {
		op = pick(r.generator, "^", "|", "&")
	}
	return fmt.Sprintf("(%s %s %s)", a, op, b)
}

// several is one operation of v, somewhat changed, and of several elements.
func (r *recurring) several(v variable) string {
	parts := []string{r.before(), fmt.Sprintf("%s%s%s", v.name, pick(r.generator, "+", "-", "*"), pick(r.generator, "1", "2", r.before()))}
	r.rnd.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	parts = append(parts, r.before())
	if r.chance(0.5) {
		return fmt.Sprintf("%s(%s)", pick(r.generator, "min", "max"), strings.Join(parts, ", "))
	}
	op := pick(r.generator, "+", "*")
	if !isFloat(r.main) {
		op = pick(r.generator, "+", "*", "&", "|", "^")
	}
	return fmt.Sprintf("(%s) %[2]s (%s) %[2]s (%s)", parts[0], op, parts[1], parts[2])
}

// extremeUnder is the largest or smallest of elements among those under another condition.
func (r *recurring) extremeUnder(v variable) string {
	other, item, op := r.condition(), r.before(), pick(r.generator, "<", ">", "<=")
	switch r.rnd.IntN(3) {
	case 0:
		return fmt.Sprintf("\t\tif item := %s; %s && item %s %s {\n\t\t\t%[4]s = item\n\t\t}\n", item, other, op, v.name)
	case 1:
		return fmt.Sprintf("\t\tif item := %s; item %s %s {\n\t\t\tif %s {\n\t\t\t\t%[3]s = item\n\t\t\t}\n\t\t}\n", item, op, v.name, other)
	}
	return fmt.Sprintf("\t\tif item := %s; !(%s || item %s %s) {\n\t\t\t%[4]s = item\n\t\t}\n", item, other, op, v.name)
}

func (r *recurring) condition() string {
	return fmt.Sprintf("%s %s %s", r.before(), pick(r.generator, "<", ">", "<=", "!="), r.item())
}

func (r *recurring) statement() string {
	return r.under(fmt.Sprintf("%s[i] = %s", pick(r.generator, r.slices...).name, r.value(2)))
}

// under puts s under a condition, now and then.
func (r *recurring) under(s string) string {
	switch r.rnd.IntN(6) {
	case 0:
		return fmt.Sprintf("\t\tif %s {\n\t\t\t%s\n\t\t}\n", r.condition(), s)
	case 1:
		return fmt.Sprintf("\t\tif %s {\n\t\t\t%s\n\t\t} else {\n\t\t\t%s[i] = %s\n\t\t}\n", r.condition(), s, pick(r.generator, r.slices...).name, r.value(1))
	}
	return "\t\t" + s + "\n"
}
