package generate

import (
	"math"
	"slices"

	"github.com/lanewise/lanewise/frontend"
)

// Functions that are called with literals which have loops themselves:
//
//	rows(0, h, func(y int) {
//		for x := range w {
//
// Lanes are iterations of the function's loop, with the literal in it, or of the literal's loops, which the function calls as
// they are, of those that promise more.

// unbind keeps one of the two for each call of a function with literals.
func (g *packager) unbind() {
	of := make(attempts)
	for _, a := range g.regions {
		of[a.region] = a
	}
	for _, f := range g.pkg.Funcs {
		for _, t := range f.Twins {
			t.Calls = slices.DeleteFunc(t.Calls, func(c frontend.Call) bool {
				inside := of.inLiterals(t, c)
				gain := least(inside)
				if len(inside) == 0 || of.leastOf(c.Twin) > gain {
					for _, n := range inside {
						n.cede("loopvec:OuterChosen", "the loop that calls the function literal is vectorized")
					}
					return false
				}
				return gain > 1
			})
		}
	}
}

// attempts are those at regions.
type attempts map[*frontend.Region]*attempt

// inLiterals are the outermost loops in the literals of t that c is called with, where its twin declares them.
func (of attempts) inLiterals(t *frontend.Twin, c frontend.Call) []*nest {
	var in []*attempt
	for _, r := range t.Regions {
		for _, b := range c.Twin.Bound {
			if b.Lit != nil && contains(c.Expr, b.Lit) && contains(b.Lit, r.Loop) && !r.Once {
				in = append(in, of[r])
			}
		}
	}
	return nestsOf(in)
}

// least is the smallest gain of what was chosen in nests.
func least(nests []*nest) float64 {
	gain := math.Inf(1)
	for _, n := range nests {
		if n.kernel == nil && len(n.inside) > 0 {
			gain = min(gain, least(n.inside))
		} else {
			gain = min(gain, n.gain())
		}
	}
	return gain
}

// leastOf is the smallest gain of what was chosen in a twin and in those that it calls, which may call one another.
func (of attempts) leastOf(t *frontend.Twin) float64 {
	gain := math.Inf(1)
	seen := make(map[*frontend.Twin]bool)
	var visit func(t *frontend.Twin)
	visit = func(t *frontend.Twin) {
		if seen[t] {
			return
		}
		seen[t] = true
		var all []*attempt
		for _, r := range t.Regions {
			all = append(all, of[r])
		}
		gain = min(gain, least(nestsOf(all)))
		for _, c := range t.Calls {
			visit(c.Twin)
		}
	}
	visit(t)
	return gain
}
