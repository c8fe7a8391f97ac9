package sva

import (
	"fmt"
	"math/bits"

	"github.com/lanewise/lanewise/vir"
)

// Check verifies the natures against the table of the package comment: every
// operand must be obtainable from its definition, and an instruction computed in
// several natures must need its operands in as many. Left out of the second rule
// are operations with a rule of their own for operands: memory, checks, the phis
// of the loop and the conditions of selects.
func (r *Result) Check() []error {
	var errs []error
	for v := range r.fn.Values {
		if _, ok := r.inst[v]; !ok {
			continue // not reachable
		}
		for i, x := range v.Args {
			n := r.args[v][i]
			if msg := obtain(r.ret[x], n); msg != "" {
				errs = append(errs, fmt.Errorf("operand %d of %q: %s", i, v.Inst(), msg))
			}
			have, want := bits.OnesCount8(uint8(r.inst[v])), bits.OnesCount8(uint8(n))
			if have > 1 && want != have && !ownRule(v, i) {
				errs = append(errs, fmt.Errorf("operand %d of %q: %s in %s instruction", i, v.Inst(), n, r.inst[v]))
			}
		}
	}
	return errs
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

func ownRule(v *vir.Value, i int) bool {
	return v.Op.IsLoad() || v.Op.IsStore() || v.Op.IsCheck() || v.Op == vir.OpPhi || v.Op == vir.OpSelect && i == 0
}
