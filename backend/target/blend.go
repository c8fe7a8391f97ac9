package target

import "github.com/lanewise/lanewise/vir"

// constBlend is the cost of a blend by a constant mask: an immediate for lanes of 2
// bytes and more. Of the sum and the difference of two vectors the backend makes one
// sum, of which one operand has got other signs: then this is what that costs more
// than the sum and the difference, which counts with them; it is below zero.
func (t *Target) constBlend(v *vir.Value) (c Cost, ok bool) {
	if v.Op != vir.OpBlend || v.Args[0].Op != vir.OpConst || v.Type.IsMask() {
		return Cost{}, false
	}
	if sum, ok := sumAndDifference(v.Args[1], v.Args[2]); ok {
		signs, one := 0.4, t.vector[key{sum.Op, v.Type.Elem}].Throughput
		if v.Type.Elem.IsFloat() && evenOdd(v) {
			signs = 0
		}
		return Cost{signs - one, 1}.times(t.Parts(v.Type)), true
	}
	if isZero(v.Args[1]) || isZero(v.Args[2]) { // an AND
		return Cost{0.25, 1}.times(t.Parts(v.Type)), true
	}
	if v.Type.Elem.Size() == 1 {
		return Cost{1, 2}.times(t.Parts(v.Type)), true
	}
	return Cost{0.4, 1}.times(t.Parts(v.Type)), true
}

// isZero reports whether all lanes of v are the constant 0.
func isZero(v *vir.Value) bool {
	bits, ok := v.IsConst()
	return ok && bits == 0
}

// sumAndDifference reports whether x and y are a sum and a difference of the same
// operands, and gives the sum.
func sumAndDifference(x, y *vir.Value) (sum *vir.Value, ok bool) {
	if x.Op == vir.OpFsub || x.Op == vir.OpSub {
		x, y = y, x
	}
	if !(x.Op == vir.OpFadd && y.Op == vir.OpFsub || x.Op == vir.OpAdd && y.Op == vir.OpSub && x.Type.Elem.Size() < 8) {
		return nil, false
	}
	a, b := y.Args[0], y.Args[1]
	return x, x.Args[0] == a && x.Args[1] == b || x.Args[0] == b && x.Args[1] == a
}

// evenOdd reports whether v takes the difference in even lanes and the sum in odd ones,
// for which there is an instruction.
func evenOdd(v *vir.Value) bool {
	bits := v.Args[0].Bits
	if len(bits) < 2 {
		return false
	}
	first := v.Args[1].Op == vir.OpFsub
	for k, b := range bits {
		if (b&1 != 0) != (first == (k%2 == 0)) {
			return false
		}
	}
	return true
}
