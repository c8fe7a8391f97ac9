package regalloc

import (
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// slots is a function with spill slots of the given sizes.
func slots(sizes ...int) (f *machine.Func, mem []operand.Mem) {
	f = machine.NewFunc("f")
	f.Local(8) // something else in the frame
	for _, size := range sizes {
		mem = append(mem, f.Spill(size))
	}
	return f, mem
}

// text is a block as the assembler sees it.
func text(b *machine.Block) string {
	var lines []string
	for _, i := range b.All() {
		var ops []string
		for _, op := range i.Operands {
			ops = append(ops, op.Asm())
		}
		lines = append(lines, i.Opcode+" "+strings.Join(ops, ", "))
	}
	return strings.Join(lines, "\n")
}

func check(t *testing.T, b *machine.Block, want ...string) {
	t.Helper()
	if got := text(b); got != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

func TestForward(t *testing.T) {
	f, m := slots(32, 16, 8)
	b := f.NewBlock(0)
	f.Place(b)
	user := operand.Mem{Base: reg.RDI}
	b.Emit("VMOVUPS", reg.Y7, m[0])
	b.Emit("VPADDD", m[0], reg.Y4, reg.Y6)   // still in Y7
	b.Emit("VMOVUPS", reg.Y6, user)          // not a slot
	b.Emit("VPMOVZXBW", m[0], reg.Y5)        // 16 bytes: as X7
	b.Emit("VPADDD", reg.Y7, reg.Y4, reg.Y7) // no longer
	b.Emit("VPADDD", m[0], reg.Y4, reg.Y6)
	b.Emit("VMOVUPS", m[1], reg.X1)
	b.Emit("VMOVUPS", m[1], reg.X1)         // has it already
	b.Emit("VMOVUPS", m[1], reg.X2)         // a copy
	b.Emit("VPXOR", reg.X1, reg.X1, reg.X1) // the copy is left
	b.Emit("VPADDD", m[1], reg.X3, reg.X3)
	b.Emit("MOVQ", reg.RCX, m[2])
	b.Emit("CMPL", m[2], operand.U8(7))
	b.Emit("MOVBLZX", m[2], reg.EDX)
	b.Emit("ADDQ", operand.U8(1), m[2]) // the slot changes
	b.Emit("ADDQ", m[2], reg.RAX)
	forward(f)
	check(t, b,
		"VMOVUPS Y7, 8(SP)",
		"VPADDD Y7, Y4, Y6",
		"VMOVUPS Y6, (DI)",
		"VPMOVZXBW X7, Y5",
		"VPADDD Y7, Y4, Y7",
		"VPADDD 8(SP), Y4, Y6",
		"VMOVUPS 40(SP), X1",
		"VMOVAPS X1, X2",
		"VPXOR X1, X1, X1",
		"VPADDD X2, X3, X3",
		"MOVQ CX, 56(SP)",
		"CMPL CX, $0x07",
		"MOVBLZX CL, DX",
		"ADDQ $0x01, 56(SP)",
		"ADDQ 56(SP), AX",
	)
}

// A block with one predecessor goes on with its registers, one with two does not.
func TestForwardOverBlocks(t *testing.T) {
	f, m := slots(32)
	first, second, both := f.NewBlock(0), f.NewBlock(0), f.NewBlock(0)
	for _, b := range []*machine.Block{first, second, both} {
		f.Place(b)
	}
	first.Emit("VMOVUPS", reg.Y1, m[0])
	first.EmitTest("CMPQ", reg.RAX, operand.U8(0))
	first.Jump, first.Then, first.Else = "JEQ", both, second
	second.Emit("VPADDD", m[0], reg.Y2, reg.Y2)
	second.Then = both
	both.Emit("VPADDD", m[0], reg.Y2, reg.Y2)
	forward(f)
	check(t, second, "VPADDD Y1, Y2, Y2")
	check(t, both, "VPADDD 8(SP), Y2, Y2")
}

// Slots 0 and 1 are live together, slot 2 takes the place of slot 0, slot 3 is
// never read, slot 4 is read in the next iteration.
func TestSlots(t *testing.T) {
	f, m := slots(32, 32, 32, 32, 32)
	entry, loop := f.NewBlock(0), f.NewBlock(1)
	f.Place(entry)
	f.Place(loop)
	entry.Emit("VMOVUPS", reg.Y4, m[4])
	entry.Then = loop
	loop.Emit("VMOVUPS", reg.Y0, m[0])
	loop.Emit("VMOVUPS", reg.Y1, m[1])
	loop.Emit("VPADDD", m[0], reg.Y2, reg.Y2)
	loop.Emit("VMOVUPS", reg.Y0, m[2])
	loop.Emit("VMOVUPS", reg.Y0, m[3])
	loop.Emit("VPADDD", m[1], reg.Y2, reg.Y2)
	loop.Emit("VPADDD", m[2], reg.Y2, reg.Y2)
	loop.Emit("VPADDD", m[4], reg.Y2, reg.Y2)
	loop.Emit("VMOVUPS", reg.Y3, m[4])
	loop.EmitTest("CMPQ", reg.RAX, operand.U8(0))
	loop.Jump, loop.Then, loop.Else = "JEQ", loop, f.NewBlock(0)
	f.Place(loop.Else)
	dropDeadStores(f)
	packSlots(f)
	check(t, entry, "VMOVUPS Y4, 72(SP)")
	check(t, loop,
		"VMOVUPS Y0, 8(SP)",
		"VMOVUPS Y1, 40(SP)",
		"VPADDD 8(SP), Y2, Y2",
		"VMOVUPS Y0, 8(SP)",
		"VPADDD 40(SP), Y2, Y2",
		"VPADDD 8(SP), Y2, Y2",
		"VPADDD 72(SP), Y2, Y2",
		"VMOVUPS Y3, 72(SP)",
		"CMPQ AX, $0x00",
	)
	if f.Frame != 104 {
		t.Errorf("frame of %d bytes, want 104", f.Frame)
	}
}

// TestSpillOutsideInnerLoop has three registers for three values that an inner loop
// works on and one that only lives through it: nothing in the loop touches memory.
func TestSpillOutsideInnerLoop(t *testing.T) {
	f := machine.NewFunc("f")
	entry, loop, exit := f.NewBlock(1), f.NewBlock(2), f.NewBlock(1)
	src, dst, n := operand.Mem{Base: reg.RDI}, operand.Mem{Base: reg.RSI}, reg.RCX
	var v []reg.Register
	for range 4 {
		v = append(v, f.Vec(32))
	}
	y := func(k int) reg.Register { return v[k].(reg.VecVirtual).AsY() }
	for _, k := range []int{3, 0, 1, 2} {
		entry.Emit("VMOVUPS", src.Offset(32*k), y(k))
	}
	entry.Then = loop
	for range 3 {
		loop.Emit("VPADDD", y(0), y(1), y(1))
		loop.Emit("VPADDD", y(1), y(2), y(2))
		loop.Emit("VPADDD", y(2), y(0), y(0))
	}
	loop.Emit("ADDQ", operand.I8(-1), n)
	loop.EmitTest("CMPQ", n, operand.U8(0))
	loop.Jump, loop.Then, loop.Else = "JNE", loop, exit
	for range 20 { // many uses outside do not make it dear
		exit.Emit("VPADDD", y(3), y(0), y(0))
	}
	for k := range 3 {
		exit.Emit("VMOVUPS", y(k), dst.Offset(32*k))
	}
	for _, b := range []*machine.Block{entry, loop, exit} {
		f.Place(b)
	}
	files := []reg.Physical{reg.Y0, reg.Y1, reg.Y2}
	if err := Run(f, Files{GP: []reg.Physical{reg.RAX}, Vec: files}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text(loop), "SP") {
		t.Errorf("memory in the loop:\n%s", text(loop))
	}
	if got := strings.Count(text(entry)+text(exit), "SP"); got != 21 || f.Frame != 32 {
		t.Errorf("%d accesses to a frame of %d bytes, want 21 and 32:\n%s\n%s", got, f.Frame, text(entry), text(exit))
	}
}
