package randloop

import (
	"fmt"
	"regexp"
	"slices"
)

// Expressions of all types, over what a function may read. Go folds none of them.

func (g *generator) condition(depth int) string {
	if depth > 0 && g.chance(0.25) {
		return fmt.Sprintf("%s %s %s", g.condition(depth-1), pick(g, "&&", "||"), g.condition(depth-1))
	}
	if g.chance(0.1) {
		return "!(" + g.condition(0) + ")"
	}
	if len(g.scalars) > 0 && g.chance(0.15) {
		return g.limited()
	}
	t := g.typ()
	return fmt.Sprintf("%s %s %s", g.variable(t, 1), pick(g, "<", ">", "<=", ">=", "==", "!="), g.expr(t, 1))
}

// limited compares an element with what stays the same, as wide as that is.
func (g *generator) limited() string {
	s := pick(g, g.scalars...)
	t := s.typ
	if isFloat(t) {
		t = pick(g, "int", "int64", "int32", "uint32")
	}
	x, limit := fmt.Sprintf("%s(%s)", t, g.element(pick(g, g.slices...))), fmt.Sprintf("%s(%s)", t, s.name)
	if g.chance(0.3) {
		x, limit = limit, x
	}
	return fmt.Sprintf("%s %s %s", x, pick(g, "<", ">", "<=", ">=", "==", "!="), limit)
}

// expr is an expression of type t.
func (g *generator) expr(t string, depth int) string {
	if depth <= 0 || g.chance(0.15) {
		return g.leaf(t)
	}
	e := ""
	if isFloat(t) {
		e = g.floatExpr(t, depth-1)
	} else {
		e = g.intExpr(t, depth-1)
	}
	if isConstant(e) { // might overflow, which is a compile error
		return g.leaf(t)
	}
	return e
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// isConstant reports whether Go would fold s: its words are types only.
func isConstant(s string) bool {
	for _, w := range word.FindAllString(s, -1) {
		switch {
		case slices.Contains(intTypes, w), slices.Contains(floatTypes, w), w == "min", w == "max", w == "e9":
		default:
			return false
		}
	}
	return true
}

func (g *generator) intExpr(t string, d int) string {
	x, y := g.variable(t, d), g.expr(t, d)
	switch g.rnd.IntN(15) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, "+", "-", "*"), y)
	case 14:
		if g.chance(0.3) {
			return fmt.Sprintf("(%s * %d)", g.partOf(t, d), g.rnd.IntN(1<<min(width(t)-1, 20)))
		}
		return fmt.Sprintf("(%s * %s)", g.partOf(t, d), g.partOf(t, d))
	case 3, 4:
		if w := pick(g, intTypes...); width(w) > width(t) && g.chance(0.5) {
			return g.cut(t, w, d)
		}
		return fmt.Sprintf("(%s %s %s)", x, pick(g, "&", "|", "^", "&^"), y)
	case 5:
		return fmt.Sprintf("(%s %s %d)", x, pick(g, "<<", ">>"), g.rnd.IntN(width(t)+2))
	case 6:
		return fmt.Sprintf("(%s %s (uint(%s) %% %d))", x, pick(g, "<<", ">>"), g.variable(t, d), 2*width(t))
	case 7:
		if g.chance(0.1) {
			return fmt.Sprintf("(%s %s %s)", x, pick(g, "/", "%"), g.variable(t, 0))
		}
		if g.chance(0.1) && !isUnsigned(t) {
			return fmt.Sprintf("(%s %s (%s & 31))", x, pick(g, "<<", ">>"), g.variable(t, 0))
		}
		return fmt.Sprintf("(%s %s %d)", x, pick(g, "/", "%"), pick(g, 1, 2, 3, 5, 7, 8, 10, 16, 60, 100, 127))
	case 8:
		return fmt.Sprintf("%s(%s, %s)", pick(g, "min", "max"), x, y)
	case 9:
		return fmt.Sprintf("(%s%s)", pick(g, "-", "^"), x)
	case 10:
		return g.bitsCall(t, d)
	default:
		from := g.typ()
		if isFloat(from) && g.chance(0.5) {
			from = t
		}
		return fmt.Sprintf("%s(%s)", t, g.variable(from, d))
	}
}

// partOf is some of the bits of a value of type t, so that products of it fit in fewer bits.
func (g *generator) partOf(t string, d int) string {
	x := g.variable(t, d)
	bits := pick(g, 1, width(t)/4, width(t)/2-1, width(t)/2)
	if g.chance(0.5) {
		return fmt.Sprintf("(%s & %#x)", x, 1<<bits-1)
	}
	return fmt.Sprintf("(%s >> %d)", x, width(t)-bits)
}

