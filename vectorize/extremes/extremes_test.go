package extremes

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/plan"
	"github.com/lanewise/lanewise/vir/verify"
)

// tree takes the lanes of %m1 together behind the loop, through blocks, one of which looks at some
// lanes only, and reads one of them besides.
const tree = `ran:
	%a = subvec f32x2 %m1, 0
	%b = subvec f32x2 %m1, 2
	%c = OP f32x2 %a, %b
	%more = icmp.slt bool %n, %few
	br %more, end, again
again:
	%minus = fneg f32x2 %b
	%other = fcmp.lt maskx2 %a, %minus
	%odd = fdiv f32x2 %minus, %b
	%both = OP f32x2 %c, %odd
	%d = blend f32x2 %other, %both, %c
	jmp end
end:
	%e = phi f32x2 [%c, ran], [%d, again]
	%x = extract f32 %e, 0
	%y = extract f32 %e, 1
	%z = extract f32 %a, 1
	%first = OP f32 %x, %y
	ret %first, %z
`

// loop is a reduction of n groups of 4 elements from %m0 on, two groups at a time.
func loop(body, behind string) string {
	return fmt.Sprintf(`func @f(%%p ptr, %%s f32, %%n i64) (f32, f32) {
entry:
	%%zero = const i64 0
	%%few = const i64 12
	%%m0 = broadcast f32x4 %%s
	jmp vec
vec:
	%%t = phi i64 [%%zero, entry], [%%t1, vec]
	%%m = phi f32x4 [%%m0, entry], [%%m1, vec]
	%%v = load.unit f32x4 [%%p + %%t*4]
	%%w = load.unit f32x4 [%%p + %%t*4 + 16]
	%s
	%%eight = const i64 8
	%%t1 = add i64 %%t, %%eight
	%%on = icmp.slt bool %%t1, %%n
	br %%on, vec, ran
%s}
`, strings.ReplaceAll(body, "\n", "\n\t"), behind)
}

// ahead is a loop whose variable is at first what is made of a block in front of it.
func ahead(body, behind string) string {
	const first = `	%all = broadcast f32x4 %s
	jmp first
first:
	%v0 = load.unit f32x4 [%p]
	%s0 = subvec f32x2 %all, 0
	%low = subvec f32x2 %v0, 0
	%high = subvec f32x2 %v0, 2
	%begin = OP f32x2 %s0, %low
	%m0 = concat f32x4 %begin, %high
`
	text := strings.Replace(loop(body, behind), "\t%m0 = broadcast f32x4 %s\n", first, 1)
	return strings.NewReplacer("[%zero, entry]", "[%zero, first]", "[%m0, entry]", "[%m0, first]").Replace(text)
}

const both = "%m2 = OP f32x4 %m, %v\n%m1 = OP f32x4 %w, %m2"

