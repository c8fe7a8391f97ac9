package target

import "github.com/lanewise/lanewise/vir"

// ScalarCost is the cost of scalar v as the Go compiler emits it, for comparison with
// vectors: shifts, products and quotients by constants take the short way, a load
// with one reader is an operand of that instruction, float constants are loads.
func (t *Target) ScalarCost(v *vir.Value, readers int) Cost {
	e := v.Type.Elem
	switch {
	case v.Op == vir.OpConst && e.IsFloat():
		return Cost{0.25, 4}
	case v.Op == vir.OpLoad && readers == 1 && (e.IsFloat() || e.Size() >= 4):
		return Cost{0.33, 4} // the latency stays, the instruction does not
	case v.Op == vir.OpLoad:
		return Cost{0.45, 4}
	case isConvert(v.Op):
		return t.scalarConvert(v)
	}
	if len(v.Args) == 2 && v.Args[1].Op == vir.OpConst && e.IsInt() {
		k, _ := v.Args[1].IsConst()
		switch {
		case isShift(v.Op), v.Op == vir.OpMul && k&(k-1) == 0:
			return Cost{0.4, 1}
		case isDivision(v.Op) && k&(k-1) == 0:
			return Cost{1, 3}
		case isDivision(v.Op):
			return Cost{2, 6}
		}
	}
	return t.Cost(v.Op, keyType(v))
}

// scalarConvert is the cost of a conversion of a scalar: between integers an
// extension, which is part of a load, or nothing.
func (t *Target) scalarConvert(v *vir.Value) Cost {
	from := v.Args[0]
	switch v.Op {
	case vir.OpTrunc:
		return Cost{}
	case vir.OpZext, vir.OpSext:
		if from.Op == vir.OpLoad {
			return Cost{}
		}
		return Cost{0.25, 1}
	case vir.OpFtosi:
		return Cost{1, 7}
	case vir.OpFtoui:
		if v.Type.Elem == vir.I64 {
			return Cost{2.5, 12} // with a branch
		}
		return Cost{1, 7}
	}
	return t.ConvertCost(v.Op, from.Type, v.Type)
}

// MixedCost is the cost of v in code where vectors stand among scalars: a short vector is
// loaded and stored like a scalar.
func (t *Target) MixedCost(v *vir.Value, readers int) Cost {
	vector := v.Type.IsVector() || len(v.Args) > 0 && v.Args[0].Type.IsVector()
	switch {
	case !vector:
		return t.ScalarCost(v, readers)
	case v.Op == vir.OpLoadUnit && !v.Masked && v.Type.Size() <= 16:
		return t.scalar[key{vir.OpLoad, v.Type.Elem}]
	case v.Op == vir.OpStoreUnit && !v.Masked && v.Access().Size() <= 16:
		return t.scalar[key{vir.OpStore, v.Access().Elem}]
	}
	return t.CostValue(v)
}
