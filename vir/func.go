package vir

import (
	"fmt"
	"slices"
)

// Pos is a position in the user's source; the zero Pos is unknown.
type Pos struct {
	File      string
	Line, Col int
}

func (p Pos) IsValid() bool { return p.Line > 0 }

// String is file:line:col.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// A Func is a function: parameters, result types, and blocks of which the first
// is the entry.
type Func struct {
	Name    string // without the @
	Params  []*Value
	Results []Type
	Blocks  []*Block
	Pos     Pos
	// InOrder says that memory operations are done one after the other, whatever they
	// overlap. Without it lanes are iterations, and a backend may do some lanes of all
	// operations before the next lanes: who made the function has seen to it that
	// iterations do not meet in memory so that it matters.
	InOrder bool
	// Local marks a routine that only kernels of the same file call: it has one block and
	// no effects but on memory, and passes parameters and results in registers.
	Local bool
	// Remark is for people who look at the function: what a pass has done to it.
	Remark string

	nextID int
}

// A Block is a straight line of values: phis first, one terminator last. Preds
// lists each incoming edge once, in the order of the phis' operands; Succs the
// targets of the terminator.
type Block struct {
	Name  string
	Func  *Func
	Insts []*Value
	Preds []*Block
	Succs []*Block
}

// A Value is an operation with its result (of type Void when it has none).
type Value struct {
	Op    Op
	Type  Type
	Args  []*Value
	Block *Block // nil for parameters
	Name  string // without the %; empty until the printer numbers it
	Pos   Pos

	// Bits are the constant of OpConst as zero-extended bit patterns: one entry
	// is a splat, otherwise one entry per lane.
	Bits []uint64
	// Imm is the lane of extract and insert, the first lane of subvec, and the number of a result.
	Imm int64
	// Lanes are the lanes that a shuffle takes, one entry per lane of the result:
	// a lane of both operands one behind the other, or -1 for poison.
	Lanes []int
	// Scale and Disp, in bytes, complete the address of a memory operation:
	// base + index*Scale + Disp. Indexed says that there is an index operand.
	Scale, Disp int64
	Indexed     bool
	// Masked says that the last operand is a mask (memory operations, checks).
	Masked bool
	// Callee is the local routine that a call runs.
	Callee *Func
	// Param holds what is known of a pointer parameter.
	Param ParamFacts

	id int
}

// ParamFacts describes the memory behind a pointer parameter. A pointer with
// FixedLen is not nil when a kernel runs, unless the function checks it.
type ParamFacts struct {
	ElemSize  int    // bytes per element; 0 when unknown
	Len       *Value // i64 parameter with the number of elements; nil when FixedLen or unknown
	FixedLen  int64  // constant number of elements (arrays, single variables); 0 when Len or unknown
	Immutable bool   // nobody writes it: string data
	Copied    bool   // it stands for a copy that was made of it, so that a kernel must not run if it stores to any of it; Immutable is set
	Content   string // all bytes of it, when they are constant; FixedLen is set, and Immutable
}

// Known is what size bytes of the content are, from byte off on, as bits of a little-endian number; ok is false where
// that is not constant.
func (p *ParamFacts) Known(off int64, size int) (bits uint64, ok bool) {
	if off < 0 || off > int64(len(p.Content)-size) {
		return 0, false
	}
	for k := range size {
		bits |= uint64(p.Content[off+int64(k)]) << (8 * k)
	}
	return bits, true
}

// NewFunc returns a function without blocks.
func NewFunc(name string) *Func { return &Func{Name: name} }

// ID is unique within the function and stable while the value lives.
func (v *Value) ID() int { return v.id }

func (f *Func) register(v *Value) *Value {
	f.nextID++
	v.id = f.nextID
	return v
}

// NumIDs is larger than every ID in f.
func (f *Func) NumIDs() int { return f.nextID + 1 }

// AddParam appends a parameter.
func (f *Func) AddParam(name string, t Type) *Value {
	v := f.register(&Value{Op: OpParam, Type: t, Name: name})
	f.Params = append(f.Params, v)
	return v
}

// IsLength reports whether v is a parameter that says how long the memory behind another one is.
func (f *Func) IsLength(v *Value) bool {
	return slices.ContainsFunc(f.Params, func(p *Value) bool { return p.Param.Len != nil && p.Param.Len == v })
}

