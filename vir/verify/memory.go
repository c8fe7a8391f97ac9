package verify

import "github.com/lanewise/lanewise/vir"

// memory checks the operand layout [stored], base, [index], [room], [mask].
func (c *checker) memory(v *vir.Value) {
	if n := memoryArgs(v); len(v.Args) != n {
		c.valuef(v, "%s has %d operands, its fields ask for %d", v.Op, len(v.Args), n)
		return
	}
	t := v.Access()
	scalar := v.Op == vir.OpLoad || v.Op == vir.OpStore
	if scalar == t.IsVector() {
		c.valuef(v, "%s does not move %s", v.Op, t)
	}
	if t.Elem == vir.Bool || v.Op.IsStore() && t.Elem == vir.Ptr {
		c.valuef(v, "%s has no form in memory that %s may access", t, v.Op)
	}
	if bt := v.Base().Type; bt != vir.Scalar(vir.Ptr) {
		c.valuef(v, "base is %s, not ptr", bt)
	}
	c.memoryIndex(v, t)
	if v.Op == vir.OpLoadExpand && v.Masked && v.Room().Type != vir.Scalar(vir.I64) {
		c.valuef(v, "room is %s, not i64", v.Room().Type)
	}
	if v.Indexed == (v.Scale == 0) {
		c.valuef(v, "scale %d, indexed %t", v.Scale, v.Indexed)
	}
	if m := v.Mask(); m != nil {
		c.mask(v, m, t)
	} else if v.Op == vir.OpStoreCompress || v.Op == vir.OpLoadExpand {
		c.valuef(v, "%s without a mask", v.Op)
	}
	if v.Op.IsStore() && origin(v.Base()).Param.Immutable {
		c.valuef(v, "store to immutable memory")
	}
}

// memoryIndex checks the index of v, which accesses t: a scalar, or for gather and
// scatter one per lane.
func (c *checker) memoryIndex(v *vir.Value, t vir.Type) {
	x := v.Index()
	switch {
	case v.Op.IsIndexed() && x == nil:
		c.valuef(v, "%s without an index", v.Op)
	case v.Op.IsIndexed() && x.Type != t.WithElem(vir.I32) && x.Type != t.WithElem(vir.I64):
		c.valuef(v, "index is %s, not %s or %s", x.Type, t.WithElem(vir.I32), t.WithElem(vir.I64))
	case !v.Op.IsIndexed() && x != nil && x.Type != vir.Scalar(vir.I64):
		c.valuef(v, "index is %s, not i64", x.Type)
	}
}

// memoryArgs is the number of operands that the fields of v imply.
func memoryArgs(v *vir.Value) int {
	n := 1
	for _, more := range []bool{v.Op.IsStore(), v.Indexed, v.Op == vir.OpLoadExpand, v.Masked} {
		if more {
			n++
		}
	}
	return n
}

// mask checks that m masks the lanes of t: a mask of as many, a bool for a scalar.
func (c *checker) mask(v, m *vir.Value, t vir.Type) {
	if m.Type != t.WithElem(vir.Bool) {
		c.valuef(v, "mask is %s, not %s", m.Type, t.WithElem(vir.Bool))
	}
}

// origin follows ptradd back to where the pointer comes from.
func origin(p *vir.Value) *vir.Value {
	for n := 0; p.Op == vir.OpPtradd && len(p.Args) > 0 && p.Args[0] != nil && n < 1000; n++ {
		p = p.Args[0]
	}
	return p
}

// check checks the operands of check.* and exit.
func (c *checker) check(v *vir.Value) {
	n := 1
	if v.Op == vir.OpCheckIndex {
		n = 2
	}
	args := v.Args
	if v.Masked && len(args) > 0 {
		args = args[:len(args)-1]
	}
	if len(args) != n {
		c.valuef(v, "%s has %d operands besides the mask, not %d", v.Op, len(args), n)
		return
	}
	t := args[0].Type
	ok := t.Elem.IsInt()
	switch v.Op {
	case vir.OpCheckIndex:
		ok = t.Elem == vir.I64
		c.operandIs(v, 1, t)
	case vir.OpCheckNil:
		ok = t.Elem == vir.Ptr
	case vir.OpExit, vir.OpCheckRare:
		ok = t.Elem == vir.Bool
	}
	if !ok {
		c.valuef(v, "%s does not check %s", v.Op, t)
	}
	if m := v.Mask(); m != nil {
		c.mask(v, m, t)
	}
}
