package generate

import (
	"slices"
	"strings"

	"github.com/lanewise/lanewise/frontend"
	"github.com/lanewise/lanewise/internal/diag"
	"github.com/lanewise/lanewise/vir/plan"
)

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

// quiet makes remarks of analysis of what is said about straight-line code, or a loop, that
// stays scalar around loops: these have remarks of their own.
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
	if g.stages.straight == nil || n.kernel != nil && (n.region.Once || !g.weak(n)) {
		return
	}
	if n.kernel != nil {
		g.iterations(n)
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

// weakGain is the gain of lanes up to which groups inside of an iteration are tried as well.
const weakGain = 1.6

// weak reports whether the kernel of n has lanes that promise little, or does a part of the
// loop lane by lane. Groups that are said to be of other sizes are left alone.
func (g *packager) weak(n *nest) bool {
	cost, scalar, ok := n.cycles()
	c := n.region.Clauses
	return ok && c.Simdlen == 0 && c.Unroll == 0 && (n.partial() || scalar < weakGain*cost)
}

// partial reports whether the kernel of n does a part of the loop lane by lane.
func (n *nest) partial() bool {
	return slices.ContainsFunc(n.remarks, func(r diag.Remark) bool { return r.Kind == diag.Passed && r.Args["partial"] != nil })
}

// ratio is the time of the scalar loop over that of the kernel, as estimated.
func (n *nest) ratio() float64 {
	if cost, scalar, ok := n.cycles(); ok {
		return scalar / cost
	}
	return 1
}

// rivalMargin is how much better groups inside of an iteration must be than lanes, which
// gain more where estimates are wrong.
const rivalMargin = 1.6

// iterations gives n a kernel that does its iterations one by one, if that is better.
func (g *packager) iterations(n *nest) (ok bool) {
	if badClauses(n.remarks) != nil {
		return false
	}
	defer func() {
		if x := recover(); x != nil {
			g.fault(x)
			ok = false // the remark about lanes stays
		}
	}()
	r := n.region.Region
	r.Clauses.Require, r.Clauses.Force = false, false
	k, remarks := g.stages.straight(&r, g.Passes)
	if k == nil || tooFew(n.region, k) {
		return false
	}
	other := nest{attempt: &attempt{region: n.region, kernel: k, remarks: remarks}}
	if n.kernel != nil && other.ratio() < rivalMargin*n.ratio() {
		return false
	}
	for _, m := range n.remarks {
		if m.Kind != diag.Analysis {
			m.Msg = strings.TrimPrefix(m.Msg, "vectorized: ")
			m.Kind = diag.Analysis
		}
		remarks = append(remarks, m)
	}
	n.kernel, n.remarks = k, remarks
	return true
}

// instead gives n a kernel of groups instead of calls for the loop inside, a few turns that have become copies, if that is better.
func (g *packager) instead(n *nest) {
	inner := n.inside[0]
	cost, scalar, ok := inner.cycles()
	if g.stages.straight == nil || n.region.Unrolled == 0 || !ok || len(inner.inside) > 0 || !inner.voluntary() || n.asked() || inner.asked() {
		return
	}
	if _, known := inner.trips(mostTurns); !known {
		return
	}
	before := *n.attempt
	if !g.iterations(n) {
		return
	}
	if n.ratio() < wholeMargin*inner.speedup(scalar, cost) {
		*n.attempt = before
		return
	}
	inner.cede("slp:StraightChosen", "the loop around it is vectorized as a whole")
}

// mostTurns is the most turns of a loop inside for which groups may be better than calls.
const mostTurns = 64

// tooFew reports whether a loop is known to have fewer iterations than are worth a call of
// kernel k.
func tooFew(r *frontend.Region, k *plan.Kernel) bool {
	a := attempt{region: r, kernel: k}
	return a.tooShort() && !r.Clauses.Require && !r.Clauses.Force
}
