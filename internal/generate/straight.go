package generate

import "github.com/lanewise/lanewise/internal/diag"

// Straight-line code and what is inside of it: the loops there are regions of their own,
// and the better of the two is kept. A loop that stays scalar may hold groups of equal work
// in its body: it is tried as straight-line code that is done again and again.

// chosen says why loops inside of n have no kernels of their own.
func (n *nest) chosen() (id, msg string) {
	if n.region.Once {
		return "slp:StraightChosen", "the code around it is vectorized as a whole"
	}
	return "loopvec:OuterChosen", "the loop around it is vectorized"
}

// quiet makes remarks of analysis of what is said about straight-line code that stays
// scalar around loops: these have remarks of their own.
func (n *nest) quiet() {
	for i, r := range n.remarks {
		if r.Kind == diag.Missed && r.Args["error"] != true {
			n.remarks[i].Kind = diag.Analysis
		}
	}
}

// oneByOne tries the loops of n that stay scalar, and hold none that do not, with groups
// inside of an iteration: the outer ones first.
func (g *packager) oneByOne(n *nest) {
	if g.stages.straight == nil || n.kernel != nil || n.taken && !n.vectorizedInside() {
		return
	}
	if !n.region.Once && !n.vectorizedInside() && g.iterations(n) {
		for _, k := range n.inside {
			k.cede("slp:StraightChosen", "the loop around it is vectorized as a whole")
		}
		return
	}
	for _, k := range n.inside {
		g.oneByOne(k)
	}
}

// iterations gives n a kernel that does its iterations one by one, if that is better.
func (g *packager) iterations(n *nest) (ok bool) {
	if badClauses(n.remarks) != nil {
		return false
	}
	defer func() {
		if recover() != nil {
			ok = false // the remark about lanes stays
		}
	}()
	r := n.region.Region
	r.Clauses.Require, r.Clauses.Force = false, false
	k, remarks := g.stages.straight(&r, g.Passes)
	if k == nil {
		return false
	}
	for _, m := range n.remarks {
		if m.Kind == diag.Missed {
			m.Kind = diag.Analysis
		}
		remarks = append(remarks, m)
	}
	n.kernel, n.remarks = k, remarks
	return true
}
