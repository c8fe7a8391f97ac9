package machine

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// hasAVX512 is the variable AVX512 of package runtime/cpu, as assembly names it.
const hasAVX512 = "github·com∕lanewise∕lanewise∕runtime∕cpu·AVX512"

// suffix512 ends the labels of code for AVX-512.
const suffix512 = "_512"

// Prefer512 has f do what wide does on CPUs of level avx512. Both are finished.
func (f *Func) Prefer512(wide *Func) {
	entry := f.NewBlock(0)
	entry.EmitTest("CMPB", operand.Mem{Symbol: operand.Symbol{Name: hasAVX512}, Base: reg.StaticBase}, operand.U8(0))
	entry.Jump, entry.Then, entry.Else = "JNE", wide.Blocks[0], f.Blocks[0]
	f.nameBlocks()
	wide.nameBlocks()
	for _, b := range wide.Blocks {
		b.Label += suffix512
	}
	blocks := append([]*Block{entry}, f.Blocks...)
	f.Blocks = append(blocks, wide.Blocks...)
	f.Frame = max(f.Frame, wide.Frame)
}
