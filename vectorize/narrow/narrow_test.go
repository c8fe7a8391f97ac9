package narrow_test

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/backend/target"
	"github.com/lanewise/lanewise/vectorize"
	"github.com/lanewise/lanewise/vectorize/pass"
	"github.com/lanewise/lanewise/vectorize/vectest"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/plan"
)

// shapes are loops out[i] = T(expression) over elements a, b and c of small types,
// which are converted to the type the expression is computed in. Wide is the number of
// bits of the widest integer that is left in the body but for subscripts.
var shapes = []struct {
	name     string
	from, in string // types of elements and of the expression
	out      string
	text     string
	wide     int
}{
	{"gray", "uint8", "uint32", "uint8", "(a*77 + b*150 + c*29 + 128) >> 8", 16},
	{"gray in int", "uint8", "int", "uint8", "(a*77 + b*150 + c*29 + 128) >> 8", 16},
	{"gray of signed shift", "uint8", "int32", "uint8", "(a*77 + b*150 + c*29 + 128) >> 8", 16},
	{"gray of big factors", "uint8", "uint32", "uint8", "(a*19595 + b*38470 + c*7471 + 32768) >> 16", 32},
	{"gray by division", "uint8", "int", "uint8", "(a*30 + b*59 + c*11) / 100", 16},
	{"sum of three by division", "uint8", "int", "uint8", "(a + b + c) / 3", 16},
	{"blend", "uint8", "uint32", "uint8", "(a*c + b*(255-c) + 127) / 255", 16},
	{"blend in int", "uint8", "int", "uint8", "(a*c + b*(255-c) + 127) / 255", 16},
	{"blend by shift", "uint8", "int", "uint8", "(a*c + b*(256-c)) >> 8", 16},
	{"blend of two sums", "uint8", "uint32", "uint8", "(127 + (255-c)*b + c*a) / 255", 16},
	{"blend with parts of 16", "uint8", "int", "uint8", "((16 - c%17)*a + c%17*b + 8) >> 4", 16},
	{"blend of too much", "uint8", "uint32", "uint8", "(a*c + b*(300-c)) / 300", 32},
	{"blend of differences", "uint8", "int", "int8", "((a-128)*c + (b-128)*(255-c)) / 255", 16},
	{"blend of differences", "int8", "int", "int8", "(a*(c&127) + b*(127-c&127)) / 127", 16},
	{"blend of the difference", "uint8", "int", "uint8", "b + ((a-b)*c)/255", 32},
	{"blend of the difference by shift", "uint8", "int", "uint8", "b + ((a-b)*c)>>8", 16},
	{"product by 255", "uint8", "uint32", "uint8", "(a*b + 128 + (a*b+128)>>8) >> 8", 16},
	{"average", "uint8", "uint32", "uint8", "(a + b) >> 1", 16},
	{"average up", "uint8", "int", "uint8", "(a + b + 1) >> 1", 16},
	{"average by division", "uint8", "int", "uint8", "(a + b) / 2", 16},
	{"average of four", "uint8", "int", "uint8", "(a + 2*b + c + 2) >> 2", 16},
	{"average of signed bytes", "int8", "int", "int8", "(a + b) >> 1", 16},
	{"clamp", "uint8", "int", "uint8", "min(max(a-b, 0), 255)", 16},
	{"saturating sum", "uint8", "int", "uint8", "min(a+b, 255)", 16},
	{"clamped contrast", "uint8", "int", "uint8", "min(max((a-128)*3/2 + 128, 0), 255)", 16},
	{"clamp by branches", "uint8", "int", "uint8", "sel(a+b-c < 0, 0, sel(255 < a+b-c, 255, a+b-c))", 16},
	{"signed difference", "uint8", "int", "int16", "a - b", 16},
	{"difference halved", "uint8", "int", "int8", "(a - b) >> 1", 16},
	{"abs", "uint8", "int", "uint8", "max(a-b, b-a)", 8},
	{"abs by branch", "uint8", "int", "uint8", "sel(a < b, b-a, a-b)", 8},
	{"abs by sign", "uint8", "int", "uint8", "sel(a-b < 0, -(a-b), a-b)", 8},
	{"abs of signed bytes", "int8", "int", "uint8", "sel(a < 0, -a, a)", 8},
	{"square", "uint8", "int", "uint16", "(a - b) * (a - b)", 16},
	{"low byte of anything", "uint8", "int", "uint8", "(a*b - c) ^ (a<<3) | (b & c)", 8},
	{"remainder", "uint8", "int", "uint8", "(a + b) % 10", 16},
	{"remainder of a difference", "uint8", "int", "int8", "(a - b) % 10", 16},
	{"luma of video", "uint8", "int", "uint8", "((66*a + 129*b + 25*c + 128) >> 8) + 16", 16},
	{"red of video", "uint8", "int", "uint8", "min(max((298*(a-16) + 409*(b-128) + 128) >> 8, 0), 255)", 32},
	{"chroma", "uint8", "int", "uint8", "((112*a - 94*b - 18*c + 128) >> 8) + 128", 16},
	{"shorts", "int16", "int", "int16", "(a + b) >> 1", 32},
	{"product of shorts", "int16", "int", "int16", "(a*b + 16384) >> 15", 32},
	{"box of shorts", "uint16", "uint32", "uint16", "(a + b + c) / 3", 32},
	{"not of a shift in unsigned", "uint8", "uint32", "uint8", "(a - b) >> 4", 16},
	{"shift of too much", "uint8", "int", "uint8", "(a*b*c) >> 9", 32},
	{"shift of a shift", "uint8", "int", "uint8", "((a*b - c) >> 3 ^ b*c) >> 5", 16},
	{"third of a shift", "uint8", "uint32", "uint8", "(a*b*c >> 8) / 3", 32},
	{"third of a signed shift", "uint8", "int", "uint8", "(a*b*c >> 9) / 3", 32},
	{"field of a product", "uint16", "int", "uint16", "(a*b - c) >> 4 & 0xfff", 16},
	{"field of a field", "uint16", "uint32", "uint8", "((a - b) >> 9 & 15) * 3 >> 2", 16},
	{"field compared", "uint16", "int", "uint8", "sel((a*3 - b) >> 5 & 0x1ff < c & 0xff, a, b)", 16},
	{"threshold", "uint8", "int", "uint8", "sel(a+b < 2*c, 255, 0)", 16},
	{"threshold of a product", "uint8", "int", "uint8", "sel(a*b < c*c, 1, 2)", 16},
	{"median", "uint8", "int", "uint8", "max(min(a, b), min(max(a, b), c))", 8},
	{"equal", "uint8", "int", "uint8", "sel((a+b)/2 == c, 1, 0)", 16},
}