func parsed(t *testing.T, text, op string) *vir.Func {
	t.Helper()
	f, err := parse.Func(strings.ReplaceAll(text, "OP", op))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

func run(t *testing.T, f *vir.Func, tgt *target.Target) {
	t.Helper()
	u := pass.NewUnit(&plan.Region{Fn: f}, tgt, pass.Limit{Pass: "none"})
	u.Kernel = &plan.Kernel{Fn: f}
	if err := Run(u); err != nil {
		t.Fatal(err)
	}
	if err := verify.Func(f); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
}

// count is how often f has op.
func count(f *vir.Func, op vir.Op) (n int) {
	for v := range f.Values {
		if v.Op == op {
			n++
		}
	}
	return n
}

var special = []float32{0, float32(math.Copysign(0, -1)), 1, -1, 3.5, -3.5, float32(math.Inf(1)), float32(math.Inf(-1))}

// TestMeaning compares with the loop as it was: NaNs in any place, in the start value, and none.
func TestMeaning(t *testing.T) {
	const limited = "%limits = const f32x4 {-1, 2, 0, -0}\n%back = fneg f32x4 %v\n%m3 = OP f32x4 %m, %back\n%m2 = OP f32x4 %limits, %m3\n%m1 = OP f32x4 %w, %m2"
	for _, tt := range []struct {
		op, text string
		tgt      *target.Target
	}{
		{"fmin", loop(both, tree), target.AVX512()}, {"fmax", loop(both, tree), target.AVX512()}, {"fmax", loop(both, tree), target.AVX2()},
		{"fmin", loop(limited, tree), target.AVX512()}, {"fmax", loop(limited, tree), target.AVX512()}, {"fmax", loop(limited, tree), target.AVX2()},
		{"fmin", ahead(both, tree), target.AVX512()}, {"fmax", ahead(both, tree), target.AVX512()}, {"fmax", ahead(both, tree), target.AVX2()},
	} {
		op := tt.op
		before, after := parsed(t, tt.text, op), parsed(t, tt.text, op)
		run(t, after, tt.tgt)
		if n := count(after, before.Block("end").Insts[4].Op); n != 1 { // of the scalars
			t.Errorf("%d of %s are left:\n%s", n, op, after)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		nan := float32(math.NaN())
		for round := range 400 {
			n := 8 * (1 + rng.IntN(3))
			x := make([]float32, n)
			for i := range x {
				x[i] = special[rng.IntN(2+round%7)]
			}
			s := special[rng.IntN(len(special))]
			switch where := rng.IntN(n + 2); {
			case where < n && round%4 > 0:
				x[where] = nan
			case where == n:
				s = nan
			}
			want, got := result(t, before, x, s), result(t, after, x, s)
			for k := range want {
				if !interp.Equal(want[k], got[k]) {
					t.Fatalf("%s of %v, %v: %v, want %v\n%s", op, s, x, got[k], want[k], after)
				}
			}
		}
	}
}

func result(t *testing.T, f *vir.Func, x []float32, s float32) []interp.Value {
	t.Helper()
	return resultOf(t, f, x, s, len(x))
}

// resultOf is what f makes of the first n of x.
func resultOf(t *testing.T, f *vir.Func, x []float32, s float32, n int) []interp.Value {
	t.Helper()
	mem := new(interp.Memory)
	var data []byte
	for _, v := range x {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	out, err := interp.Run(f, mem, []interp.Value{mem.AllocReadOnly("x", data).Ptr(0), interp.Float32(s), interp.Int(int64(n))})
	if err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	return out
}

// TestLoop has one more operation per element in the loop than numbers alone would need, and
// one choice behind for each value that others read.
func TestLoop(t *testing.T) {
	f := parsed(t, loop(both, tree), "fmax")
	run(t, f, target.AVX512())
	ops := make(map[vir.Op]int)
	for _, v := range f.Block("vec").Insts {
		ops[v.Op]++
	}
	if ops[vir.OpFmaxNnan] != 2 || ops[vir.OpBlend] != 2 || ops[vir.OpFmax] != 0 {
		t.Errorf("the loop:\n%s", f)
	}
	if n := count(f, vir.OpFmaxNnan); n != 4 {
		t.Errorf("%d operations on numbers, want 4:\n%s", n, f)
	}
}

// TestLeftAlone are loops of another kind.
func TestLeftAlone(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		tgt  *target.Target
	}{
		"read in the loop": {loop(both+"\nstore.unit f32x4 %m2, [%p + %t*4]", tree), target.AVX512()},
		"two operations":   {loop("%m2 = OP f32x4 %m, %v\n%m1 = fmin f32x4 %w, %m2", tree), target.AVX512()},
		"with a sum":       {loop("%m2 = fadd f32x4 %m, %v\n%m1 = OP f32x4 %w, %m2", tree), target.AVX512()},
		"with itself":      {loop("%m2 = OP f32x4 %m, %m\n%m1 = OP f32x4 %w, %m2", tree), target.AVX512()},
	} {
		f := parsed(t, tt.text, "fmax")
		want := f.String()
		if run(t, f, tt.tgt); f.String() != want {
			t.Errorf("%s:\n%s", name, f)
		}
	}
}

// TestMinima leaves minima with AVX2 alone, of which maxima are made.
func TestMinima(t *testing.T) {
	f := parsed(t, loop(both, tree), "fmin")
	want := f.String()
	if run(t, f, target.AVX2()); f.String() != want {
		t.Errorf("changed:\n%s", f)
	}
}

// TestNegatives has one sign changed per element in the loop, and those that others read behind it.
func TestNegatives(t *testing.T) {
	f := parsed(t, loop(both, tree), "fmax")
	run(t, f, target.AVX2())
	ops := make(map[vir.Op]int)
	for _, v := range f.Block("vec").Insts {
		ops[v.Op]++
	}
	if ops[vir.OpFmin] != 2 || ops[vir.OpFneg] != 2 || ops[vir.OpFmax] != 0 {
		t.Errorf("the loop:\n%s", f)
	}
	if n := count(f, vir.OpFneg); n != 8 { // of the start value, %v, %w, %a, %b, %minus, which is one, %odd, %e
		t.Errorf("%d signs are changed, want 8:\n%s", n, f)
	}
}

// TestOuterLoop has the result come back to a loop around: what it reads there is one value.
func TestOuterLoop(t *testing.T) {
	text := `func @f(%p ptr, %s f32, %n i64) (f32, f32) {
entry:
	%zero = const i64 0
	%four = const i64 4
	%m0 = broadcast f32x4 %s
	jmp outer
outer:
	%j = phi i64 [%zero, entry], [%j1, ran]
	%o = phi f32x4 [%m0, entry], [%u, ran]
	jmp vec
vec:
	%t = phi i64 [%zero, outer], [%t1, vec]
	%m = phi f32x4 [%m0, outer], [%m1, vec]
	%v = load.unit f32x4 [%p + %t*4]
	%m1 = OP f32x4 %v, %m
	%t1 = add i64 %t, %four
	%on = icmp.slt bool %t1, %n
	br %on, vec, ran
ran:
	%u = OP f32x4 %o, %m1
	%j1 = add i64 %j, %four
	%more = icmp.slt bool %j1, %n
	br %more, outer, end
end:
	%x = extract f32 %u, 0
	%y = extract f32 %u, 1
	ret %x, %y
}
`
	nan := float32(math.NaN())
	for _, x := range [][]float32{{1, 2, 3, 4, 5, 6, 7, 8}, {1, nan, 3, 4, 5, 6, 7, 8}, {0, 0, 0, 0, nan, -1, 0, 0}} {
		for _, tgt := range []*target.Target{target.AVX2(), target.AVX512()} {
			before, after := parsed(t, text, "fmax"), parsed(t, text, "fmax")
			if run(t, after, tgt); count(after, vir.OpFmax) > 0 {
				t.Fatalf("left alone:\n%s", after)
			}
			want, got := result(t, before, x, 3), result(t, after, x, 3)
			for k := range want {
				if !interp.Equal(want[k], got[k]) {
					t.Errorf("of %v: %v, want %v\n%s", x, got[k], want[k], after)
				}
			}
		}
	}
}
