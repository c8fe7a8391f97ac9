package reciprocal

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/edit"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// text divides eight lanes, half of them once more, and one of them in a block of its own, by the
// same divisor and by another one.
const text = `func @f(%p ptr, %d TYPE, %e TYPE, %on bool) (TYPE, TYPE, TYPE, TYPE) {
entry:
	%x = load.unit TYPEx8 [%p]
	%all = broadcast TYPEx8 %d
	%others = broadcast TYPEx8 %e
	%half = subvec TYPEx4 %x, 4
	%few = subvec TYPEx4 %all, 0
	br %on, some, join
some:
	%b = OP TYPEx4 %half, %few
	%b1 = extract TYPE %b, 1
	jmp join
join:
	%c = phi TYPE [%d, entry], [%b1, some]
	%q = OP TYPEx8 %x, %all
	%r = ALT TYPEx8 %x, %all
	%s = ALT TYPEx4 %half, %few
	%o = OP TYPEx8 %x, %others
	%qr = xor TYPEx8 %q, %r
	%sum = add TYPEx8 %qr, %o
	%1 = extract TYPE %sum, 0
	%2 = extract TYPE %sum, 5
	%3 = extract TYPE %s, 3
	ret %c, %1, %2, %3
}
`

func function(t *testing.T, elem vir.Elem, op, alt string) *vir.Func {
	t.Helper()
	f, err := parse.Func(strings.NewReplacer("TYPE", elem.String(), "OP", op, "ALT", alt).Replace(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// number has any number of leading and trailing bits that are alike.
func number(rng *rand.Rand) uint64 {
	x := rng.Uint64() >> rng.IntN(64)
	if rng.IntN(2) == 0 {
		x = -x
	}
	return x + uint64(rng.IntN(3)) - 1
}

// TestMeaning compares with divisions, of all widths.
func TestMeaning(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, elem := range []vir.Elem{vir.I8, vir.I16, vir.I32, vir.I64} {
		for _, ops := range [][2]string{{"sdiv", "srem"}, {"udiv", "urem"}, {"srem", "sdiv"}, {"urem", "udiv"}} {
			before, after := function(t, elem, ops[0], ops[1]), function(t, elem, ops[0], ops[1])
			u := pass.NewUnit(&plan.Region{Fn: after}, target.AVX2(), pass.Limit{})
			u.Kernel = &plan.Kernel{Fn: after}
			if err := Run(u); err != nil {
				t.Fatal(err)
			}
			if err := verify.Func(after); err != nil {
				t.Fatalf("%v\n%s", err, after)
			}
			for v := range after.Values {
				if edit.Divides(v.Op) && v.Type.IsVector() {
					t.Fatalf("%s is left", v.Op)
				}
			}
			for range 3000 {
				var data []byte
				for range 8 {
					data = append(data, binary.LittleEndian.AppendUint64(nil, number(rng))[:elem.Size()]...)
				}
				args := []uint64{nonzero(rng, elem), nonzero(rng, elem), uint64(rng.IntN(2))}
				want, got := result(before, elem, data, args), result(after, elem, data, args)
				if want != got {
					t.Fatalf("%s of %v, %d: %s, want %s\n%s", ops[0], data, args, got, want, after)
				}
			}
		}
	}
}

// nonzero is a divisor: what is divided by 0 is poison.
func nonzero(rng *rand.Rand, elem vir.Elem) uint64 {
	for {
		if d := number(rng); d<<(64-elem.Bits()) != 0 {
			return d
		}
	}
}

func result(f *vir.Func, elem vir.Elem, data []byte, args []uint64) string {
	mem := new(interp.Memory)
	value := func(e vir.Elem, x uint64) interp.Value { return interp.New(vir.Scalar(e), x) }
	out, err := interp.Run(f, mem, []interp.Value{mem.AllocReadOnly("x", data).Ptr(0), value(elem, args[0]), value(elem, args[1]), value(vir.Bool, args[2]&1)})
	return fmt.Sprint(out, err)
}
