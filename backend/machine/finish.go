package machine

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Finish tidies an allocated function: sums in place, jumps to where they lead,
// tests at the ends of loops, short zeros.
func (f *Func) Finish() {
	for _, b := range f.Blocks {
		for n, i := range b.Insts {
			b.Insts[n] = inPlace(i)
		}
	}
	f.dropZeroUpper()
	f.hoistCommon()
	f.thread()
	f.sinkExits()
	f.rotateLoops()
	f.dropTests()
	f.shortenZeros()
}

// dropTests takes out comparisons with 0 of what was just computed bit by bit, which has set the flags.
func (f *Func) dropTests() {
	for _, b := range f.Blocks {
		n := len(b.Insts) - 1
		for n >= 0 && b.Insts[n].IsMove() && !b.Insts[n].Touches(b.Test) {
			n--
		}
		if len(b.Test) != 1 || n < 0 || b.Jump != "JEQ" && b.Jump != "JNE" {
			continue
		}
		mask, test := b.Insts[n], b.Test[0]
		zero := false
		switch {
		case slices.Contains(bitwise, mask.Opcode) && test.Opcode == "CMPQ":
			zero = test.Operands[1] == operand.Op(operand.U8(0))
		case mask.Opcode == "ANDL" && test.Opcode == "TESTL":
			zero = test.Operands[1] == test.Operands[0]
		}
		if zero && mask.Operands[1] == test.Operands[0] {
			b.Test = nil
		}
	}
}

// bitwise are instructions whose result the zero flag tells of.
var bitwise = []string{"ANDQ", "ORQ", "XORQ", "BLSRQ"}

// dropZeroUpper takes VZEROUPPER out of functions that use no upper half of a vector
// register, nor call routines that write one.
func (f *Func) dropZeroUpper() {
	for _, b := range f.Blocks {
		for _, i := range b.All() {
			ops := i.Operands
			if i.IsCall() {
				ops = i.Outputs
			}
			for _, op := range ops {
				if r, ok := op.(reg.Register); ok && r.Kind() == reg.KindVector && r.Size() > 16 {
					return
				}
			}
		}
	}
	for _, b := range f.Blocks {
		b.Insts = slices.DeleteFunc(b.Insts, func(i *Inst) bool { return i.Opcode == "VZEROUPPER" })
	}
}

// hoistCommon moves instructions that both ways out of a block start with in
// front of the test, so that the blocks on short edges often become empty.
func (f *Func) hoistCommon() {
	preds := make(map[*Block]int)
	for _, b := range f.Blocks {
		for _, s := range b.Succs() {
			preds[s]++
		}
	}
	for _, b := range f.Blocks {
		if b.Jump == "" || b.Then == b.Else || preds[b.Then] != 1 || preds[b.Else] != 1 {
			continue
		}
		n := 0
		for then, other := b.Then.Insts, b.Else.Insts; n < min(len(then), len(other)); n++ {
			if i := then[n]; text(i) != text(other[n]) || i.IsCall() || i.Touches(b.Test) {
				break
			}
		}
		for n > 0 && (readFlags(b.Then.Insts[n:], false) || readFlags(b.Else.Insts[n:], false)) {
			n-- // who sets the flags stays with who reads them
		}
		b.Insts = append(b.Insts, b.Then.Insts[:n]...)
		b.Then.Insts, b.Else.Insts = b.Then.Insts[n:], b.Else.Insts[n:]
	}
}

func text(i *Inst) string { return i.OpcodeWithSuffixes() + asm(i.Operands) }

// Touches reports whether i writes what the test reads, or the test what i
// reads or writes. Any store may be what the test reads.
func (i *Inst) Touches(test []*Inst) bool {
	for _, op := range i.Outputs {
		if operand.IsMem(op) {
			return true
		}
	}
	for _, t := range test {
		if meet(i.Defs, t.Uses) || meet(i.Defs, t.Defs) || meet(i.Uses, t.Defs) {
			return true
		}
	}
	return false
}

func meet(a, b []reg.Register) bool {
	for _, x := range a {
		for _, y := range b {
			if x.ID() == y.ID() {
				return true
			}
		}
	}
	return false
}

