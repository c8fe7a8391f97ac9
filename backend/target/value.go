package target

import "github.com/lanewise/lanewise/vir"

// LegalValue reports whether v can be emitted as it stands: as Legal and
// LegalConvert, but it sees constant operands and masks.
func (t *Target) LegalValue(v *vir.Value) bool {
	switch {
	case isConvert(v.Op):
		return t.LegalConvert(v.Op, v.Args[0].Type, v.Type)
	case isDivision(v.Op) && v.Type.IsVector():
		d, ok := v.Args[1].IsConst()
		return ok && d != 0 || !ok && (t.Legal(v.Op, v.Type) || v.Args[1].Splat() != nil)
	}
	return t.Legal(v.Op, keyType(v))
}

// CostValue is the cost of v as it stands: as Cost and ConvertCost, but it sees
// constant operands and masks.
func (t *Target) CostValue(v *vir.Value) Cost {
	if c, ok := t.rearrange(v); ok {
		return c
	}
	if c, ok := t.indexed(v); ok {
		return c
	}
	if c, ok := t.constBlend(v); ok {
		return c
	}
	if c, ok := t.partial(v); ok {
		return c
	}
	ty := keyType(v)
	switch {
	case isConvert(v.Op):
		return t.ConvertCost(v.Op, v.Args[0].Type, v.Type)
	case isDivision(v.Op) && ty.IsVector():
		return t.division(v)
	case isShift(v.Op) && ty.IsVector():
		return t.shift(v)
	case v.Op == vir.OpMul && ty.IsVector():
		return t.product(v)
	case v.Op.IsLoad() && v.Masked:
		return t.Cost(v.Op, ty).Add(t.maskedLoad(ty))
	case v.Op.IsStore() && v.Masked:
		return t.Cost(v.Op, ty).Add(t.maskedStore(ty))
	}
	return t.Cost(v.Op, ty)
}

func isConvert(op vir.Op) bool  { return vir.OpTrunc <= op && op <= vir.OpFptrunc }
func isDivision(op vir.Op) bool { return vir.OpSdiv <= op && op <= vir.OpUrem }
func isShift(op vir.Op) bool    { return vir.OpShl <= op && op <= vir.OpRotl }

// keyType is the type under which the tables know v.
func keyType(v *vir.Value) vir.Type {
	switch {
	case v.Op.IsStore():
		return v.Access()
	case vir.OpIcmpEq <= v.Op && v.Op <= vir.OpFcmpLe,
		v.Op == vir.OpExtract, v.Op == vir.OpLane, v.Op == vir.OpSubvec,
		v.Op == vir.OpAny, v.Op == vir.OpAll, v.Op == vir.OpCount, v.Op == vir.OpFirst, v.Op == vir.OpBits:
		return v.Args[0].Type
	}
	return v.Type
}

// division is cheaper by constants, and by what is the same in all lanes.
func (t *Target) division(v *vir.Value) Cost {
	if _, ok := v.Args[1].IsConst(); ok {
		return t.divByConst(v)
	}
	if v.Args[1].Splat() != nil {
		return t.divByReciprocal(v)
	}
	return t.Cost(v.Op, v.Type)
}

// divByReciprocal is the cost of what package reciprocal makes of v.
func (t *Target) divByReciprocal(v *vir.Value) (c Cost) {
	e := v.Type.Elem
	if e == vir.I8 { // words, there and back
		e = vir.I16
		c = Cost{2, 6}
	}
	ops := []vir.Op{vir.OpUmulh, vir.OpMul, vir.OpSub, vir.OpUmin, vir.OpAdd}
	if v.Op == vir.OpSdiv || v.Op == vir.OpSrem {
		ops = append(ops, vir.OpAshr, vir.OpXor, vir.OpSub, vir.OpXor, vir.OpXor, vir.OpSub)
	}
	for _, op := range ops {
		c = c.Add(t.Cost(op, v.Type.WithElem(e)))
	}
	return c
}

// divByConst is a high multiplication and shifts; powers of two are shifts.
func (t *Target) divByConst(v *vir.Value) Cost {
	d, _ := v.Args[1].IsConst()
	mul := Cost{4, 10}
	switch v.Type.Elem {
	case vir.I8:
		mul = Cost{5, 12}
	case vir.I16:
		mul = Cost{1.5, 6}
	case vir.I64:
		mul = Cost{12, 24}
	}
	if d&(d-1) == 0 {
		mul = Cost{1.5, 3}
	}
	if v.Op == vir.OpSrem || v.Op == vir.OpUrem {
		mul = mul.Add(t.vector[key{vir.OpMul, v.Type.Elem}])
	}
	return mul.times(t.Parts(v.Type))
}

// shift by a constant needs no widening of narrow lanes.
func (t *Target) shift(v *vir.Value) Cost {
	n, ok := v.Args[1].IsConst()
	if !ok {
		return t.Cost(v.Op, v.Type)
	}
	c := Cost{0.5, 1}
	switch {
	case t.EVEX && v.Type.Elem.Size() >= 4:
	case v.Op == vir.OpRotl && n%8 == 0: // a shuffle of bytes
	case v.Op == vir.OpRotl:
		c = Cost{1.5, 2}
	case v.Type.Elem == vir.I8, v.Op == vir.OpAshr && v.Type.Elem == vir.I64:
		c = Cost{1.5, 3}
	}
	return c.times(t.Parts(v.Type))
}

// maskedLoad is what the mask adds to a load: to move it to a mask register, if there are any. Lanes below 4 bytes go one by one.
func (t *Target) maskedLoad(ty vir.Type) Cost {
	if t.EVEX {
		return Cost{0.5, 3}.times(t.Parts(ty))
	}
	if ty.Elem.Size() >= 4 {
		return Cost{0.5, 1}.times(t.Parts(ty))
	}
	return Cost{1 * float64(ty.Lanes), 12}
}

// maskedStore is what the mask adds to a store: two branches and an instruction
// for each part, or two branches for each part and then lane by lane when the
// mask is neither empty nor full.
func (t *Target) maskedStore(ty vir.Type) Cost {
	if t.EVEX {
		return Cost{0.5, 3}.times(t.Parts(ty))
	}
	parts := float64(t.Parts(ty))
	if t.MaskMoveStores && ty.Elem.Size() >= 4 {
		return Cost{2 + 4*parts, 8}
	}
	return Cost{2*parts + 0.5*float64(ty.Lanes), 8}
}
