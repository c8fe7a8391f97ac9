package loopvec

import "github.com/lanewise/lanewise/vir"

// Shortcuts lead calls of few iterations past the stages that have more lanes. What these would
// do is to fold accumulators that nothing has been added to: the sum of two identities is one, the
// smaller one of two equal elements that element, and what follows nothing in a polynomial itself.
//
//	entry:  br n >= 64, vec64, few
//	few:    br n < 16, tail8, few16
//	few16:  br n < 32, tail16, tail32
type shortcuts []shortcut

// A shortcut is for calls of less than two blocks of a stage.
type shortcut struct {
	from  *vir.Block // asks whether a call is such; of the first one, where others go on
	stage int        // the first one that it may need
	lanes int
	to    *merge
}

// fewBlock is the name of the block that the fewest iterations leave for their stage.
const fewBlock = "few"

// shortcuts are those to stages whose accumulators are one register, and to the ones in front;
// none where the way past the stages would not be shorter, or is not so plain.
func (e *emitter) shortcuts() (all shortcuts) {
	if len(e.reds) == 0 || len(e.l.held) > 0 || len(e.phases) > 0 {
		return nil
	}
	for i := 2; i < len(e.stages) && e.halves(i); i++ {
		lanes := e.stages[i].lanes
		from := e.merge("few", lanes).block
		all = append(shortcuts{{from, i, lanes, e.merge("tail", lanes)}}, all...)
		if e.inOneRegister(lanes) {
			from.Name = fewBlock
			return all
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

// at is the shortcut to stage i, nil if there is none.
func (all shortcuts) at(i int) *shortcut {
	for k := range all {
		if all[k].stage == i {
			return &all[k]
		}
	}
	return nil
}

// fewInRow are as few iterations as half of the rows of small matrices have.
const fewInRow = 8

// hasShortRows reports whether the kernel becomes that of rows, which may be short, and has nothing to begin or to end.
func (e *emitter) hasShortRows() bool {
	return e.l.u.Whole && len(e.reds)+len(e.lasts)+len(e.l.held)+len(e.phases) == 0
}

// shortRow is a shortcut for such rows, which is asked for before anything else: what a row takes is mostly the branches past
// stages that have more lanes. Nil where that saves none, or the stages are not plain blocks.
func (e *emitter) shortRow() *shortcut {
	if !e.hasShortRows() {
		return nil
	}
	for i := 2; i < len(e.stages) && e.halves(i); i++ {
		if lanes := e.stages[i].lanes; 2*lanes == fewInRow {
			return &shortcut{e.merge("more", lanes).block, i, lanes, e.merge("tail", lanes)}
		}
	}
	return nil
}

// emitFirst writes the branch of the shortcut, the last one of its block, and goes on where others go.
func (s *shortcut) emitFirst(e *emitter, b *vir.Builder, with edge) *vir.Value {
	few := b.Cmp(vir.OpIcmpSlt, e.count, b.Int(e.count.Type, int64(2*s.lanes)))
	s.to.add(with)
	term := b.Br(few, s.to.block, s.from)
	e.place(b, s.from)
	return term
}

// emit writes the blocks that decide; others go to skip, with what with says.
func (all shortcuts) emit(e *emitter, b *vir.Builder, skip *vir.Block, with edge) {
	cur := b.Cur
	for k, s := range all {
		next := skip
		if k+1 < len(all) {
			next = all[k+1].from
		}
		e.place(b, s.from)
		b.Br(b.Cmp(vir.OpIcmpSlt, e.count, b.Int(e.count.Type, int64(2*s.lanes))), s.to.block, next)
		with.accs, with.flags = e.initial(s.lanes), e.noFlags(s.lanes)
		s.to.add(with)
	}
	b.Cur = cur
}
