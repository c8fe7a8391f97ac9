package interp_test

import (
	"runtime"
	"testing"

	"github.com/lanewise/lanewise/vir"
)

var dataElems = append(append([]vir.Elem{}, intElems...), floatElems...)

// TestConversionsAreGos pins what gc does with floats out of range, too, which is only
// specified by what it does on amd64.
func TestConversionsAreGos(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("conversions out of range are those of amd64")
	}
	n := 0
	for op := vir.OpTrunc; op <= vir.OpBitcast; op++ {
		for _, from := range append([]vir.Elem{vir.Bool}, dataElems...) {
			for _, to := range dataElems {
				if converts(op, from, to) {
					compareWithNative(t, op, to, []vir.Elem{from}, gos(op, from, to))
					n++
				}
			}
		}
		tried[op] = true
	}
	if n < 70 {
		t.Errorf("only %d conversions", n)
	}
}

// converts says which conversions there are.
func converts(op vir.Op, from, to vir.Elem) bool {
	switch op {
	case vir.OpTrunc:
		return from.IsInt() && to.IsInt() && to.Size() < from.Size()
	case vir.OpZext, vir.OpSext:
		return to.IsInt() && (from == vir.Bool || from.IsInt() && to.Size() > from.Size())
	case vir.OpSitof, vir.OpUitof:
		return from.IsInt() && to.IsFloat()
	case vir.OpFtosi, vir.OpFtoui:
		return from.IsFloat() && to.IsInt()
	case vir.OpFpext:
		return from == vir.F32 && to == vir.F64
	case vir.OpFptrunc:
		return from == vir.F64 && to == vir.F32
	}
	return op == vir.OpBitcast && from.Size() == to.Size() && from != vir.Bool
}
