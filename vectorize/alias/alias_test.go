package alias

import (
	"testing"

	"github.com/lanewise/lanewise/vir"
	"github.com/lanewise/lanewise/vir/parse"
)

const text = `func @f(%p ptr {elem 4, len 16}, %q ptr {elem 4, len 16}, %s ptr {elem 1, len 16, immutable}, %i i64, %j i64) {
entry:
	%three = const i64 3
	%two = const i64 2
	%i3 = add i64 %i, %three
	%im3 = sub i64 %i, %three
	%i4 = shl i64 %i, %two
	%ij = add i64 %i3, %j
	%ji = add i64 %j, %i
	%pi = ptradd ptr %p, %i4
	%a = load i32 [%p + %i*4]
	%b = load i32 [%p + %i*4 + 4]
	%c = load i32 [%p + %i3*4]
	%d = load i32 [%p + %i*4 + 12]
	%e = load i32 [%pi]
	%f = load i64 [%p + %i*4]
	%g = load i32 [%p + %j*4]
	%h = load i32 [%q + %i*4]
	%k = load i8 [%s + %i*1]
	%l = load i32 [%p + %ij*4]
	%m = load i32 [%p + %ji*4 + 12]
	%n = load i32 [%p + %im3*4 + 12]
	%o = load i32 [%p + 12]
	%r = load i32 [%p + %three*4]
	%t = load ptr [%p + %i*4]
	%row = load ptr [%q + %j*8]
	store i32 %a, [%p + %i*4]
	ret
}
`

func TestCompare(t *testing.T) {
	f, err := parse.Func(text)
	if err != nil {
		t.Fatal(err)
	}
	at := make(map[string]*vir.Value)
	for v := range f.Values {
		at[v.Name] = v
	}
	at["store"] = f.Entry().Insts[len(f.Entry().Insts)-2]
	for _, c := range []struct {
		a, b string
		want Relation
	}{
		{"a", "a", Equal}, {"a", "b", Disjoint}, {"c", "d", Equal}, {"a", "e", Equal}, {"a", "f", Overlap}, {"b", "f", Overlap},
		{"c", "f", Disjoint}, {"a", "g", Unknown}, {"a", "h", Unknown}, {"a", "k", Disjoint}, {"l", "m", Equal}, {"a", "n", Equal},
		{"o", "r", Equal}, {"a", "o", Unknown}, {"g", "l", Unknown},
		{"a", "store", Equal}, {"h", "store", Unknown}, {"row", "store", Disjoint}, {"t", "store", Disjoint}, {"t", "row", Unknown},
	} {
		if got := Compare(at[c.a], at[c.b]); got != c.want {
			t.Errorf("%s and %s: %d, not %d", c.a, c.b, got, c.want)
		}
		if got := Compare(at[c.b], at[c.a]); got != c.want {
			t.Errorf("%s and %s: %d, not %d", c.b, c.a, got, c.want)
		}
	}
}

// Bytes at constant distances overlap just where they have one in common.
func TestDistancesOfSizes(t *testing.T) {
	base := &vir.Value{Op: vir.OpPhi, Type: vir.Scalar(vir.Ptr)}
	for _, size := range []int64{1, 2, 4, 8} {
		for _, size2 := range []int64{1, 2, 4, 8} {
			for d := int64(-10); d <= 10; d++ {
				want := Overlap
				switch {
				case d == 0 && size == size2:
					want = Equal
				case d >= size || d+size2 <= 0:
					want = Disjoint
				}
				a, b := Range{Base: base, Lo: 16, Hi: 16 + size}, Range{Base: base, Lo: 16 + d, Hi: 16 + d + size2}
				if got := Ranges(a, b); got != want {
					t.Errorf("%d bytes, and %d bytes %d behind them: %v, want %v", size, size2, d, got, want)
				}
			}
		}
	}
}

// TestDistanceOfRanges puts pointers and indices everywhere: the ranges have a byte in common
// just where the distance lies between its ends.
func TestDistanceOfRanges(t *testing.T) {
	f, err := parse.Func(text)
	if err != nil {
		t.Fatal(err)
	}
	p, q, i, j := f.Params[0], f.Params[1], f.Params[3], f.Params[4]
	for _, x := range []Apart{
		{Range{p, i, 4, 0, 4}, Range{q, i, 4, 0, 4}},
		{Range{p, i, 4, 0, 4}, Range{q, i, 4, 8, 24}},
		{Range{q, i, 4, -4, 12}, Range{p, j, 2, 0, 2}},
		{Range{p, i, 8, 3, 5}, Range{p, j, 8, 0, 8}},
		{Range{p, nil, 0, 0, 1}, Range{q, j, -4, 5, 21}},
	} {
		d := x.Distance()
		at := make(map[*vir.Value]int64)
		for at[p] = 0; at[p] < 2; at[p]++ {
			for at[q] = -70; at[q] <= 70; at[q]++ {
				for at[i] = -2; at[i] <= 3; at[i]++ {
					for at[j] = -3; at[j] <= 2; at[j]++ {
						first := func(r Range) int64 { return at[r.Base] + at[r.Index]*r.Scale }
						a, b := first(x.A), first(x.B)
						touch := a+x.A.Lo < b+x.B.Hi && b+x.B.Lo < a+x.A.Hi
						dist := at[d.To] - at[d.From]
						for _, y := range d.Terms {
							dist += at[y.Value] * y.Factor
						}
						if got := d.Lo <= dist && dist <= d.Hi; got != touch {
							t.Fatalf("%v: at %d, %d with %d, %d: %v", x, at[p], at[q], at[i], at[j], got)
						}
					}
				}
			}
		}
	}
}
