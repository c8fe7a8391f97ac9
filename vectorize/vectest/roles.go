package vectest

import "github.com/lanewise/lanewise/vir"

// A role is what an integer parameter is used for.
type role struct {
	limit  bool // something is compared with it
	factor bool // something is multiplied by it
}

// findRoles looks at the uses of parameters.
func (g *generator) findRoles() {
	g.roles = make(map[*vir.Value]role)
	for v := range g.r.Fn.Values {
		for _, x := range v.Args {
			if x.Op != vir.OpParam {
				continue
			}
			r := g.roles[x]
			switch {
			case v.Op.Info().Rule == vir.RuleIntCmp:
				r.limit = true
			case v.Op == vir.OpMul:
				r.factor = true
			}
			g.roles[x] = r
		}
	}
}

// small is a value of an integer parameter that keeps subscripts small.
func (g *generator) small(p *vir.Value, n int) int {
	switch r := g.roles[p]; {
	case r.factor:
		return 1 + g.IntN(4)
	case r.limit:
		most := n
		if p.Type.Elem == vir.I8 {
			most = min(n, 127)
		}
		return most - min(most, g.IntN(3))
	}
	return g.IntN(5)
}
