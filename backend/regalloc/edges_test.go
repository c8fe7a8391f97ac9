package regalloc

import (
	"testing"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// TestHoistEdges moves copies in front of a test, but nothing that the other way or the test
// still reads, nothing that the test makes, and nothing that takes longer than a jump.
func TestHoistEdges(t *testing.T) {
	type edge = func(b *machine.Block)
	for _, c := range []struct {
		name  string
		copy  edge
		depth int
		moves bool
	}{
		{"copies", func(b *machine.Block) { b.Emit("VMOVAPS", reg.Y1, reg.Y2); b.Emit("MOVQ", operand.U32(0), reg.RDX) }, 0, true},
		{"a zero", func(b *machine.Block) { b.Emit("VPXOR", reg.X2, reg.X2, reg.X2) }, 0, true},
		{"what the other way reads", func(b *machine.Block) { b.Emit("MOVQ", reg.RAX, reg.RSI) }, 0, false},
		{"what is read behind the other way", func(b *machine.Block) { b.Emit("VMOVAPS", reg.Y1, reg.Y3) }, 0, false},
		{"what the test reads", func(b *machine.Block) { b.Emit("MOVQ", operand.U32(0), reg.RCX) }, 0, false},
		{"what the test makes", func(b *machine.Block) { b.Emit("MOVQ", reg.RBX, reg.RDX) }, 0, false},
		{"a sum", func(b *machine.Block) { b.Emit("VADDPS", reg.Y1, reg.Y1, reg.Y2) }, 0, false},
		{"many", func(b *machine.Block) {
			for range maxEdge + 1 {
				b.Emit("VMOVAPS", reg.Y1, reg.Y2)
			}
		}, 0, false},
		{"in a loop", func(b *machine.Block) { b.Emit("VMOVAPS", reg.Y1, reg.Y2) }, 1, false},
	} {
		f := machine.NewFunc("f")
		from, short, other, end := f.NewBlock(c.depth), f.NewBlock(c.depth), f.NewBlock(0), f.NewBlock(0)
		for _, b := range []*machine.Block{from, short, other, end} {
			f.Place(b)
		}
		from.EmitTest("BLSRL", reg.ECX, reg.EBX)
		from.Jump, from.Then, from.Else = "JEQ", short, other
		c.copy(short)
		short.Then, other.Then = end, end
		other.Emit("ADDQ", reg.RSI, reg.RDI)
		end.Emit("VMOVUPS", reg.Y3, operand.Mem{Base: reg.RDI})
		n := len(short.Insts)
		hoistEdges(f)
		if c.moves && (len(from.Insts) != n || len(short.Insts) > 0) || !c.moves && (len(from.Insts) > 0 || len(short.Insts) != n) {
			t.Errorf("%s: %d in front of the test, %d left", c.name, len(from.Insts), len(short.Insts))
		}
	}
}
