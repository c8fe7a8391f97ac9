package vir

import "slices"

// Clone is a deep copy of f: changing one leaves the other alone. Values keep
// their IDs, and calls their routines.
func (f *Func) Clone() *Func {
	c := &copier{values: make(map[*Value]*Value), blocks: make(map[*Block]*Block)}
	g := &Func{Name: f.Name, Results: slices.Clone(f.Results), Pos: f.Pos, InOrder: f.InOrder, Local: f.Local, Remark: f.Remark, nextID: f.nextID}
	for _, b := range f.Blocks {
		c.blocks[b] = g.NewBlock(b.Name)
	}
	for v := range f.Values {
		w := *v
		c.values[v] = &w
	}
	for _, p := range f.Params {
		g.Params = append(g.Params, c.values[p])
	}
	for _, b := range f.Blocks {
		c.block(b)
	}
	for v := range g.Values {
		c.operands(v)
	}
	return g
}

type copier struct {
	values map[*Value]*Value
	blocks map[*Block]*Block
}

func (c *copier) block(b *Block) {
	to := c.blocks[b]
	for _, p := range b.Preds {
		to.Preds = append(to.Preds, c.blocks[p])
	}
	for _, s := range b.Succs {
		to.Succs = append(to.Succs, c.blocks[s])
	}
	for _, v := range b.Insts {
		w := c.values[v]
		w.Block = to
		to.Insts = append(to.Insts, w)
	}
}

func (c *copier) operands(v *Value) {
	v.Args = slices.Clone(v.Args)
	for i, a := range v.Args {
		if w := c.values[a]; w != nil {
			v.Args[i] = w
		}
	}
	v.Bits = slices.Clone(v.Bits)
	v.Lanes = slices.Clone(v.Lanes)
	if v.Param.Len != nil {
		v.Param.Len = c.values[v.Param.Len]
	}
}

// NewValue makes a value that stands in no block yet.
func (f *Func) NewValue(op Op, t Type, args ...*Value) *Value {
	return f.register(&Value{Op: op, Type: t, Args: args})
}

// CopyValue makes a value like v, with the same operands, that stands in no block yet.
func (f *Func) CopyValue(v *Value) *Value {
	w := *v
	w.Block = nil
	w.Args, w.Bits, w.Lanes = slices.Clone(v.Args), slices.Clone(v.Bits), slices.Clone(v.Lanes)
	return f.register(&w)
}
