package native

import (
	"bytes"
	"fmt"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
)

// Diff runs a case in the interpreter and says how the native outcome differs;
// "" if it does not. NaNs are equal, poison equals anything.
func Diff(fn *vir.Func, c Case, got Outcome) string {
	if got.Err != "" {
		return got.Err
	}
	mem := c.Mem.Clone()
	want, err := interp.Run(fn, mem, c.Args)
	if err != nil {
		return "interpreter: " + err.Error()
	}
	for i, w := range want {
		if !w.Poison[0] && !equal(w.Type.Elem, w.Bits[0], got.Results[i].Bits[0]) {
			return fmt.Sprintf("result %d: got %v, want %v", i, got.Results[i], w)
		}
	}
	for i, o := range mem.Objects() {
		if d := diffBytes(o.Data, got.Objects[i]); d != "" {
			return fmt.Sprintf("object %s: %s", o.Name, d)
		}
	}
	return ""
}

// equal compares lanes; NaNs are equal.
func equal(e vir.Elem, a, b uint64) bool { return a == b || isNaN(e, a) && isNaN(e, b) }

func isNaN(e vir.Elem, x uint64) bool {
	switch e {
	case vir.F32:
		return uint32(x)&0x7fffffff > 0x7f800000
	case vir.F64:
		return x&(1<<63-1) > 0x7ff0000000000000
	}
	return false
}

func diffBytes(want, got []byte) string {
	if bytes.Equal(want, got) {
		return ""
	}
	for i := range want {
		if want[i] != got[i] {
			lo, hi := max(0, i&^7), min(len(want), i&^7+16)
			return fmt.Sprintf("byte %d: got % x, want % x", i, got[lo:hi], want[lo:hi])
		}
	}
	return "different lengths"
}
