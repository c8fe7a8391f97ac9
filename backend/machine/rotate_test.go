package machine

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// TestRotate has a loop with two tests at its top. One jump is left on the way
// around, and the alignment goes with the first block.
func TestRotate(t *testing.T) {
	f := NewFunc("f")
	var bs []*Block
	for _, name := range []string{"entry", "head", "more", "body", "exit", "out"} {
		b := f.NewBlock(0)
		b.Label = name
		f.Place(b)
		bs = append(bs, b)
	}
	entry, head, more, body, exit, out := bs[0], bs[1], bs[2], bs[3], bs[4], bs[5]
	entry.Then = head
	head.Align = 64
	head.EmitTest("CMPQ", reg.RAX, operand.U8(0))
	head.Jump, head.Then, head.Else = "JLE", out, more
	more.EmitTest("CMPQ", reg.RCX, operand.U8(0))
	more.Jump, more.Then, more.Else = "JLE", exit, body
	body.Emit("ADDQ", operand.U8(1), reg.RCX)
	body.Then = head
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
	want := "JMP head|body: aligned|ADDQ|head:|CMPQ|JLE out|CMPQ|JGT body|ADDQ|out:|RET"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}
