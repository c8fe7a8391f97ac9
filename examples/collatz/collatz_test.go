package collatz

import (
	"slices"
	"testing"
)

func TestLengths(t *testing.T) {
	dst := make([]uint32, 6)
	lengths(dst, []uint32{0, 1, 2, 3, 7, 27})
	if want := []uint32{0, 0, 1, 7, 16, 111}; !slices.Equal(dst, want) {
		t.Errorf("lengths gave %v, want %v", dst, want)
	}
}
