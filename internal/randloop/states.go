package randloop

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Some loops carry more than sums: the item of the iteration before, sums and maxima
// that every iteration reads, the best item with its index, what was set last. Which
// is drawn from numbers of their own, so that all other loops stay what they are.

// mayCarry decides whether the loops of function i do.
func (g *generator) mayCarry(seed uint64, i int) {
	g.states = rand.New(rand.NewPCG(seed+2000003, uint64(i)))
	if g.states.IntN(5) > 0 {
		g.states = nil
		return
	}
	g.used = append(g.used, "state")
}

// stateful draws from the numbers of states while f runs.
func (g *generator) stateful(f func() string) string {
	if g.states == nil {
		return ""
	}
	rest := g.rnd
	g.rnd = g.states
	defer func() { g.rnd = rest }()
	return f()
}

// carried makes the variables: results, so that their last values are seen.
func (g *generator) carried() (results []string) {
	g.stateful(func() string {
		t := g.main
		if g.chance(0.2) {
			t = g.typ()
		}
		g.kind = pick(g, "arg", "arg", "last", "prev", "prev2", "scan", "scan", "running", "fill", "edge", "any", "toggle", "latch", "compared", "anew", "both", "first", "automaton", "automaton")
		if isFloat(t) && slices.Contains([]string{"scan", "compared", "anew", "automaton"}, g.kind) {
			g.kind = "running"
		}
		if slices.Contains([]string{"compared", "anew", "automaton"}, g.kind) && g.chance(0.3) {
			t = "int"
		}
		g.best = variable{name: "best", typ: t}
		results = []string{"best " + t}
		switch g.kind {
		case "arg", "last":
			g.atType = pick(g, "int", "int", "int32", "uint16")
			results = append(results, "at "+g.atType)
		case "prev2", "both":
			results = append(results, "before "+t)
		case "edge", "any", "toggle", "latch", "first", "automaton":
			results = append(results, "was bool")
		}
		return ""
	})
	return results
}

// early is what stands before the other statements of the loop.
func (g *generator) early() string {
	return g.stateful(func() string {
		switch g.kind {
		case "prev", "prev2", "scan", "running", "compared", "anew", "automaton", "fill":
			g.temps = append(g.temps, g.best)
		}
		if g.kind == "prev2" {
			g.temps = append(g.temps, variable{name: "before", typ: g.best.typ})
		}
		return ""
	})
}

// late is what stands behind them: the variables get their new values.
func (g *generator) late() string {
	return g.stateful(func() string {
		t := g.best.typ
		e := func() string { return g.expr(t, 1) }
		switch g.kind {
		case "arg":
			k := g.temp()
			extra := ""
			if g.chance(0.2) {
				extra = " && (" + g.condition(0) + ")"
			}
			set := fmt.Sprintf("best = e%d", k)
			if g.chance(0.8) {
				set += fmt.Sprintf("\n\t\t\tat = %s(%s)", g.atType, g.index)
			}
			return fmt.Sprintf("\t\tif e%[1]d := %[2]s; e%[1]d %[3]s best%[4]s {\n\t\t\t%[5]s\n\t\t}\n", k, e(), pick(g, "<", ">", "<=", ">="), extra, set)
		case "last":
			return fmt.Sprintf("\t\tif %s {\n\t\t\tbest, at = %s, %s(%s)\n\t\t}\n", g.condition(1), e(), g.atType, g.index)
		case "both":
			k := g.temp()
			s := fmt.Sprintf("\t\te%[1]d := %[2]s\n\t\tif e%[1]d %[3]s before {\n\t\t\tbefore = e%[1]d\n\t\t} else if e%[1]d %[4]s best {\n\t\t\tbest = e%[1]d\n\t\t}\n", k, e(), pick(g, "<", "<="), pick(g, ">", ">", ">="))
			if g.chance(0.5) {
				less := pick(g, "<", ">", "<=", ">=")
				s = fmt.Sprintf("\t\te%[1]d := %[2]s\n\t\tif e%[1]d %[3]s best {\n\t\t\tbefore, best = best, e%[1]d\n\t\t} else if e%[1]d %[3]s before {\n\t\t\tbefore = e%[1]d\n\t\t}\n", k, e(), less)
			}
			if g.chance(0.3) {
				s = fmt.Sprintf("\t\tif %s {\n%s\t\t}\n", g.condition(1), s)
			}
			return s
		case "prev":
			return fmt.Sprintf("%s\t\tbest = %s\n", g.store(2), e())
		case "prev2":
			return fmt.Sprintf("%s\t\tbefore, best = best, %s\n", g.store(2), e())
		case "scan":
			return g.scan(e)
		case "running":
			return g.running(e)
		case "compared":
			return g.compared(e) + g.store(2)
		case "anew":
			return g.anew(e) + g.store(2)
		case "automaton":
			return g.automaton() + g.underFlag() + g.store(2)
		case "fill":
			return fmt.Sprintf("\t\tif %s {\n\t\t\tbest = %s\n\t\t}\n%s", g.condition(1), e(), g.store(2))
		case "edge":
			return fmt.Sprintf("\t\tif c := %s; c != was {\n\t\t\tbest++\n\t\t\twas = c\n\t\t}\n", g.condition(1))
		case "first":
			k := g.temp()
			c := fmt.Sprintf("!was || e%d %s best", k, pick(g, "<", ">", "<=", ">="))
			if g.chance(0.8) {
				c = fmt.Sprintf("(%s) && (%s)", g.condition(1), c)
			}
			return fmt.Sprintf("\t\tif e%[1]d := %[2]s; %[3]s {\n\t\t\tbest, was = e%[1]d, true\n\t\t}\n", k, e(), c)
		case "toggle":
			s := fmt.Sprintf("\t\twas = was %s (%s)\n", pick(g, "!=", "=="), g.condition(1))
			if g.chance(0.5) {
				s = fmt.Sprintf("\t\tif %s {\n\t\t\twas = !was\n\t\t}\n", g.condition(1))
			}
			return s + g.underFlag() + g.store(2)
		case "latch":
			return g.latch(e)
		}
		return fmt.Sprintf("\t\twas = was || %s\n", g.condition(1))
	})
}

