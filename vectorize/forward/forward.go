// Package forward keeps memory in registers within an iteration of a scalar kernel: what
// was stored is not loaded again, what is overwritten is not stored, and what a loop
// inside loads and stores in every round becomes a variable of it.
//
//	for range 10 {                  a, b := s[0], s[1]
//		s[0] += s[1]                for range 10 {
//		s[1] ^= s[0]                	a += b
//	}                               	b ^= a
//	                                }
//	                                s[0], s[1] = a, b
//
// A cell is all accesses of an iteration to the same bytes by addresses that do not
// change within it. Loads of a cell become uses of what it holds, which is found as in
// the construction of SSA form (Cytron et al., TOPLAS 1991; here with a phi at every join,
// dropped again where it joins one value). One load stays, and one store: in place if
// they are the first and the last access, else in front of, or behind, the loops.
//
// Nothing is read or written that was not before: cells that are accessed under a condition only are
// kept in registers from there on, and when some way through the iteration stores
// nothing, all stores stay and only loads go, unless they are in one block. What other accesses may touch is left
// alone, unless a test at run time can tell and much is gained.
//
// Requires: a kernel as package kernelize makes it: there are no checks behind the first
// store, so that nobody sees what memory holds within an iteration. Afterwards u.Apart has
// what must be tested.
//
// The package knows vir and addresses. It must not know vectors.
package forward

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/alias"
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run forwards memory in the kernel of u.
func Run(u *pass.Unit) error {
	s := newScope(u.Func(), u.Region.Once)
	if s == nil {
		return nil
	}
	s.apart = u.Apart
	before := s.count()
	cells := s.cells()
	s.pool(cells)
	for _, c := range cells {
		if s.worthwhile(c) && u.Count() {
			s.promote(c)
		}
	}
	s.deadStores(u.Count)
	edit.Sweep(u.Func(), alias.Values(s.apart)...)
	u.Apart = s.apart
	if after := newScope(u.Func(), u.Region.Once).count(); after < before {
		u.Note("forward:Registers", vir.Pos{}, map[string]any{"before": before, "after": after},
			"of %d loads and stores of an iteration %d are left: memory is kept in registers", before, after)
	}
	return nil
}

// maxAccesses bounds the work: accesses are compared in pairs.
const maxAccesses = 600

// A scope is an iteration.
type scope struct {
	f      *vir.Func
	it     *loops.Iteration
	forest *loops.Forest
	dom    *loops.Dom
	inside map[*vir.Block]bool
	all    []*vir.Value       // accesses, in reverse post-order
	at     map[*vir.Value]int // their places among all values of the iteration
	apart  []alias.Apart      // what is taken for granted
	gains  map[pair]int       // accesses saved by tests between two pointers
	costs  map[pair]int       // of these tests, in accesses
}

// newScope is the iteration of f; nil when it cannot be worked on.
func newScope(f *vir.Func, once bool) *scope {
	forest := loops.Find(f)
	s := &scope{f: f, forest: forest, it: loops.IterationOf(f, forest, once), inside: make(map[*vir.Block]bool), at: make(map[*vir.Value]int)}
	if s.it == nil || forest.Irreducible {
		return nil
	}
	s.dom = loops.DomTree(f)
	for _, b := range s.it.Blocks {
		s.inside[b] = true
		for _, v := range b.Insts {
			s.at[v] = len(s.at)
			if v.Op.Info().Rule == vir.RuleMemory {
				if v.Type.IsVector() || v.Masked || v.Op.IsIndexed() {
					return nil
				}
				s.all = append(s.all, v)
			}
		}
	}
	if len(s.all) > maxAccesses {
		return nil
	}
	return s
}

// count is the number of accesses in an iteration, each once.
func (s *scope) count() int { return len(s.all) }

// loop is the innermost loop that b is in.
func (s *scope) loop(b *vir.Block) *loops.Loop { return s.forest.Of(b) }

// top reports whether b is in no loop inside.
func (s *scope) top(b *vir.Block) bool { return s.loop(b) == s.it.Loop }

// always reports whether every iteration runs b.
func (s *scope) always(b *vir.Block) bool { return s.everyRound(b, s.loop(b)) }

// everyRound reports it of b, a block of l outside of the loops in l or where one begins.
func (s *scope) everyRound(b *vir.Block, l *loops.Loop) bool {
	if l == s.it.Loop {
		return s.dom.Dominates(b, s.it.Last)
	}
	every := !slices.ContainsFunc(l.Latches, func(x *vir.Block) bool { return !s.dom.Dominates(b, x) })
	return every && (b == l.Header || runs(l)) && s.everyRound(l.Header, l.Parent)
}

// deadStores drops stores that are overwritten in the same block, with no load in between
// that may see them.
func (s *scope) deadStores(count func() bool) {
	for _, b := range s.it.Blocks {
		for _, v := range slices.Clone(b.Insts) {
			if v.Op.IsStore() && overwritten(v) && count() {
				v.Remove()
			}
		}
	}
}

func overwritten(v *vir.Value) bool {
	b := v.Block
	for _, w := range b.Insts[slices.Index(b.Insts, v)+1:] {
		switch {
		case w.Op.IsStore() && alias.Compare(v, w) == alias.Equal:
			return true
		case w.Op.IsLoad() && alias.Compare(v, w) != alias.Disjoint:
			return false
		}
	}
	return false
}
