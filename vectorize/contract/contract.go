// Package contract makes one operation of a product and the sum that it is part of, where the
// clause contract allows it: one rounding instead of two. It works on kernels, whose blocks
// have the same operations in their loops and behind them, so that all elements that vectors
// take are rounded alike.
//
// Products that are exact need no clause, since only the sum is rounded then: those of float64s that
// were float32s or small integers, and of float32s that were bytes.
//
// It knows vir and pass.
package contract

import (
	"slices"

	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Run fuses sums and differences of the kernel with products of their block. Products from
// before a loop stay: they take no time in it.
func Run(u *pass.Unit) error {
	allowed := u.Region.Clauses.Contract
	uses := u.Kernel.Fn.Uses()
	fused := 0
	for _, b := range u.Kernel.Fn.Blocks {
		for _, v := range slices.Clone(b.Insts) {
			i := factor(v, func(x *vir.Value) bool { return allowed || v.Type.IsVector() && isExact(x) && onlyAdded(uses[x], b) })
			if i >= 0 && u.Count() {
				fuse(v, i)
				fused++
			}
		}
	}
	edit.Sweep(u.Kernel.Fn)
	if allowed && fused == 0 {
		u.Note("contract:Nothing", u.Region.Pos, nil, "contract is allowed, but nothing is a product and then part of a sum")
	}
	return nil
}

// factor is the operand of a sum or difference that is a product for which suits holds, -1 for none.
func factor(v *vir.Value, suits func(*vir.Value) bool) int {
	if v.Op != vir.OpFadd && v.Op != vir.OpFsub {
		return -1
	}
	return slices.IndexFunc(v.Args, func(x *vir.Value) bool { return x.Op == vir.OpFmul && x.Block == v.Block && suits(x) })
}

// onlyAdded reports whether a product with these uses is part of sums and differences in block b and
// nothing else, so that it is not needed itself.
func onlyAdded(uses []*vir.Value, b *vir.Block) bool {
	return !slices.ContainsFunc(uses, func(v *vir.Value) bool {
		isSum := v.Op == vir.OpFadd || v.Op == vir.OpFsub || v.Op == vir.OpFma // of another product with it
		return !isSum || v.Block != b || v.Args[0] == v.Args[1]
	})
}

// fuse makes v, a sum or difference with product i, an operation on the factors: of x*y - z
// the fused x*y + -z, of z - x*y the fused -x*y + z.
func fuse(v *vir.Value, i int) {
	x, y, z := v.Args[i].Args[0], v.Args[i].Args[1], v.Args[1-i]
	if v.Op == vir.OpFsub {
		if i == 0 {
			z = negative(v, z)
		} else {
			x = negative(v, x)
		}
	}
	v.Op, v.Args = vir.OpFma, []*vir.Value{x, y, z}
}

// negative is -x, in front of v.
func negative(v, x *vir.Value) *vir.Value {
	neg := v.Block.Func.NewValue(vir.OpFneg, x.Type, x)
	neg.Pos = v.Pos
	edit.Before(neg, v)
	return neg
}
