package ifconv

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/boolean"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
)

// Early widens the masks of checks that the iteration makes later in any case, or wherever a condition holds:
//
//	check.index %i, %n mask %c          check.index %i, %n
//	check.index %i, %n mask %nc   ==>   check.index %i, %n
//	check.index %i, %n                  check.index %i, %n
//
//	check.index %i, %n mask %p&%c       check.index %i, %n mask %p
//	check.index %i, %n mask %p&%nc ==>  check.index %i, %n mask %p
//
// Kernels do no iteration that panics, so it does not matter what stands between, unless the
// iteration may end there. What a check allows need not be under its mask then, see Unmask.
//
// Requires: one body block, equal values shared.
func Early(u *pass.Unit) error {
	insts := u.Region.Fn.Blocks[2].Insts
	for i, v := range insts {
		if !v.Op.IsCheck() || v.Op == vir.OpExit || !v.Masked {
			continue
		}
		if mask, ok := madeUnder(v, insts[i+1:]); ok && u.Count() {
			v.SetMask(mask)
		}
	}
	return nil
}

// madeUnder is the widest mask under which one of the insts behind check v, or several of them with it, are that
// check; nil is every iteration. It reports false where that is the mask of v.
func madeUnder(v *vir.Value, insts []*vir.Value) (mask *vir.Value, ok bool) {
	masks := []*vir.Value{v.Mask()}
	for _, w := range insts {
		switch {
		case w.Op == vir.OpExit:
			return mask, ok
		case w.Op != v.Op || !slices.Equal(w.WithoutMask(), v.WithoutMask()):
			continue
		case !w.Masked:
			return nil, true
		}
		if masks = append(masks, w.Mask()); boolean.Exhaustive(masks...) {
			return nil, true
		}
		if p := together(masks); p != nil {
			mask, ok = p, true
		}
	}
	return mask, ok
}

// together is the widest condition that the first of masks is computed from, where one of those of them holds that hold
// nowhere else; nil if there is none. Where others held too the condition might be one that some iterations do not compute.
func together(masks []*vir.Value) (widest *vir.Value) {
	for _, p := range conjuncts(masks[0]) {
		var parts []*vir.Value
		for _, m := range masks {
			if boolean.Implies(m, p) {
				parts = append(parts, m)
			}
		}
		if boolean.Covered(p, parts...) && (widest == nil || boolean.Implies(widest, p)) {
			widest = p
		}
	}
	return widest
}

// conjuncts are the conditions that must hold for m to hold, as far as m is made of them.
func conjuncts(m *vir.Value) []*vir.Value {
	if m.Op != vir.OpAnd {
		return nil
	}
	all := slices.Clone(m.Args)
	for _, a := range m.Args {
		all = append(all, conjuncts(a)...)
	}
	return all
}
