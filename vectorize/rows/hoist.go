package rows

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/loops"
	"github.com/lanewise/lanewise/vir"
)

// hoist moves to the entry what is the same in every iteration of the outer loop.
// Loads stay: the kernel may store.
func hoist(f *vir.Func) {
	entry := f.Entry()
	known := func(v *vir.Value) bool { return v.Block == nil || v.Block == entry }
	for _, b := range loops.RPO(f) {
		if b == entry {
			continue
		}
		for _, v := range slices.Clone(b.Insts) {
			if !invariant(v, known) {
				continue
			}
			v.Remove()
			v.Block = entry
			entry.Insts = slices.Insert(entry.Insts, len(entry.Insts)-1, v)
		}
	}
}

// invariant reports whether v may be computed once, from operands that are known.
// Divisions stay where their divisor is known not to be zero, comparisons where
// they become branches.
func invariant(v *vir.Value, known func(*vir.Value) bool) bool {
	i := v.Op.Info()
	if v.Op == vir.OpPhi || i.Effect || i.Term || v.Op.IsLoad() || divides(v.Op) || i.Rule == vir.RuleIntCmp || i.Rule == vir.RuleFloatCmp {
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *vir.Value) bool { return !known(a) })
}
