package sva

import (
	"fmt"
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// Check verifies the natures: every operand must be obtainable from its definition
// by the table of the package comment, and an instruction computed in several
// natures must need its operands in as many, or it could not be written several
// times. Operands of memory operations, checks, choices and loop entities have
// rules of their own instead of the second one, see special.
func (r *Result) Check() []error {
	var errs []error
	for v := range r.fn.Values {
		if _, ok := r.inst[v]; !ok {
			continue // not reachable
		}
		for i, x := range v.Args {
			msg := obtain(r.ret[x], r.args[v][i])
			if msg == "" {
				msg = r.asMany(v, i)
			}
			if msg != "" {
				errs = append(errs, fmt.Errorf("operand %d of %q: %s", i, v.Inst(), msg))
			}
		}
	}
	return errs
}

// asMany says what is wrong with the number of natures of operand i of v.
func (r *Result) asMany(v *vir.Value, i int) string {
	inst, n := r.inst[v], r.args[v][i]
	if want, ok := r.special(v, i); ok {
		if !want(n) {
			return fmt.Sprintf("%s in %s %s", n, inst, v.Op)
		}
		return ""
	}
	if have := bits.OnesCount8(uint8(inst)); have > 1 && bits.OnesCount8(uint8(n)) != have {
		return fmt.Sprintf("%s in %s instruction", n, inst)
	}
	return ""
}

// special is the rule for operand i of v where it is not the common one.
func (r *Result) special(v *vir.Value, i int) (rule func(Nature) bool, ok bool) {
	is := func(m Nature) func(Nature) bool { return func(n Nature) bool { return n == m } }
	scalarOrVector := func(n Nature) bool { return n == FirstScalar || n == Vector }
	mask := v.Masked && i == len(v.Args)-1 && !v.Op.IsCheck()
	switch {
	case v.Op == vir.OpPhi && v.Block == r.header && v.Block.Preds[i] == r.fn.Entry():
		return is(FirstScalar), true // every variable starts as a scalar
	case v.Op == vir.OpPhi && v.Block == r.header:
		return func(n Nature) bool { return n == FirstScalar || n == r.inst[v] }, true
	case mask && r.inst[v] == Vector:
		return is(Vector), true
	case mask:
		return is(FirstScalar), true // lanes of one scalar access are active together
	case v.Op.IsStore() && i == 0:
		return is(r.inst[v]), true
	case v.Op.IsLoad() || v.Op.IsStore():
		return scalarOrVector, true // an address of the first lane, or all of them
	case v.Op.IsCheck(), v.Op == vir.OpBr:
		return scalarOrVector, true
	case v.Op == vir.OpRet:
		return func(n Nature) bool { return n != 0 }, true
	case v.Op == vir.OpSelect && i == 0:
		return func(n Nature) bool { return n == FirstScalar || n == r.inst[v] }, true
	}
	return nil, false
}

// obtain says what is wrong with using a value computed in natures def in natures use.
func obtain(def, use Nature) string {
	switch {
	case def == 0:
		return "definition has no nature"
	case use == 0:
		return "use has no nature"
	case def.Has(Vector):
		return ""
	case use.Has(FirstScalar) && !def.Has(FirstScalar):
		return "first scalar of " + def.String()
	case use.Has(LastScalar) && !def.Has(LastScalar):
		return "last scalar of " + def.String()
	}
	return ""
}
