package filter

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// numbers are n numbers from 1 to 100.
func numbers[T int32 | uint16 | float32](n int) []T {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]T, n)
	for i := range x {
		x[i] = T(1 + r.IntN(100))
	}
	return x
}

func TestSelectionMeansValues(t *testing.T) {
	x := numbers[float32](1000)
	for k := range 102 {
		limit := float32(k)
		values, selected := make([]float32, len(x)), make([]int32, len(x))
		n := Above(values, x, limit)
		if m := Between(selected, x, limit+0.5, 1000); m != n {
			t.Fatalf("limit %v: %d values, %d positions", limit, n, m)
		}
		for k, i := range selected[:n] {
			if x[i] != values[k] {
				t.Fatalf("limit %v: value %d is %v, not %v from %d", limit, k, values[k], x[i], i)
			}
		}
	}
}

func TestExactRoom(t *testing.T) {
	x := numbers[float32](1000)
	dst := make([]float32, len(x)+1)
	n := above(dst, x, 50)
	exact := make([]float32, n)
	if got := Above(exact, x, 50); got != n || !slices.Equal(exact, dst[:n]) {
		t.Errorf("Above kept %d in a slice for %d", got, n)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic in a slice that is too short")
		}
		if !slices.Equal(exact[:n-1], dst[:n-1]) {
			t.Error("before the panic not everything was stored")
		}
	}()
	clear(exact)
	Above(exact[:n-1], x, 50)
}

func TestDropSpaces(t *testing.T) {
	text := []byte("the quick brown fox jumps over the lazy dog and does not look back to where it came from at all")
	want := slices.DeleteFunc(slices.Clone(text), func(c byte) bool { return c == ' ' })
	if got := DropSpaces(text); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPartition(t *testing.T) {
	x := numbers[int32](1000)
	for pivot := range int32(103) {
		low, high := make([]int32, len(x)), make([]int32, len(x))
		k := Partition(low, high, x, pivot)
		all := slices.Concat(low[:k], high[:len(x)-k])
		want := slices.Clone(x)
		slices.SortStableFunc(want, func(a, b int32) int {
			switch below := func(v int32) bool { return v < pivot }; {
			case below(a) == below(b):
				return 0
			case below(a):
				return -1
			}
			return 1
		})
		if !slices.Equal(all, want) {
			t.Fatalf("pivot %d: %v, want %v", pivot, all, want)
		}
	}
}

func TestNonZero(t *testing.T) {
	x := numbers[uint16](1000)
	for i := range x {
		x[i] *= x[i] & 1
	}
	dst := make([]uint16, len(x))
	n := NonZero(dst, x)
	want := slices.DeleteFunc(slices.Clone(x), func(v uint16) bool { return v == 0 })
	if !slices.Equal(dst[:n], want) {
		t.Errorf("%v, want %v", dst[:n], want)
	}
}
