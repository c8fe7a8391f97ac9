// Package flag has iterations that set a flag by which the loop ends done by the scalar code:
//
//	for i := 0; i < len(x) && !found; i++ {
//		if x[i] == v {
//			found, at = true, i        the kernel stops before such an iteration, which leaves
//		}                                  the flag and all that is set along with it as they were
//	}
//
// The scalar code does it, and leaves the loop by its condition.
//
// Requires: a region as the frontend makes it, without loops inside.
// Not handled: flags that are set to what is not a constant, which need no help.
package flag

import (
	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/plan"
)

// Split is r without the iterations that set flags, and these flags; nil when there are none.
func Split(r *plan.Region) (*plan.Region, []*vir.Value) {
	if r.Once || len(loops.Find(r.Fn).All) != 1 {
		return nil, nil
	}
	c := *r
	c.Fn = r.Fn.Clone()
	s := &splitter{f: c.Fn, header: c.Fn.Blocks[1]}
	var flags []*vir.Value
	for _, phi := range s.header.Phis() {
		sets := s.setters(phi)
		for _, w := range sets {
			s.stop(w.join.Block.Preds[w.way])
			w.join.Args[w.way] = phi
		}
		if sets != nil {
			flags = append(flags, phi)
		}
	}
	if flags == nil {
		return nil, nil
	}
	return &c, flags
}

type splitter struct {
	f      *vir.Func
	header *vir.Block
}

// A setter is one way to where ways meet on which a flag is set.
type setter struct {
	join *vir.Value // a phi
	way  int        // operand of it
}

// setters are the ways on which phi is set to what ends the loop, if it is a flag that each iteration asks first, and that
// nothing else is done to.
func (s *splitter) setters(phi *vir.Value) []setter {
	ends, ok := s.ends(phi)
	if !ok {
		return nil
	}
	var sets []setter
	var only func(v *vir.Value) bool
	only = func(v *vir.Value) bool {
		if v == phi {
			return true
		}
		if v.Op != vir.OpPhi || v.Block == s.header {
			return false
		}
		for i, a := range v.Args {
			if c, ok := a.IsConst(); ok && c == ends && s.isAlone(v.Block.Preds[i]) {
				sets = append(sets, setter{v, i})
			} else if !only(a) {
				return false
			}
		}
		return true
	}
	if !only(s.next(phi)) {
		return nil
	}
	return sets
}

// next is phi in the next iteration.
func (s *splitter) next(phi *vir.Value) *vir.Value {
	return phi.Args[1-s.header.PredIndex(s.f.Entry())]
}

// ends is the value of phi with which the loop ends when an iteration begins.
func (s *splitter) ends(phi *vir.Value) (value uint64, ok bool) {
	if phi.Type != vir.Scalar(vir.Bool) {
		return 0, false
	}
	for _, v := range s.header.Succs[0].Insts {
		if v.Op != vir.OpExit || v.Masked {
			continue
		}
		switch c := v.Args[0]; {
		case c == phi:
			return 1, true
		case c.Op == vir.OpNot && c.Args[0] == phi:
			return 0, true
		}
	}
	return 0, false
}

// isAlone reports whether nothing but one branch leads to b.
func (s *splitter) isAlone(b *vir.Block) bool {
	return len(b.Preds) == 1 && b.Preds[0] != s.header && b.Preds[0].Term().Op == vir.OpBr && b.Preds[0].Succs[0] != b.Preds[0].Succs[1]
}

// stop has the kernel stop where the branch to b would be taken.
func (s *splitter) stop(b *vir.Block) {
	term := b.Preds[0].Term()
	w := vir.NewBuilder(s.f, b.Preds[0])
	w.Pos = term.Pos
	taken := term.Args[0]
	edit.InFront(w, term, func() {
		other := uint64(0)
		if b.Preds[0].Succs[1] == b {
			taken, other = w.Same(vir.OpNot, taken), 1
		}
		w.Check(vir.OpExit, nil, taken)
		term.Args[0] = w.Const(vir.Scalar(vir.Bool), other)
	})
}
