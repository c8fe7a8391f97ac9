package outline

import (
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// A rewriter puts calls in the place of occurrences of a candidate in a function.
type rewriter struct {
	*candidate
	// byID are the values of the function as it is now: operands may have become results
	// of other calls.
	byID map[int]*vir.Value
	// further are the advances that the last call has handed out.
	further []*vir.Value
}

// call puts a call of f in the place of occurrence o, and reports whether that is still
// possible. Occurrences come in their order.
func (c *rewriter) call(o int, f *vir.Func) bool {
	start := c.starts[o]
	members := make([]*vir.Value, c.length)
	for j := range members {
		if members[j] = c.byID[c.t.items[start+j].v.ID()]; members[j] == nil {
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
	call := &vir.Value{Op: vir.OpCall, Callee: f, Args: c.arguments(o, build)}
	build.Append(call)
	var results []*vir.Value
	for i, j := range c.outputs {
		r := build.Append(&vir.Value{Op: vir.OpResult, Type: f.Results[i], Args: []*vir.Value{call}, Imm: int64(i)})
		results = append(results, as(build, r, members[j].Type))
	}
	c.further = nil
	for i := len(c.outputs); i < len(f.Results); i++ {
		c.further = append(c.further, build.Append(&vir.Value{Op: vir.OpResult, Type: f.Results[i], Args: []*vir.Value{call}, Imm: int64(i)}))
	}
	b.Insts = slices.Concat(b.Insts, behind, rest)
	for k, a := range c.advances {
		replaceSums(call, c.operandNow(o, c.inputs.params[a.param].slot), c.inputs.params[a.param].extra[o]+a.step, c.further[k])
	}
	for i, j := range c.outputs {
		b.Func.ReplaceUses(members[j], results[i])
	}
	for _, v := range members {
		v.Block = nil
	}
	return true
}

// arguments are the parameters of occurrence o.
func (c *rewriter) arguments(o int, b *vir.Builder) (args []*vir.Value) {
	for i, p := range c.inputs.params {
		a := c.operandNow(o, p.slot)
		from, follows := c.follows(o, i)
		switch {
		case follows:
			a = c.further[from]
		case p.bits != nil:
			a = b.Append(&vir.Value{Op: vir.OpConst, Type: a.Type, Bits: slices.Clone(p.bits[o])})
		case p.extra[o] != 0:
			a = further(b, a, p.extra[o])
		}
		args = append(args, as(b, a, p.typ))
	}
	return args
}

// operandNow is the operand of slot s as it is now.
func (c *rewriter) operandNow(o int, s slot) *vir.Value {
	v := c.t.items[c.starts[o]+s.item].v
	return c.byID[v.ID()].Args[slices.Index(v.Args, c.inputs.operand(s, o))]
}

// as is v as a value of type t, of the same bits.
func as(b *vir.Builder, v *vir.Value, t vir.Type) *vir.Value {
	if v.Type == t {
		return v
	}
	return b.Op(vir.OpBitcast, t, v)
}
