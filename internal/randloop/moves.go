package randloop

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Some loops eat slices and strings: they use the first or the last elements, and go on with
// the rest.

// mayMove decides whether the loop of function i is one of them.
func (g *generator) mayMove(seed uint64, i int) {
	r := rand.New(rand.NewPCG(seed+6000101, uint64(i)))
	if r.IntN(8) == 0 && g.near == nil && g.order == nil {
		g.used = append(g.used, "moves")
		g.moving = r
	}
}

// A mover is a slice that the loop moves.
type mover struct {
	name       string
	text       bool // a string
	step, back int  // elements by which start and end move
	by         string
	where      int // of the body: at its start, in the middle, at its end
}

// moves writes such a function.
func (g *generator) moves(n int) string {
	g.rnd, g.exits, g.states, g.keeps = g.moving, nil, nil, nil
	g.used = []string{"moves"}
	g.main = pick(g, "float32", "float32", "int32", "float64", "int16", "uint8", "uint8", "int64")
	var ms []mover
	var params []string
	types, fields := "", ""
	for _, name := range []string{"x", "y", "z"}[:1+g.rnd.IntN(3)] {
		m := g.mover(name)
		if g.chance(0.2) {
			m.name = "m." + name
			fields += "\t" + name + " " + g.moverType(m) + "\n"
		} else {
			params = append(params, name+" "+g.moverType(m))
		}
		ms = append(ms, m)
	}
	if fields != "" {
		types = fmt.Sprintf("type eaten%d struct {\n%s}\n\n", n, fields)
		params = append(params, fmt.Sprintf("m %seaten%d", pick(g, "*", "*", "*", ""), n))
	}
	params = append(params, "u []"+g.main, "k int")
	head, first := g.moveHead(ms)
	body := first
	for where := range 3 {
		body += g.moveStmts(ms) + g.moveAll(ms, where)
	}
	results, rest := []string{"s " + g.main}, []string{"s"}
	for _, m := range ms {
		if g.chance(0.6) {
			results, rest = append(results, "r"+strings.TrimPrefix(m.name, "m.")+" "+g.moverType(m)), append(rest, m.name)
		}
	}
	return fmt.Sprintf("%s//vec:func F%d\nfunc f%d(%s) (%s) {\n\t%s {\n%s\t}\n\treturn %s\n}\n",
		types, n, n, strings.Join(params, ", "), strings.Join(results, ", "), head, body, strings.Join(rest, ", "))
}

func (g *generator) moverType(m mover) string {
	if m.text {
		return "string"
	}
	return "[]" + g.main
}

func (g *generator) mover(name string) mover {
	m := mover{name: name, step: pick(g, 1, 1, 1, 1, 2, 2, 3, 4, 8), where: pick(g, 0, 1, 2, 2, 2, 2)}
	m.text = g.main == "uint8" && g.chance(0.3)
	switch g.rnd.IntN(8) {
	case 0:
		m.step, m.back = 0, m.step
	case 1:
		m.back = pick(g, 1, 1, 2)
	case 2:
		m.by = "k"
	}
	return m
}

// moveHead is the loop without its body, and what comes first in that.
func (g *generator) moveHead(ms []mover) (head, first string) {
	switch g.rnd.IntN(8) {
	case 0, 1:
		return "for i := range u", ""
	case 2:
		return fmt.Sprintf("for i := 0; i < min(k, %d); i++", 100+g.rnd.IntN(5000)), ""
	}
	var conds, contrary []string
	for i, m := range ms {
		need := m.step + m.back - pick(g, 0, 0, 0, 0, 0, 0, 1)
		switch {
		case i > 0 && g.chance(0.4) || need == 0 && i > 0:
		case need <= 1 && m.text && g.chance(0.5):
			conds, contrary = append(conds, m.name+` != ""`), append(contrary, m.name+` == ""`)
		case need <= 1 && g.chance(0.5):
			conds, contrary = append(conds, fmt.Sprintf("len(%s) != 0", m.name)), append(contrary, fmt.Sprintf("len(%s) == 0", m.name))
		default:
			need = max(need, 1)
			conds = append(conds, fmt.Sprintf("len(%s) %s", m.name, pick(g, fmt.Sprint(">= ", need), fmt.Sprint("> ", need-1))))
			contrary = append(contrary, fmt.Sprintf("len(%s) < %d", m.name, need))
		}
	}
	if g.chance(0.15) {
		return "for i := 0; ; i++", fmt.Sprintf("\t\tif %s || i > 10000 {\n\t\t\tbreak\n\t\t}\n", strings.Join(contrary, " || "))
	}
	if g.chance(0.3) {
		conds = append(conds, "i < 10000") // also where nothing is moved
	} else {
		return fmt.Sprintf("for i := 0; i < 10000 && %s; i++", strings.Join(conds, " && ")), ""
	}
	return fmt.Sprintf("for i := 0; %s; i++", strings.Join(conds, " && ")), ""
}

