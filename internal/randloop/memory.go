package randloop

import (
	"fmt"
	"strings"
)

// Memory that loops walk over one element after the other, and its subscripts. What is laid
// out or addressed in other ways is in forms.go.

// memory makes what the loops walk over: slices mostly, also fields of a
// struct, arrays behind pointers, strings and single variables.
func (g *generator) memory(n int) (types string, params []string) {
	var fields []string
	if g.chance(0.15) {
		return g.structs(n)
	}
	for i := range 1 + g.rnd.IntN(3) {
		v := variable{name: string("xyz"[i]), typ: g.typ()}
		kind := g.rnd.IntN(12)
		switch {
		case kind == 0 && i > 0:
			v.typ, v.ro = "uint8", true
			params = append(params, v.name+" string")
		case kind == 1 && i > 0:
			params = append(params, fmt.Sprintf("%s *[%d]%s", v.name, pick(g, 40, 64, 129), v.typ))
		case kind <= 3:
			fields = append(fields, fmt.Sprintf("\t%s []%s\n", v.name, v.typ))
			v.name = "m." + v.name
		default:
			params = append(params, v.name+" []"+v.typ)
		}
		g.slices = append(g.slices, v)
	}
	if g.chance(0.08) {
		v := variable{name: "*p", typ: g.typ()}
		params = append(params, "p *"+v.typ)
		g.scalars = append(g.scalars, v)
	}
	if fields != nil {
		types = fmt.Sprintf("type rec%d struct {\n\tn int\n%s}\n\n", n, strings.Join(fields, ""))
		params = append(params, fmt.Sprintf("m *rec%d", n))
	}
	return types, params
}

// structs makes one slice of structs, whose fields the loop walks over.
func (g *generator) structs(n int) (types string, params []string) {
	fields := ""
	for i := range 2 + g.rnd.IntN(3) {
		v := variable{name: "x", typ: g.typ(), field: "." + string("rgbw"[i])}
		fields += fmt.Sprintf("\t%c %s\n", "rgbw"[i], v.typ)
		g.slices = append(g.slices, v)
	}
	types = fmt.Sprintf("type rec%d struct {\n%s}\n\n", n, fields)
	params = append(params, fmt.Sprintf("x []rec%d", n))
	if g.chance(0.5) {
		y := variable{name: "y", typ: g.typ()}
		g.slices = append(g.slices, y)
		params = append(params, "y []"+y.typ)
	}
	return types, params
}

// element is an element of x, or a field of one.
func (g *generator) element(x variable) string {
	if x.at != nil {
		return x.at()
	}
	return x.name + "[" + g.subscript() + "]" + x.field
}

func (g *generator) subscript() string {
	switch {
	case g.stride > 1 && g.chance(0.8):
		return fmt.Sprintf("%d*%s+%d", g.stride, g.index, g.rnd.IntN(g.stride))
	case g.shared && g.chance(0.4):
		if s := g.slices[0]; s.at == nil && g.chance(0.35) {
			return fmt.Sprintf("len(%s)%%%d+int(%s)", s.name, 2+g.rnd.IntN(5), g.repeating())
		}
		return g.repeating()
	case g.indexed && g.chance(0.15):
		k := g.slices[len(g.slices)-1]
		if !isFloat(k.typ) && k.at == nil {
			return fmt.Sprintf("int(%s[%s]%s)&7", k.name, g.index, k.field)
		}
	}
	if !g.chance(g.offset) {
		return g.index
	}
	if g.chance(0.2) && g.slices[0].at == nil {
		return fmt.Sprintf("len(%s)-1-int(%s)", g.slices[0].name, g.index)
	}
	if g.chance(0.15) {
		return fmt.Sprintf("int(%s)%s", g.index, g.shift())
	}
	c := 1 + g.rnd.IntN(pick(g, 2, 9, 40))
	return fmt.Sprintf("%s%s%d", g.index, pick(g, "+", "-"), c)
}

// shift is what all iterations add to a subscript, by operators that bind in different ways, or by constants of
// which each is too large for one.
func (g *generator) shift() string {
	n := fmt.Sprintf("len(%s)", g.slices[0].name)
	if g.slices[0].at != nil || g.chance(0.3) {
		return pick(g, "+math.MaxInt64-(math.MaxInt64-1)", "-math.MinInt64+math.MinInt64", "-1<<62+1<<62")
	}
	for _, s := range g.scalars {
		if !isFloat(s.typ) && g.chance(0.5) {
			n = fmt.Sprintf("int(%s)", s.name)
		}
	}
	k := 1 + g.rnd.IntN(7)
	switch g.rnd.IntN(6) {
	case 0:
		return fmt.Sprintf("+%s&%d", n, k)
	case 1:
		return fmt.Sprintf("-(%s&%d)", n, k)
	case 2:
		return fmt.Sprintf("+%d&^%s", k, n)
	case 3:
		return fmt.Sprintf("+%d&(%s*%[2]s)", k, n)
	case 4:
		return fmt.Sprintf("-(%d-%d&^(%s>>1))", k, k, n)
	}
	return fmt.Sprintf("+(%s&%d)>>1*2", n, k)
}

// repeating is a subscript that several iterations have in common.
func (g *generator) repeating() string {
	x := g.index
	if g.chance(0.3) {
		x = fmt.Sprintf("(%s+%d)", x, 1+g.rnd.IntN(9))
	}
	if g.chance(0.4) {
		return x + pick(g, "/2", ">>1", "/4", ">>3", "/3")
	}
	return fmt.Sprintf("%s%%%d", x, 1+g.rnd.IntN(pick(g, 5, 9, 40)))
}
