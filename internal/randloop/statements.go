package randloop

import (
	"fmt"
	"strings"
)

// Statements of bodies of loops: stores, temporaries, branches, sums.

// block writes statements at an indentation; temporaries end with it.
func (g *generator) block(indent int) string {
	var sb strings.Builder
	for g.stmtsLeft > 0 {
		g.stmtsLeft--
		sb.WriteString(g.stmt(indent))
	}
	return sb.String()
}

func (g *generator) stmt(indent int) string {
	if g.chance(g.cond) && indent < 5 {
		return g.ifStmt(indent)
	}
	if s := g.formStmt(indent); s != "" {
		return s
	}
	switch g.rnd.IntN(4) {
	case 0, 1:
		return g.store(indent)
	case 2:
		if len(g.sums) > 0 {
			return g.reduce(indent, pick(g, g.sums...))
		}
	}
	t := g.typ()
	s := fmt.Sprintf("%st%d := %s\n%s_ = t%d\n", tabs(indent), g.nextTemp, g.expr(t, g.depth), tabs(indent), g.nextTemp)
	g.temps = append(g.temps, variable{name: fmt.Sprintf("t%d", g.nextTemp), typ: t})
	g.nextTemp++
	return s
}

func (g *generator) switchStmt(indent int) string {
	scope := len(g.temps)
	t := pick(g, intTypes...)
	in := tabs(indent)
	s := fmt.Sprintf("%sswitch %s & 3 {\n", in, g.variable(t, 1))
	for _, label := range []string{"case 0:", "case 1, 2:", "default:"} {
		s += fmt.Sprintf("%s%s\n%s", in, label, g.stmt(indent+1))
		g.temps = g.temps[:scope]
	}
	return s + in + "}\n"
}

func (g *generator) ifStmt(indent int) string {
	if g.chance(0.15) {
		return g.switchStmt(indent)
	}
	scope := len(g.temps)
	cond := g.condition(1)
	if g.known && g.chance(0.5) {
		cond = pick(g, "on", "mode > 5", "mode&1 == 0", "mode == 0") + pick(g, "", " && "+cond, " || "+cond)
	}
	s := fmt.Sprintf("%sif %s {\n%s%s", tabs(indent), cond, g.stmt(indent+1), tabs(indent))
	g.temps = g.temps[:scope]
	switch g.rnd.IntN(5) {
	case 0, 1:
		s += fmt.Sprintf("} else {\n%s%s}\n", g.stmt(indent+1), tabs(indent))
		g.temps = g.temps[:scope]
	case 2:
		s += fmt.Sprintf("\t%s\n%s}\n", "continue", tabs(indent))
	default:
		s += "}\n"
	}
	return s
}

func (g *generator) store(indent int) string {
	x := pick(g, g.slices...)
	if x.ro {
		x = g.writable()
	}
	lhs := g.element(x)
	op := "="
	if g.chance(0.4) {
		op = pick(g, "+=", "-=", "*=")
		if !isFloat(x.typ) && g.chance(0.3) {
			op = pick(g, "&=", "|=", "^=")
		}
	}
	return fmt.Sprintf("%s%s %s %s\n", tabs(indent), lhs, op, g.expr(x.typ, g.depth))
}

// reduce accumulates into s, mostly by the operation of that variable: with
// several of them the order of iterations would matter.
func (g *generator) reduce(indent int, s variable) string {
	e := g.expr(s.typ, max(g.depth-1, 1))
	if isFloat(s.typ) && g.clauses != "" {
		e = g.summand(s.typ) // so that the error of another order has a bound
	}
	in := tabs(indent)
	op := s.op
	if op == "" || g.chance(0.05) {
		op = g.reduction(s.typ)
	}
	switch op {
	case "min", "max":
		return fmt.Sprintf("%s%s = %s(%s, %s)\n", in, s.name, op, s.name, e)
	case "horner":
		return fmt.Sprintf("%s%s = %s*%s + %s\n", in, s.name, s.name, pick(g, "31", "2", "3", "33", "7"), e)
	case "rest":
		return fmt.Sprintf("%s%s = %s - %s\n", in, s.name, e, s.name)
	case "<", ">", "<=", ">=":
		return fmt.Sprintf("%[1]sif e%[2]d := %[3]s; e%[2]d %[4]s %[5]s {\n%[1]s\t%[5]s = e%[2]d\n%[1]s}\n", in, g.temp(), e, op, s.name)
	case "+=":
		switch g.rnd.IntN(4) {
		case 0:
			return fmt.Sprintf("%sif %s {\n%s\t%s++\n%s}\n", in, g.condition(1), in, s.name, in)
		case 1:
			return fmt.Sprintf("%sif %s {\n%s\t%s += %s\n%s}\n", in, g.condition(1), in, s.name, e, in)
		}
	}
	return fmt.Sprintf("%s%s %s %s\n", in, s.name, op, e)
}

// reduction is an operation to accumulate values of type t by.
func (g *generator) reduction(t string) string {
	if isFloat(t) {
		return pick(g, "min", "max", "<", ">", "<=", ">=", "+=", "+=")
	}
	return pick(g, "min", "max", "<", ">", "<=", ">=", "+=", "+=", "+=", "+=", "-=", "^=", "|=", "&=", "*=", "horner", "rest")
}

// summand is an element of type t, or a small constant when no memory has it.
func (g *generator) summand(t string) string {
	for _, x := range g.slices {
		if x.typ == t && x.at == nil {
			return x.name + "[" + g.index + "]" + x.field
		}
	}
	return t + "(2)"
}

func (g *generator) temp() int {
	g.nextTemp++
	return g.nextTemp - 1
}
