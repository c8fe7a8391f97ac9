package limits

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
	"github.com/lanewise/lanewise/vir/plan"
)

var special = []float64{0, math.Copysign(0, -1), 1, -1, 0x1p-149, -0x1p-149, 3.5, -3.5, math.Inf(1), math.Inf(-1), math.NaN()}

// Results are Go's for all pairs of special values, with limits from parameters and constant
// ones, on either side.
func TestSpecialValues(t *testing.T) {
	for _, op := range []string{"fmin", "fmax"} {
		want := map[string]func(x, y float64) float64{"fmin": func(x, y float64) float64 { return min(x, y) }, "fmax": func(x, y float64) float64 { return max(x, y) }}[op]
		for _, elem := range []string{"f32", "f64"} {
			for _, order := range []string{"%x, %l", "%l, %x"} {
				f := limited(t, elem, "%l = broadcast "+elem+"x4 %y", op, order)
				for _, y := range special {
					constant := limited(t, elem, fmt.Sprintf("%%l = const %sx4 %s", elem, literal(y)), op, order)
					for _, x := range special {
						check(t, f, elem, x, y, want(x, y))
						check(t, constant, elem, x, y, want(x, y))
					}
				}
			}
		}
	}
}

// What both sides of change from iteration to iteration stays, and so do scalars.
func TestUnknown(t *testing.T) {
	for _, body := range []string{
		"%a = broadcast f32x4 %x\n\t%b = broadcast f32x4 %y\n\t%m = fmax f32x4 %a, %b\n\t%r = extract f32 %m, 0",
		"%r = fmin f32 %x, %y",
	} {
		f := run(t, "func @f(%x f32, %y f32) (f32) {\nentry:\n\tjmp next\nnext:\n\t"+body+"\n\tret %r\n}\n")
		found := false
		for v := range f.Values {
			found = found || v.Op == vir.OpFmax || v.Op == vir.OpFmin
		}
		if !found {
			t.Errorf("rewritten:\n%s", f)
		}
	}
}

func literal(x float64) string {
	if x == 0 && math.Signbit(x) {
		return "-0"
	}
	return fmt.Sprint(x)
}

// limited is the minimum or maximum of a parameter in all lanes, made in the body, with %l:
// a constant of the body or a parameter in all lanes from before.
func limited(t *testing.T, elem, limit, op, order string) *vir.Func {
	t.Helper()
	before := "jmp next\nnext:\n\t" + limit
	if strings.Contains(limit, "broadcast") {
		before = limit + "\n\tjmp next\nnext:"
	}
	f := run(t, fmt.Sprintf(`func @f(%%p %[1]s, %%y %[1]s) (%[1]s) {
entry:
	%[2]s
	%%x = broadcast %[1]sx4 %%p
	%%m = %[3]s %[1]sx4 %[4]s
	%%r = extract %[1]s %%m, 0
	ret %%r
}
`, elem, before, op, order))
	for v := range f.Values {
		if v.Op == vir.OpFmax || v.Op == vir.OpFmin {
			t.Fatalf("not rewritten:\n%s", f)
		}
	}
	return f
}

func run(t *testing.T, text string) *vir.Func {
	t.Helper()
	f, err := parse.Func(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	u := pass.NewUnit(&plan.Region{Fn: f}, target.AVX2(), pass.Limit{Pass: "none"})
	u.Kernel = &plan.Kernel{Fn: f}
	if err := Run(u); err != nil {
		t.Fatal(err)
	}
	return f
}

func check(t *testing.T, f *vir.Func, elem string, x, y, want float64) {
	t.Helper()
	value := interp.Float64
	if elem == "f32" {
		value = func(x float64) interp.Value { return interp.Float32(float32(x)) }
	}
	got, err := interp.Run(f, nil, []interp.Value{value(x), value(y)})
	if err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	g := math.Float64frombits(got[0].Bits[0])
	if elem == "f32" {
		g = float64(math.Float32frombits(uint32(got[0].Bits[0])))
	}
	if math.Float64bits(g) != math.Float64bits(want) && (g == g || want == want) {
		t.Errorf("%v for %v and %v, want %v\n%s", g, x, y, want, f)
	}
}
