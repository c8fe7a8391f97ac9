package vectest

import (
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// looked is k for one call: with numbers for what its plan reads from memory.
func looked(k *plan.Kernel, mem *interp.Memory, args []interp.Value) *plan.Kernel {
	c := *k
	c.Before(func(x *plan.Expr) *plan.Expr {
		return x.Map(func(x *plan.Expr) *plan.Expr { return look(x, mem, args) })
	})
	return &c
}

// look is the number that x loads, 0 where there is no memory; nil for what loads nothing.
func look(x *plan.Expr, mem *interp.Memory, args []interp.Value) *plan.Expr {
	if x.Op != plan.ExprLoad {
		return nil
	}
	at, n := args[x.Param].Bits[0]+uint64(x.Const), uint64(x.Bits/8)
	for _, o := range mem.Objects() {
		if o.Addr <= at && at+n <= o.Addr+uint64(len(o.Data)) {
			bits := uint64(0)
			for i := range n {
				bits |= uint64(o.Data[at-o.Addr+i]) << (8 * i)
			}
			return plan.Const(int64(bits))
		}
	}
	return plan.Const(0)
}
