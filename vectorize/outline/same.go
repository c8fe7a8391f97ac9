package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// congruent reports whether v and w, values of two functions, do the same with their
// operands, whatever these are: same operation, immediates, lanes and distances, and the
// same types as far as the operation sees them. Displacements are not compared.
func congruent(v, w *vir.Value) bool {
	return v.Op == w.Op && v.Callee == w.Callee && len(v.Args) == len(w.Args) &&
		v.Imm == w.Imm && slices.Equal(v.Lanes, w.Lanes) &&
		v.Scale == w.Scale && v.Indexed == w.Indexed && v.Masked == w.Masked &&
		alike(v.Op, v.Type, w.Type) && operandsAlike(v, w)
}

// operandsAlike compares the types of operands. Most follow from the result's; those of
// comparisons and conversions do not.
func operandsAlike(v, w *vir.Value) bool {
	for i, a := range v.Args {
		if !alike(v.Op, a.Type, w.Args[i].Type) {
			return false
		}
	}
	return true
}

// alike reports whether op does the same with operands or results of types t and u. What
// only moves lanes sees how wide they are, and not what they hold. Scalars are in registers
// of different kinds.
func alike(op vir.Op, t, u vir.Type) bool {
	return t == u || moves(op) && t.Lanes > 0 && t.Lanes == u.Lanes && !t.IsMask() && !u.IsMask() && t.Size() == u.Size()
}

// moves reports whether op moves lanes of vectors without looking at them.
func moves(op vir.Op) bool {
	switch op {
	case vir.OpPhi, vir.OpBlend, vir.OpSelect,
		vir.OpLoadUnit, vir.OpStoreUnit, vir.OpLoadReverse, vir.OpStoreReverse, vir.OpLoadExpand, vir.OpStoreCompress,
		vir.OpGather, vir.OpScatter, vir.OpSubvec, vir.OpConcat, vir.OpShuffle, vir.OpPermute, vir.OpCompress:
		return true
	}
	return false
}

// An input is an operand that is no result of an instruction which matters: constants,
// parameters, and poison.
func isInput(v *vir.Value) bool {
	return v.Op == vir.OpConst || v.Op == vir.OpParam || v.Op == vir.OpPoison
}

// effects counts, for every value of f, the effects ahead of it in its block. Loads with the
// same number ahead see the same memory in functions whose effects are the same.
func effects(f *vir.Func) map[*vir.Value]int {
	ahead := make(map[*vir.Value]int)
	for _, b := range f.Blocks {
		n := 0
		for _, v := range b.Insts {
			ahead[v] = n
			if v.Op.Info().Effect {
				n++
			}
		}
	}
	return ahead
}

// fixed reports whether v may not change places with effects: it reads memory, or it may
// divide by what a check looks at.
func fixed(v *vir.Value) bool {
	return v.Op.IsLoad() || vir.OpSdiv <= v.Op && v.Op <= vir.OpUrem
}
