package contract

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
)

// exactForms are sums of products p of converted numbers a and b, and whether p is exact whatever they are.
var exactForms = []struct {
	name, a, b string // types of the operands
	elem       string
	body       string
	exact      bool
}{
	{"float32s", "f32", "f32", "f64", "%x = fpext f64x2 %a\n\t%y = fpext f64x2 %b", true},
	{"float32s and shorts", "f32", "i16", "f64", "%x = fpext f64x2 %a\n\t%y = sitof f64x2 %b", true},
	{"integers and shorts", "i32", "i16", "f64", "%x = uitof f64x2 %a\n\t%y = sitof f64x2 %b", true},
	{"float32s and integers", "f32", "i32", "f64", "%x = fpext f64x2 %a\n\t%y = sitof f64x2 %b", false},
	{"integers", "i32", "i32", "f64", "%x = sitof f64x2 %a\n\t%y = uitof f64x2 %b", false},
	{"bytes extended", "i8", "i32", "f64", "%w = zext i32x2 %a\n\t%x = sitof f64x2 %w\n\t%y = sitof f64x2 %b", true},
	{"quarters", "i32", "i32", "f64", "%x = sitof f64x2 %a\n\t%y = const f64x2 0.25", true},
	{"tenths", "i32", "i32", "f64", "%x = sitof f64x2 %a\n\t%y = const f64x2 0.1", false},
	{"tiny", "f32", "f32", "f64", "%x = fpext f64x2 %a\n\t%y = const f64x2 9.332636185032189e-302", false},
	{"tenths of float32", "f32", "f32", "f64", "%x = fpext f64x2 %a\n\t%y = const f64x2 0.10000000149011612", true},
	{"negated", "f32", "f32", "f64", "%n = fpext f64x2 %a\n\t%x = fneg f64x2 %n\n\t%y = fpext f64x2 %b", true},
	{"bytes", "i8", "i16", "f32", "%x = uitof f32x2 %a\n\t%y = sitof f32x2 %b", true},
	{"shorts", "i16", "i16", "f32", "%x = uitof f32x2 %a\n\t%y = sitof f32x2 %b", false},
	{"what is a float32 already", "f32", "i8", "f32", "%z0 = const f32x2 1\n\t%x = fadd f32x2 %a, %z0\n\t%y = sitof f32x2 %b", false},
}

func exactFunction(t *testing.T, a, b, elem, body, sum string) *vir.Func {
	t.Helper()
	f, err := parse.Func(fmt.Sprintf("func @f(%%a %sx2, %%b %sx2, %%z %sx2) (%[3]sx2) {\nentry:\n\t%[4]s\n\t%%p = fmul %[3]sx2 %%x, %%y\n\t%%r = %[5]s\n\tret %%r\n}\n",
		a, b, elem, body, strings.ReplaceAll(sum, "$", elem+"x2")))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var sums = []string{"fadd $ %p, %z", "fadd $ %z, %p", "fsub $ %p, %z", "fsub $ %z, %p"}

// TestExactProducts: exact products are fused without a clause, others are not, and no bit changes.
func TestExactProducts(t *testing.T) {
	for _, tt := range exactForms {
		for _, sum := range sums {
			plain := exactFunction(t, tt.a, tt.b, tt.elem, tt.body, sum)
			fused := plain.Clone()
			contracted(t, fused, false)
			if got := strings.Contains(fused.String(), "= fma "); got != tt.exact {
				t.Errorf("%s: fused %v, want %v\n%s", tt.name, got, tt.exact, fused)
			}
			r := rand.New(rand.NewPCG(1, 1))
			for range 2000 {
				args := []interp.Value{operand(r, tt.a), operand(r, tt.b), interp.New(plain.Params[2].Type, 0)}
				product(t, plain, args, r)
				want, got := call(t, plain, args), call(t, fused, args)
				for k := range want {
					if want[k] != got[k] && !(isNaN(tt.elem, want[k]) && isNaN(tt.elem, got[k])) {
						t.Fatalf("%s: %v gives %x, want %x\n%s", tt.name, args, got, want, fused)
					}
				}
			}
		}
	}
}

// product makes the third argument, mostly, something that cancels most of the product.
func product(t *testing.T, f *vir.Func, args []interp.Value, r *rand.Rand) {
	t.Helper()
	for k := range args[2].Bits {
		args[2].Bits[k] = 0
	}
	sum := call(t, f, args)
	for k, b := range sum {
		switch r.IntN(3) {
		case 0:
			b += uint64(r.IntN(5))
		case 1:
			b ^= 1 << (8*f.Params[2].Type.Elem.Size() - 1)
		}
		args[2].Bits[k] = b
	}
}

func call(t *testing.T, f *vir.Func, args []interp.Value) []uint64 {
	t.Helper()
	out, err := interp.Run(f, nil, args)
	if err != nil {
		t.Fatal(err)
	}
	return out[0].Bits
}

func isNaN(elem string, b uint64) bool {
	if elem == "f32" {
		return b&0x7fffffff > 0x7f800000
	}
	return math.IsNaN(math.Float64frombits(b))
}

// operand is two lanes of any bits, often with extreme exponents.
func operand(r *rand.Rand, typ string) interp.Value {
	e := map[string]vir.Elem{"f32": vir.F32, "i8": vir.I8, "i16": vir.I16, "i32": vir.I32}[typ]
	v := interp.New(vir.Vec(e, 2), 0)
	for k := range v.Bits {
		b := r.Uint64() & (1<<e.Bits() - 1)
		if typ == "f32" && r.IntN(2) == 0 {
			b &^= 0x7f800000 // subnormal
		}
		v.Bits[k] = b
	}
	return v
}