// TestShapesAreExact computes each shape for all pairs of bytes a and b, with several
// values of c, by the code after narrowing and by the rules of Go, and says how wide
// the lanes are.
func TestShapesAreExact(t *testing.T) {
	old := debug.SetGCPercent(800) // little is alive, much is made
	t.Cleanup(func() { debug.SetGCPercent(old) })
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			from, out := kinds[s.from], kinds[s.out]
			e := parseExpr(t, kinds[s.in], s.text)
			r, err := vectest.Region(shapeText(e, from, out), plan.Clauses{})
			if err != nil {
				t.Fatal(err)
			}
			narrowed := narrowed(t, r)
			if w := widest(narrowed.Fn); w != s.wide {
				t.Errorf("%d bits in\n%s", w, narrowed.Fn)
			}
			a, b, c := elements(from)
			want := make([]int64, len(a))
			for i := range a {
				want[i] = out.wrap(e.eval(e.root, map[string]int64{"a": a[i], "b": b[i], "c": c[i]}))
			}
			got := run(t, narrowed.Fn, from, out, a, b, c)
			if i := differ(got, want); i >= 0 {
				t.Fatalf("a=%d b=%d c=%d gives %d, want %d\n%s", a[i], b[i], c[i], got[i], want[i], narrowed.Fn)
			}
		})
	}
}