// scan combines the variable with what e makes, mostly in all iterations, and stores it.
func (g *generator) scan(e func() string) string {
	s := fmt.Sprintf("\t\tbest %s %s\n", pick(g, "+=", "+=", "-=", "^=", "|=", "&=", "*="), e())
	if g.chance(0.3) {
		s = fmt.Sprintf("\t\tbest = best*%d %s %s\n", 1+g.rnd.IntN(33), pick(g, "+", "-"), e())
		if n := g.rnd.IntN(6); g.chance(0.3) {
			s = fmt.Sprintf("\t\tbest = best<<%d %s %s&%d\n", n, pick(g, "|", "^", "+"), e(), 1<<(n+g.rnd.IntN(2))-1)
		}
	}
	if g.chance(0.3) {
		s = fmt.Sprintf("\t\tif %s {\n\t%s\t\t}\n", g.condition(1), s)
	}
	return s + g.store(2)
}

// running is a maximum or minimum that is stored in each iteration.
func (g *generator) running(e func() string) string {
	t := g.best.typ
	if g.chance(0.5) {
		return fmt.Sprintf("\t\tbest = %s(best, %s)\n%s", pick(g, "min", "max"), e(), g.store(2))
	}
	if isFloat(t) && g.chance(0.4) {
		return fmt.Sprintf("\t\tbest = %[1]s(math.%[2]s(float64(best), float64(%[3]s)))\n%[4]s", t, pick(g, "Min", "Max"), e(), g.store(2))
	}
	k := g.temp()
	return fmt.Sprintf("\t\tif e%[1]d := %[2]s; e%[1]d %[3]s best {\n\t\t\tbest = e%[1]d\n\t\t}\n%[4]s", k, e(), pick(g, "<", ">", "<=", ">="), g.store(2))
}

// latch sets and clears the bool, and compares what e makes with a limit that it chooses.
func (g *generator) latch(e func() string) string {
	form := pick(g,
		"\t\tif %s {\n\t\t\twas = true\n\t\t} else if %s {\n\t\t\twas = false\n\t\t}\n",
		"\t\tif was {\n\t\t\twas = %s\n\t\t} else {\n\t\t\twas = %s\n\t\t}\n",
		"\t\tif %s {\n\t\t\twas = !was\n\t\t} else if %s {\n\t\t\twas = true\n\t\t}\n",
		"\t\tif %s {\n\t\t\twas = %s\n\t\t}\n",
		"\t\twas = %s && (was || %s)\n")
	if g.chance(0.2) {
		k := g.temp()
		return fmt.Sprintf("\t\te%[1]d, limit := %[2]s, best\n\t\tif was {\n\t\t\tlimit = %[3]s\n\t\t}\n\t\twas = (%[4]s) && e%[1]d < limit || (%[5]s)\n", k, e(), e(), g.condition(0), g.condition(0)) + g.underFlag() + g.store(2)
	}
	return fmt.Sprintf(form, g.condition(1), g.condition(1)) + g.underFlag() + g.store(2)
}

// underFlag is, mostly, what the bool decides in an iteration.
func (g *generator) underFlag() string {
	if g.chance(0.3) {
		return ""
	}
	return fmt.Sprintf("\t\tif %swas {\n\t\t\tbest %s %s\n\t\t}\n", pick(g, "", "!"), pick(g, "+=", "="), g.expr(g.best.typ, 1))
}

