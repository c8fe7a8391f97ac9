package randloop

import (
	"fmt"
	"strings"
)

// A part is a field of a struct: a path such as .in.p or .a[2].
type part struct{ path, typ string }

// records adds a slice of structs: fields of mixed sizes, arrays and structs
// among them, gaps between them. Elements are reached directly, through a local
// pointer, or as a local copy.
func (g *generator) records(n, k int) {
	typ := fmt.Sprintf("rec%d_%d", n, k)
	parts := g.structType(typ)
	name := fmt.Sprintf("s%d", k)
	names := []string{name}
	g.param("%s []%s", name, typ)
	g.limit("len(%s)", name)
	if g.stride > 1 {
		g.limit("len(%s)/%d", name, g.stride)
	}
	if g.chance(0.3) {
		names = append(names, name+"b")
		g.param("%sb []%s", name, typ)
	}
	for i, x := range names {
		g.access(x, fmt.Sprintf("e%d%d", k, i), parts)
	}
	if g.chance(0.5) {
		g.special = append(g.special, func(indent int) string {
			x := pick(g, names...)
			return fmt.Sprintf("%s%s[%s] = %s\n", tabs(indent), x, g.sub(x), g.literal(typ, parts))
		})
	}
	if g.chance(0.3) {
		g.special = append(g.special, func(indent int) string {
			x, y := pick(g, names...), pick(g, names...)
			return fmt.Sprintf("%s%s[%s] = %s[%s]\n", tabs(indent), x, g.sub(x), y, g.sub(y))
		})
	}
}

// structType declares a struct type.
func (g *generator) structType(typ string) []part {
	var parts []part
	s, letters := "", "bcdfgh"
	main := g.typ()
	for i := range 1 + g.rnd.IntN(6) {
		f, t := letters[i:i+1], main
		if g.chance(0.3) {
			t = g.typ()
		}
		switch g.rnd.IntN(12) {
		case 0:
			m := 2 + g.rnd.IntN(3)
			s += fmt.Sprintf("\t%s [%d]%s\n", f, m, t)
			for j := range m {
				parts = append(parts, part{fmt.Sprintf(".%s[%d]", f, j), t})
			}
		case 1:
			u := g.typ()
			s += fmt.Sprintf("\t%s struct {\n\t\tp %s\n\t\tq %s\n\t}\n", f, t, u)
			parts = append(parts, part{"." + f + ".p", t}, part{"." + f + ".q", u})
		case 2:
			s += fmt.Sprintf("\t_ [%d]%s\n\t%s %[2]s\n", 1+g.rnd.IntN(3), t, f)
			parts = append(parts, part{"." + f, t})
		default:
			s += fmt.Sprintf("\t%s %s\n", f, t)
			parts = append(parts, part{"." + f, t})
		}
	}
	g.types += fmt.Sprintf("type %s struct {\n%s}\n\n", typ, s)
	return parts
}

// access makes the parts of the elements of x variables.
func (g *generator) access(x, local string, parts []part) {
	mode := g.rnd.IntN(4)
	switch mode {
	case 2:
		g.pre = append(g.pre, func() string { return fmt.Sprintf("\t\t%s := &%s[%s]\n\t\t_ = %[1]s\n", local, x, g.sub(x)) })
	case 3:
		g.pre = append(g.pre, func() string { return fmt.Sprintf("\t\t%s := %s[%s]\n\t\t_ = %[1]s\n", local, x, g.sub(x)) })
	}
	for _, p := range parts {
		v := variable{name: x, typ: p.typ, ro: mode == 3 && g.chance(0.8)}
		v.at = func() string {
			if mode >= 2 {
				return local + p.path
			}
			return x + "[" + g.sub(x) + "]" + p.path
		}
		g.slices = append(g.slices, v)
	}
	if mode == 3 {
		v := variable{name: x, typ: parts[0].typ}
		v.at = func() string { return x + "[" + g.sub(x) + "]" + parts[0].path }
		g.slices = append(g.slices, v)
	}
}

// literal is a value of the struct type, with some fields left out.
func (g *generator) literal(typ string, parts []part) string {
	var s []string
	for _, p := range parts {
		if strings.Count(p.path, ".") == 1 && !strings.Contains(p.path, "[") && g.chance(0.9) {
			s = append(s, p.path[1:]+": "+g.expr(p.typ, 1))
		}
	}
	return typ + "{" + strings.Join(s, ", ") + "}"
}

