package outline

import "github.com/lanewise/lanewise/vir"

// atNoCost reports whether operand k of user, when it is a constant that machine code has in
// a register or in memory, could as well be a parameter: what the operation becomes does not
// depend on its value. Shift counts, divisors, factors of integer products, and whatever
// becomes part of addresses do not qualify, nor do scalar integers, which are parts of
// instructions.
func atNoCost(user *vir.Value, k int) bool {
	t := user.Args[k].Type
	if t.IsMask() || !t.IsVector() && !t.Elem.IsFloat() {
		return false
	}
	switch user.Op {
	case vir.OpAdd, vir.OpSub, vir.OpAnd, vir.OpOr, vir.OpXor,
		vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax,
		vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpFdiv, vir.OpFmin, vir.OpFmax, vir.OpFma:
		return true
	case vir.OpBlend:
		return k > 0
	case vir.OpStoreUnit:
		return k == 0
	}
	r := user.Op.Info().Rule
	return r == vir.RuleIntCmp || r == vir.RuleFloatCmp
}

// isFree reports whether constant c is one that others can stand for: equal in all lanes,
// and none that instructions have their own ways with.
func isFree(c *vir.Value) bool {
	bits, splat := c.IsConst()
	all := uint64(1)<<(c.Type.Elem.Bits()-1)<<1 - 1
	return splat && bits != 0 && bits != all && !(c.Type.Elem.IsFloat() && bits == all/2+1)
}