// compared adds to the variable and compares it, mostly with small numbers, which are made of those of e.
func (g *generator) compared(e func() string) string {
	step := fmt.Sprint(1 + g.rnd.IntN(5))
	if g.chance(0.5) {
		step = "(" + e() + " & 15)"
	}
	limit := func() string {
		if g.chance(0.7) {
			return "(" + e() + " & 127)"
		}
		return e()
	}
	add, least, most := pick(g, "+", "+", "-"), "min", "max"
	if g.chance(0.4) {
		least, most = most, least
	}
	form := pick(g,
		"\t\tbest = %[1]s(best %[2]s %[3]s, %[4]s)\n",
		"\t\tbest = %[1]s(best %[2]s %[3]s, %[4]s)\n",
		"\t\tbest = %[1]s(best, %[4]s) %[2]s %[3]s\n",
		"\t\tif %[5]s {\n\t\t\tbest = %[4]s\n\t\t} else {\n\t\t\tbest = %[1]s(best %[2]s %[3]s, %[4]s)\n\t\t}\n",
		"\t\tif %[5]s {\n\t\t\tbest = %[4]s\n\t\t} else {\n\t\t\tbest = %[1]s(best, %[4]s)\n\t\t}\n",
		"\t\tif %[5]s {\n\t\t\tbest %[2]s= %[3]s\n\t\t} else {\n\t\t\tbest = %[1]s(best, %[4]s)\n\t\t}\n",
		// With limits on both sides.
		"\t\tbest = %[6]s(%[1]s(best %[2]s %[3]s, %[4]s), %[7]s)\n",
		"\t\tbest = %[6]s(%[1]s(best, %[4]s) %[2]s %[3]s, %[7]s)\n",
		"\t\tbest = %[6]s(%[1]s(best, %[4]s), %[7]s)\n",
		"\t\tif %[5]s {\n\t\t\tbest = %[7]s\n\t\t} else {\n\t\t\tbest = %[6]s(%[1]s(best %[2]s %[3]s, %[4]s), %[7]s)\n\t\t}\n",
		"\t\tif %[5]s {\n\t\t\tbest = %[1]s(best %[2]s %[3]s, %[4]s)\n\t\t} else {\n\t\t\tbest = %[6]s(best, %[7]s)\n\t\t}\n")
	if g.chance(0.3) {
		form = g.guarded()
	}
	return fmt.Sprintf(form, least, add, step, limit(), g.condition(1), most, limit())
}

// guarded is a form of compared with steps by 1 that are taken on one side of a number only.
func (g *generator) guarded() string {
	lo := g.rnd.IntN(8) - 3
	if strings.HasPrefix(g.best.typ, "u") {
		lo = max(lo, 0)
	}
	hi := lo + 1 + g.rnd.IntN(30)
	up := pick(g, fmt.Sprintf("best < %d", hi), fmt.Sprintf("best != %d", hi), fmt.Sprintf("best <= %d", hi), fmt.Sprintf("%d > best", hi))
	down := pick(g, fmt.Sprintf("best > %d", lo), fmt.Sprintf("best != %d", lo), fmt.Sprintf("best >= %d", lo))
	form := pick(g,
		"\t\tif %%[5]s {\n\t\t\tif %s {\n\t\t\t\tbest++\n\t\t\t}\n\t\t} else if %s {\n\t\t\tbest--\n\t\t}\n",
		"\t\tif %%[5]s && %s {\n\t\t\tbest++\n\t\t} else if %s {\n\t\t\tbest--\n\t\t}\n",
		"\t\tif %%[5]s {\n\t\t\tbest = "+fmt.Sprint(lo)+"\n\t\t} else if %s {\n\t\t\tbest++\n\t\t} else if %s {\n\t\t\tbest--\n\t\t}\n")
	return fmt.Sprintf(form, up, down)
}

// anew lets a scan begin anew under a condition, before or instead of what is done with e.
func (g *generator) anew(e func() string) string {
	op := pick(g, "+= %s", "+= %s", "+= %s", "-= %s", "^= %s", "|= %s", "&= %s", "*= %s", "= max(best, %s)", "= min(best, %s)")
	step := "\t\tbest " + fmt.Sprintf(op, e()) + "\n"
	if g.chance(0.3) {
		step = pick(g, "\t\tbest++\n", "\t\tbest += 3\n")
	}
	first := pick(g, "0", "1", e())
	form := pick(g,
		"\t\tif %[1]s {\n\t\t\tbest = %[2]s\n\t\t} else {\n\t%[3]s\t\t}\n",
		"\t\tif %[1]s {\n\t\t\tbest = %[2]s\n\t\t}\n%[3]s",
		"%[3]s\t\tif %[1]s {\n\t\t\tbest = %[2]s\n\t\t}\n",
		"\t\tif %[1]s {\n\t\t\tbest = %[2]s\n\t\t} else if %[4]s {\n\t%[3]s\t\t}\n")
	return fmt.Sprintf(form, g.condition(1), first, step, g.condition(1))
}
