package machine

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A Version of a function is for CPUs on which a variable of package runtime/cpu is set.
type Version struct {
	Variable string
	Suffix   string // of its labels
	Code     *Func
}

// For512 is code for CPUs of level avx512.
func For512(code *Func) Version { return Version{"AVX512", "_512", code} }

// ForFast512 is code for those of them that take 64 bytes as a whole.
func ForFast512(code *Func) Version { return Version{"Fast512", "_zmm", code} }

// variables is where the variables of package runtime/cpu are, as assembly names them.
const variables = "github·com∕lanewise∕lanewise∕runtime∕cpu·"

// Dispatch has f do what the first of versions does that the CPU is for. All are finished.
func (f *Func) Dispatch(versions ...Version) {
	f.nameBlocks()
	var tests, code []*Block
	for _, v := range versions {
		v.Code.nameBlocks()
		for _, b := range v.Code.Blocks {
			b.Label += v.Suffix
		}
		test := f.NewBlock(0)
		test.EmitTest("CMPB", operand.Mem{Symbol: operand.Symbol{Name: variables + v.Variable}, Base: reg.StaticBase}, operand.U8(0))
		test.Jump, test.Then = "JNE", v.Code.Blocks[0]
		tests, code = append(tests, test), append(code, v.Code.Blocks...)
		f.Frame = max(f.Frame, v.Code.Frame)
	}
	blocks := append(tests, f.Blocks...)
	for i, test := range tests {
		test.Else = blocks[i+1]
	}
	f.Blocks = append(blocks, code...)
}