// moveAll moves what is moved at a place of the body.
func (g *generator) moveAll(ms []mover, where int) string {
	var names, values []string
	for _, m := range ms {
		if m.where != where {
			continue
		}
		low, high := "", ""
		if m.step > 0 {
			low = fmt.Sprint(m.step)
		}
		if m.by != "" {
			low = m.by
		}
		if m.back > 0 {
			high = fmt.Sprintf("len(%s)-%d", m.name, m.back)
		}
		names, values = append(names, m.name), append(values, fmt.Sprintf("%s[%s:%s]", m.name, low, high))
	}
	switch {
	case len(names) == 0:
		return ""
	case g.chance(0.08):
		return fmt.Sprintf("\t\tif %s {\n\t\t\t%s = %s\n\t\t}\n", g.moveTest(ms), names[0], values[0])
	case g.chance(0.3):
		return fmt.Sprintf("\t\t%s = %s\n", strings.Join(names, ", "), strings.Join(values, ", "))
	}
	text := ""
	for i := range names {
		text += fmt.Sprintf("\t\t%s = %s\n", names[i], values[i])
	}
	return text
}

// moveItem is an element near an end that moves.
func (g *generator) moveItem(ms []mover, store bool) string {
	m := pick(g, ms...)
	for try := 0; store && m.text && try < 9; try++ {
		m = pick(g, ms...)
	}
	if store && m.text || g.chance(0.15) {
		return "u[i]"
	}
	if m.back > 0 && (m.step == 0 || g.chance(0.5)) {
		return fmt.Sprintf("%s[len(%s)-%d]", m.name, m.name, 1+g.rnd.IntN(m.back))
	}
	return fmt.Sprintf("%s[%d]", m.name, g.rnd.IntN(m.step+pick(g, 0, 0, 0, 1)))
}

func (g *generator) moveTest(ms []mover) string {
	return fmt.Sprintf("%s %s %s", g.moveItem(ms, false), pick(g, "<", ">", "!="), pick(g, "3", "7", g.moveItem(ms, false)))
}

func (g *generator) moveValue(ms []mover) string {
	v := g.moveItem(ms, false)
	for range g.rnd.IntN(3) {
		op := pick(g, "+", "-", "*")
		if !isFloat(g.main) {
			op = pick(g, "+", "-", "^", "|")
		}
		v += " " + op + " " + g.moveItem(ms, false)
	}
	return v
}

func (g *generator) moveStmts(ms []mover) string {
	text := ""
	for range g.rnd.IntN(3) {
		switch g.rnd.IntN(10) {
		case 9:
			m, need := pick(g, ms...), 1+g.rnd.IntN(12)
			item := fmt.Sprintf("%s[%d]", m.name, g.rnd.IntN(need))
			if g.chance(0.4) {
				item = fmt.Sprintf("%s[len(%s)-%d]", m.name, m.name, 1+g.rnd.IntN(need))
			}
			test := fmt.Sprintf("len(%s) >= %d", m.name, need)
			if g.chance(0.3) {
				test += " && " + g.moveTest(ms)
			}
			if s := g.moveItem(ms, true); g.chance(0.5) {
				text += fmt.Sprintf("\t\tif %s {\n\t\t\t%s = %s\n\t\t}\n", test, s, item)
			} else {
				text += fmt.Sprintf("\t\tif %s {\n\t\t\ts = max(s, %s)\n\t\t}\n", test, item)
			}
		case 0:
			text += fmt.Sprintf("\t\tif %s {\n\t\t\tbreak\n\t\t}\n", g.moveTest(ms))
		case 1:
			text += fmt.Sprintf("\t\tif %s {\n\t\t\t%s = %s\n\t\t}\n", g.moveTest(ms), g.moveItem(ms, true), g.moveValue(ms))
		case 2, 3, 4:
			text += fmt.Sprintf("\t\t%s = %s\n", g.moveItem(ms, true), g.moveValue(ms))
		default:
			if isFloat(g.main) {
				text += fmt.Sprintf("\t\ts = max(s, %s)\n", g.moveValue(ms))
				continue
			}
			text += fmt.Sprintf("\t\ts += %s\n", g.moveValue(ms))
		}
	}
	return text
}
