package interp_test

import (
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
)

// TestBytesAreGos runs every operation on all bytes, or all pairs of bytes, as vectors.
func TestBytesAreGos(t *testing.T) {
	all := make([]uint64, 256)
	for i := range all {
		all[i] = uint64(i)
	}
	n := 0
	for _, op := range vir.Ops() {
		to := vir.I8
		switch op.Info().Rule {
		case vir.RuleInt, vir.RuleLogic:
		case vir.RuleIntCmp:
			to = vir.Bool
		default:
			continue
		}
		types := typesOf(vir.Vec(vir.I8, 256), op.Info().Args)
		f := lanesFunc(t, op, vir.Vec(to, 256), types...)
		want := gos(op, vir.I8, to)
		for y := range uint64(256) {
			args := []interp.Value{interp.New(types[0], all...)}
			if len(types) == 2 {
				args = append(args, interp.New(types[1], splat(y, 256)...))
			} else if y > 0 {
				break
			}
			got := run(t, f, args...)
			for i, x := range all {
				w, ok := want([]uint64{x, y})
				if got.Poison[i] == ok || ok && got.Bits[i] != w {
					t.Fatalf("%s of %d, %d: got %v, want %d", op, x, y, got.Lane(i), w)
				}
			}
		}
		n++
	}
	if n < 30 {
		t.Errorf("only %d operations", n)
	}
}

// TestNarrowConversionsAreGos converts all integers of 8 and 16 bits.
func TestNarrowConversionsAreGos(t *testing.T) {
	for op := vir.OpTrunc; op <= vir.OpUitof; op++ {
		for _, from := range intElems[:2] {
			for _, to := range dataElems {
				if !converts(op, from, to) {
					continue
				}
				f := lanesFunc(t, op, vir.Vec(to, 256), vir.Vec(from, 256))
				want := gos(op, from, to)
				for first := uint64(0); first < 1<<from.Bits(); first += 256 {
					xs := make([]uint64, 256)
					for i := range xs {
						xs[i] = first + uint64(i)
					}
					got := run(t, f, interp.New(f.Params[0].Type, xs...))
					for i, x := range xs {
						if w, _ := want([]uint64{x}); got.Bits[i] != w {
							t.Fatalf("%s of %s %d: got %v, want %#x", op, from, x, got.Lane(i), w)
						}
					}
				}
			}
		}
	}
}

func splat(x uint64, n int) []uint64 {
	xs := make([]uint64, n)
	for i := range xs {
		xs[i] = x
	}
	return xs
}
