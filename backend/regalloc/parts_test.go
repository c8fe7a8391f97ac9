package regalloc

import (
	"slices"
	"testing"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// TestSlotsInParts has two slots of which each store writes a part: what is in the others stays.
func TestSlotsInParts(t *testing.T) {
	f, m := slots(64, 64)
	b := f.NewBlock(0)
	f.Place(b)
	b.Emit("VMOVUPS", reg.Y0, m[0])
	b.Emit("VMOVUPS", reg.Y1, m[1])
	b.EmitEVEX("VMOVUPS", m[0], reg.Z2)
	b.EmitEVEX("VMOVUPS", m[1], reg.Z3)
	dropDeadStores(f)
	packSlots(f)
	check(t, b,
		"VMOVUPS Y0, 8(SP)",
		"VMOVUPS Y1, 72(SP)",
		"VMOVUPS 8(SP), Z2",
		"VMOVUPS 72(SP), Z3",
	)
}

// spilledAlone spills v in the one block of f, and gives the sizes of registers that then go to and from memory.
func spilledAlone(f *machine.Func, b *machine.Block, v reg.Register) (sizes []int) {
	f.Place(b)
	spill(f, []node{nodeOf(v)})
	for _, i := range b.Insts {
		if off, r, _, _ := slotAccess(i); r != nil && isSpill(f, off) {
			sizes = append(sizes, int(r.Size()))
		}
	}
	return sizes
}

// TestHalvesOfHomes has a register that holds 64 bytes where a loop reads it: in front of that it is
// stored as what it is, so that no register of 64 bytes is met there.
func TestHalvesOfHomes(t *testing.T) {
	f := machine.NewFunc("f")
	b, v := f.NewBlock(0), f.Vec(64)
	b.Emit("VPADDD", reg.Y0, reg.Y1, v.AsY())
	b.EmitEVEX("VPADDD", v.AsZ(), reg.Z2, reg.Z3)
	b.EmitEVEX("VPADDD", v.AsZ(), v.AsZ(), reg.Z3)
	b.Emit("VPADDD", v.AsY(), v.AsY(), reg.Y3)
	if sizes := spilledAlone(f, b, v); !slices.Equal(sizes, []int{32, 64, 32}) {
		t.Errorf("%d bytes in turn, want 32, 64, 32:\n%s", sizes, text(b))
	}
}

// TestZerosOfHomes has zeros, which an instruction on 16 bytes makes, read in 64.
func TestZerosOfHomes(t *testing.T) {
	f := machine.NewFunc("f")
	b, v := f.NewBlock(0), f.Vec(64)
	b.Emit("VPXOR", v.AsX(), v.AsX(), v.AsX())
	b.EmitEVEX("VPADDD", v.AsZ(), v.AsZ(), reg.Z3)
	sizes := spilledAlone(f, b, v)
	if n := len(sizes); n < 2 || sizes[n-2] != 64 || sizes[n-1] != 64 {
		t.Errorf("%d bytes in turn, want zeros stored in 64 bytes:\n%s", sizes, text(b))
	}
}

// TestMaskedMovesOfSlots has a slot loaded under a mask, with zeros where that does not hold: the register
// that it was stored from does not do for it.
func TestMaskedMovesOfSlots(t *testing.T) {
	f, m := slots(32)
	b := f.NewBlock(0)
	f.Place(b)
	b.Emit("VMOVUPS", reg.Y7, m[0])
	b.EmitEVEX("VMOVUPS.Z", m[0], reg.K1, reg.Y1)
	b.EmitEVEX("VMOVUPS.Z", m[0], reg.K1, reg.Y7)
	forward(f)
	check(t, b,
		"VMOVUPS Y7, 8(SP)",
		"VMOVUPS 8(SP), K1, Y1",
		"VMOVUPS 8(SP), K1, Y7",
	)
}

// TestMaskedMovesSpilled leaves a move under a mask as it is: of a register that is spilled, and to one.
func TestMaskedMovesSpilled(t *testing.T) {
	for to := range 2 {
		f := machine.NewFunc("f")
		b, v, w := f.NewBlock(0), f.Vec(32).AsY(), f.Vec(32).AsY()
		b.Emit("VMOVUPS", address, v)
		b.EmitEVEX("VMOVUPS.Z", v, reg.K1, w)
		b.Emit("VMOVUPS", w, address)
		spilledAlone(f, b, []reg.Register{v, w}[to])
		masked := slices.IndexFunc(b.Insts, func(i *machine.Inst) bool { return len(i.Operands) == 3 })
		if masked < 0 || len(b.Insts[masked].Suffixes) == 0 {
			t.Fatalf("no move under a mask:\n%s", text(b))
		}
		for _, op := range b.Insts[masked].Operands {
			if _, ok := op.(operand.Mem); ok {
				t.Errorf("a move under a mask as a reload:\n%s", text(b))
			}
		}
	}
}
