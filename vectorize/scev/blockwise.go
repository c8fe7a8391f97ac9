package scev

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/plan"
)

// A value that is the same for all iterations of a block, and another one in the next
// block (OpLeast), stands in expressions as a parameter that does not exist. Where it
// does not cancel out, nothing can be computed before the loop.
const firstBlockwise = 1 << 20

// blockwise is the expression of OpLeast v.
func (s *Info) blockwise(v *vir.Value) *plan.Expr {
	for i, x := range s.least {
		if x == v {
			return plan.Param(firstBlockwise + i)
		}
	}
	s.least = append(s.least, v)
	return plan.Param(firstBlockwise + len(s.least) - 1)
}

// Blockwise reports whether something in x is not known before the loop.
func Blockwise(x *plan.Expr) bool {
	return x.Has(func(x *plan.Expr) bool { return x.Op == plan.ExprParam && x.Param >= firstBlockwise })
}
