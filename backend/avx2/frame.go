package avx2

import (
	"fmt"

	"github.com/lanewise/lanewise/vir"
	"github.com/mmcloughlin/avo/operand"
)

// A Frame is where ABI0 puts parameters and results: one after the other as in
// a Go struct, the results aligned to 8 bytes.
type Frame struct {
	Params  []int // offsets
	Results []int
	Size    int

	fn *vir.Func
}

// Layout computes the frame of fn.
func Layout(fn *vir.Func) *Frame {
	fr := &Frame{fn: fn}
	off := 0
	place := func(t vir.Type) int {
		size := t.Elem.Size()
		off = (off + size - 1) / size * size
		at := off
		off += size
		return at
	}
	for _, p := range fn.Params {
		fr.Params = append(fr.Params, place(p.Type))
	}
	off = (off + 7) &^ 7
	for _, t := range fn.Results {
		fr.Results = append(fr.Results, place(t))
	}
	fr.Size = (off + 7) &^ 7
	return fr
}

func (fr *Frame) param(v *vir.Value) operand.Mem {
	for i, p := range fr.fn.Params {
		if p == v {
			return operand.NewParamAddr(p.Name, fr.Params[i])
		}
	}
	panic("avx2: not a parameter: " + v.Name)
}

func (fr *Frame) result(i int) operand.Mem {
	return operand.NewParamAddr(ResultName(i), fr.Results[i])
}

// ResultName is the name of result i in the Go declaration of a kernel.
func ResultName(i int) string { return fmt.Sprintf("r%d", i) }
