package search

import (
	"slices"
	"testing"
)

func TestLowerBounds(t *testing.T) {
	table, keys := []int32{1, 3, 3, 8}, []int32{-1, 1, 2, 3, 4, 8, 9}
	want := []int32{0, 0, 1, 1, 3, 3, 4}
	dst := make([]int32, len(keys))
	if lowerBounds(dst, table, keys); !slices.Equal(dst, want) {
		t.Errorf("lowerBounds gave %v, want %v", dst, want)
	}
	clear(dst)
	if lowerBounds32(dst, table, keys); !slices.Equal(dst, want) {
		t.Errorf("lowerBounds32 gave %v, want %v", dst, want)
	}
}

func TestLongTable(t *testing.T) {
	table, keys := make([]int32, 100_000), make([]int32, 1000)
	for i := range table {
		table[i] = int32(3 * i)
	}
	for i := range keys {
		keys[i] = int32(i * 299)
	}
	for _, f := range []func(dst, table, keys []int32){LowerBounds, LowerBounds32} {
		dst := make([]int32, len(keys))
		f(dst, table, keys)
		for i, key := range keys {
			if want, _ := slices.BinarySearch(table, key); int(dst[i]) != want {
				t.Fatalf("%d at %d, want %d", key, dst[i], want)
			}
		}
	}
}
