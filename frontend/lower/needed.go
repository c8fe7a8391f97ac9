package lower

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// What a kernel has to hand back. Iterations that it does not do are the scalar code's: those
// that leave the loop, panic or are left over. Such an iteration reads variables of which
// nothing is seen in the function, for what leaves the loop is not lowered:
//
//	for k, v := range x {
//		w = t                    // the old t is read where the loop is left
//		if v > 0 {
//			break
//		}
//		w, t = k, 0
//	}
//
// and what vectorization does not need of a variable the scalar code may still panic by.

// noteReads notes what the code that leaves the loop here may read of what the loop computes.
// Straight-line code is done again as a whole.
func (l *lowerer) noteReads() {
	if l.once != nil {
		return
	}
	for _, k := range l.keys() {
		if l.readsLeaving(k.v) {
			l.note(l.get(k))
		}
	}
	for fr := l.frame; fr != nil; fr = fr.outer {
		for _, p := range fr.refs {
			l.notePlace(p)
		}
		for _, w := range fr.views {
			l.notePlace(w.at)
			l.note(w.len, w.lo, w.limit, w.start)
		}
	}
}

// keys are the numbers that have a value somewhere, in a fixed order.
func (l *lowerer) keys() []key {
	seen := make(map[key]bool)
	var keys []key
	for _, defs := range l.defs {
		for k := range defs {
			if !seen[k] {
				seen[k] = true
				keys = append(keys, k)
			}
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.v.Pos(), b.v.Pos()), cmp.Compare(a.leaf, b.leaf))
	})
	return keys
}

// readsLeaving reports whether what leaves the loop, or what comes behind it, may read v.
func (l *lowerer) readsLeaving(v *types.Var) bool {
	decl := l.src.Decl
	if v.Pos() < decl.Pos() || v.Pos() >= decl.End() {
		return true // of an inlined body
	}
	is, ok := l.leftWith[v]
	if !ok {
		is = l.liveAfter(v)
		l.leftWith[v] = is
	}
	return is
}

func (l *lowerer) notePlace(p place) { l.note(p.base, p.index, p.sub, p.len) }

func (l *lowerer) note(vs ...*vir.Value) {
	for _, v := range vs {
		if v != nil {
			l.reads[v] = true
		}
	}
}

// findLive marks the states that scalar code needs.
func (l *lowerer) findLive() {
	states := make([]plan.State, len(l.states))
	for i, s := range l.states {
		states[i] = s.State
	}
	plan.FindLive(l.f, states, slices.Collect(maps.Keys(l.reads)))
	for i, s := range l.states {
		s.Live = states[i].Live
	}
}