// cut is the low bits, in type t, of what is shifted in wider type w.
func (g *generator) cut(t, w string, d int) string {
	wide := func() string { return fmt.Sprintf("%s(%s)", w, g.variable(t, d)) }
	x := fmt.Sprintf("%s %s %s", wide(), pick(g, "+", "-", "*", "^"), wide())
	if g.chance(0.5) {
		x = fmt.Sprintf("(%s) %s %s", x, pick(g, "+", "-", "*"), wide())
	}
	x = fmt.Sprintf("(%s) >> %d", x, g.rnd.IntN(width(w)))
	if g.chance(0.3) {
		x = fmt.Sprintf("(%s) & %d %s %s", x, pick(g, 1, 7, 15, 255), pick(g, "*", "<<"), pick(g, "2", "3"))
	}
	return fmt.Sprintf("%s(%s)", t, x)
}

// variable is an expression that Go does not fold.
func (g *generator) variable(t string, d int) string {
	if e := g.expr(t, d); !isConstant(e) {
		return e
	}
	return fmt.Sprintf("%s(%s)", t, g.element(g.slices[0]))
}

func (g *generator) bitsCall(t string, d int) string {
	w := pick(g, 8, 16, 32, 64)
	x := g.variable(fmt.Sprintf("uint%d", w), d)
	switch g.rnd.IntN(5) {
	case 0:
		return fmt.Sprintf("%s(bits.RotateLeft%d(%s, %d))", t, w, x, g.rnd.IntN(70)-3)
	case 1:
		return fmt.Sprintf("%s(bits.Reverse%d(%s))", t, w, x)
	default:
		return fmt.Sprintf("%s(bits.%s%d(%s))", t, pick(g, "OnesCount", "LeadingZeros", "TrailingZeros", "Len"), w, x)
	}
}

func (g *generator) floatExpr(t string, d int) string {
	x, y := g.variable(t, d), g.expr(t, d)
	switch g.rnd.IntN(11) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, "+", "-", "*", "/"), y)
	case 10: // a product that may be exact, and what is left of it
		few := []string{"int8", "uint8", "int16", "int32", "float32"}
		a, b := g.variable(pick(g, few...), d), g.variable(pick(g, few...), d)
		if g.chance(0.3) {
			return fmt.Sprintf("(%s - %s(%s)*%[2]s(%[4]s))", x, t, a, b)
		}
		return fmt.Sprintf("(%s(%s)*%[1]s(%[3]s) %s %s)", t, a, b, pick(g, "+", "-"), x)
	case 4:
		return fmt.Sprintf("%s(%s, %s)", pick(g, "min", "max"), x, y)
	case 5:
		return fmt.Sprintf("(-%s)", x)
	case 6:
		f := pick(g, "Abs", "Sqrt", "Floor", "Ceil", "Trunc", "RoundToEven")
		return fmt.Sprintf("%s(math.%s(float64(%s)))", t, f, x)
	case 7:
		// The sign of a computed NaN is nobody's promise, so signs come from
		// integers; converting a NaN to an integer gives the same for all of them.
		return fmt.Sprintf("%s(math.Copysign(float64(%s), float64(%s)))", t, x, g.variable("int32", d))
	default:
		return fmt.Sprintf("%s(%s)", t, g.variable(g.typ(), d))
	}
}

func (g *generator) leaf(t string) string {
	var same []string
	for _, s := range g.slices {
		if s.typ == t {
			same = append(same, g.element(s))
		}
	}
	for _, vs := range [][]variable{g.scalars, g.temps} {
		for _, v := range vs {
			if v.typ == t {
				same = append(same, v.name)
			}
		}
	}
	switch {
	case len(same) > 0 && !g.chance(0.15):
		return pick(g, same...)
	case g.chance(0.3):
		return fmt.Sprintf("%s(%s)", t, g.index)
	case g.chance(0.5):
		s := pick(g, g.slices...)
		return fmt.Sprintf("%s(%s)", t, g.element(s))
	}
	return g.constant(t)
}

func (g *generator) constant(t string) string {
	if isFloat(t) {
		return t + "(" + pick(g, "0.5", "2", "-1", "3.25", "1e9", "0.1", "255", "-0.75") + ")"
	}
	c := pick(g, 0, 1, 2, 3, 5, 7, 10, 50, 100, 127)
	if width(t) > 8 && g.chance(0.3) {
		c = pick(g, 128, 255, 1000, 32767)
	}
	if !isUnsigned(t) && g.chance(0.3) {
		c = -c
	}
	return fmt.Sprintf("%s(%d)", t, c)
}
