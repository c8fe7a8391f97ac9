package loopvec

import "github.com/lanewise/lanewise/vir"

// Variables that change to and fro: q = !q, q = q != c, s = ^s. They are reductions and scans
// by exclusive or, of truth values as well as of numbers:
//
//	not q      q xor true
//	q != c     q xor c
//	q == c     q xor c xor true
//
// so that a condition under which a variable toggles is the item that it is combined with.

// toggles reports whether v is an exclusive or under another name, in the chain of one.
func (c *chain) toggles(v *vir.Value) bool {
	if c.op != vir.OpXor {
		return false
	}
	switch v.Op {
	case vir.OpNot:
		return true
	case vir.OpIcmpEq, vir.OpIcmpNe:
		return v.Args[0].Type.Elem == vir.Bool
	}
	return false
}

// toggled is the item of such a v.
func (c *chain) toggled(v *vir.Value) *vir.Value {
	x := v.Args[0]
	if v.Op == vir.OpNot {
		return c.build(vir.OpNot, v, c.item(x))
	}
	y := v.Args[1]
	if !c.covers(x) {
		x, y = y, x
	}
	item := y
	if x = c.item(x); !c.isIdentity(x) {
		item = c.build(vir.OpXor, v, x, y)
	}
	if v.Op == vir.OpIcmpEq {
		item = c.build(vir.OpNot, v, item)
	}
	return item
}
