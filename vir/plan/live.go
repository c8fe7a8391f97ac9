package plan

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// FindLive marks the states of a loop, f, whose values scalar code needs where it goes on
// behind a call: what it tests, stores and branches by follows from them, or what is live
// behind the loop, or values that it reads although f does not show it, where the loop is left.
//
// It wants the loop as written: a kernel may do without a check or a branch by which the
// scalar code panics.
func FindLive(f *vir.Func, states []State, reads []*vir.Value) {
	phis, exit := f.Blocks[1].Phis(), f.Blocks[len(f.Blocks)-1]
	needed := make(map[*vir.Value]bool)
	work := slices.Clone(reads)
	for _, b := range f.Blocks {
		for _, v := range b.Insts {
			if b != exit && v.Op.Info().Effect {
				work = append(work, v.Args...)
			}
		}
	}
	for i, phi := range phis {
		if states[i].Live {
			work = append(work, phi)
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if !needed[v] {
			needed[v] = true
			work = append(work, v.Args...)
		}
	}
	for i, phi := range phis {
		states[i].Live = states[i].Live || needed[phi]
	}
}
