package randloop

import (
	"fmt"
	"math/rand/v2"
)

// Some loops are left from inside. Where and how is drawn from numbers of their own,
// so that all other loops stay what they are.

// exits decides whether the loops of function i may be left.
func (g *generator) mayExit(seed uint64, i int) {
	g.exits = rand.New(rand.NewPCG(seed+1000003, uint64(i)))
	if g.exits.IntN(6) > 0 {
		g.exits = nil
		return
	}
	g.used = append(g.used, "exit")
}

// exit leaves the loop now and then, perhaps after some work.
func (g *generator) exit(indent int) string {
	if g.exits == nil || g.exits.IntN(2) == 0 {
		return ""
	}
	rest := g.rnd
	g.rnd = g.exits
	defer func() { g.rnd = rest }()

	in := tabs(indent)
	cond := g.condition(1)
	switch g.rnd.IntN(3) {
	case 0:
		cond = fmt.Sprintf("%s%%37 == %d", g.index, g.rnd.IntN(37))
	case 1:
		cond = fmt.Sprintf("(%s) && %s%%%d == 3", cond, g.index, 5+g.rnd.IntN(30))
	}
	work := ""
	if len(g.sums) > 0 && g.chance(0.5) {
		work = fmt.Sprintf("%s\t%s++\n", in, pick(g, g.sums...).name)
	}
	leave := pick(g, "break", "return", "return", `panic("left")`)
	s := fmt.Sprintf("%sif %s {\n%s%s\t%s\n%s}\n", in, cond, work, in, leave, in)
	if g.chance(0.3) {
		s = fmt.Sprintf("%sif %s {\n%s%s}\n", in, g.condition(1), s, in)
	}
	return s
}
