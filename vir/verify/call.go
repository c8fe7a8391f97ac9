package verify

import "github.com/lanewise/lanewise/vir"

// routine checks what holds for local routines only.
func (c *checker) routine() {
	if !c.f.Local {
		return
	}
	if len(c.f.Blocks) > 1 {
		c.funcf("routine with %d blocks", len(c.f.Blocks))
	}
	for v := range c.f.Values {
		switch {
		case v.Op == vir.OpCall:
			c.valuef(v, "call in a routine")
		case v.Op.IsCheck() || v.Op == vir.OpIter:
			c.valuef(v, "%s in a routine", v.Op)
		case v.Op == vir.OpParam && v.Type.IsMask():
			c.funcf("routine takes mask %%%s", v.Name)
		}
	}
	for i, t := range c.f.Results {
		if t.IsMask() {
			c.funcf("result %d of a routine is a mask", i)
		}
	}
}

func (c *checker) call(v *vir.Value) {
	f := v.Callee
	switch {
	case f == nil:
		c.valuef(v, "call of nothing")
		return
	case !f.Local:
		c.valuef(v, "@%s is no local routine", f.Name)
	}
	if len(v.Args) != len(f.Params) {
		c.valuef(v, "@%s has %d parameters, not %d", f.Name, len(f.Params), len(v.Args))
		return
	}
	for k, p := range f.Params {
		c.operandIs(v, k, p.Type)
	}
}

func (c *checker) routineResult(v *vir.Value) {
	call := v.Args[0]
	if call.Op != vir.OpCall || call.Callee == nil {
		c.valuef(v, "result of a %s", call.Op)
		return
	}
	if call.Block != v.Block {
		c.valuef(v, "call in another block")
	}
	if n := len(call.Callee.Results); v.Imm < 0 || v.Imm >= int64(n) {
		c.valuef(v, "result %d of %d", v.Imm, n)
	} else if t := call.Callee.Results[v.Imm]; v.Type != t {
		c.valuef(v, "result %d is %s, not %s", v.Imm, t, v.Type)
	}
}
