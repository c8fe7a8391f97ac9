package extremes

import "github.com/lanewise/lanewise/vir"

// Negatives are what values were with other signs: maxima of them are minima.
type negatives struct{ w *web }

func (negatives) phi(*vir.Value) {}

func (n negatives) value(v *vir.Value) {
	switch v.Op {
	case vir.OpSubvec:
		return
	case n.w.op:
		v.Op = vir.OpFmin
	}
	for k, a := range v.Args {
		if !n.w.in[a] && !a.Type.IsMask() {
			v.Args[k] = n.negative(v, a)
		}
	}
}

func (n negatives) edges(phi *vir.Value) {
	for k, a := range phi.Args {
		if !n.w.in[a] {
			phi.Args[k] = n.negative(phi.Block.Preds[k].Term(), a)
		}
	}
}

func (n negatives) plain(v, at *vir.Value) *vir.Value { return n.negative(at, v) }

// negative makes -v in front of an instruction; what is the same in all lanes is made once.
func (n negatives) negative(at, v *vir.Value) *vir.Value {
	f := n.w.f
	switch {
	case v.Op == vir.OpFneg && !n.w.in[v.Args[0]]:
		return v.Args[0]
	case v.Op == vir.OpBroadcast:
		x := v.Args[0]
		return before(f, at, vir.OpBroadcast, v.Type, before(f, at, vir.OpFneg, x.Type, x))
	case v.Op == vir.OpConst:
		c := before(f, at, vir.OpConst, v.Type)
		for _, bits := range v.Bits {
			c.Bits = append(c.Bits, bits^1<<(v.Type.Elem.Bits()-1))
		}
		return c
	}
	return before(f, at, vir.OpFneg, v.Type, v)
}
