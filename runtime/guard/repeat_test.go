package guard

import (
	"testing"
	"unsafe"
)

// TestRepeat looks for every element of a table at all places of its copy.
func TestRepeat(t *testing.T) {
	table := make([]uint16, 70)
	for i := range table {
		table[i] = uint16(i + 1)
	}
	at := unsafe.Pointer(unsafe.SliceData(table))
	for n := -1; n <= len(table); n++ {
		for _, most := range []int{-1, 0, 1, n - 1, n, n + 1, 2 * n, 2*n + 1, 50, 1000} {
			room := make([]byte, 128)
			p, size := Repeat(room, at, n, 2, most)
			if n < 1 || n > 32 || n >= most {
				if p != at || size != n {
					t.Errorf("%d elements for %d: %d of them, in the copy: %v", n, most, size, p != at)
				}
				continue
			}
			if size < 2*n || size%n != 0 || size > 64 || size < most && size <= 32 {
				t.Errorf("%d elements for %d: the copy has %d", n, most, size)
			}
			for i, x := range unsafe.Slice((*uint16)(p), size) {
				if x != table[i%n] {
					t.Fatalf("%d elements for %d: element %d is %d, want %d", n, most, i, x, table[i%n])
				}
			}
		}
	}
}
