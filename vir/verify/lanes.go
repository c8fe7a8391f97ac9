package verify

import "github.com/lanewise/lanewise/vir"

// Operations that put vectors together from lanes of others.

func (c *checker) insert(v *vir.Value) {
	c.resultIs(v, v.Type.IsVector(), "a vector")
	c.operandIs(v, 0, v.Type)
	c.operandIs(v, 1, v.Type.Lane())
	if v.Imm < 0 || v.Imm >= int64(max(v.Type.Lanes, 1)) {
		c.valuef(v, "lane %d of %s", v.Imm, v.Type)
	}
}

func (c *checker) concat(v *vir.Value) {
	if len(v.Args) == 0 {
		c.valuef(v, "%s without operands", v.Op)
		return
	}
	x := v.Args[0].Type
	c.operandVector(v, x)
	c.operands(v, 1, x)
	if n := x.Lanes * len(v.Args); v.Type != vir.Vec(x.Elem, n) {
		c.valuef(v, "%d vectors of %s do not make %s", len(v.Args), x, v.Type)
	}
}

func (c *checker) shuffle(v *vir.Value) {
	if n := len(v.Args); n != 1 && n != 2 {
		c.valuef(v, "shuffle has %d operands, not 1 or 2", n)
		return
	}
	x := v.Args[0].Type
	c.operandVector(v, x)
	c.operands(v, 1, x)
	c.resultIs(v, v.Type.IsVector() && v.Type.Elem == x.Elem, "a vector of "+x.Elem.String())
	if len(v.Lanes) != v.Type.Lanes {
		c.valuef(v, "shuffle lists %d lanes, the result has %d", len(v.Lanes), v.Type.Lanes)
	}
	for _, k := range v.Lanes {
		if k < -1 || k >= x.Lanes*len(v.Args) {
			c.valuef(v, "lane %d of %d", k, x.Lanes*len(v.Args))
		}
	}
}

func (c *checker) permute(v *vir.Value) {
	t := v.Type
	c.resultIs(v, t.IsVector() && (t.Elem.IsInt() || t.Elem.IsFloat()), "a vector and no mask")
	x := v.Args[0].Type
	c.operandVector(v, x)
	if t.Elem != x.Elem {
		c.valuef(v, "permute of %s gives %s", x, t)
	}
	if n := t.Elem.Size(); n > 0 && t.Elem != vir.Bool {
		c.operandIs(v, 1, t.WithElem(vir.IntElem(n)))
	}
}
