package regalloc

import (
	"testing"

	"github.com/lanewise/lanewise/backend/machine"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// stepping takes an address in AX and an index in CX, leaves the next index there and
// writes DX.
var stepping = &machine.Convention{
	Params:  [][]reg.Register{{reg.RAX}, {reg.RCX}},
	Results: [][]reg.Register{{reg.RCX}},
	Writes:  []reg.Register{reg.RCX, reg.RDX},
}

var general = []reg.Physical{reg.RAX, reg.RCX, reg.RDX, reg.RBX, reg.RSI, reg.R8}

func call(b *machine.Block, x, i reg.Register, next reg.Register) {
	b.Emit("MOVQ", x, reg.RAX)
	b.Emit("MOVQ", i, reg.RCX)
	b.Insts = append(b.Insts, machine.Call("step", stepping))
	b.Emit("MOVQ", reg.RCX, next)
}

// TestCallsWithoutCopies has an index that goes from call to call and an address that
// both take: there they stay. What lives across the calls is elsewhere.
func TestCallsWithoutCopies(t *testing.T) {
	f := machine.NewFunc("f")
	b := f.NewBlock(1)
	f.Place(b)
	x, i, j, k, across := f.GP(), f.GP(), f.GP(), f.GP(), f.GP()
	b.Emit("MOVQ", operand.Mem{Base: reg.RDI}, across)
	b.Emit("MOVQ", operand.Mem{Base: reg.RDI, Disp: 8}, x)
	b.Emit("MOVQ", operand.Mem{Base: reg.RDI, Disp: 16}, i)
	call(b, x, i, j)
	call(b, x, j, k)
	b.Emit("ADDQ", across, k)
	b.Emit("MOVQ", k, operand.Mem{Base: reg.RDI})
	if err := Run(f, Files{GP: general}); err != nil {
		t.Fatal(err)
	}
	check(t, b,
		"MOVQ (DI), BX",
		"MOVQ 8(DI), AX",
		"MOVQ 16(DI), CX",
		"CALL step<>(SB)",
		"CALL step<>(SB)",
		"ADDQ BX, CX",
		"MOVQ CX, (DI)",
	)
}

// TestCallsInTwoOrders has two calls with operands that change places.
func TestCallsInTwoOrders(t *testing.T) {
	f := machine.NewFunc("f")
	b := f.NewBlock(0)
	f.Place(b)
	x, y, j, k := f.GP(), f.GP(), f.GP(), f.GP()
	b.Emit("MOVQ", operand.Mem{Base: reg.RDI}, x)
	b.Emit("MOVQ", operand.Mem{Base: reg.RDI, Disp: 8}, y)
	call(b, x, y, j)
	call(b, y, x, k)
	b.Emit("ADDQ", j, k)
	b.Emit("MOVQ", k, operand.Mem{Base: reg.RDI})
	if err := Run(f, Files{GP: general}); err != nil {
		t.Fatal(err)
	}
	check(t, b,
		"MOVQ (DI), SI",
		"MOVQ 8(DI), BX",
		"MOVQ SI, AX",
		"MOVQ BX, CX",
		"CALL step<>(SB)",
		"MOVQ CX, R8",
		"MOVQ BX, AX",
		"MOVQ SI, CX",
		"CALL step<>(SB)",
		"ADDQ R8, CX",
		"MOVQ CX, (DI)",
	)
}

// TestDropRepeated keeps what a routine or one of two ways overwrites.
func TestDropRepeated(t *testing.T) {
	f := machine.NewFunc("f")
	entry, loop, exit := f.NewBlock(0), f.NewBlock(1), f.NewBlock(0)
	for _, b := range []*machine.Block{entry, loop, exit} {
		f.Place(b)
	}
	leaf := machine.Call("step", stepping)
	entry.Emit("MOVQ", reg.RSI, reg.RAX)
	entry.Emit("MOVQ", reg.RSI, reg.RCX)
	entry.Emit("VMOVAPS", reg.Y1, reg.Y0)
	entry.Then = loop
	loop.Emit("MOVQ", reg.RSI, reg.RAX) // still there
	loop.Emit("MOVQ", reg.RSI, reg.RCX) // not in the next iteration
	loop.Emit("VMOVAPS", reg.X1, reg.X0)
	loop.Emit("MOVQ", reg.RAX, reg.RSI) // where it came from
	loop.Emit("MOVQ", operand.U32(7), reg.RBX)
	loop.Insts = append(loop.Insts, leaf)
	loop.Emit("MOVQ", operand.U32(7), reg.RBX)
	loop.Emit("MOVQ", operand.U32(7), reg.RDX)
	loop.EmitTest("CMPQ", reg.RBX, operand.U8(0))
	loop.Jump, loop.Then, loop.Else = "JNE", loop, exit
	exit.Emit("MOVQ", operand.U32(7), reg.RDX)
	exit.Emit("MOVQ", operand.U32(8), reg.RDX)
	exit.Emit("MOVQ", operand.U32(7), reg.RDX)
	dropRepeated(f)
	check(t, loop,
		"MOVQ SI, CX",
		"MOVQ $0x00000007, BX",
		"CALL step<>(SB)",
		"MOVQ $0x00000007, DX",
		"CMPQ BX, $0x00",
	)
	check(t, exit, "MOVQ $0x00000008, DX", "MOVQ $0x00000007, DX")
}
