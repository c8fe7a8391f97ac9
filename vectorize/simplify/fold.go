package simplify

import (
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/fold"
)

// fold computes operations on constants with equal lanes. Results that are NaN
// are left to the machine.
func (r *rewriter) fold(v *vir.Value) *vir.Value {
	if len(v.Args) == 0 || v.Type.Elem == vir.Ptr || v.Type.Elem == vir.Void {
		return nil
	}
	c := make([]uint64, len(v.Args))
	for i, a := range v.Args {
		bits, ok := a.IsConst()
		if !ok || a.Type.Elem == vir.Ptr {
			return nil
		}
		c[i] = bits
	}
	x, ok := fold.Lane(v, c)
	if !ok {
		return nil
	}
	return r.bits(v.Type, x)
}

// content is the number that load v finds at a place that never changes, nil where that is not constant.
func (r *rewriter) content(v *vir.Value) *vir.Value {
	a := v.Addr()
	if v.Op != vir.OpLoad || v.Type.IsVector() {
		return nil
	}
	off := a.Disp
	if a.Index != nil {
		k, ok := a.Index.ConstInt()
		if !ok {
			return nil
		}
		off += k * a.Scale
	}
	bits, ok := a.Base.Param.Known(off, v.Type.Size())
	if !ok {
		return nil
	}
	return r.bits(v.Type, bits)
}
