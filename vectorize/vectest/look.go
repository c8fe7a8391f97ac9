package vectest

import (
	"slices"

	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// looked is k for one call: with numbers for what its plan reads from memory.
func looked(k *plan.Kernel, mem *interp.Memory, args []interp.Value) *plan.Kernel {
	c := *k
	c.Bounds, c.Overlaps = slices.Clone(k.Bounds), slices.Clone(k.Overlaps)
	now := func(x *plan.Expr) *plan.Expr { return look(x, mem, args) }
	c.Trip.Start, c.Trip.Limit = now(c.Trip.Start), now(c.Trip.Limit)
	for i := range c.Bounds {
		b := &c.Bounds[i]
		b.Start, b.Lo, b.Hi = now(b.Start), now(b.Lo), now(b.Hi)
	}
	for i := range c.Overlaps {
		for _, s := range []*plan.Stream{&c.Overlaps[i].A, &c.Overlaps[i].B} {
			s.Off, s.Extent = now(s.Off), now(s.Extent)
		}
	}
	return &c
}

// look is x with a number for each integer in memory; 0 for one that is nowhere.
func look(x *plan.Expr, mem *interp.Memory, args []interp.Value) *plan.Expr {
	if x == nil {
		return nil
	}
	if x.Op != plan.ExprLoad {
		c := *x
		c.X, c.Y = look(x.X, mem, args), look(x.Y, mem, args)
		return &c
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
