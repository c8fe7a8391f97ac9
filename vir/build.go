package vir

// A Builder appends values to a block. Cur and Pos may be set at any time.
type Builder struct {
	Func *Func
	Cur  *Block
	Pos  Pos
}

// NewBuilder returns a builder for f that appends to b.
func NewBuilder(f *Func, b *Block) *Builder { return &Builder{Func: f, Cur: b} }

// Append adds a prepared value to the current block.
func (b *Builder) Append(v *Value) *Value {
	if !v.Pos.IsValid() {
		v.Pos = b.Pos
	}
	b.Func.register(v)
	v.Block = b.Cur
	b.Cur.Insts = append(b.Cur.Insts, v)
	return v
}

// Op appends an operation without further fields.
func (b *Builder) Op(op Op, t Type, args ...*Value) *Value {
	return b.Append(&Value{Op: op, Type: t, Args: args})
}

// Same appends an operation whose result has the type of its first operand.
func (b *Builder) Same(op Op, args ...*Value) *Value { return b.Op(op, args[0].Type, args...) }

// Cmp appends a comparison.
func (b *Builder) Cmp(op Op, x, y *Value) *Value { return b.Op(op, x.Type.WithElem(Bool), x, y) }

// Const appends a splat constant given by its zero-extended bits.
func (b *Builder) Const(t Type, bits uint64) *Value {
	if n := t.Elem.Bits(); n < 64 {
		bits &= 1<<n - 1
	}
	return b.Append(&Value{Op: OpConst, Type: t, Bits: []uint64{bits}})
}

// Int appends a splat integer constant.
func (b *Builder) Int(t Type, x int64) *Value { return b.Const(t, uint64(x)) }

// Float appends a splat float constant, rounded to t.
func (b *Builder) Float(t Type, x float64) *Value { return b.Const(t, t.Elem.FloatBits(x)) }

// Lanes appends a constant with one entry per lane.
func (b *Builder) Lanes(t Type, bits []uint64) *Value {
	return b.Append(&Value{Op: OpConst, Type: t, Bits: bits})
}

// Addr is the address of a memory operation: Base + Index*Scale + Disp; Index
// may be nil.
type Addr struct {
	Base, Index *Value
	Scale, Disp int64
}

// Load appends a load in form op; mask may be nil.
func (b *Builder) Load(op Op, t Type, a Addr, mask *Value) *Value {
	return b.memory(&Value{Op: op, Type: t}, a, mask)
}

// Store appends a store of x in form op; mask may be nil.
func (b *Builder) Store(op Op, x *Value, a Addr, mask *Value) *Value {
	return b.memory(&Value{Op: op, Args: []*Value{x}}, a, mask)
}

// Expand appends a load.expand of type t, which may read room elements from a on.
func (b *Builder) Expand(t Type, a Addr, room, mask *Value) *Value {
	v := &Value{Op: OpLoadExpand, Type: t, Args: []*Value{a.Base}, Disp: a.Disp, Masked: true}
	if a.Index != nil {
		v.Args = append(v.Args, a.Index)
		v.Indexed, v.Scale = true, a.Scale
	}
	v.Args = append(v.Args, room, mask)
	return b.Append(v)
}

func (b *Builder) memory(v *Value, a Addr, mask *Value) *Value {
	v.Args = append(v.Args, a.Base)
	v.Disp = a.Disp
	if a.Index != nil {
		v.Args = append(v.Args, a.Index)
		v.Indexed, v.Scale = true, a.Scale
	}
	if mask != nil {
		v.Args = append(v.Args, mask)
		v.Masked = true
	}
	return b.Append(v)
}

// Addr is the address of memory operation v.
func (v *Value) Addr() Addr {
	return Addr{Base: v.Base(), Index: v.Index(), Scale: v.Scale, Disp: v.Disp}
}

// Check appends a check; mask may be nil.
func (b *Builder) Check(op Op, mask *Value, args ...*Value) *Value {
	v := &Value{Op: op, Args: args}
	if mask != nil {
		v.Args = append(v.Args, mask)
		v.Masked = true
	}
	return b.Append(v)
}

// Phi puts a phi without operands behind the phis of the current block; give it
// one operand per predecessor later.
func (b *Builder) Phi(t Type) *Value {
	v := b.Func.register(&Value{Op: OpPhi, Type: t, Block: b.Cur, Pos: b.Pos})
	n := len(b.Cur.Phis())
	b.Cur.Insts = append(b.Cur.Insts, nil)
	copy(b.Cur.Insts[n+1:], b.Cur.Insts[n:])
	b.Cur.Insts[n] = v
	return v
}

// Extract appends the extraction of one lane.
func (b *Builder) Extract(v *Value, lane int) *Value {
	return b.Append(&Value{Op: OpExtract, Type: v.Type.Lane(), Args: []*Value{v}, Imm: int64(lane)})
}

// Lane appends the lane of v that k names.
func (b *Builder) Lane(v, k *Value) *Value { return b.Op(OpLane, v.Type.Lane(), v, k) }

// Subvec appends the n lanes of v from lane first on.
func (b *Builder) Subvec(v *Value, first, n int) *Value {
	return b.Append(&Value{Op: OpSubvec, Type: Vec(v.Type.Elem, n), Args: []*Value{v}, Imm: int64(first)})
}

// Insert appends v with one lane replaced by x.
func (b *Builder) Insert(v, x *Value, lane int) *Value {
	return b.Append(&Value{Op: OpInsert, Type: v.Type, Args: []*Value{v, x}, Imm: int64(lane)})
}

// Concat appends vectors of type vs[0] one behind the other; t is the type of the result.
func (b *Builder) Concat(t Type, vs ...*Value) *Value { return b.Op(OpConcat, t, vs...) }

// Shuffle appends a vector of type t, whose lane k is lane lanes[k] of x and y
// one behind the other, or poison for -1; y may be nil.
func (b *Builder) Shuffle(t Type, lanes []int, x, y *Value) *Value {
	v := &Value{Op: OpShuffle, Type: t, Args: []*Value{x}, Lanes: lanes}
	if y != nil {
		v.Args = append(v.Args, y)
	}
	return b.Append(v)
}

// Permute appends a lookup of each lane of index in table.
func (b *Builder) Permute(table, index *Value) *Value {
	return b.Op(OpPermute, index.Type.WithElem(table.Type.Elem), table, index)
}

// Gather appends a load of type t from one address per lane; a.Index is a vector,
// mask may be nil.
func (b *Builder) Gather(t Type, a Addr, mask *Value) *Value { return b.Load(OpGather, t, a, mask) }

// Scatter appends a store of x to one address per lane; a.Index is a vector, mask
// may be nil.
func (b *Builder) Scatter(x *Value, a Addr, mask *Value) *Value {
	return b.Store(OpScatter, x, a, mask)
}

// Jmp ends the block with a jump.
func (b *Builder) Jmp(to *Block) *Value { return b.term(OpJmp, nil, to) }

// Br ends the block with a branch.
func (b *Builder) Br(cond *Value, then, els *Block) *Value {
	return b.term(OpBr, []*Value{cond}, then, els)
}

// Ret ends the block and the function.
func (b *Builder) Ret(results ...*Value) *Value { return b.term(OpRet, results) }

func (b *Builder) term(op Op, args []*Value, succs ...*Block) *Value {
	b.Cur.Succs = succs
	for _, s := range succs {
		s.Preds = append(s.Preds, b.Cur)
	}
	return b.Append(&Value{Op: op, Args: args})
}