// elements are all pairs of bytes, spread over the values of wider types, with the
// ends of the range and some others as the third.
func elements(k kind) (a, b, c []int64) {
	step := int64(1) << (k.bits - 8)
	thirds := []int64{0, 1, 127, 128, 200, 255}
	for i := 0; i < 1<<16; i += stride() {
		x, y := int64(i>>8), int64(i&255)
		third := thirds[(i*31+i>>8)%len(thirds)]
		a = append(a, k.wrap(x*step+x&(step-1)))
		b = append(b, k.wrap(y*step+y&(step-1)))
		c = append(c, k.wrap(third*step+third&(step-1)))
	}
	return a, b, c
}

// stride leaves out pairs in short runs.
func stride() int {
	if testing.Short() {
		return 7
	}
	return 1
}

func shapeText(e *expr, from, out kind) string {
	var b strings.Builder
	b.WriteString("func @f(")
	for _, p := range []string{"a", "b", "c"} {
		fmt.Fprintf(&b, "%%p%s ptr {elem %d, len %%n}, ", p, from.bits/8)
	}
	fmt.Fprintf(&b, `%%out ptr {elem %d, len %%n}, %%n i64, %%i0 i64) (i64) {
entry:
	jmp header
header:
	%%i = phi i64 [%%i0, entry], [%%i1, latch]
	%%more = icmp.slt bool %%i, %%n
	br %%more, body, exit
body:
	iter
`, out.bits/8)
	ext := map[bool]string{true: "sext", false: "zext"}[from.signed]
	for _, p := range []string{"a", "b", "c"} {
		fmt.Fprintf(&b, "\t%%l%s = load %s [%%p%s + %%i*%d]\n\t%%%s = %s %s %%l%s\n", p, from.vir, p, from.bits/8, p, ext, e.vir, p)
	}
	x := e.lower(e.root)
	b.WriteString(e.text.String())
	fmt.Fprintf(&b, `	%%res = trunc %s %s
	store %s %%res, [%%out + %%i*%d]
	jmp latch
latch:
	%%one = const i64 1
	%%i1 = add i64 %%i, %%one
	jmp header
exit:
	ret %%i
}
`, out.vir, x, out.vir, out.bits/8)
	return b.String()
}

// narrowed is the region after the pass behind narrowing.
func narrowed(t *testing.T, r *plan.Region) *plan.Region {
	passes := vectorize.Passes()
	n := slices.IndexFunc(passes, func(p pass.Pass) bool { return p.Name == "narrow" })
	u := pass.NewUnit(r, target.AVX2(), pass.Limit{})
	if err := (&pass.Runner{Passes: passes[:n+2], Verify: true}).Run(u); err != nil {
		t.Fatal(err)
	}
	return u.Region
}

// widest is the size of the widest integer in the body that is no subscript.
func widest(f *vir.Func) int {
	wide := 0
	for _, v := range f.Blocks[2].Insts {
		if v.Name == "i1" || v.Op == vir.OpConst || !v.Type.Elem.IsInt() {
			continue
		}
		wide = max(wide, v.Type.Elem.Bits())
	}
	return wide
}

func run(t *testing.T, f *vir.Func, from, out kind, in ...[]int64) []int64 {
	var mem interp.Memory
	var args []interp.Value
	for k, xs := range in {
		args = append(args, mem.AllocReadOnly(fmt.Sprint("in", k), encode(xs, from.bits/8)).Ptr(0))
	}
	n := len(in[0])
	res := mem.Alloc("out", make([]byte, n*out.bits/8))
	args = append(args, res.Ptr(0), interp.Int(int64(n)), interp.Int(0))
	if _, err := (interp.Config{Steps: 100 * n}).Run(f, &mem, args); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	return decode(res.Data, out)
}

func encode(xs []int64, size int) []byte {
	var data []byte
	for _, x := range xs {
		for b := range size {
			data = append(data, byte(x>>(8*b)))
		}
	}
	return data
}

func decode(data []byte, k kind) []int64 {
	var xs []int64
	for i := 0; i < len(data); i += k.bits / 8 {
		x := int64(0)
		for b := range k.bits / 8 {
			x |= int64(data[i+b]) << (8 * b)
		}
		xs = append(xs, k.wrap(x))
	}
	return xs
}

// differ is the first place where two slices differ, or -1.
func differ(x, y []int64) int {
	for i := range x {
		if x[i] != y[i] {
			return i
		}
	}
	return -1
}
