// Package machine holds a function as blocks of x86 instructions over virtual
// registers, between instruction selection and printing. Instructions are
// avo's: their forms are checked when they are made, and what they read and
// write comes from avo's tables. It must not know vir.
package machine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A Func is a function in layout order: the first block is the entry.
type Func struct {
	Name   string
	Blocks []*Block
	Frame  int // bytes of the local frame, a multiple of 8

	// Remat says how to make the value of a virtual register anew, for those
	// whose only definition can be repeated anywhere.
	Remat map[reg.ID]Remat
	// Spills are the parts of the frame that hold spilled registers, each
	// accessed as (SP) with a displacement only.
	Spills []Slot
	// Temp are virtual registers with a live range too short to spill.
	Temp map[reg.ID]bool
	// WantsFast512 says that a loop uses registers of 64 bytes and gains from them only on CPUs
	// that do not take them in halves.
	WantsFast512 bool
	// Prefer is what callers of a routine would like; nil for other functions.
	Prefer *Preferences

	coll *reg.Collection
	regs map[reg.ID]reg.Register
}

// A Slot is a part of the frame.
type Slot struct{ Offset, Size int }

// A Remat recomputes a value into dst. Mem is where the same bytes lie, so that
// an instruction may use them from there; its Base is nil when they lie nowhere.
type Remat struct {
	Make func(dst reg.Register) *Inst
	Mem  operand.Mem
}

// A Block is a straight line of instructions with its way out: a return when
// Then is nil, a jump to Then when Jump is empty, otherwise to Then if the
// conditional jump Jump is taken after Test, else to Else.
type Block struct {
	Insts []*Inst
	Test  []*Inst // sets the flags that Jump reads
	Jump  string
	Then  *Block
	Else  *Block

	Depth int // loops around the block
	Align int // bytes, 0 for none
	Label string
}

// An Inst is an instruction with the registers it reads and writes.
type Inst struct {
	*ir.Instruction
	Uses, Defs []reg.Register
}

// NewFunc returns a function without blocks.
func NewFunc(name string) *Func {
	return &Func{
		Name:  name,
		Remat: make(map[reg.ID]Remat),
		Temp:  make(map[reg.ID]bool),
		coll:  reg.NewCollection(),
		regs:  make(map[reg.ID]reg.Register),
	}
}

// GP is a new general register.
func (f *Func) GP() reg.GPVirtual {
	r := f.coll.GP64()
	f.regs[r.ID()] = r
	return r
}

// Reg is the virtual register of the given ID, at the width it was made with.
func (f *Func) Reg(id reg.ID) reg.Register { return f.regs[id] }

// Vec is a new vector register of 16, 32 or 64 bytes; smaller sizes count as 16.
func (f *Func) Vec(size int) reg.VecVirtual {
	r := f.coll.XMM()
	switch {
	case size > 32:
		r = f.coll.ZMM()
	case size > 16:
		r = f.coll.YMM()
	}
	f.regs[r.ID()] = r
	return r
}

// NewBlock returns an empty block that is not yet part of the layout.
func (f *Func) NewBlock(depth int) *Block { return &Block{Depth: depth} }

// Place appends b to the layout.
func (f *Func) Place(b *Block) { f.Blocks = append(f.Blocks, b) }

// Local reserves size bytes of the frame.
func (f *Func) Local(size int) operand.Mem {
	m := operand.NewStackAddr(f.Frame)
	f.Frame += (size + 7) &^ 7
	return m
}

// Spill reserves size bytes of the frame for a spilled register.
func (f *Func) Spill(size int) operand.Mem {
	m := f.Local(size)
	f.Spills = append(f.Spills, Slot{m.Disp, (size + 7) &^ 7})
	return m
}

// Emit appends an instruction. A form that does not exist is a mistake of the
// caller and panics.
func (b *Block) Emit(op string, args ...operand.Op) { b.Insts = append(b.Insts, MustMake(op, args...)) }

// EmitTest appends an instruction to those that set the flags.
func (b *Block) EmitTest(op string, args ...operand.Op) {
	b.Test = append(b.Test, MustMake(op, args...))
}

