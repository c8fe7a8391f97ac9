package gray

import (
	"slices"
	"testing"
)

func TestGray(t *testing.T) {
	dst := make([]uint8, 5)
	gray(dst,
		[]uint8{0, 255, 255, 0, 0},
		[]uint8{0, 255, 0, 255, 0},
		[]uint8{0, 255, 0, 0, 255})
	if want := []uint8{0, 255, 77, 149, 29}; !slices.Equal(dst, want) {
		t.Errorf("gray gave %v, want %v", dst, want)
	}
}
