package vectest

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

var (
	intOps   = []vir.Op{vir.OpAdd, vir.OpSub, vir.OpMul, vir.OpAnd, vir.OpOr, vir.OpXor, vir.OpSmin, vir.OpSmax, vir.OpUmin, vir.OpUmax}
	floatOps = []vir.Op{vir.OpFadd, vir.OpFsub, vir.OpFmul, vir.OpFdiv, vir.OpFmin, vir.OpFmax}
	shifts   = []vir.Op{vir.OpShl, vir.OpLshr, vir.OpAshr}
	intCmps  = []vir.Op{vir.OpIcmpEq, vir.OpIcmpNe, vir.OpIcmpSlt, vir.OpIcmpSle, vir.OpIcmpUlt, vir.OpIcmpUle}
	fltCmps  = []vir.Op{vir.OpFcmpEq, vir.OpFcmpNe, vir.OpFcmpLt, vir.OpFcmpLe}
)

func (g *loopGen) pick(ops []vir.Op) vir.Op { return ops[g.IntN(len(ops))] }

// expr is a random expression of scalar type t.
func (g *loopGen) expr(t vir.Type, depth int) *vir.Value {
	if depth == 0 || g.IntN(5) == 0 {
		return g.leaf(t)
	}
	switch g.IntN(8) {
	case 0:
		return g.conversion(t, depth)
	case 1:
		return g.b.Op(vir.OpSelect, t, g.cond(depth-1), g.expr(t, depth-1), g.expr(t, depth-1))
	case 2:
		if t.Elem.IsFloat() {
			return g.b.Op([]vir.Op{vir.OpFneg, vir.OpFabs, vir.OpFsqrt, vir.OpFfloor}[g.IntN(4)], t, g.expr(t, depth-1))
		}
		return g.b.Op([]vir.Op{vir.OpNeg, vir.OpNot, vir.OpPopcnt}[g.IntN(3)], t, g.expr(t, depth-1))
	case 3:
		if t.Elem.IsInt() {
			c := g.b.Int(t, int64(g.IntN(t.Elem.Bits()+1)))
			return g.b.Op(g.pick(shifts), t, g.expr(t, depth-1), c)
		}
	case 4:
		if t.Elem.IsInt() && t.Elem != vir.I64 {
			c := g.b.Int(t, int64(1+g.IntN(100)))
			return g.b.Op([]vir.Op{vir.OpUdiv, vir.OpUrem}[g.IntN(2)], t, g.expr(t, depth-1), c)
		}
	}
	ops := intOps
	if t.Elem.IsFloat() {
		ops = floatOps
	}
	return g.b.Op(g.pick(ops), t, g.expr(t, depth-1), g.expr(t, depth-1))
}

func (g *loopGen) leaf(t vir.Type) *vir.Value {
	fits := slices.DeleteFunc(slices.Clone(g.pool), func(v *vir.Value) bool { return v.Type != t })
	switch n := g.IntN(4); {
	case n == 0 && len(fits) > 0:
		return fits[g.IntN(len(fits))]
	case n == 2 && g.table != nil && g.elemOf(g.table) == t.Elem:
		return g.lookup()
	case n < 3:
		for _, p := range g.slices {
			if f := g.field(p); f.elem == t.Elem && g.IntN(2) == 0 {
				return g.load(p, f)
			}
		}
	}
	if t.Elem.IsFloat() {
		return g.b.Float(t, floats[g.IntN(len(floats)-1)])
	}
	if g.IntN(8) == 0 {
		if t.Elem == vir.I64 {
			return g.i
		}
		return g.b.Op(vir.OpTrunc, t, g.i)
	}
	return g.b.Int(t, int64(g.IntN(300)-20))
}

// conversion is a value of another type, converted.
func (g *loopGen) conversion(t vir.Type, depth int) *vir.Value {
	from := g.elem()
	ext := []vir.Op{vir.OpZext, vir.OpSext}[g.IntN(2)]
	x := func() *vir.Value { return g.expr(vir.Scalar(from), depth-1) }
	switch {
	case t.Elem.IsInt() && g.IntN(4) == 0:
		return g.b.Op(ext, t, g.cond(depth-1))
	case t.Elem.IsInt() && from.IsInt() && from.Size() < t.Elem.Size():
		return g.b.Op(ext, t, x())
	case t.Elem.IsInt() && from.IsInt() && from.Size() > t.Elem.Size():
		return g.b.Op(vir.OpTrunc, t, x())
	case t.Elem.IsFloat() && from.IsInt():
		return g.b.Op([]vir.Op{vir.OpSitof, vir.OpUitof}[g.IntN(2)], t, x())
	case t.Elem == vir.F64 && from == vir.F32:
		return g.b.Op(vir.OpFpext, t, x())
	case t.Elem == vir.F32 && from == vir.F64:
		return g.b.Op(vir.OpFptrunc, t, x())
	}
	return g.leaf(t)
}

// cond is a random truth value.
func (g *loopGen) cond(depth int) *vir.Value {
	bool := vir.Scalar(vir.Bool)
	if depth > 0 {
		switch g.IntN(5) {
		case 0:
			return g.b.Op([]vir.Op{vir.OpAnd, vir.OpOr, vir.OpXor}[g.IntN(3)], bool, g.cond(depth-1), g.cond(depth-1))
		case 1:
			return g.b.Op(vir.OpNot, bool, g.cond(depth-1))
		}
	}
	t := vir.Scalar(g.elem())
	cmps := intCmps
	if t.Elem.IsFloat() {
		cmps = fltCmps
	}
	return g.b.Cmp(g.pick(cmps), g.expr(t, max(depth-1, 0)), g.expr(t, max(depth-1, 0)))
}
