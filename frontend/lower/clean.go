package lower

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// clean removes what building left behind: blocks that only continue another,
// values and parameters without use.
func (l *lowerer) clean() {
	l.joinBlocks()
	l.removeUnused()
	l.removeParams()
}

// joinBlocks appends a block to its only predecessor when that has no other
// successor. The blocks that plan.Region names stay.
func (l *lowerer) joinBlocks() {
	for i := 0; i < len(l.f.Blocks); i++ {
		b := l.f.Blocks[i]
		if b == l.f.Blocks[0] || b == l.header || b == l.latch || b == l.exit || len(b.Preds) != 1 || len(b.Phis()) > 0 {
			continue
		}
		p := b.Preds[0]
		if len(p.Succs) != 1 || p == l.header {
			continue
		}
		p.Insts = p.Insts[:len(p.Insts)-1]
		for _, v := range b.Insts {
			v.Block = p
		}
		p.Insts = append(p.Insts, b.Insts...)
		p.Succs = b.Succs
		for _, s := range b.Succs {
			s.Preds[s.PredIndex(b)] = p
		}
		l.f.Blocks = slices.Delete(l.f.Blocks, i, i+1)
		i--
	}
}

// removeUnused removes values without effect and use.
func (l *lowerer) removeUnused() {
	needed := make(map[*vir.Value]bool)
	var work []*vir.Value
	need := func(v *vir.Value) {
		if !needed[v] {
			needed[v] = true
			work = append(work, v)
		}
	}
	for _, b := range l.f.Blocks {
		for _, v := range b.Insts {
			if v.Op.Info().Effect {
				need(v)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range v.Args {
			need(a)
		}
	}
	for _, b := range l.f.Blocks {
		b.Insts = slices.DeleteFunc(b.Insts, func(v *vir.Value) bool { return !needed[v] })
	}
}

// removeParams removes live-ins without use, except lengths of memory that is
// used and those whose evaluation may panic: the source evaluates them, so the
// twin has to ask whether it can.
func (l *lowerer) removeParams() {
	used := make(map[*vir.Value]bool)
	for v := range l.f.Values {
		for _, a := range v.Args {
			used[a] = true
		}
	}
	for _, in := range l.ins {
		if used[in.v] && in.v.Param.Len != nil {
			used[in.v.Param.Len] = true
		}
	}
	l.ins = slices.DeleteFunc(l.ins, func(in *liveIn) bool {
		return !used[in.v] && len(in.NonNil)+len(in.NonZero)+len(in.InRange) == 0
	})
}
