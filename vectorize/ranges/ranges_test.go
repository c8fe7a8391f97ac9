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
	%np = mul i64 %n, %k
	%nd = sub i64 %u, %np
	%kp = mul i64 %k, %u
	%kd = sub i64 %u, %kp
	%uq = udiv i64 %u, %k
	%up = mul i64 %uq, %k
	%r = sub i64 %u, %up
	ret %h
}
`)
	if err != nil {
		t.Fatal(err)
	}
	f = f.Clone() // operands of constants are no longer nil
	info := ranges.New()
	want := map[string][2]int64{
		"u": {0, 255}, "s": {-128, 127}, "p": {0, 255 * 77}, "q": {-128 * 77, 127 * 77}, "h": {0, 76},
		"m": {0, 127 * 77}, "n": {-255, 0}, "w": {-1, 0},
		"nd": {0, 255 + 255*77}, "kd": {-255 * 77, 255}, "r": {0, 76},
	}
	for v := range f.Values {
		if w, ok := want[v.Name]; ok {
			if r := info.Of(v); r.SLo != w[0] || r.SHi != w[1] {
				t.Errorf("%%%s is in [%d, %d], want %v", v.Name, r.SLo, r.SHi, w)
			}
		}
	}
}

// TestMix computes sums with a mix for all inputs of four bits.
func TestMix(t *testing.T) {
	for _, c := range []struct {
		complement string
		hi         int64 // of the sum; twice as much where there is no mix
	}{
		{"%c = sub i8 %k, %s", 15*7 + 1},
		{"%c = xor i8 %s, %k", 15*7 + 1},
		{"%j = const i8 16\n\t%c = sub i8 %j, %s", 16*7 + 1},
		{"%j = const i8 14\n\t%c = sub i8 %j, %s", 127},
		{"%j = const i8 14\n\t%c = xor i8 %s, %j", 127},
	} {
		f, err := parse.Func(`func @f(%xin i8, %yin i8, %sin i8) (i8) {
entry:
	%k = const i8 15
	%l = const i8 7
	%one = const i8 1
	%x = and i8 %xin, %l
	%y = and i8 %yin, %l
	%s = and i8 %sin, %k
	` + c.complement + `
	%p = mul i8 %x, %s
	%p1 = add i8 %p, %one
	%q = mul i8 %c, %y
	%sum = add i8 %p1, %q
	ret %sum
}
`)
		if err != nil {
			t.Fatal(err)
		}
		info := ranges.New()
		check := func(v *vir.Value, x interp.Value) {
			if !v.Type.Elem.IsInt() {
				return
			}
			if r := info.Of(v); x.Uint() < r.ULo || x.Uint() > r.UHi || x.Int() < r.SLo || x.Int() > r.SHi {
				t.Fatalf("%s is %d, outside of %+v\n%s", v.Inst(), x.Int(), r, f)
			}
			if v.Name == "sum" && info.Of(v).SHi != c.hi {
				t.Fatalf("at most %d, want %d\n%s", info.Of(v).SHi, c.hi, f)
			}
		}
		for in := range uint64(8 * 8 * 16) {
			args := []interp.Value{byteValue(in & 7), byteValue(in >> 3 & 7), byteValue(in >> 6)}
			if _, err := (interp.Config{Trace: check}).Run(f, new(interp.Memory), args); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func byteValue(x uint64) interp.Value { return interp.New(vir.Scalar(vir.I8), x) }