// Size is the number of instructions of f without the jumps.
func (f *Func) Size() (n int) {
	for _, b := range f.Blocks {
		n += b.Size()
	}
	return n
}

// Succs are the blocks that may follow.
func (b *Block) Succs() []*Block {
	switch {
	case b.Then == nil:
		return nil
	case b.Jump == "":
		return []*Block{b.Then}
	}
	return []*Block{b.Then, b.Else}
}

// Size is the number of instructions without the jumps.
func (b *Block) Size() int { return len(b.Insts) + len(b.Test) }

// All are all instructions in order.
func (b *Block) All() []*Inst {
	if len(b.Test) == 0 {
		return b.Insts
	}
	return append(b.Insts[:len(b.Insts):len(b.Insts)], b.Test...)
}

// MustMake is Make for forms known to exist.
func MustMake(op string, args ...operand.Op) *Inst {
	i, err := Make(op, args...)
	if err != nil {
		panic(err)
	}
	return i
}

// Make builds an instruction, checking its form. Immediates that have no 8-bit
// form are widened.
func Make(op string, args ...operand.Op) (*Inst, error) {
	i, err := form(op, args)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", op, asm(args), err)
	}
	return describe(i), nil
}

// Exists reports whether Make would build an instruction.
func Exists(op string, args ...operand.Op) bool {
	_, err := form(op, args)
	return err == nil
}

// form is the instruction that Make describes.
func form(op string, args []operand.Op) (*ir.Instruction, error) {
	i, err := build(op, args)
	if err != nil {
		if wide, ok := widenImm(args); ok {
			i, err = build(op, wide)
		}
	}
	if err != nil {
		return nil, err
	}
	if (&Inst{Instruction: i}).IsEVEX() && !slices.ContainsFunc(args, isZMM) {
		return nil, errEVEX
	}
	return i, nil
}

// isZMM reports whether op is a register of 64 bytes, of which there is no other encoding.
func isZMM(op operand.Op) bool {
	r, ok := op.(reg.Register)
	return ok && r.Kind() == reg.KindVector && r.Size() > 32
}

var errEVEX = errors.New("only exists with EVEX encoding")

func asm(args []operand.Op) (s string) {
	for _, a := range args {
		if a == nil {
			s += " nil"
			continue
		}
		s += " " + a.Asm()
	}
	return s
}

func widenImm(args []operand.Op) ([]operand.Op, bool) {
	for n, a := range args {
		var c operand.Op
		switch a := a.(type) {
		case operand.I8:
			c = operand.I32(a)
		case operand.U8:
			c = operand.U32(a)
		default:
			continue
		}
		wide := append([]operand.Op(nil), args...)
		wide[n] = c
		return wide, true
	}
	return nil, false
}

// Imm is an integer immediate.
func Imm(x int64) operand.Op {
	switch {
	case 0 <= x && x <= 127:
		return operand.U8(x)
	case 0 <= x && x <= 1<<31-1:
		return operand.U32(x)
	case x == int64(int8(x)):
		return operand.I8(x)
	case x == int64(int32(x)):
		return operand.I32(x)
	}
	return operand.I64(x)
}

// IsImm32 reports whether x fits a sign-extended immediate.
func IsImm32(x int64) bool { return x == int64(int32(x)) }

// describe fills in uses and definitions. Writes of the pseudo registers (FP,
// SB, SP) do not exist and reads of them do not matter; mask registers are not
// allocated.
func describe(i *ir.Instruction) *Inst {
	in := &Inst{Instruction: i}
	for _, r := range i.OutputRegisters() {
		if allocated(r) {
			in.Defs = append(in.Defs, r)
		}
	}
	uses := inputs(i)
	if i.CancellingInputs && allAre(uses, in.Defs) {
		return in
	}
	in.Uses = uses
	return in
}

