package bypass

import (
	"math"

	"github.com/lanewise/lanewise/vir"
)

// Where lanes are added one after the other, a condition chooses what leaves a sum alone in the lanes
// without it. Behind a guard, the sum is what it was:
//
//	%b  = blend f64x4 %m, %w, 0             %any = any %m
//	%s1 = fsub %s0, extract %b, 0           br %any, if, end
//	%s2 = fsub %s1, extract %b, 1    ==>    if: ... %s4 = fsub %s3, extract %b, 3
//	...                                         jmp end
//	                                        end: %s = phi [%s0], [%s4]

// isLink reports whether v is a step that leaves its first operand alone while the guard is empty.
func (r *region) isLink(v *vir.Value) bool {
	if !IsStep(v) {
		return false
	}
	same, b := neutral[v.Op], v.Args[1].Args[0]
	return isSplat(b.Args[2], same) && r.impliedBy(b.Args[0]) || isSplat(b.Args[1], same) && r.impliedByNot(b.Args[0])
}

// IsStep reports whether v adds one lane of what a mask chooses.
func IsStep(v *vir.Value) bool {
	_, ok := neutral[v.Op]
	return ok && !v.Type.IsVector() && v.Args[1].Op == vir.OpExtract && v.Args[1].Args[0].Op == vir.OpBlend
}

// neutral is the second operand that leaves the first one alone, whatever that is.
var neutral = map[vir.Op]float64{vir.OpFadd: math.Copysign(0, -1), vir.OpFsub: 0, vir.OpFmul: 1}

// isSplat reports whether all lanes of v are the constant x.
func isSplat(v *vir.Value, x float64) bool {
	if v.Op != vir.OpConst {
		return false
	}
	want := v.Type.Elem.FloatBits(x)
	for _, b := range v.Bits {
		if b != want {
			return false
		}
	}
	return true
}

// unlinked is what v, a step, is while the guard is empty.
func (r *region) unlinked(v *vir.Value) *vir.Value {
	for {
		if _, here := r.at[v]; !here || !r.isLink(v) {
			return v
		}
		v = v.Args[0]
	}
}

// begins reports whether v, no step itself, is what step u starts from: it is there without the region.
func (r *region) begins(u, v *vir.Value) bool { return r.isLink(u) && u.Args[0] == v && !r.isLink(v) }
