package regalloc

import (
	"slices"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// forward reads values of spill slots from registers that still hold them: a
// reload disappears or becomes a copy, and an operand in memory becomes a
// register, which saves the way through the store buffer. It runs on an
// allocated function. A block starts with what its only predecessor ends with,
// if that comes first in the layout, otherwise with nothing.
func forward(f *machine.Func) {
	preds := make(map[*machine.Block][]*machine.Block)
	for _, b := range f.Blocks {
		for _, s := range b.Succs() {
			preds[s] = append(preds[s], b)
		}
	}
	ends := make(map[*machine.Block]holders)
	for _, b := range f.Blocks {
		h := make(holders)
		if ps := preds[b]; len(ps) == 1 {
			h = ends[ps[0]].clone()
		}
		b.Insts = h.forward(f, b.Insts)
		b.Test = h.forward(f, b.Test)
		ends[b] = h
	}
}

// holders are the registers that hold what lies at an offset of the frame.
type holders map[int][]reg.Register

func (h holders) clone() holders {
	c := make(holders)
	for off, rs := range h {
		c[off] = slices.Clone(rs)
	}
	return c
}

func (h holders) forward(f *machine.Func, insts []*machine.Inst) []*machine.Inst {
	kept := insts[:0:0]
	for _, i := range insts {
		off, r, load, store := slotAccess(i)
		if !isSpill(f, off) {
			load, store = false, false
		}
		if load {
			if k := h.atLeast(off, r); k != nil && k.ID() == r.ID() {
				continue
			} else if k != nil {
				i = copyInst(machine.As(k, r), r)
			}
		} else {
			i = h.fromRegister(i)
		}
		h.after(i)
		switch {
		case load:
			h[off] = append(h[off], r)
		case store:
			h[off] = []reg.Register{r}
		}
		kept = append(kept, i)
	}
	return kept
}

// atLeast is a register that holds as many bytes of the slot as r has, r itself
// if it does.
func (h holders) atLeast(off int, r reg.Register) reg.Register {
	var found reg.Register
	for _, k := range h[off] {
		switch {
		case k.Size() < r.Size() || k.Kind() != r.Kind():
		case k.ID() == r.ID():
			return k
		case found == nil:
			found = k
		}
	}
	return found
}

// after forgets registers that i writes and slots that it writes, and remembers
// copies.
func (h holders) after(i *machine.Inst) {
	for _, d := range i.Defs {
		for off, rs := range h {
			h[off] = slices.DeleteFunc(rs, func(k reg.Register) bool { return k.ID() == d.ID() })
		}
	}
	for _, op := range i.Outputs {
		if m, ok := op.(operand.Mem); ok && isSlot(m) {
			delete(h, m.Disp)
		}
	}
	if !i.IsMove() {
		return
	}
	src, dst := i.Operands[0].(reg.Register), i.Operands[1].(reg.Register)
	for off, rs := range h {
		for _, k := range rs {
			if k.ID() == src.ID() && k.Size() <= src.Size() {
				h[off] = append(rs, machine.As(dst, k))
				break
			}
		}
	}
}

// fromRegister replaces an operand in a slot by a register that holds it. Of the
// widths that a register can be named with, the instruction has a form for one.
func (h holders) fromRegister(i *machine.Inst) *machine.Inst {
	if i.Opcode == "VINSERTPS" || i.Opcode == "LEAQ" || i.IsBranch {
		return i // takes another part of a register, or the address
	}
	for n, op := range i.Operands {
		m, ok := op.(operand.Mem)
		if !ok || !isSlot(m) || n == len(i.Operands)-1 && !readsLast(i) || writesMemory(i) {
			continue
		}
		for _, k := range h[m.Disp] {
			if r := withRegister(i, n, k); r != nil {
				return r
			}
		}
	}
	return i
}

var views = map[reg.Kind][]reg.Register{
	reg.KindVector: {reg.Z0, reg.Y0, reg.X0},
	reg.KindGP:     {reg.RAX, reg.EAX, reg.AX, reg.AL},
}

// withRegister is i with operand n in register k, nil if there is no such form.
func withRegister(i *machine.Inst, n int, k reg.Register) *machine.Inst {
	for _, v := range views[k.Kind()] {
		if v.Size() > k.Size() {
			continue
		}
		ops := slices.Clone(i.Operands)
		ops[n] = machine.As(k, v)
		r, err := machine.Make(i.Opcode, ops...)
		if err == nil && (!machine.IsHigh(k) || r.AllowsHigh()) {
			return r
		}
	}
	return nil
}

func copyInst(src, dst reg.Register) *machine.Inst {
	if src.Kind() == reg.KindGP {
		return machine.MustMake("MOVQ", src, dst)
	}
	return machine.MustMake("VMOVAPS", src, dst)
}

// slotAccess recognizes whole loads and stores of slots.
func slotAccess(i *machine.Inst) (off int, r reg.Register, load, store bool) {
	if i.Opcode != "MOVQ" && i.Opcode != "VMOVUPS" || len(i.Operands) != 2 { // more are under a mask
		return 0, nil, false, false
	}
	if m, ok := i.Operands[0].(operand.Mem); ok && isSlot(m) {
		r, ok := i.Operands[1].(reg.Register)
		return m.Disp, r, ok, false
	}
	if m, ok := i.Operands[1].(operand.Mem); ok && isSlot(m) {
		r, ok := i.Operands[0].(reg.Register)
		return m.Disp, r, false, ok
	}
	return 0, nil, false, false
}

func isSlot(m operand.Mem) bool { return m.Base == reg.StackPointer && m.Index == nil }

// isSpill reports whether a spill slot starts at off.
func isSpill(f *machine.Func, off int) bool {
	_, ok := slices.BinarySearchFunc(f.Spills, off, func(s machine.Slot, off int) int { return s.Offset - off })
	return ok
}

func writesMemory(i *machine.Inst) bool {
	for _, op := range i.Outputs {
		if operand.IsMem(op) {
			return true
		}
	}
	return false
}
