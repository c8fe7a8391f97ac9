package edit

import (
	"testing"

	"github.com/lanewise/lanewise/vir"
)

// TestKnown has a computation that each step doubles: a walk that looks at a value as often as it is
// used would not end.
func TestKnown(t *testing.T) {
	f := &vir.Func{Name: "f"}
	b := vir.NewBuilder(f, f.NewBlock("entry"))
	p, q := b.Int(vir.Scalar(vir.I64), 1), b.Int(vir.Scalar(vir.I64), 2)
	v := p
	for range 64 {
		v = b.Op(vir.OpAdd, v.Type, v, v)
	}
	looked := 0
	from := func(given ...*vir.Value) func(*vir.Value) Verdict {
		return func(v *vir.Value) Verdict {
			looked++
			for _, g := range given {
				if v == g {
					return Given
				}
			}
			return KnownIf(v.Op == vir.OpAdd)
		}
	}
	if !Known(v, from(p)) || looked != 65 {
		t.Errorf("a sum of what is given is known, and has 65 values: %d were looked at", looked)
	}
	if w := b.Op(vir.OpAdd, v.Type, v, q); Known(w, from(p)) || !Known(w, from(p, q)) || !Known(w, from(w)) {
		t.Errorf("a sum with another value is known with that value, or by itself")
	}
}
