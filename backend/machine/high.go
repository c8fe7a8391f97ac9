package machine

import (
	"fmt"
	"sync"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Vector registers above 15 exist in EVEX encoding only. The assembler takes it for
// instructions that have both encodings where it meets such a register; some have another
// name then.

// lowRegisters is how many vector registers VEX encoding knows.
const lowRegisters = 16

// IsHigh reports whether r is a vector register that only EVEX encoding knows.
func IsHigh(r reg.Register) bool {
	p := reg.ToPhysical(r)
	return p != nil && r.Kind() == reg.KindVector && p.PhysicalIndex() >= lowRegisters
}

// AllowsHigh reports whether the vector registers of i may be high ones on CPUs with AVX-512.
func (i *Inst) AllowsHigh() bool {
	if i.IsEVEX() || evexOnlyNames[i.Opcode] != "" {
		return true
	}
	key := shape(i)
	if known, ok := bothEncodings.Load(key); ok {
		return known.(bool)
	}
	both := hasMaskedForm(i)
	bothEncodings.Store(key, both)
	return both
}

// bothEncodings remembers for opcodes with kinds of operands whether they have EVEX encoding.
var bothEncodings sync.Map

func shape(i *Inst) string {
	s := i.Opcode
	for _, op := range i.Operands {
		switch op := op.(type) {
		case reg.Register:
			s += fmt.Sprintf(" %d.%d", op.Kind(), op.Size())
		case operand.Mem:
			s += " m"
			if op.Index != nil && op.Index.Kind() == reg.KindVector {
				s += "v"
			}
		default:
			s += " i"
		}
	}
	return s
}

// hasMaskedForm reports whether there is an instruction that does what i does under a mask,
// which has EVEX encoding.
func hasMaskedForm(i *Inst) bool {
	n := len(i.Operands)
	if n < 2 {
		return false
	}
	args := append(append([]operand.Op(nil), i.Operands[:n-1]...), reg.K1, i.Operands[n-1])
	_, err := MakeEVEX(i.Opcode, args...)
	return err == nil
}

// evexOnlyNames are what instructions are called with EVEX encoding that have another name
// with VEX encoding.
var evexOnlyNames = map[string]string{
	"VBROADCASTI128": "VBROADCASTI32X4",
	"VEXTRACTF128":   "VEXTRACTF32X4",
	"VEXTRACTI128":   "VEXTRACTI32X4",
	"VINSERTF128":    "VINSERTF32X4",
	"VINSERTI128":    "VINSERTI32X4",
	"VMOVDQA":        "VMOVDQA32",
	"VPAND":          "VPANDD",
	"VPANDN":         "VPANDND",
	"VPOR":           "VPORD",
	"VPXOR":          "VPXORD",
	"VROUNDPD":       "VRNDSCALEPD",
	"VROUNDPS":       "VRNDSCALEPS",
}

// NameHigh gives the instructions of f that have high registers the names that they need.
func (f *Func) NameHigh() {
	for _, b := range f.Blocks {
		for _, insts := range [][]*Inst{b.Insts, b.Test} {
			for n, i := range insts {
				insts[n] = nameHigh(i)
			}
		}
	}
}

func nameHigh(i *Inst) *Inst {
	name := evexOnlyNames[i.Opcode]
	if name == "" || !usesHigh(i) {
		return i
	}
	i, err := MakeEVEX(name, i.Operands...)
	if err != nil {
		panic(err)
	}
	return i
}

func usesHigh(i *Inst) bool {
	for _, op := range i.Operands {
		if r, ok := op.(reg.Register); ok && IsHigh(r) {
			return true
		}
	}
	return false
}
