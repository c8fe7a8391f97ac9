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
		if d := diffObject(c.Elems[o.Name], o.Data, got.Objects[i]); d != "" {
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

// diffObject compares memory element by element.
func diffObject(e vir.Elem, want, got []byte) string {
	n := max(1, e.Size())
	for i := 0; i+n <= len(want); i += n {
		if w, g := want[i:i+n], got[i:i+n]; !bytes.Equal(w, g) && !(e.IsFloat() && interp.EqualMemory(e, w, g)) {
			return fmt.Sprintf("element %d: got % x, want % x", i/n, g, w)
		}
	}
	return ""
}
