package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Early takes masks off checks that the iteration makes later in any case:
//
//	check.index %i, %n mask %c          check.index %i, %n
//	check.index %i, %n mask %nc   ==>   check.index %i, %n
//	check.index %i, %n                  check.index %i, %n
//
// Kernels do no iteration that panics, so it does not matter what stands between, unless the
// iteration may end there. What a check allows need not be under its mask then, see Unmask.
//
// Requires: one body block, equal values shared.
func Early(u *pass.Unit) error {
	insts := u.Region.Fn.Blocks[2].Insts
	for i, v := range insts {
		if v.Op.IsCheck() && v.Op != vir.OpExit && v.Masked && madeAnyway(v, insts[i+1:]) && u.Count() {
			v.DropMask()
		}
	}
	return nil
}

// madeAnyway reports whether one of the insts behind check v, or several of them with it, are that
// check in every iteration.
func madeAnyway(v *vir.Value, insts []*vir.Value) bool {
	masks := []*vir.Value{v.Mask()}
	for _, w := range insts {
		switch {
		case w.Op == vir.OpExit:
			return false
		case w.Op != v.Op || !slices.Equal(w.WithoutMask(), v.WithoutMask()):
			continue
		case !w.Masked:
			return true
		}
		if masks = append(masks, w.Mask()); boolean.Exhaustive(masks...) {
			return true
		}
	}
	return false
}
