package machine

import (
	"slices"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// TestRotate has a loop with two tests at its top and a way out from its body. One
// jump is left on the way around, what is done on the way out is not passed, and the
// alignment goes with the first block.
func TestRotate(t *testing.T) {
	f := NewFunc("f")
	var bs []*Block
	for _, name := range []string{"entry", "head", "more", "body", "leave", "latch", "exit", "out"} {
		b := f.NewBlock(0)
		b.Label = name
		f.Place(b)
		bs = append(bs, b)
	}
	entry, head, more, body, leave, latch, exit, out := bs[0], bs[1], bs[2], bs[3], bs[4], bs[5], bs[6], bs[7]
	entry.Then = head
	head.Align = 64
	head.EmitTest("CMPQ", reg.RAX, operand.U8(0))
	head.Jump, head.Then, head.Else = "JLE", out, more
	more.EmitTest("CMPQ", reg.RCX, operand.U8(0))
	more.Jump, more.Then, more.Else = "JLE", exit, body
	body.Emit("ADDQ", operand.U8(1), reg.RCX)
	body.EmitTest("CMPQ", reg.RDX, operand.U8(0))
	body.Jump, body.Then, body.Else = "JGT", latch, leave
	leave.Emit("ADDQ", operand.U8(3), reg.RCX)
	leave.Then = out
	latch.Emit("ADDQ", operand.U8(4), reg.RCX)
	latch.Then = head
	exit.Emit("ADDQ", operand.U8(2), reg.RCX)
	exit.Then = out
	f.Finish()
	var got []string
	for _, n := range f.Linear() {
		switch {
		case n.Inst == nil && n.Align > 0:
			got = append(got, n.Label+": aligned")
		case n.Inst == nil:
			got = append(got, n.Label+":")
		case n.Inst.IsBranch:
			got = append(got, n.Inst.Opcode+" "+n.Inst.Operands[0].Asm())
		default:
			got = append(got, n.Inst.Opcode)
		}
	}
	want := "JMP head|body: aligned|ADDQ|CMPQ|JLE leave|ADDQ|head:|CMPQ|JLE out|CMPQ|JGT body|ADDQ|out:|RET|leave:|ADDQ|JMP out"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

// TestSinkReturns: who returns early lies behind those who go on.
func TestSinkReturns(t *testing.T) {
	f, bs := parting()
	f.Place(f.NewBlock(0))
	early, on, end := bs[1], bs[2], f.Blocks[3]
	on.Then = end
	f.sinkExits()
	if want := []*Block{bs[0], on, end, early}; !slices.Equal(f.Blocks, want) {
		t.Errorf("layout %v, want %v", f.Blocks, want)
	}
}
