package randloop

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Some loops have subscripts that go on steadily and jump now and then: positions in ring
// buffers, borders that hold back, ways that a condition on the counter chooses.

// mayStretch decides whether the loop of function i is one of them.
func (g *generator) mayStretch(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed+11000027, uint64(i)))
	if r.IntN(10) == 0 {
		g.used = append(g.used, "stretches")
		g.ring = r
	}
}

// A jumper is a position that the loop carries, with the statements that move it.
type jumper struct{ param, move string }

// stretches writes such a function.
func (g *generator) stretches(n int) string {
	g.rnd, g.exits, g.states, g.keeps, g.inducts = g.ring, nil, nil, nil, nil
	g.used = []string{"stretches"}
	g.main, g.depth, g.index = pick(g, "float32", "float64", "int32", "uint8", "int16", "int64"), 1, "i"
	g.slices = []variable{{name: "x", typ: g.main}, {name: "r", typ: g.main}}
	ring := pick(g, "r []%s", "r []%s", "r []%s", "r *[64]%s", "r *[300]%s")
	params := []string{"x []" + g.main, fmt.Sprintf(ring, g.main), "k int"}
	g.scalars = []variable{{name: "c", typ: g.main}}
	params = append(params, "c "+g.main)
	result, end := "", ""
	carried := g.chance(0.6)
	var j jumper
	var sb strings.Builder
	if carried {
		j = g.jumper()
		result, end = " (last int, _"+strings.TrimPrefix(j.param, "pos")+")", "\treturn last, pos\n"
		if g.chance(0.3) {
			sb.WriteString("\t\tlast = int(pos)\n")
		}
	}
	for range 1 + g.rnd.IntN(3) {
		sb.WriteString(g.stretchStmt(carried))
	}
	if carried && (!strings.Contains(sb.String(), "pos") || g.chance(0.2)) {
		sb.WriteString("\t\tx[i] += r[pos]\n")
	}
	body := sb.String() + j.move
	if carried {
		if g.chance(0.3) { // in memory
			j.param = strings.Replace(j.param, "pos ", "pos *", 1)
			body, end = strings.ReplaceAll(body, "pos", "(*pos)"), strings.ReplaceAll(end, "pos", "*pos")
		}
		params = append(params, j.param)
	}
	head := pick(g, "for i := range x {", "for i := range x {", "for i := 0; i < len(x); i++ {", "for i := len(x) - 1; i >= 0; i-- {", "for i := max(k, 0); i < len(x); i += 2 {", "for i := 0; i < len(x) && i < k; i++ {", "for i := 0; i < len(x) && i < len(r); i++ {")
	return fmt.Sprintf("//vec:func F%d%s\nfunc f%d(%s)%s {\n\t%s\n%s\t}\n%s}\n",
		n, pick(g, "", "", " simdlen(4)"), n, strings.Join(params, ", "), result, head, body, end)
}

// jumper makes the position.
func (g *generator) jumper() jumper {
	step := pick(g, 1, 1, 1, 2, 3)
	up, down := fmt.Sprintf("\t\tpos += %d\n", step), fmt.Sprintf("\t\tpos -= %d\n", step)
	limit := pick(g, "len(r)", "len(r)", "k", "40", "len(x)")
	switch g.rnd.IntN(9) {
	case 0:
		return jumper{"pos int", up + fmt.Sprintf("\t\tif pos == %s {\n\t\t\tpos = %d\n\t\t}\n", limit, g.rnd.IntN(3))}
	case 1:
		return jumper{"pos int", up + fmt.Sprintf("\t\tif pos >= %s {\n\t\t\tpos -= %[1]s\n\t\t}\n", limit)}
	case 2:
		return jumper{"pos int", down + fmt.Sprintf("\t\tif pos < 0 {\n\t\t\tpos = %s - 1\n\t\t}\n", limit)}
	case 3:
		return jumper{"pos int", fmt.Sprintf("\t\tpos = (pos + %d) & %s\n", step, pick(g, "63", "31", "(len(r) - 1)", "k"))}
	case 4:
		return jumper{"pos int", fmt.Sprintf("\t\tpos = (pos + %d) %% %s\n", step, pick(g, "64", "100", "len(r)", "k"))}
	case 5:
		return jumper{"pos uint8", up}
	case 6:
		return jumper{"pos int", fmt.Sprintf("\t\tif pos %s %s {\n\t\t\tpos = 0\n\t\t} else {\n\t\t\tpos++\n\t\t}\n", pick(g, ">=", "==", ">"), limit+"-1")}
	case 7:
		return jumper{"pos int", fmt.Sprintf("\t\tif pos <= %d {\n\t\t\tpos = %s\n\t\t}\n", g.rnd.IntN(3), limit) + down}
	}
	return jumper{"pos uint16", up}
}

// stretchAt is a subscript of r.
func (g *generator) stretchAt(carried bool) string {
	at := pick(g, "i", "i", "i+k", "k-i", "i-k", "2*i")
	if carried && g.chance(0.6) {
		return pick(g, "pos", "pos", "pos", "pos&63", "int(pos)+1", "(int(pos)+k)&(len(r)-1)")
	}
	switch g.rnd.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s)&%s", at, pick(g, "63", "127", "(len(r)-1)", "k"))
	case 1:
		return fmt.Sprintf("(%s)%%%s", at, pick(g, "64", "70", "len(r)", "k"))
	case 2:
		return fmt.Sprintf("max(%s, %s)", at, pick(g, "0", "0", "k", "5"))
	case 3:
		return fmt.Sprintf("min(%s, %s)", at, pick(g, "len(r)-1", "len(r)-1", "k", "20"))
	case 4:
		return fmt.Sprintf("min(max(%s, 0), len(r)-1)", at)
	case 5:
		return fmt.Sprintf("uint8(%s)", at)
	}
	return at
}

// stretchStmt loads or stores at such a subscript.
func (g *generator) stretchStmt(carried bool) string {
	at, decl := g.stretchAt(carried), ""
	if g.chance(0.4) {
		limit := pick(g, "len(r)", "k", "0", "20")
		decl = fmt.Sprintf("\t\tj := %s\n\t\tif j %s %s {\n\t\t\tj %s\n\t\t}\n", pick(g, "i", "i+k", "i-1", "i+1", "k-i", "i-k"), pick(g, ">=", "==", "<", "<=", ">", "!="), limit,
			pick(g, "= 0", "-= len(r)", "+= len(r)", "= len(r) - 1", "= -j", "= k", "--"))
		at = "j"
	}
	value := pick(g, "x[i]", "c", g.expr(g.main, 1))
	if g.chance(0.1) { // of a slice whose end is another one each time
		value = fmt.Sprintf("r[%s:%s][%d]", pick(g, "i", "k", "max(i-k, 0)", "2*i"), pick(g, "len(r)-i", "2*i+3", "int(x[i])", "len(r)-k"), g.rnd.IntN(2))
	}
	s := pick(g,
		fmt.Sprintf("x[i] = r[%s] + %s", at, value),
		fmt.Sprintf("x[i] += r[%s]", at),
		fmt.Sprintf("r[%s] = %s", at, value),
		fmt.Sprintf("x[i], r[%s] = r[%[1]s], %s", at, value),
		fmt.Sprintf("r[%s] += %s", at, value))
	if g.chance(0.2) {
		s = fmt.Sprintf("if x[i] %s c {\n\t\t\t%s\n\t\t}", pick(g, "<", ">", "!="), s)
	}
	text := decl + "\t\t" + s + "\n"
	if decl != "" {
		text = "\t\t{\n" + text + "\t\t}\n"
	}
	return text
}
