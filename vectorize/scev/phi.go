package scev

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

func (s *Info) classifyPhis() map[*vir.Value]PhiKind {
	kinds := make(map[*vir.Value]PhiKind)
	if s.loop == nil {
		return kinds
	}
	sl := &slicer{s: s, uses: s.region.Fn.Uses(), post: loops.PostDomTree(s.region.Fn)}
	for _, phi := range s.header.Phis() {
		kinds[phi] = s.classify(phi, sl)
	}
	return kinds
}

func (s *Info) classify(phi *vir.Value, sl *slicer) PhiKind {
	if s.only(phi) != nil {
		return Unchanged
	}
	if a := s.affineOf(phi); a != nil {
		if phi == s.count.main {
			return Main
		}
		return Induction
	}
	reached, contained := sl.forward(phi)
	switch {
	case len(reached) == 0:
		return Anew
	case contained && reached[s.next(phi)]:
		return Reduction
	}
	return Recurrence
}

// A slicer follows a header phi forward to everything it has influence on.
type slicer struct {
	s    *Info
	uses map[*vir.Value][]*vir.Value
	post *loops.Dom
}

// forward collects the values of the loop that the old value of phi influences,
// through data and through branches. It is contained when the only way out of
// the iteration is phi itself: no memory access, check or other phi.
func (sl *slicer) forward(phi *vir.Value) (reached map[*vir.Value]bool, contained bool) {
	reached = make(map[*vir.Value]bool)
	contained = true
	work := []*vir.Value{phi}
	add := func(v *vir.Value) {
		if v != phi && !reached[v] && sl.s.inLoop(v) {
			reached[v] = true
			work = append(work, v)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range sl.uses[v] {
			add(u)
		}
		switch {
		case v == phi:
		case v.Op == vir.OpBr:
			contained = sl.branch(v, add) && contained
		case v.Op.Info().Effect, v.Op.Info().Reads, sl.s.isHeaderPhi(v):
			contained = false
		}
	}
	return reached, contained
}

// branch adds what br decides: the phis in the blocks up to where its ways have
// met again. It reports whether no effect lies in between.
func (sl *slicer) branch(br *vir.Value, add func(*vir.Value)) bool {
	end := sl.post.Idom(br.Block)
	seen := make(map[*vir.Block]bool)
	work := slices.Clone(br.Block.Succs)
	clean := br.Block != sl.s.header
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || !sl.s.loop.Contains(b) {
			continue
		}
		seen[b] = true
		for _, p := range b.Phis() {
			add(p)
		}
		if b == end {
			continue
		}
		for _, v := range b.Insts {
			if v.Op.Info().Effect && !v.Op.Info().Term {
				clean = false
			}
		}
		work = append(work, b.Succs...)
	}
	return clean
}
