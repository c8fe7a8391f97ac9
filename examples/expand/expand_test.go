package expand

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// flags are n bools, so many percent of which hold.
func flags(n, percent int) []bool {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]bool, n)
	for i := range x {
		x[i] = r.IntN(100) < percent
	}
	return x
}

func TestUnpack(t *testing.T) {
	for _, percent := range []int{0, 1, 30, 50, 99, 100} {
		present := flags(1000, percent)
		var values, want []float32
		for i, p := range present {
			if p {
				values = append(values, float32(i))
				want = append(want, float32(i))
			} else {
				want = append(want, -1)
			}
		}
		dst := make([]float32, len(present))
		if k := Unpack(dst, slices.Clip(values), present, -1); k != len(values) || !slices.Equal(dst, want) {
			t.Errorf("%d%%: used %d of %d: %v, want %v", percent, k, len(values), dst, want)
		}
		if len(values) == 0 {
			continue
		}
		clear(dst)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d%%: no panic with a value too few", percent)
				}
			}()
			Unpack(dst, values[:len(values)-1], present, -1)
		}()
		last := int(values[len(values)-1])
		if !slices.Equal(dst[:last], want[:last]) || dst[last] != 0 {
			t.Errorf("%d%%: %v before the panic, want %v", percent, dst[:last+1], want[:last])
		}
	}
}

func TestPutBackAll(t *testing.T) {
	x := make([]float32, 500)
	for i := range x {
		x[i] = float32(i * 7 % 100)
	}
	want, high := slices.Clone(x), []float32(nil)
	for _, v := range x {
		if v > 40 {
			high = append(high, v)
		}
	}
	if k := PutBack(x, high, 40); k != len(high) || !slices.Equal(x, want) {
		t.Errorf("put back %d of %d: %v, want %v", k, len(high), x, want)
	}
}

func TestChoose(t *testing.T) {
	first := flags(777, 40)
	var a, b, want []int32
	for i, f := range first {
		if f {
			a = append(a, int32(i))
		} else {
			b = append(b, int32(i))
		}
		want = append(want, int32(i))
	}
	dst := make([]int32, len(first))
	if k := Choose(dst, a, b, first); k != len(a) || !slices.Equal(dst, want) {
		t.Errorf("chose %d of %d: %v", k, len(a), dst)
	}
}
