package limits

import (
	"fmt"
	"math"
	"slices"
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

// TestPairs has two limits, one inside of the other, in either order and on the wrong sides too:
// parameters, constants, and parts of wider lanes. An operation on bits sets both right.
func TestPairs(t *testing.T) {
	const from = "%%%[1]s = broadcast %[2]sx4 %%p%[1]s"
	for _, elem := range []string{"f32", "f64"} {
		lo, hi := fmt.Sprintf(from, "lo", elem), fmt.Sprintf(from, "hi", elem)
		for _, a := range special {
			clo, chi := fmt.Sprintf("%%lo = const %sx4 %s", elem, literal(a)), fmt.Sprintf("%%hi = const %sx4 %s", elem, literal(a))
			for _, b := range special {
				for _, x := range special {
					for _, limits := range [][]string{{lo, hi}, {clo, hi}, {lo, chi}} {
						above := clamped(t, elem, limits, "%m = fmax LANES %v, %lo\n\t%r = fmin LANES %hi, %m")
						below := clamped(t, elem, limits, "%m = fmin LANES %hi, %v\n\t%r = fmax LANES %m, %lo")
						lo, hi := a, b
						if limits[1] == chi {
							lo, hi = b, a
						}
						checkOf(t, above, elem, min(max(x, lo), hi), x, lo, hi)
						checkOf(t, below, elem, max(min(x, hi), lo), x, lo, hi)
					}
				}
			}
		}
	}
}

// TestPairsApart leaves pairs of which the inner one is read besides, or needs nothing.
func TestPairsApart(t *testing.T) {
	for _, body := range []string{
		"%m = fmax f32x4 %v, %lo\n\t%c = fmin f32x4 %m, %hi\n\t%r = fsub f32x4 %m, %c",
		"%three = const f32x4 3\n\t%m = fmax f32x4 %v, %three\n\t%r = fmin f32x4 %m, %hi",
	} {
		f := runFor(t, target.AVX512(), `func @f(%x f32, %plo f32, %phi f32) (f32) {
entry:
	%lo = broadcast f32x4 %plo
	%hi = broadcast f32x4 %phi
	jmp next
next:
	%v = broadcast f32x4 %x
	`+body+`
	%e = extract f32 %r, 1
	ret %e
}
`)
		for v := range f.Values {
			if v.Op == vir.OpNot || v.Op == vir.OpFmin || v.Op == vir.OpFmax {
				t.Errorf("%s:\n%s", body, f)
				break
			}
		}
	}
}

// TestOnce leaves what no loop does as it is, also next to a loop that has another limit.
func TestOnce(t *testing.T) {
	const text = `func @f(%%x f32, %%plo f32, %%phi f32) (f32) {
entry:
	%%lo = broadcast f32x4 %%plo
	%%hi = broadcast f32x4 %%phi
	%%v = broadcast f32x4 %%x
	%%zero = const i64 0
	%%eight = const i64 8
	jmp first
first:
	%%w = fadd f32x4 %%v, %%v
	%%m0 = %s f32x4 %%w, %%lo
	jmp vec
vec:
	%%t = phi i64 [%%zero, first], [%%t1, vec]
	%%m = phi f32x4 [%%m0, first], [%%m1, vec]
	%%u = fadd f32x4 %%m, %%v
	%%m1 = %[1]s f32x4 %%u, %%hi
	%%t1 = add i64 %%t, %%eight
	%%on = icmp.slt bool %%t1, %%eight
	br %%on, vec, ran
ran:
	%%e = extract f32 %%m1, 1
	ret %%e
}
`
	for _, op := range []string{"fmin", "fmax"} {
		f := run(t, fmt.Sprintf(text, op))
		has := func(block string) bool {
			return slices.ContainsFunc(f.Block(block).Insts, func(v *vir.Value) bool { return v.Op == vir.OpFmin || v.Op == vir.OpFmax })
		}
		if !has("first") || has("vec") {
			t.Errorf("%s", f)
		}
	}
}

var clampedFuncs = make(map[string]*vir.Func)

// clamped is one lane of a parameter between limits, in the lanes of limits and in half of them.
func clamped(t *testing.T, elem string, limits []string, body string) *vir.Func {
	t.Helper()
	half := strings.NewReplacer("%lo", "%lo2", "%hi", "%hi2", "%v", "%v2", "%m", "%m2", "%r", "%r2", "LANES", elem+"x2").Replace(body)
	text := fmt.Sprintf(`func @f(%%x %[1]s, %%plo %[1]s, %%phi %[1]s) (%[1]s) {
entry:
	%[2]s
	%[3]s
	jmp next
next:
	%%v = broadcast %[1]sx4 %%x
	%[4]s
	%%v2 = subvec %[1]sx2 %%r, 2
	%%lo2 = subvec %[1]sx2 %%lo, 0
	%%hi2 = subvec %[1]sx2 %%hi, 2
	%[5]s
	%%e = extract %[1]s %%r2, 1
	ret %%e
}
`, elem, limits[0], limits[1], strings.ReplaceAll(body, "LANES", elem+"x4"), half)
	if f := clampedFuncs[text]; f != nil {
		return f
	}
	f := runFor(t, target.AVX512(), text)
	adds, ors := 0, 0
	for v := range f.Values {
		switch v.Op {
		case vir.OpFmax, vir.OpFmin:
			t.Fatalf("not rewritten:\n%s", f)
		case vir.OpFadd:
			adds++
		case vir.OpOr:
			ors++
		}
	}
	if strings.Count(text, "broadcast") == 3 && (adds != 0 || ors != 2) {
		t.Fatalf("limits are set right one by one:\n%s", f)
	}
	clampedFuncs[text] = f
	return f
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

func run(t *testing.T, text string) *vir.Func { return runFor(t, target.AVX2(), text) }

func runFor(t *testing.T, tgt *target.Target, text string) *vir.Func {
	t.Helper()
	f, err := parse.Func(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	u := pass.NewUnit(&plan.Region{Fn: f}, tgt, pass.Limit{Pass: "none"})
	u.Kernel = &plan.Kernel{Fn: f}
	if err := Run(u); err != nil {
		t.Fatal(err)
	}
	return f
}

func check(t *testing.T, f *vir.Func, elem string, x, y, want float64) {
	t.Helper()
	checkOf(t, f, elem, want, x, y)
}

// checkOf compares f of args, in elements of elem, with want.
func checkOf(t *testing.T, f *vir.Func, elem string, want float64, args ...float64) {
	t.Helper()
	value := interp.Float64
	if elem == "f32" {
		value = func(x float64) interp.Value { return interp.Float32(float32(x)) }
	}
	var values []interp.Value
	for _, x := range args {
		values = append(values, value(x))
	}
	got, err := interp.Run(f, nil, values)
	if err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	g := math.Float64frombits(got[0].Bits[0])
	if elem == "f32" {
		g = float64(math.Float32frombits(uint32(got[0].Bits[0])))
	}
	if math.Float64bits(g) != math.Float64bits(want) && (g == g || want == want) {
		t.Errorf("%v of %v, want %v\n%s", g, args, want, f)
	}
}
