package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// call puts a call of f in the place of occurrence o of c. byID are the values of the
// function as it is now: operands may have become results of other calls. It reports
// whether that is still possible.
func (c *candidate) call(o int, f *vir.Func, byID map[int]*vir.Value) bool {
	start := c.starts[o]
	members := make([]*vir.Value, c.length)
	for j := range members {
		if members[j] = byID[c.t.items[start+j].v.ID()]; members[j] == nil {
			return false // nobody needs it any more
		}
	}
	ahead, behind, ok := around(members)
	if !ok {
		return false
	}
	b := members[0].Block
	first, last := span(members)
	rest := slices.Clone(b.Insts[last+1:])
	b.Insts = append(b.Insts[:first:first], ahead...)

	build := vir.NewBuilder(b.Func, b)
	build.Pos = members[0].Pos
	call := &vir.Value{Op: vir.OpCall, Callee: f, Args: c.arguments(o, build, byID)}
	build.Append(call)
	var results []*vir.Value
	for i, j := range c.outputs {
		r := build.Append(&vir.Value{Op: vir.OpResult, Type: f.Results[i], Args: []*vir.Value{call}, Imm: int64(i)})
		results = append(results, as(build, r, members[j].Type))
	}
	b.Insts = slices.Concat(b.Insts, behind, rest)
	for i, j := range c.outputs {
		b.Func.ReplaceUses(members[j], results[i])
	}
	for _, v := range members {
		v.Block = nil
	}
	return true
}

// arguments are the parameters of occurrence o.
func (c *candidate) arguments(o int, b *vir.Builder, byID map[int]*vir.Value) (args []*vir.Value) {
	for _, p := range c.inputs.params {
		old := c.inputs.operand(p.slot, o)
		a := c.current(o, p.slot, old, byID)
		switch {
		case p.bits != nil:
			a = b.Append(&vir.Value{Op: vir.OpConst, Type: a.Type, Bits: slices.Clone(p.bits[o])})
		case p.extra[o] != 0 && p.typ.Elem == vir.Ptr:
			a = b.Op(vir.OpPtradd, p.typ, a, b.Int(vir.Scalar(vir.I64), p.extra[o]))
		case p.extra[o] != 0:
			a = b.Same(vir.OpAdd, a, b.Int(p.typ, p.extra[o]))
		}
		args = append(args, as(b, a, p.typ))
	}
	return args
}

// current is the operand of slot s, which was old, as it is now.
func (c *candidate) current(o int, s slot, old *vir.Value, byID map[int]*vir.Value) *vir.Value {
	v := c.t.items[c.starts[o]+s.item].v
	return byID[v.ID()].Args[slices.Index(v.Args, old)]
}

// as is v as a value of type t, of the same bits.
func as(b *vir.Builder, v *vir.Value, t vir.Type) *vir.Value {
	if v.Type == t {
		return v
	}
	return b.Op(vir.OpBitcast, t, v)
}
