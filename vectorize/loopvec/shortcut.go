package loopvec

import "github.com/lanewise/lanewise/vir"

// A shortcut leads calls of few iterations past the stages that have more lanes. What these would
// do is to fold accumulators that nothing has been added to: the sum of two identities is one, the
// smaller one of two equal elements that element, and what follows nothing in a polynomial itself.
//
//	entry:  br n >= 64, vec64, few
//	few:    br n < 16, tail8, tail32
type shortcut struct {
	block *vir.Block
	stage int // the first one that such calls may need
	to    *merge
	lanes int
}

const fewBlock = "few"

// shortcut is nil where the way past the stages would not be shorter, or is not so plain.
func (e *emitter) shortcut() *shortcut {
	if len(e.reds) == 0 || len(e.l.held) > 0 || len(e.phases) > 0 {
		return nil
	}
	for i := 2; i < len(e.stages) && e.halves(i); i++ {
		if lanes := e.stages[i].lanes; e.inOneRegister(lanes) {
			return &shortcut{
				block: &vir.Block{Name: fewBlock, Func: e.f},
				stage: i,
				to:    e.merge("tail", lanes),
				lanes: lanes,
			}
		}
	}
	return nil
}

// inOneRegister reports whether so many lanes of each accumulator are.
func (e *emitter) inOneRegister(lanes int) bool {
	for _, r := range e.reds {
		if e.l.target.Parts(vir.Vec(r.lane, lanes)) > 1 {
			return false
		}
	}
	return true
}

// emit writes the block that decides; others go to skip, with what with says.
func (s *shortcut) emit(e *emitter, b *vir.Builder, skip *vir.Block, with edge) {
	cur := b.Cur
	e.place(b, s.block)
	b.Br(b.Cmp(vir.OpIcmpSlt, e.count, b.Int(e.count.Type, int64(2*s.lanes))), s.to.block, skip)
	with.accs, with.flags = e.initial(s.lanes), e.noFlags(s.lanes)
	s.to.add(with)
	b.Cur = cur
}
