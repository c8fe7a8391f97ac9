package machine

import (
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// shortenZeros makes zeros of general registers by XORL, two or three bytes and no unit
// of execution instead of seven bytes, where nobody reads the flags that it sets.
//
//	MOVQ $0, AX           XORL AX, AX
//	CMPQ SI, $32    ->    CMPQ SI, $32
//	JLT  done             JLT  done
func (f *Func) shortenZeros() {
	for _, b := range f.Blocks {
		live := readFlags(b.Test, b.flagsBehind(make(map[*Block]bool)))
		for n := len(b.Insts) - 1; n >= 0; n-- {
			if r, ok := b.Insts[n].Zeroed(); ok && !live {
				r = As(r, reg.EAX)
				b.Insts[n] = MustMake("XORL", r, r)
			}
			live = flagsBefore(b.Insts[n], live)
		}
	}
}

// Zeroed is the general register that i sets to zero without a look at others.
func (i *Inst) Zeroed() (reg.Register, bool) {
	if i.Opcode != "MOVQ" || i.Operands[0] != operand.Op(operand.U32(0)) {
		return nil, false
	}
	r, ok := i.Operands[1].(reg.Register)
	return r, ok && r.Kind() == reg.KindGP
}

// flagsBehind reports whether somebody may read the flags as the instructions of b leave them.
func (b *Block) flagsBehind(seen map[*Block]bool) bool {
	if b.Jump != "" || b.Then == nil || seen[b] {
		return b.Jump != ""
	}
	seen[b] = true
	return readFlags(b.Then.All(), b.Then.flagsBehind(seen))
}

// readFlags reports whether the flags in front of instructions may be read, given that for
// those behind them.
func readFlags(insts []*Inst, behind bool) bool {
	for _, i := range slices.Backward(insts) {
		behind = flagsBefore(i, behind)
	}
	return behind
}

// flagsBefore reports whether the flags in front of i may be read, given that for those behind it.
func flagsBefore(i *Inst, behind bool) bool {
	for _, op := range flagReaders {
		if strings.HasPrefix(i.Opcode, op) {
			return true
		}
	}
	for _, op := range flagWriters {
		if strings.HasPrefix(i.Opcode, op) {
			return false
		}
	}
	return behind
}

// Readers are all that there are, with those that kernels have no need of so far. Writers
// are those that leave no flag as it was.
var (
	flagReaders = []string{"SET", "CMOV", "ADC", "SBB", "RCL", "RCR", "CMC", "PUSHF"}
	flagWriters = []string{"CMP", "TEST", "ADD", "SUB", "NEG", "AND", "OR", "XOR", "VUCOMIS", "VCOMIS", "VPTEST", "VTEST", "KORTEST"}
)
