package outline

import "github.com/lanewise/lanewise/vir"

// slack is what may differ between congruent kernels; every one allows what the ones before
// it do.
type slack int

const (
	exact         slack = iota
	constants           // those of which atNoCost holds
	displacements       // of memory operations
)

// most is as much as kernels may differ in. What displacements differ by is added to a base
// in each call: two instructions more, which short calls show.
func (o Options) most() slack {
	switch {
	case o.Measure == nil:
		return exact
	case o.Level == Size:
		return displacements
	}
	return constants
}

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
		vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpFdiv, vir.OpFmin, vir.OpFmax, vir.OpFminNnan, vir.OpFmaxNnan, vir.OpFma:
		return true
	case vir.OpBlend:
		return k > 0
	case vir.OpStoreUnit:
		return k == 0
	}
	r := user.Op.Info().Rule
	return r == vir.RuleIntCmp || r == vir.RuleFloatCmp
}

// isFree reports whether another operand can stand for v, which is equal in all lanes: a
// parameter, or a constant that instructions do not have their own ways with.
func isFree(v *vir.Value) bool {
	a, ok := atomOf(v)
	if !ok || a.param != nil {
		return ok
	}
	all := uint64(1)<<(v.Type.Elem.Bits()-1)<<1 - 1
	return a.bits != 0 && a.bits != all && !(v.Type.Elem.IsFloat() && a.bits == all/2+1)
}