// inputs are the registers that i reads. avo's own list leaves out the sources
// of x-x, which still need a register when the destination is another one, and has
// the destination of a choice by a mask register, all lanes of which are written.
func inputs(i *ir.Instruction) (rs []reg.Register) {
	add := func(op operand.Op) {
		for _, r := range operand.Registers(op) {
			if allocated(r) {
				rs = append(rs, r)
			}
		}
	}
	from := i.Inputs
	if chooses(i.Opcode) {
		from = i.Operands[:len(i.Operands)-1]
	}
	for _, op := range from {
		add(op)
	}
	for _, op := range i.Outputs {
		if operand.IsMem(op) {
			add(op)
		}
	}
	return rs
}

// chooses reports whether an instruction takes each lane from one of its sources.
func chooses(opcode string) bool {
	return strings.HasPrefix(opcode, "VBLENDM") || strings.HasPrefix(opcode, "VPBLENDM")
}

// allAre reports whether every use is the one register that is defined.
func allAre(uses, defs []reg.Register) bool {
	if len(defs) != 1 {
		return false
	}
	for _, r := range uses {
		if r.ID() != defs[0].ID() {
			return false
		}
	}
	return true
}

// moves are the opcodes that copy one register to another and do nothing else.
var moves = map[string]bool{"MOVQ": true, "VMOVAPS": true, "VMOVDQA": true}

// IsMove reports whether i copies one register to another of the same kind.
func (i *Inst) IsMove() bool {
	if !moves[i.Opcode] {
		return false
	}
	s, ok1 := i.Operands[0].(reg.Register)
	d, ok2 := i.Operands[1].(reg.Register)
	return ok1 && ok2 && s.Kind() == d.Kind()
}

// Rename replaces registers; to gives the new register for an old one, of which
// the width in use is kept.
func (i *Inst) Rename(to func(reg.Register) reg.Register) *Inst {
	ops := make([]operand.Op, len(i.Operands))
	for n, op := range i.Operands {
		ops[n] = renameOp(op, to)
	}
	c := *i.Instruction
	c.Operands = ops
	c.Inputs = renameOps(i.Inputs, to)
	c.Outputs = renameOps(i.Outputs, to)
	return describe(&c)
}

// Move replaces addresses; to gives the new address for an old one.
func (i *Inst) Move(to func(operand.Mem) operand.Mem) *Inst {
	each := func(ops []operand.Op) []operand.Op {
		out := append([]operand.Op(nil), ops...)
		for n, op := range out {
			if m, ok := op.(operand.Mem); ok {
				out[n] = to(m)
			}
		}
		return out
	}
	c := *i.Instruction
	c.Operands, c.Inputs, c.Outputs = each(i.Operands), each(i.Inputs), each(i.Outputs)
	return describe(&c)
}

func renameOps(ops []operand.Op, to func(reg.Register) reg.Register) []operand.Op {
	out := make([]operand.Op, len(ops))
	for n, op := range ops {
		out[n] = renameOp(op, to)
	}
	return out
}

func renameOp(op operand.Op, to func(reg.Register) reg.Register) operand.Op {
	switch o := op.(type) {
	case reg.Register:
		if !allocated(o) {
			return op
		}
		return As(to(o), o)
	case operand.Mem:
		if o.Base != nil && o.Base.Kind() != reg.KindPseudo {
			o.Base = As(to(o.Base), o.Base)
		}
		if o.Index != nil {
			o.Index = As(to(o.Index), o.Index)
		}
		return o
	}
	return op
}

// As is r at the width of like.
func As(r, like reg.Register) reg.Register {
	if r.Mask() == like.Mask() {
		return r
	}
	if p := reg.ToPhysical(r); p != nil {
		return reg.LookupPhysical(p.Kind(), p.PhysicalIndex(), reg.Spec(like.Mask()))
	}
	switch t := r.(type) {
	case reg.Vec:
		switch {
		case like.Size() > 32:
			return t.AsZ()
		case like.Size() > 16:
			return t.AsY()
		}
		return t.AsX()
	case reg.GP:
		switch like.Size() {
		case 1:
			return t.As8L()
		case 2:
			return t.As16()
		case 4:
			return t.As32()
		}
		return t.As64()
	}
	panic("machine: register without views")
}
