package ranges_test

import (
	"testing"

	"github.com/lanewise/lanewise/vectorize/ranges"
	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/gen"
	"github.com/lanewise/lanewise/vir/interp"
	"github.com/lanewise/lanewise/vir/parse"
)

// TestRangesHold computes random functions and looks whether every value is in
// its range.
func TestRangesHold(t *testing.T) {
	seen, narrow := 0, 0
	for seed := range uint64(800) {
		k := gen.Scalar(gen.Seed(seed))
		info := ranges.New()
		mem := new(interp.Memory)
		in := mem.AllocReadOnly("in", k.In)
		out := mem.Alloc("out", k.Out)
		check := func(v *vir.Value, x interp.Value) {
			if !v.Type.Elem.IsInt() || x.AnyPoison() {
				return
			}
			r := info.Of(v)
			seen++
			if r != ranges.Full(v.Type.Elem.Bits()) {
				narrow++
			}
			if u, s := x.Uint(), x.Int(); u < r.ULo || u > r.UHi || s < r.SLo || s > r.SHi {
				t.Fatalf("seed %d: %s is %d, outside of %+v\n%s", seed, v.Inst(), s, r, k.Fn)
			}
		}
		cfg := interp.Config{Trace: check}
		cfg.Run(k.Fn, mem, []interp.Value{in.Ptr(0), out.Ptr(0), interp.Int(k.N)}) // panics are fine
	}
	if narrow < seen/5 {
		t.Errorf("only %d of %d values have a range", narrow, seen)
	}
}

func TestRanges(t *testing.T) {
	f, err := parse.Func(`func @f(%b i8, %c bool) (i64) {
entry:
	%u = zext i64 %b
	%s = sext i64 %b
	%k = const i64 77
	%p = mul i64 %u, %k
	%q = mul i64 %s, %k
	%e = const i64 8
	%h = ashr i64 %p, %e
	%m = smax i64 %q, %u
	%n = neg i64 %u
	%w = sext i32 %c
	ret %h
}
`)
	if err != nil {
		t.Fatal(err)
	}
	info := ranges.New()
	want := map[string][2]int64{
		"u": {0, 255}, "s": {-128, 127}, "p": {0, 255 * 77}, "q": {-128 * 77, 127 * 77}, "h": {0, 76},
		"m": {0, 127 * 77}, "n": {-255, 0}, "w": {-1, 0},
	}
	for v := range f.Values {
		if w, ok := want[v.Name]; ok {
			if r := info.Of(v); r.SLo != w[0] || r.SHi != w[1] {
				t.Errorf("%%%s is in [%d, %d], want %v", v.Name, r.SLo, r.SHi, w)
			}
		}
	}
}
