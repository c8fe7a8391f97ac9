package randloop

import (
	"fmt"
	"strings"
)

// automaton goes from state to state, which are a few numbers, sometimes a bool as well, or counts in a circle.
func (g *generator) automaton() string {
	if g.chance(0.3) {
		return g.circle()
	}
	states := g.someStates()
	flagged := g.chance(0.3)
	var s strings.Builder
	item := g.temp()
	fmt.Fprintf(&s, "\t\te%[1]d := %[2]s\n\t\t_ = e%[1]d\n", item, g.expr(g.best.typ, 1))
	s.WriteString("\t\tswitch best {\n")
	for k, x := range states {
		label := fmt.Sprintf("case %d:", x)
		if k == len(states)-1 && g.chance(0.3) {
			label = "default:"
		}
		fmt.Fprintf(&s, "\t\t%s\n", label)
		for range 1 + g.rnd.IntN(2) {
			fmt.Fprintf(&s, "\t\t\tif %s {\n\t\t\t\t%s\n\t\t\t}%s\n", g.transitionWhen(item, flagged), g.transition(states, flagged), g.otherwise(states, flagged))
		}
	}
	s.WriteString("\t\t}\n")
	return s.String()
}

// someStates are up to seven numbers, with 0 mostly.
func (g *generator) someStates() (states []int) {
	n, step, first := 2+g.rnd.IntN(6), pick(g, 1, 1, 1, 7, 10), 0
	if g.chance(0.2) && !strings.HasPrefix(g.best.typ, "u") {
		first = -step
	}
	for k := range n {
		states = append(states, first+k*step)
	}
	g.rnd.Shuffle(n, func(i, j int) { states[i], states[j] = states[j], states[i] })
	return states
}

// transitionWhen is a condition, sometimes one on the state and item, the number of a variable.
func (g *generator) transitionWhen(item int, flagged bool) string {
	c := g.condition(1)
	if g.chance(0.15) {
		c = fmt.Sprintf("e%d %s best*%d", item, pick(g, "<", ">", "=="), 1+g.rnd.IntN(20))
	}
	if flagged && g.chance(0.4) {
		return fmt.Sprintf("%swas %s (%s)", pick(g, "", "!"), pick(g, "&&", "||"), c)
	}
	return c
}

func (g *generator) transition(states []int, flagged bool) string {
	switch {
	case flagged && g.chance(0.4):
		return fmt.Sprintf("was = %s", pick(g, "true", "false", "!was", g.condition(0)))
	case g.chance(0.1):
		return "best++"
	}
	return fmt.Sprintf("best = %d", states[g.rnd.IntN(len(states))])
}

func (g *generator) otherwise(states []int, flagged bool) string {
	if g.chance(0.5) {
		return ""
	}
	return fmt.Sprintf(" else {\n\t\t\t\t%s\n\t\t\t}", g.transition(states, flagged))
}

// circle counts iterations up to a number, from 0 on.
func (g *generator) circle() string {
	n := 2 + g.rnd.IntN(16)
	form := pick(g,
		"\t\tif %[1]s {\n\t\t\tbest++\n\t\t\tif best == %[2]d {\n\t\t\t\tbest = 0\n\t\t\t}\n\t\t}\n",
		"\t\tif %[1]s {\n\t\t\tbest = (best + %[3]d) %% %[2]d\n\t\t}\n",
		"\t\tif %[1]s {\n\t\t\tbest = (best + 1) %% %[2]d\n\t\t} else if %[4]s {\n\t\t\tbest = 0\n\t\t}\n",
		"\t\tif %[1]s {\n\t\t\tif best--; best < 0 || best > %[2]d {\n\t\t\t\tbest = %[2]d\n\t\t\t}\n\t\t}\n")
	return fmt.Sprintf(form, g.condition(1), n, 1+g.rnd.IntN(3), g.condition(1))
}
