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
	v.Bits = []uint64{bits & t.Elem.Ones()}
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

func isChoice(v *vir.Value) bool { return v.Op == vir.OpSelect || v.Op == vir.OpBlend }
