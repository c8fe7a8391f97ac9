package native_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lanewise/lanewise/backend/native"
	"github.com/lanewise/lanewise/internal/toolchain"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
)

const axpy = `
func @axpyKernel(%y ptr, %x ptr, %a f32, %i0 i64, %n i64) (i64) {
entry:
	%c4 = const i64 4
	%off = mul i64 %i0, %c4
	%yb = ptradd ptr %y, %off
	%xb = ptradd ptr %x, %off
	%av = broadcast f32x32 %a
	%av8 = broadcast f32x8 %a
	%av1 = broadcast f32x1 %a
	%z = const i64 0
	%c32 = const i64 32
	%c8 = const i64 8
	%c1 = const i64 1
	%lim = sub i64 %n, %c32
	%g = icmp.sle bool %z, %lim
	br %g, vec, mid
vec:
	%t = phi i64 [%z, entry], [%t1, vec]
	%xv = load.unit f32x32 [%xb + %t*4]
	%p = fmul f32x32 %av, %xv
	%yv = load.unit f32x32 [%yb + %t*4]
	%s = fadd f32x32 %yv, %p
	store.unit f32x32 %s, [%yb + %t*4]
	%t1 = add i64 %t, %c32
	%d = icmp.sle bool %t1, %lim
	br %d, vec, mid
mid:
	%u0 = phi i64 [%z, entry], [%t1, vec]
	%lim8 = sub i64 %n, %c8
	%g8 = icmp.sle bool %u0, %lim8
	br %g8, vec8, low
vec8:
	%u = phi i64 [%u0, mid], [%u1, vec8]
	%xv8 = load.unit f32x8 [%xb + %u*4]
	%p8 = fmul f32x8 %av8, %xv8
	%yv8 = load.unit f32x8 [%yb + %u*4]
	%s8 = fadd f32x8 %yv8, %p8
	store.unit f32x8 %s8, [%yb + %u*4]
	%u1 = add i64 %u, %c8
	%d8 = icmp.sle bool %u1, %lim8
	br %d8, vec8, low
low:
	%w0 = phi i64 [%u0, mid], [%u1, vec8]
	%glow = icmp.slt bool %w0, %n
	br %glow, vec1, done
vec1:
	%w = phi i64 [%w0, low], [%w1, vec1]
	%xv1 = load.unit f32x1 [%xb + %w*4]
	%p1 = fmul f32x1 %av1, %xv1
	%yv1 = load.unit f32x1 [%yb + %w*4]
	%s1 = fadd f32x1 %yv1, %p1
	store.unit f32x1 %s1, [%yb + %w*4]
	%w1 = add i64 %w, %c1
	%d1 = icmp.slt bool %w1, %n
	br %d1, vec1, done
done:
	%r = phi i64 [%w0, low], [%w1, vec1]
	ret %r
}
`

func TestAxpy(t *testing.T) {
	f, err := parse.Func(axpy)
	if err != nil {
		t.Fatal(err)
	}
	p, err := native.Build(t.TempDir(), []*vir.Func{f}, level())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", p.Asm)
	if err := p.Go("vet", "./k"); err != nil {
		t.Error(err)
	}
	var cases []native.Case
	for n := range 80 {
		mem := new(interp.Memory)
		x, y := mem.Alloc("x", floats(n+1)), mem.Alloc("y", floats(n+1))
		cases = append(cases, native.Case{Fn: f.Name, Mem: mem, Args: []interp.Value{
			y.Ptr(0), x.Ptr(0), interp.Float32(1.5), interp.Int(1), interp.Int(int64(n)),
		}})
	}
	check(t, p, map[string]*vir.Func{f.Name: f}, cases)
}

func floats(n int) []byte {
	b := make([]byte, 4*n)
	for i := range b {
		b[i] = byte(rand.IntN(64))
	}
	return b
}

// check compares native outcomes with the interpreter's.
func check(t *testing.T, p *native.Program, fns map[string]*vir.Func, cases []native.Case) {
	t.Helper()
	got, err := p.Run(cases)
	if err != nil {
		t.Error(err)
	}
	for i, g := range got {
		if d := native.Diff(fns[cases[i].Fn], cases[i], g); d != "" {
			t.Errorf("case %d of %s: %s", i, cases[i].Fn, d)
		}
	}
}

// sound fails for kernels that vet finds fault with, or that are not for the level.
func sound(t testing.TB, p *native.Program) {
	t.Helper()
	lawful(t, p)
	if err := p.Go("vet", "./k"); err != nil {
		t.Error(err)
	}
}

// lawful fails for kernels with instructions that the level does not have, or that read
// flags of nothing.
func lawful(t testing.TB, p *native.Program) {
	t.Helper()
	wrong, err := toolchain.UnlawfulIn(p.Assembly, t.TempDir(), level().EVEX)
	if err != nil {
		t.Error(err)
	}
	for _, w := range wrong {
		t.Error(w)
	}
}

// fusedArguments reads its last arguments once, outside of loops: where they are, if they may stay there.
const fusedArguments = `func @fused(%p ptr, %q ptr, %s f32, %t f64) (f32, f64) {
entry:
	%x = load f32 [%p]
	%y = load f32 [%p + 4]
	%f = fma f32 %x, %y, %s
	%u = load f64 [%q]
	%v = load f64 [%q + 8]
	%g = fma f64 %u, %v, %t
	ret %f, %g
}
`

// TestFusedArguments asks go vet whether it finds the operands as large as they are.
func TestFusedArguments(t *testing.T) {
	f, err := parse.Func(fusedArguments)
	if err != nil {
		t.Fatal(err)
	}
	p, err := native.Build(t.TempDir(), []*vir.Func{f}, level())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Go("vet", "./k"); err != nil {
		t.Errorf("%v\n%s", err, p.Asm)
	}
	mem := new(interp.Memory)
	check(t, p, map[string]*vir.Func{f.Name: f}, []native.Case{{Fn: f.Name, Mem: mem, Args: []interp.Value{
		mem.Alloc("p", floats(2)).Ptr(0), mem.Alloc("q", floats(4)).Ptr(0), interp.Float32(0.1), interp.Float64(0.1),
	}}})
}