// Param finds a parameter by name; nil when there is none.
func (f *Func) Param(name string) *Value {
	for _, p := range f.Params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// UnusedName is name, or one like it, that no parameter has.
func (f *Func) UnusedName(name string) string {
	for f.Param(name) != nil {
		name += "_"
	}
	return name
}

// NewBlock appends an empty block.
func (f *Func) NewBlock(name string) *Block {
	b := &Block{Name: name, Func: f}
	f.Blocks = append(f.Blocks, b)
	return b
}

// Entry is the first block.
func (f *Func) Entry() *Block { return f.Blocks[0] }

// Block finds a block by name; nil when there is none.
func (f *Func) Block(name string) *Block {
	for _, b := range f.Blocks {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// Values calls yield for every parameter and every value of every block, in order.
func (f *Func) Values(yield func(*Value) bool) {
	for _, p := range f.Params {
		if !yield(p) {
			return
		}
	}
	for _, b := range f.Blocks {
		for _, v := range b.Insts {
			if v != nil && !yield(v) { // nil only in a broken function
				return
			}
		}
	}
}

// Uses maps every value of f to the values that use it, each user once per
// operand, in program order.
func (f *Func) Uses() map[*Value][]*Value {
	counts := make([]int, f.NumIDs())
	total, used := 0, 0
	for v := range f.Values {
		for _, a := range v.Args {
			if a != nil && a.id < len(counts) { // others are of a broken function
				if counts[a.id] == 0 {
					used++
				}
				counts[a.id]++
				total++
			}
		}
	}
	uses := make(map[*Value][]*Value, used)
	room := make([]*Value, total) // for all lists
	for v := range f.Values {
		for _, a := range v.Args {
			list, ok := uses[a]
			if !ok && a != nil && a.id < len(counts) {
				n := min(counts[a.id], len(room))
				list, room = room[:0:n], room[n:]
			}
			uses[a] = append(list, v)
		}
	}
	return uses
}

// ReplaceUses makes every user of old use new instead.
func (f *Func) ReplaceUses(old, new *Value) {
	for v := range f.Values {
		for i, a := range v.Args {
			if a == old {
				v.Args[i] = new
			}
		}
	}
}

// Term is the terminator, nil while the block is unfinished.
func (b *Block) Term() *Value {
	if n := len(b.Insts); n > 0 && b.Insts[n-1].Op.Info().Term {
		return b.Insts[n-1]
	}
	return nil
}

// Phis are the phis of the block.
func (b *Block) Phis() []*Value {
	n := 0
	for n < len(b.Insts) && b.Insts[n].Op == OpPhi {
		n++
	}
	return b.Insts[:n]
}

// PredIndex is the position of p in b.Preds, -1 when p is no predecessor.
func (b *Block) PredIndex(p *Block) int { return slices.Index(b.Preds, p) }

// Remove takes v out of its block. Nothing may use v any more.
func (v *Value) Remove() {
	b := v.Block
	b.Insts = slices.DeleteFunc(b.Insts, func(w *Value) bool { return w == v })
	v.Block = nil
}

// Address operands of memory operations. A load has operands base, [index],
// [room], [mask]; a store has value, base, [index], [mask].

func (v *Value) baseIndex() int {
	if v.Op.IsStore() {
		return 1
	}
	return 0
}

// Stored is the value a store writes.
func (v *Value) Stored() *Value { return v.Args[0] }

// Base is the pointer of a memory operation.
func (v *Value) Base() *Value { return v.Args[v.baseIndex()] }

// SetBase gives a memory operation another pointer.
func (v *Value) SetBase(p *Value) { v.Args[v.baseIndex()] = p }

// Index is the i64 index of a memory operation, nil when there is none. Gather
// and scatter have a vector of i32 or i64 with one index per lane.
func (v *Value) Index() *Value {
	if !v.Indexed {
		return nil
	}
	return v.Args[v.baseIndex()+1]
}

// Room is the number of elements that a load.expand may read.
func (v *Value) Room() *Value { return v.Args[len(v.Args)-2] }

// Mask is the mask of a memory operation or check, nil when all lanes are active.
func (v *Value) Mask() *Value {
	if !v.Masked {
		return nil
	}
	return v.Args[len(v.Args)-1]
}

// WithoutMask is the operands but the mask.
func (v *Value) WithoutMask() []*Value {
	if v.Masked {
		return v.Args[:len(v.Args)-1]
	}
	return v.Args
}

// DropMask makes all lanes of v active.
func (v *Value) DropMask() { v.SetMask(nil) }

// SetMask makes the lanes of v active in which m holds, all for nil.
func (v *Value) SetMask(m *Value) {
	v.Args, v.Masked = v.WithoutMask(), m != nil
	if m != nil {
		v.Args = append(slices.Clip(v.Args), m)
	}
}

// Access is the type that a memory operation moves.
func (v *Value) Access() Type {
	if v.Op.IsStore() {
		return v.Args[0].Type
	}
	return v.Type
}

// Splat is the broadcast that v is, or a part of; nil for other values.
func (v *Value) Splat() *Value {
	for v.Op == OpSubvec {
		v = v.Args[0]
	}
	if v.Op == OpBroadcast {
		return v
	}
	return nil
}

// IsConst reports whether v is a constant with all lanes equal, and its bits.
func (v *Value) IsConst() (uint64, bool) {
	if v.Op == OpConst && len(v.Bits) == 1 {
		return v.Bits[0], true
	}
	return 0, false
}

// ConstInt is the sign-extended value of a constant integer with all lanes equal.
func (v *Value) ConstInt() (int64, bool) {
	bits, ok := v.IsConst()
	if !ok || !v.Type.Elem.IsInt() {
		return 0, false
	}
	sh := 64 - v.Type.Elem.Bits()
	return int64(bits<<sh) >> sh, true
}
