package bitmap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// columns are numbers from 0 to 99 and their sums as far as they are above limit.
func columns(n int, limit int32) (x []int32, wide []int64, total int64) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		v := r.Int32N(100)
		x, wide = append(x, v), append(wide, int64(v))
		if v > limit {
			total += int64(v)
		}
	}
	return x, wide, total
}

func TestSelectedSums(t *testing.T) {
	for n := range 500 {
		x, wide, want := columns(n, 40)
		bits := make([]uint64, (n+63)/64)
		Above(bits, x, 40)
		if got := Sum(wide, bits); got != want {
			t.Fatalf("%d elements: %d, want %d", n, got, want)
		}
		flags := make([]bool, n)
		Bools(flags, bits)
		for i, v := range x {
			if flags[i] != (v > 40) {
				t.Fatalf("%d elements: element %d is %d, its bit %t", n, i, v, flags[i])
			}
		}
	}
}

func TestDistinct(t *testing.T) {
	for n := range 500 {
		x, _, _ := columns(n, 0)
		slices.Sort(x)
		want := slices.Compact(slices.Clone(x))
		if got := x[:Distinct(x)]; !slices.Equal(got, want) {
			t.Fatalf("%d elements: %v, want %v", n, got, want)
		}
	}
}
