package extremes

import "github.com/lanewise/lanewise/vir"

// negate makes the maxima of c minima of negatives.
func (c *chain) negate(f *vir.Func) {
	m := newForm(f, c)
	for _, op := range c.ops {
		minimum(f, op, m.kept)
	}
	for k, a := range c.phi.Args {
		if k != c.latch() {
			c.phi.Args[k] = negative(f, c.loop.Header.Preds[k].Term(), a)
		}
	}
	m.part = func(*vir.Value) {}
	m.operation = func(u *vir.Value) { minimum(f, u, m.kept) }
	m.plain = func(v, at *vir.Value) *vir.Value { return negative(f, at, v) }
	m.follow()
}

// minimum makes maximum u that of negatives, which those that are kept are already.
func minimum(f *vir.Func, u *vir.Value, kept map[*vir.Value]bool) {
	u.Op = vir.OpFmin
	for k, a := range u.Args {
		if !kept[a] {
			u.Args[k] = negative(f, u, a)
		}
	}
}

// negative makes -v in front of an instruction; what is the same in all lanes is made once.
func negative(f *vir.Func, at, v *vir.Value) *vir.Value {
	switch v.Op {
	case vir.OpFneg:
		return v.Args[0]
	case vir.OpBroadcast:
		x := v.Args[0]
		return before(f, at, vir.OpBroadcast, v.Type, before(f, at, vir.OpFneg, x.Type, x))
	case vir.OpConst:
		c := before(f, at, vir.OpConst, v.Type)
		for _, bits := range v.Bits {
			c.Bits = append(c.Bits, bits^1<<(v.Type.Elem.Bits()-1))
		}
		return c
	}
	return before(f, at, vir.OpFneg, v.Type, v)
}
