package machine

import (
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file and vexlength.go say how many bytes the Go assembler makes of an
// instruction with physical registers. An instruction is
//
//	prefixes, opcode, ModRM, SIB, displacement of 0, 1 or 4 bytes, immediate
//
// and has one of two encodings: VEX (vexlength.go), or the legacy one, here. The
// assembler does not always take the shortest form; the tables say what it does.
// Jumps are in layout.go: their length depends on what is between them and their
// targets.

// traits distinguish the encodings of opcodes.
type traits int

const (
	wide    traits = 1 << iota // a REX prefix, for 64 bits
	word                       // a prefix for 16 bits, immediates of 2 bytes
	byteImm                    // immediates of a byte
	signExt                    // immediates from -128 to 127 take a byte
	shift                      // immediates take a byte, 1 is in the opcode
	shortAX                    // no ModRM for a long immediate and the accumulator
	movImm                     // no ModRM for an immediate and a register
	noModRM                    // an operand, if any, is in the opcode
)

// A legacy encoding is the length of the opcode, with the prefixes that are part of
// it, and traits.
type legacy struct {
	opcode int
	traits
}

var legacyOps = byName(map[legacy]string{
	{1, 0}:                        "NEGL",
	{1, wide}:                     "DIVQ IDIVQ LEAQ MOVLQSX MOVQ MULQ NEGQ NOTQ",
	{1, signExt}:                  "IMUL3L",
	{1, signExt | wide}:           "IMUL3Q",
	{1, signExt | shortAX}:        "ADDL ANDL CMPL ORL SUBL XORL",
	{1, signExt | shortAX | wide}: "ADDQ ANDQ CMPQ ORQ SUBQ XORQ",
	{1, shortAX}:                  "TESTL",
	{1, byteImm | shortAX}:        "CMPB",
	{1, shift}:                    "ROLB ROLL SHRL",
	{1, shift | word}:             "ROLW",
	{1, shift | wide}:             "ROLQ SARQ SHLQ SHRQ",
	{1, byteImm | movImm}:         "MOVB",
	{1, word | movImm}:            "MOVW",
	{1, movImm}:                   "MOVL",
	{1, noModRM}:                  "RET",
	{1, noModRM | wide}:           "CQO",
	{2, noModRM | wide}:           "BSWAPQ",
	{2, byteImm | wide}:           "BTSQ",
	{2, 0}: "IMULL MOVBLZX MOVWLZX PREFETCHT0 CMOVLCS CMOVLGT CMOVLHI CMOVLLT " +
		"SETCC SETCS SETEQ SETGE SETGT SETHI SETLE SETLS SETLT SETNE",
	{2, wide}: "IMULQ MOVBQSX MOVWQSX " +
		"CMOVQCC CMOVQCS CMOVQEQ CMOVQGE CMOVQGT CMOVQHI CMOVQLE CMOVQLS CMOVQLT CMOVQNE",
	{3, 0}:    "POPCNTL TZCNTL",
	{3, wide}: "LZCNTQ POPCNTQ TZCNTQ",
})

// byName turns encodings with their opcodes into opcodes with their encodings.
func byName[E comparable](groups map[E]string) map[string]E {
	out := make(map[string]E)
	for e, names := range groups {
		for _, name := range strings.Fields(names) {
			out[name] = e
		}
	}
	return out
}

// callLength is the length of a call of a function by its name.
const callLength = 5

// length is the number of bytes of i in a function whose parameters are at args(SP).
// Jumps have none.
func (i *Inst) length(args int) int {
	switch {
	case i.Opcode == "CALL":
		return callLength
	case i.Opcode == "VZEROUPPER":
		return 3
	case i.isJump():
		return 0
	}
	if e, ok := legacyOps[i.Opcode]; ok {
		return i.legacyLength(e, args)
	}
	return i.vexLength(args)
}

func (i *Inst) isJump() bool {
	if len(i.Operands) != 1 {
		return false
	}
	_, ok := i.Operands[0].(operand.LabelRef)
	return ok && i.Opcode != "CALL"
}

// legacyLength has the exceptions from what the table says.
func (i *Inst) legacyLength(e legacy, args int) int {
	x, imm := i.immediate()
	n := e.opcode
	switch {
	case i.Opcode == "MOVQ" && imm && x != int64(int32(x)): // no ModRM
		if x == int64(uint32(x)) {
			return i.rex(legacy{}) + 1 + 4
		}
		return 1 + 1 + 8
	case (i.Opcode == "IMULQ" || i.Opcode == "IMULL") && (imm || len(i.Operands) == 1):
		n = 1
		e.traits |= signExt
	case e.traits&shift != 0 && len(i.Operands) == 3: // of two registers
		n = 2
		e.traits |= byteImm
	}
	n += i.rex(e)
	if e.traits&word != 0 {
		n++
	}
	if imm {
		n += e.immLength(x)
	}
	if e.traits&noModRM != 0 || imm && i.immInOpcode(e, x) {
		return n
	}
	return n + i.addressLength(args)
}

// immediate is the constant among the operands.
func (i *Inst) immediate() (x int64, ok bool) {
	for _, op := range i.Operands {
		if x, ok := constant(op); ok {
			return x, true
		}
	}
	return 0, false
}

func constant(op operand.Op) (int64, bool) {
	switch c := op.(type) {
	case operand.U8:
		return int64(c), true
	case operand.U16:
		return int64(c), true
	case operand.U32:
		return int64(c), true
	case operand.U64:
		return int64(c), true
	case operand.I8:
		return int64(c), true
	case operand.I16:
		return int64(c), true
	case operand.I32:
		return int64(c), true
	case operand.I64:
		return int64(c), true
	}
	return 0, false
}

func (e legacy) immLength(x int64) int {
	switch {
	case e.traits&byteImm != 0, e.traits&signExt != 0 && x == int64(int8(x)):
		return 1
	case e.traits&shift != 0 && x == 1:
		return 0
	case e.traits&shift != 0:
		return 1
	case e.traits&word != 0:
		return 2
	}
	return 4
}

// immInOpcode reports whether the opcode for the immediate x names the register.
func (i *Inst) immInOpcode(e legacy, x int64) bool {
	for _, op := range i.Operands {
		if r, ok := op.(reg.Physical); ok {
			return e.traits&movImm != 0 || e.traits&shortAX != 0 && r.PhysicalIndex() == 0 && (e.immLength(x) > 1 || e.traits&byteImm != 0)
		}
	}
	return false
}

// rex is the length of the REX prefix: for 64 bits, a register above 7, or the low byte
// of one that has had no name of its own before.
func (i *Inst) rex(e legacy) int {
	if e.traits&wide != 0 {
		return 1
	}
	for _, op := range i.Operands {
		for _, r := range operand.Registers(op) {
			p, ok := r.(reg.Physical)
			if ok && (high(r) || r.Size() == 1 && p.PhysicalIndex() >= 4) {
				return 1
			}
		}
	}
	return 0
}

// high reports whether r is a register whose number does not fit three bits.
func high(r reg.Register) bool {
	p, ok := r.(reg.Physical)
	return ok && r.Kind() != reg.KindPseudo && p.PhysicalIndex() >= 8
}

// addressLength is the length of ModRM and what belongs to it.
func (i *Inst) addressLength(args int) int {
	for _, op := range i.Operands {
		if m, ok := op.(operand.Mem); ok {
			return memLength(m, args)
		}
	}
	return 1
}

func memLength(m operand.Mem, args int) int {
	const modRM, sib, long = 1, 1, 4
	switch {
	case m.Base == reg.StaticBase: // relative to the instruction
		return modRM + long
	case m.Base == nil:
		return modRM + sib + long
	}
	n, disp := modRM, m.Disp
	if m.Base == reg.FramePointer {
		disp += args
	}
	stack := m.Base.Kind() == reg.KindPseudo
	number := 0
	if !stack {
		number = int(m.Base.(reg.Physical).PhysicalIndex()) & 7
	}
	const sp, bp = 4, 5
	if m.Index != nil || stack || number == sp {
		n += sib
	}
	switch {
	case disp == 0 && number != bp:
		return n
	case disp == int(int8(disp)):
		return n + 1
	}
	return n + long
}
