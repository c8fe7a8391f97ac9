package rgbagray

import (
	"slices"
	"testing"
)

func TestGray(t *testing.T) {
	src := []uint8{
		0, 0, 0, 255,
		255, 255, 255, 255,
		255, 0, 0, 9,
		0, 255, 0, 9,
		0, 0, 255, 9,
	}
	dst := make([]uint8, 5)
	gray(dst, src)
	if want := []uint8{0, 255, 77, 149, 29}; !slices.Equal(dst, want) {
		t.Errorf("gray gave %v, want %v", dst, want)
	}
}
