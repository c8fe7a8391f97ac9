package simplify

import "github.com/lanewise/lanewise/vir"

// rotation is x and y joined, if they are one value shifted by constants in both
// directions that together are the width: nothing overlaps, so that it does not matter
// whether they are added or not. Narrow values are left alone, which are shifted in wider
// ones anyway.
func (r *rewriter) rotation(x, y *vir.Value) *vir.Value {
	if x.Op == vir.OpLshr {
		x, y = y, x
	}
	if x.Op != vir.OpShl || y.Op != vir.OpLshr || x.Args[0] != y.Args[0] || x.Type.Elem.Bits() < 32 {
		return nil
	}
	left, ok := x.Args[1].IsConst()
	right, ok2 := y.Args[1].IsConst()
	width := uint64(x.Type.Elem.Bits())
	if !ok || !ok2 || left == 0 || right == 0 || left >= width || left+right != width {
		return nil
	}
	return r.same(vir.OpRotl, x.Args[0], x.Args[1])
}
