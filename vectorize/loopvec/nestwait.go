package loopvec

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// waitMargin is the gain that estimates have to promise where lanes wait for those that are in an inner loop longest, and
// how long that is depends on data: estimates take all to be in it as long. With random numbers the longest of eight
// takes two to three times as long as most. Kernels keep an account of what is lost, see nestidle.go, but have
// lost some when they give up.
const waitMargin = 2.5

// waitsForData reports whether data decide how long a lane is in an inner loop.
func (l *loop) waitsForData() bool {
	if !l.isNest() {
		return false
	}
	for _, b := range l.blocks {
		t := b.Term()
		if t.Op == vir.OpBr && !l.uniform(t.Args[0]) && l.depth(b) > 0 && !l.alike(t.Args[0], make(map[*vir.Value]bool)) {
			return true
		}
	}
	return false
}

// alike reports whether v develops in much the same way in all lanes: it follows counters, or begins with the same number in
// all, like the limits of a binary search, which are as far apart in each lane. What a lane has loaded, or come
// to by itself before the loop, may be anything. Truth values are what they are made of.
func (l *loop) alike(v *vir.Value, seen map[*vir.Value]bool) bool {
	if l.uniform(v) || seen[v] {
		return true
	}
	seen[v] = true
	if _, ok := l.sc.Nested(v); ok {
		return true
	}
	switch {
	case v.Op.IsLoad() || v.Op == vir.OpPhi && l.depth(v.Block) == 0:
		return false
	case v.Op == vir.OpPhi && v.Type.Elem != vir.Bool:
		f := l.nest.forest.Of(v.Block)
		return !slices.ContainsFunc(v.Block.Preds, func(p *vir.Block) bool {
			return !f.Contains(p) && !l.uniform(v.Args[v.Block.PredIndex(p)])
		})
	}
	return len(v.Args) > 0 && !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !l.alike(a, seen) })
}
