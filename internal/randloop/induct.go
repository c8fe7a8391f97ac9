package randloop

import (
	"fmt"
	"math/rand/v2"
)

// Some loops have inductions of other kinds: variables that lag behind, floats that
// go up in steps, generators of pseudo-random numbers; or a point at which something
// changes: an element in the middle that an iteration stores to, a condition on the
// index. Which is drawn from numbers of their own, so that all other loops stay what
// they are.

// mayInduct decides whether the loops of function i do.
func (g *generator) mayInduct(seed uint64, i int) {
	g.inducts = rand.New(rand.NewPCG(seed+3000017, uint64(i)))
	if g.inducts.IntN(6) > 0 {
		g.inducts = nil
		return
	}
	g.used = append(g.used, "induction")
}

// inductive draws from the numbers of inductions while f runs.
func (g *generator) inductive(f func() string) string {
	if g.inducts == nil {
		return ""
	}
	rest := g.rnd
	g.rnd = g.inducts
	defer func() { g.rnd = rest }()
	return f()
}

// inducted makes the variables: results, so that their last values are seen.
func (g *generator) inducted() (results []string) {
	g.inductive(func() string {
		switch g.way = pick(g, "lag", "lag", "lag", "point", "point", "cross", "half", "half", "steps", "steps", "series", "series"); g.way {
		case "lag":
			t := pick(g, "int", "int", "int", "int32", "uint8")
			g.lag = variable{name: "lag", typ: t}
			results = []string{"lag " + t, "lag2 " + t}
		case "steps":
			g.lag = variable{name: "lag", typ: pick(g, floatTypes...)}
			results = []string{"lag " + g.lag.typ}
		case "series":
			g.lag = variable{name: "lag", typ: pick(g, "uint32", "uint32", "int32", "uint64", "uint16", "uint8")}
			results = []string{"lag " + g.lag.typ}
		}
		return ""
	})
	return results
}

// first is the slice that loops mostly run over, if it is one that is simply indexed
// and stored to.
func (g *generator) first() (variable, bool) {
	x := g.slices[0]
	return x, x.at == nil && !x.ro
}

// inductEarly is what stands before the other statements of the loop.
func (g *generator) inductEarly() string {
	return g.inductive(func() string {
		x, ok := g.first()
		i := fmt.Sprintf("int(%s)", g.index)
		switch g.way {
		case "lag":
			g.temps = append(g.temps, g.lag)
			if ok && g.chance(0.6) {
				y := pick(g, g.slices...)
				if y.at != nil {
					y = x
				}
				k := g.temp()
				g.temps = append(g.temps, variable{name: fmt.Sprintf("e%d", k), typ: y.typ})
				return fmt.Sprintf("\t\te%d := %s[%s]%s\n\t\t_ = e%[1]d\n", k, y.name, pick(g, "lag", "lag", "lag2"), y.field)
			}
		case "steps", "series":
			g.temps = append(g.temps, g.lag)
			if g.chance(0.5) {
				return g.advance()
			}
		case "point", "cross":
			at := pick(g, "0", "3", fmt.Sprintf("len(%s)/2", x.name), fmt.Sprintf("len(%s)-1", x.name), fmt.Sprintf("len(%s)/3+1", x.name))
			if g.way == "cross" {
				at = fmt.Sprintf("len(%s)-1-%s", x.name, i)
			}
			if ok {
				from, to := at, g.index
				if g.chance(0.2) {
					from, to = to, from
				}
				return fmt.Sprintf("\t\t%s[%s]%s %s %s[%s]%s %s %s\n", x.name, to, x.field, pick(g, "=", "=", "+="), x.name, from, x.field, pick(g, "+", "-", "*"), g.expr(x.typ, 1))
			}
		}
		return ""
	})
}

// inductLate is what stands behind them.
func (g *generator) inductLate() string {
	return g.inductive(func() string {
		x := g.slices[0]
		switch g.way {
		case "lag":
			next := fmt.Sprintf(pick(g, "%s", "%s", "%s+1", "2*%s", "%s&15", "%s-1"), g.index)
			return fmt.Sprintf("\t\tlag2, lag = lag, %s(%s)\n", g.lag.typ, next)
		case "steps", "series":
			if g.chance(0.7) {
				return g.advance()
			}
		case "half":
			at := pick(g, "0", "1", "20", fmt.Sprintf("len(%s)/2", x.name), fmt.Sprintf("len(%s)-1", x.name))
			cond := fmt.Sprintf("int(%s) %s %s", g.index, pick(g, "<", "<", ">", "<=", ">=", "==", "!="), at)
			if g.chance(0.4) {
				return fmt.Sprintf("\t\tif %s {\n\t%s\t\t}\n", cond, g.store(2))
			}
			return fmt.Sprintf("\t\tif %s {\n\t%s\t\t} else {\n\t%s\t\t}\n", cond, g.store(2), g.store(2))
		}
		return ""
	})
}

// advance takes the variable a step further.
func (g *generator) advance() string {
	if isFloat(g.lag.typ) {
		return fmt.Sprintf("\t\tlag %s %s\n", pick(g, "+=", "+=", "-="), pick(g, "1", "2", "0.5", "3", "0.375", "0.1", "1e9"))
	}
	return "\t\tlag " + pick(g, "*= 3", "*= 5", "<<= 1", "= lag*37 + 11", "= lag*101 - 3", "= -lag", "= 7 - lag") + "\n"
}