// complexes adds a slice of complex numbers, and of their parts.
func (g *generator) complexes(_, k int) {
	name, typ, float := fmt.Sprintf("z%d", k), "complex64", "float32"
	if g.chance(0.4) {
		typ, float = "complex128", "float64"
	}
	elem := func() string { return name + "[" + g.sub(name) + "]" }
	other := elem
	g.param("%s []%s", name, typ)
	g.limit("len(%s)", name)
	if g.chance(0.5) {
		g.param("%sb []%s", name, typ)
		other = func() string { return name + "b[" + g.sub(name+"b") + "]" }
	}
	scalar := ""
	if g.chance(0.5) {
		scalar = name + "c"
		g.param("%s %s", scalar, typ)
	}
	for _, f := range []string{"real", "imag"} {
		v := variable{name: name, typ: float, ro: true}
		v.at = func() string { return f + "(" + elem() + ")" }
		g.slices = append(g.slices, v)
	}
	leaf := func() string {
		switch r := g.rnd.IntN(8); {
		case r == 0 && scalar != "":
			return scalar
		case r == 1:
			return fmt.Sprintf("complex(%s, %s)", g.variable(float, 1), g.variable(float, 1))
		case r == 2:
			e := elem()
			return fmt.Sprintf("complex(real(%s), -imag(%[1]s))", e)
		case r == 3:
			return typ + pick(g, "(complex(0.5, -2))", "(2i)", "(-1)")
		case r < 6:
			return other()
		}
		return elem()
	}
	var expr func(d int) string
	expr = func(d int) string {
		if d == 0 {
			return leaf()
		}
		if g.chance(0.1) {
			return "(-" + elem() + ")"
		}
		return fmt.Sprintf("(%s %s %s)", expr(d-1), pick(g, "+", "-", "*", "*"), elem())
	}
	g.special = append(g.special, func(indent int) string {
		return fmt.Sprintf("%s%s %s %s\n", tabs(indent), pick(g, elem, other)(), pick(g, "=", "=", "+=", "*=", "-="), expr(1+g.rnd.IntN(2)))
	})
}

// demoted adds narrow slices and sums of their elements in wider types, as image
// code has them.
func (g *generator) demoted(_, k int) {
	typ := pick(g, "uint8", "uint8", "int8", "uint16", "int16")
	name := fmt.Sprintf("b%d", k)
	elem := func() string { return name + "[" + g.sub(name) + "]" }
	v := variable{name: name, typ: typ, at: elem}
	g.param("%s []%s", name, typ)
	g.limit("len(%s)", name)
	g.limit("len(%s)/%d", name, g.stride)
	g.slices = append(g.slices, v)
	wide := pick(g, "uint32", "uint32", "int32", "int", "uint64", "uint16", "int16")
	g.special = append(g.special, func(indent int) string {
		return fmt.Sprintf("%s%s = %s(%s)\n", tabs(indent), elem(), typ, g.wide(wide, elem, 3))
	})
}

// wide is arithmetic in a wide type on narrow elements and small constants.
func (g *generator) wide(t string, elem func() string, d int) string {
	if d == 0 {
		return t + "(" + elem() + ")"
	}
	x := g.wide(t, elem, d-1)
	switch g.rnd.IntN(12) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s * %d)", x, pick(g, 2, 3, 29, 77, 150, 255))
	case 3, 4:
		return fmt.Sprintf("(%s + %s)", x, g.wide(t, elem, d-1))
	case 5:
		return fmt.Sprintf("(%s - %s)", x, g.wide(t, elem, d-1))
	case 6:
		return fmt.Sprintf("((%s + %d) >> %d)", x, pick(g, 1, 64, 128), 1+g.rnd.IntN(9))
	case 7:
		return fmt.Sprintf("(%s / %d)", x, pick(g, 3, 7, 16, 255))
	case 8:
		return fmt.Sprintf("%s(%s, %d)", pick(g, "min", "max"), x, pick(g, 0, 1, 100, 127))
	case 9:
		return fmt.Sprintf("(%s * %s)", x, g.wide(t, elem, 0))
	case 10:
		return fmt.Sprintf("(%d - %s)", pick(g, 100, 127), x)
	}
	return fmt.Sprintf("(%s %s %s)", x, pick(g, "&", "|", "^"), g.wide(t, elem, d-1))
}
