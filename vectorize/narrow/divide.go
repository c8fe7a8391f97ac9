package narrow

import (
	"math/bits"
	"slices"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
)

// Lanes of 64 bits have no upper halves of products to divide by a constant with. Where the dividend is known to be
// of 31 bits, the lower half does (T. Granlund, P. Montgomery: Division by invariant integers using multiplication,
// PLDI 1994, theorem 4.2, for a word of 31 bits):
//
//	sdiv i64 %x, 7    ==>    lshr i64 (mul i64 %x, 2454267027), 34
const dividendBits = 31

// quotients rewrites the divisions that are left.
func (n *narrower) quotients(body *vir.Block) {
	for _, v := range slices.Clone(body.Insts) {
		if !edit.Divides(v.Op) || v.Type.Elem != vir.I64 {
			continue
		}
		x := v.Args[0]
		d, ok := v.Args[1].ConstInt()
		if r := n.ranges.Of(x); !ok || d < 2 || d >= 1<<dividendBits || r.SLo < 0 || !r.FitsU(dividendBits) {
			continue
		}
		edit.InFront(n.b, v, func() {
			shift := dividendBits + bits.Len64(uint64(d-1))
			by := (uint64(1)<<shift + uint64(d) - 1) / uint64(d)
			op, q := vir.OpLshr, []*vir.Value{n.b.Op(vir.OpMul, v.Type, x, n.b.Const(v.Type, by)), n.b.Int(v.Type, int64(shift))}
			if v.Op == vir.OpSrem || v.Op == vir.OpUrem {
				product := n.b.Op(vir.OpMul, v.Type, n.b.Op(op, v.Type, q...), v.Args[1])
				op, q = vir.OpSub, []*vir.Value{x, product}
			}
			v.Op, v.Args = op, q
		})
	}
}
