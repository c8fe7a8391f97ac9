package regalloc

import (
	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// forward drops reloads of stack slots whose value is still in a register, or
// makes them copies. It runs on an allocated function, block by block.
func forward(f *machine.Func) {
	for _, b := range f.Blocks {
		known := make(map[int]reg.Register) // what lies at an offset of the frame
		b.Insts = forwardInsts(b.Insts, known)
		b.Test = forwardInsts(b.Test, known)
	}
}

func forwardInsts(insts []*machine.Inst, known map[int]reg.Register) []*machine.Inst {
	kept := insts[:0:0]
	for _, i := range insts {
		off, r, load, store := slotAccess(i)
		if load && known[off] != nil && known[off].Size() >= r.Size() {
			if known[off].ID() == r.ID() {
				continue
			}
			i = copyInst(machine.As(known[off], r), r)
		}
		for _, d := range i.Defs {
			for at, k := range known {
				if k.ID() == d.ID() {
					delete(known, at)
				}
			}
		}
		switch {
		case load, store:
			known[off] = r
		case writesMemory(i):
			// Slots may be written through other addressing: start anew.
			clear(known)
		}
		kept = append(kept, i)
	}
	return kept
}

func copyInst(src, dst reg.Register) *machine.Inst {
	if src.Kind() == reg.KindGP {
		return machine.MustMake("MOVQ", src, dst)
	}
	return machine.MustMake("VMOVAPS", src, dst)
}

// slotAccess recognizes whole loads and stores of slots.
func slotAccess(i *machine.Inst) (off int, r reg.Register, load, store bool) {
	if i.Opcode != "MOVQ" && i.Opcode != "VMOVUPS" {
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

func writesMemory(i *machine.Inst) bool {
	for _, op := range i.Outputs {
		if operand.IsMem(op) {
			return true
		}
	}
	return false
}
