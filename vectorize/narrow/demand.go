package narrow

import (
	mathbits "math/bits"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// demands is how many low bits of each integer matter to what the function stores, returns,
// compares and loads with; values that are not in it matter to nobody.
func demands(f *vir.Func) map[*vir.Value]int {
	asked := make(map[*vir.Value]int)
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(f.Blocks) {
			for _, v := range slices.Backward(b.Insts) {
				for i, a := range v.Args {
					if d := demandOf(v, i, asked); d > asked[a] {
						asked[a], changed = d, true
					}
				}
			}
		}
	}
	return asked
}

// demandOf is how many low bits of operand i of v matter.
func demandOf(v *vir.Value, i int, asked map[*vir.Value]int) int {
	a := v.Args[i]
	all, d := a.Type.Elem.Bits(), asked[v]
	if !v.Op.Info().Effect && d == 0 {
		return 0
	}
	switch v.Op {
	case vir.OpPhi, vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpNeg, vir.OpNot, vir.OpOr, vir.OpXor, vir.OpTrunc, vir.OpZext, vir.OpSext:
		return min(d, all)
	case vir.OpAnd:
		if c, ok := v.Args[1-i].IsConst(); ok {
			d = min(d, mathbits.Len64(c))
		}
		return d
	case vir.OpSelect:
		if i > 0 {
			return d
		}
	case vir.OpShl:
		if _, ok := v.Args[1].IsConst(); ok && i == 0 {
			return d
		}
	case vir.OpLshr, vir.OpAshr:
		if c, ok := v.Args[1].IsConst(); ok && i == 0 && c < uint64(all) {
			return min(d+int(c), all)
		}
	}
	return all
}
