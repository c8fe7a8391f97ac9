package simplify

import "github.com/lanewise/lanewise/vir"

// Rules build values through these: each goes through the rules itself and is
// shared. Nothing is placed that a rule does not return, except operands; unused
// ones are dropped at the end of the sweep.

func (r *rewriter) op(op vir.Op, t vir.Type, args ...*vir.Value) *vir.Value {
	v := r.f.NewValue(op, t, args...)
	v.Pos = r.b.Pos
	return r.pure(v)
}

func (r *rewriter) same(op vir.Op, args ...*vir.Value) *vir.Value {
	return r.op(op, args[0].Type, args...)
}

func (r *rewriter) bits(t vir.Type, bits uint64) *vir.Value {
	v := r.f.NewValue(vir.OpConst, t)
	v.Bits = []uint64{bits & lowMask(t.Elem)}
	v.Pos = r.b.Pos
	return r.pure(v)
}

func (r *rewriter) int(t vir.Type, x int64) *vir.Value { return r.bits(t, uint64(x)) }

func (r *rewriter) bool(t vir.Type, x bool) *vir.Value {
	if x {
		return r.bits(t, 1)
	}
	return r.bits(t, 0)
}

func (r *rewriter) not(x *vir.Value) *vir.Value { return r.same(vir.OpNot, x) }

// lowMask is the ones of an element of type e.
func lowMask(e vir.Elem) uint64 { return ^uint64(0) >> (64 - e.Bits()) }

// Questions about values.

func isConst(v *vir.Value, x int64) bool {
	c, ok := v.ConstInt()
	return ok && c == x
}

func isBits(v *vir.Value, bits uint64) bool {
	c, ok := v.IsConst()
	return ok && c == bits
}

func isTrue(v *vir.Value) bool  { return v.Type.Elem == vir.Bool && isBits(v, 1) }
func isFalse(v *vir.Value) bool { return v.Type.Elem == vir.Bool && isBits(v, 0) }

// complements reports whether one of x and y is the not of the other.
func complements(x, y *vir.Value) bool {
	return x.Op == vir.OpNot && x.Args[0] == y || y.Op == vir.OpNot && y.Args[0] == x || inverseCompare(x, y)
}

// inverseCompare reports whether x and y are comparisons of which always exactly
// one holds.
func inverseCompare(x, y *vir.Value) bool {
	op, swap, ok := inverse(x.Op)
	if !ok || y.Op != op {
		return false
	}
	if swap {
		return x.Args[0] == y.Args[1] && x.Args[1] == y.Args[0]
	}
	return x.Args[0] == y.Args[0] && x.Args[1] == y.Args[1]
}

// inverse is the comparison that holds when op does not; swap says that it takes
// the operands the other way round. Ordered float comparisons have none.
func inverse(op vir.Op) (inv vir.Op, swap, ok bool) {
	switch op {
	case vir.OpIcmpEq:
		return vir.OpIcmpNe, false, true
	case vir.OpIcmpNe:
		return vir.OpIcmpEq, false, true
	case vir.OpIcmpSlt:
		return vir.OpIcmpSle, true, true
	case vir.OpIcmpSle:
		return vir.OpIcmpSlt, true, true
	case vir.OpIcmpUlt:
		return vir.OpIcmpUle, true, true
	case vir.OpIcmpUle:
		return vir.OpIcmpUlt, true, true
	case vir.OpFcmpEq:
		return vir.OpFcmpNe, false, true
	case vir.OpFcmpNe:
		return vir.OpFcmpEq, false, true
	}
	return op, false, false
}

func isChoice(v *vir.Value) bool { return v.Op == vir.OpSelect || v.Op == vir.OpBlend }