// inPlace turns LEAQ into the shorter ADDQ where the destination is a source.
// No instruction between a comparison and its reader is a LEAQ.
func inPlace(i *Inst) *Inst {
	if i.Opcode != "LEAQ" {
		return i
	}
	m := i.Operands[0].(operand.Mem)
	d := i.Operands[1].(reg.Register)
	switch {
	case m.Base == nil || m.Base.Kind() == reg.KindPseudo:
		return i
	case m.Index == nil && m.Disp == 0:
		return MustMake("MOVQ", m.Base, d)
	case m.Index == nil && m.Base.ID() == d.ID():
		return MustMake("ADDQ", Imm(int64(m.Disp)), d)
	case m.Index == nil || m.Scale != 1 || m.Disp != 0:
		return i
	case m.Base.ID() == d.ID():
		return MustMake("ADDQ", m.Index, d)
	case m.Index.ID() == d.ID():
		return MustMake("ADDQ", m.Base, d)
	}
	return i
}

// thread leads jumps past empty blocks and drops blocks nobody reaches.
func (f *Func) thread() {
	for _, b := range f.Blocks {
		if b.Then != nil {
			b.Then = target(b.Then)
		}
		if b.Jump != "" {
			b.Else = target(b.Else)
		}
		if b.Jump != "" && b.Then == b.Else {
			b.Jump, b.Else, b.Test = "", nil, nil
		}
	}
	reached := make(map[*Block]bool)
	var visit func(b *Block)
	visit = func(b *Block) {
		if !reached[b] {
			reached[b] = true
			for _, s := range b.Succs() {
				visit(s)
			}
		}
	}
	visit(f.Blocks[0])
	kept := f.Blocks[:0:0]
	for _, b := range f.Blocks {
		if reached[b] {
			kept = append(kept, b)
		}
	}
	f.Blocks = kept
}

// target follows empty blocks; a cycle of them stops where it started.
func target(b *Block) *Block {
	seen := make(map[*Block]bool)
	for len(b.Insts) == 0 && b.Jump == "" && b.Then != nil && !seen[b] {
		seen[b] = true
		b = b.Then
	}
	return b
}

// opposite jumps are taken exactly when the others are not.
var opposite = map[string]string{
	"JEQ": "JNE", "JNE": "JEQ", "JLT": "JGE", "JGE": "JLT", "JLE": "JGT", "JGT": "JLE",
	"JCS": "JCC", "JCC": "JCS", "JLS": "JHI", "JHI": "JLS",
}

// A Node is a line of the final text: an instruction or a label.
type Node struct {
	Label string // when Inst is nil
	Inst  *Inst
	Align int // before the label
}

// Linear is the function as lines, with jumps between blocks that do not follow
// each other.
func (f *Func) Linear() []Node {
	used := f.jumpTargets()
	f.nameBlocks()
	var out []Node
	for i, b := range f.Blocks {
		if used[b] {
			out = append(out, Node{Label: b.Label, Align: b.Align})
		}
		for _, in := range b.All() {
			out = append(out, Node{Inst: in})
		}
		var next *Block
		if i+1 < len(f.Blocks) {
			next = f.Blocks[i+1]
		}
		for _, in := range b.jumps(next) {
			out = append(out, Node{Inst: in})
		}
	}
	return out
}

// nameBlocks makes labels unique; a block without a name gets that of the one
// before it with a number.
func (f *Func) nameBlocks() {
	taken := make(map[string]bool)
	for _, b := range f.Blocks {
		taken[b.Label] = true
	}
	last, n := "l", 0
	for _, b := range f.Blocks {
		if b.Label != "" {
			last, n = b.Label, 0
			continue
		}
		for b.Label == "" || taken[b.Label] {
			n++
			b.Label = fmt.Sprintf("%s_%d", last, n)
		}
		taken[b.Label] = true
	}
}

// jumps are the instructions that leave b when next follows it.
func (b *Block) jumps(next *Block) []*Inst {
	jump := func(op string, to *Block) *Inst { return MustMake(op, operand.LabelRef(to.Label)) }
	switch {
	case b.Then == nil:
		return []*Inst{MustMake("RET")}
	case b.Jump == "" && b.Then == next:
		return nil
	case b.Jump == "":
		return []*Inst{jump("JMP", b.Then)}
	case b.Else == next:
		return []*Inst{jump(b.Jump, b.Then)}
	case b.Then == next:
		return []*Inst{jump(opposite[b.Jump], b.Else)}
	}
	return []*Inst{jump(b.Jump, b.Then), jump("JMP", b.Else)}
}

// jumpTargets are the blocks that some jump names.
func (f *Func) jumpTargets() map[*Block]bool {
	used := make(map[*Block]bool)
	for i, b := range f.Blocks {
		var next *Block
		if i+1 < len(f.Blocks) {
			next = f.Blocks[i+1]
		}
		for _, s := range b.Succs() {
			used[s] = used[s] || s != next
		}
	}
	return used
}
