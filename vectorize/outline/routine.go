package outline

import (
	"fmt"
	"slices"

	"github.com/lanewise/lanewise/vir"
)

// routine is the function that occurrences of c call.
func (c *candidate) routine(name string) *vir.Func {
	f := vir.NewFunc(name)
	f.Local = true
	f.InOrder = slices.ContainsFunc(c.starts, func(s int) bool { return c.t.items[s].v.Block.Func.InOrder })
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	r := &routineBuilder{c: c, b: b, distances: make(map[distant]*vir.Value)}
	for i, p := range c.inputs.params {
		r.params = append(r.params, f.AddParam(paramName(p, i), p.typ))
	}
	for j := range c.length {
		r.item(j)
	}
	var results []*vir.Value
	for _, j := range c.outputs {
		results = append(results, r.items[j])
		f.Results = append(f.Results, r.items[j].Type)
	}
	for _, a := range c.advances {
		results = append(results, further(b, r.params[a.param], a.step))
		f.Results = append(f.Results, r.params[a.param].Type)
	}
	b.Op(vir.OpRet, vir.Type{}, results...)
	return f
}

type routineBuilder struct {
	c         *candidate
	b         *vir.Builder
	params    []*vir.Value
	items     []*vir.Value
	distances map[distant]*vir.Value
}

// distant is a parameter plus a constant.
type distant struct {
	param    int
	distance int64
}

// item copies operation j of the first occurrence.
func (r *routineBuilder) item(j int) {
	t, start := r.c.t, r.c.starts[0]
	v := t.items[start+j].v
	var args []*vir.Value
	for k, a := range t.operands(start, start+j) {
		if at, ok := t.inside(start, start+j, a); ok {
			args = append(args, r.items[at])
		} else {
			args = append(args, r.input(r.c.inputs.uses[slot{j, k}], a.Type))
		}
	}
	w := *v
	w.Args, w.Name, w.Bits, w.Lanes = args, "", slices.Clone(v.Bits), slices.Clone(v.Lanes)
	r.b.Append(&w)
	r.items = append(r.items, &w)
}

// input is what stands for an operand from outside.
func (r *routineBuilder) input(u use, typ vir.Type) *vir.Value {
	if u.param < 0 {
		return r.b.Append(&vir.Value{Op: vir.OpConst, Type: typ, Bits: slices.Clone(u.bits)})
	}
	p := r.params[u.param]
	if u.distance == 0 {
		return p
	}
	key := distant{u.param, u.distance}
	if v, ok := r.distances[key]; ok {
		return v
	}
	v := r.b.Same(vir.OpAdd, p, r.b.Int(p.Type, u.distance))
	r.distances[key] = v
	return v
}

// paramName is a name for parameter i of a routine.
func paramName(p param, i int) string {
	switch {
	case p.typ.Elem == vir.Ptr:
		return fmt.Sprintf("p%d", i)
	case p.typ.IsVector():
		return fmt.Sprintf("v%d", i)
	}
	return fmt.Sprintf("x%d", i)
}
