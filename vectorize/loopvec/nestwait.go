package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// Gains that estimates have to promise where lanes wait for those that are in an inner loop longest, and how long that is
// depends on data. Estimates take all to be in it as long; kernels keep an account of what is lost, see nestidle.go, but have
// lost some when they give up.
const (
	waitMargin   = 1.6 // numbers develop: most need about as many turns
	searchMargin = 2.5 // something is looked for: the longest of eight searches takes twice as long as most
)

// waitingMargin is the gain that is asked for, 1 if data do not decide how long lanes are in inner loops.
func (l *loop) waitingMargin() float64 {
	margin := 1.0
	if !l.isNest() {
		return margin
	}
	for _, b := range l.blocks {
		t := b.Term()
		if t.Op != vir.OpBr || l.depth(b) == 0 || l.uniform(t.Args[0]) {
			continue
		}
		if looks, alike := l.exits(t.Args[0], make(map[*vir.Value]bool)); looks {
			margin = searchMargin
		} else if !alike {
			margin = max(margin, waitMargin)
		}
	}
	return margin
}

// exits reports whether v, which decides how long a lane is in an inner loop, looks at what the loop loads, in all lanes the same perhaps, and whether it develops in
// much the same way in all lanes: it follows counters, or begins with the same number in all, like the limits of a binary
// search, which are as far apart in each lane. What lanes have come to by themselves before the loop may be
// anything. Truth values are what they are made of.
func (l *loop) exits(v *vir.Value, seen map[*vir.Value]bool) (looks, alike bool) {
	if seen[v] {
		return false, true
	}
	seen[v] = true
	_, follows := l.sc.Nested(v)
	switch {
	case v.Op.IsLoad() && l.depth(v.Block) > 0:
		return true, false
	case follows || l.uniform(v):
		return false, true
	case l.depth(v.Block) == 0:
		return false, false
	case v.Op == vir.OpPhi && v.Type.Elem != vir.Bool:
		f := l.nest.forest.Of(v.Block)
		return false, !slices.ContainsFunc(v.Block.Preds, func(p *vir.Block) bool {
			return !f.Contains(p) && !l.uniform(v.Args[v.Block.PredIndex(p)])
		})
	}
	alike = len(v.Args) > 0
	for _, a := range v.Args {
		looking, like := l.exits(a, seen)
		looks, alike = looks || looking, alike && like
	}
	return looks, alike
}
