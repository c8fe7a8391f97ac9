package narrow

import "github.com/lanewise/lanewise/vir"

// maskBits is the width of the lanes of the conditions under which a turn changes a variable that becomes next, where w bits are
// tried; 0 without any. In fewer bits the variable would need these masks packed in each turn, which costs more than what
// is saved.
func (n *narrower) maskBits(next *vir.Value, w int) int {
	most := 0
	seen := make(map[*vir.Value]bool)
	var visit func(v *vir.Value)
	visit = func(v *vir.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		switch {
		case v.Op.Info().Rule == vir.RuleIntCmp || v.Op.Info().Rule == vir.RuleFloatCmp:
			if n.turns[v.Args[0]] == nil && n.turns[v.Args[1]] == nil {
				most = max(most, n.comparedIn(v, w))
			}
		case v.Op.IsLoad():
		case v.Type.Elem == vir.Bool, v.Op == vir.OpSelect, v.Op == vir.OpAdd, v.Op == vir.OpSub, ofBool(v):
			for _, a := range v.Args {
				visit(a)
			}
		}
	}
	visit(next)
	return most
}

// comparedIn is the width of the lanes of comparison v. What stays the same is brought into the range of the other operand: see
// fixed.go.
func (n *narrower) comparedIn(v *vir.Value, w int) int {
	x, y := v.Args[0], v.Args[1]
	if v.Op.Info().Rule == vir.RuleIntCmp && v.Op != vir.OpIcmpUlt && v.Op != vir.OpIcmpUle {
		switch {
		case n.fixed(x):
			return n.laneBits(y, w)
		case n.fixed(y):
			return n.laneBits(x, w)
		}
	}
	return max(n.laneBits(x, w), n.laneBits(y, w))
}

// laneBits is the width that v is compared in, w if that is enough for it.
func (n *narrower) laneBits(v *vir.Value, w int) int {
	if v.Op == vir.OpConst {
		return 0
	}
	if r := n.ranges.Of(v); v.Type.Elem.IsInt() && (r.FitsU(w) || r.FitsS(w)) {
		return w
	}
	return v.Type.Elem.Bits()
}

// ofBool reports whether v is a condition as a number.
func ofBool(v *vir.Value) bool {
	return (v.Op == vir.OpSext || v.Op == vir.OpZext) && v.Args[0].Type.Elem == vir.Bool
}
