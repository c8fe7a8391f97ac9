package extremes

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
)

// wide is a reduction in four registers whose lanes are all taken together behind the loop, on the way to which
// blocks are passed by, and items put in under a mask. LAST says what is made of two lanes.
const wide = `func @f(%p ptr, %s f32, %n i64) (f32, f32) {
entry:
	%zero = const i64 0
	%few = const i64 100
	%step = const i64 64
	%all = broadcast f32x64 %s
	%v0 = load.unit f32x64 [%p]
	%s0 = subvec f32x16 %all, 0
	%low = subvec f32x16 %v0, 0
	%begin = OP f32x16 %s0, %low
	%high = subvec f32x16 %v0, 16
	%half = concat f32x32 %begin, %high
	%rest = subvec f32x32 %v0, 32
	%first = concat f32x64 %half, %rest
	jmp vec
vec:
	%t = phi i64 [%zero, entry], [%t1, vec]
	%m = phi f32x64 [START, entry], [%m1, vec]
	%v = load.unit f32x64 [%p + %t*4]
	%m1 = OP f32x64 %v, %m
	%t1 = add i64 %t, %step
	%on = icmp.slt bool %t1, %n
	br %on, vec, ran
ran:
	%a = subvec f32x32 %m1, 0
	%b = subvec f32x32 %m1, 32
	%c = OP f32x32 %a, %b
	%more = icmp.slt bool %n, %few
	br %more, again, end
again:
	%w = load.unit f32x32 [%p]
	%minus = fneg f32x32 %w
	%d = OP f32x32 %c, %minus
	jmp end
end:
	%e = phi f32x32 [%c, ran], [%d, again]
	%q0 = subvec f32x8 %e, 0
	%q1 = subvec f32x8 %e, 8
	%q2 = subvec f32x8 %e, 16
	%q3 = subvec f32x8 %e, 24
	%g0 = OP f32x8 %q0, %q2
	%g1 = OP f32x8 %q3, %q1
	%g = OP f32x8 %g0, %g1
	%odd = fdiv f32x8 %s8, %item
	%h = OP f32x8 %odd, %g
	%some = prefix maskx8 %left
	%k = blend f32x8 %some, %h, %g
	%k0 = subvec f32x4 %k, 0
	%k1 = subvec f32x4 %k, 4
	%l = OP f32x4 %k0, %k1
	%l0 = subvec f32x2 %l, 0
	%l1 = subvec f32x2 %l, 2
	%o = OP f32x2 %l0, %l1
	%o0 = subvec f32x1 %o, 0
	%o1 = subvec f32x1 %o, 1
	%r = LAST
	%x = extract f32 %r, 0
	ret %x, %s
}
`

const (
	taken = "OP f32x1 %o0, %o1"
	left  = "fneg f32x1 %o0" // half of the lanes alone
)

func wideText(start, last string) string {
	items := "%three = const i64 3\n\t%left = and i64 %n, %three\n\t%item = load.unit f32x8 [%p + 20]\n\t%s8 = subvec f32x8 %all, 8\n\t"
	text := strings.Replace(wide, "%v0 =", items+"%v0 =", 1)
	return strings.NewReplacer("LAST", last, "START", start).Replace(text)
}

// TestNarrow has the NaNs of four registers in one, where that is right, and compares with the loop as it was.
func TestNarrow(t *testing.T) {
	for _, tt := range []struct {
		start, last string
		lanes       int // of the NaNs
	}{{"%all", taken, 16}, {"%first", taken, 16}, {"%all", left, 64}, {"%first", left, 64}} {
		for _, op := range []string{"fmin", "fmax"} {
			text := wideText(tt.start, tt.last)
			before, after := parsed(t, text, op), parsed(t, text, op)
			run(t, after, target.AVX512())
			phis := after.Block("vec").Phis()
			if len(phis) != 3 || phis[2].Type != vir.Vec(vir.F32, tt.lanes) {
				t.Fatalf("not %d lanes of NaNs:\n%s", tt.lanes, after)
			}
			rng := rand.New(rand.NewPCG(3, 4))
			nan := float32(math.NaN())
			for round := range 600 {
				x := make([]float32, 64*(1+rng.IntN(3))+rng.IntN(4))
				for i := range x {
					x[i] = special[2+rng.IntN(1+round%6)]
				}
				s := special[rng.IntN(len(special))]
				for range round % 3 {
					x[rng.IntN(len(x))] = nan
				}
				if round%17 == 0 {
					s = nan
				}
				padded := append(x, make([]float32, 64)...) // the loop does whole blocks
				want, got := resultOf(t, before, padded, s, len(x)), resultOf(t, after, padded, s, len(x))
				if !interp.Equal(want[0], got[0]) {
					t.Fatalf("%s from %s of %v, %v: %v, want %v\n%s", op, tt.start, s, x, got[0], want[0], after)
				}
			}
		}
	}
}
