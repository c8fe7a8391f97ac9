package swaprb

import (
	"slices"
	"testing"
)

func TestSwap(t *testing.T) {
	pix := []uint8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	dst := make([]uint8, 8)
	copySwapped(dst, pix)
	if want := []uint8{3, 2, 1, 4, 7, 6, 5, 8}; !slices.Equal(dst, want) {
		t.Errorf("copySwapped gave %v, want %v", dst, want)
	}
	swap(pix)
	if want := []uint8{3, 2, 1, 4, 7, 6, 5, 8, 9, 10, 11}; !slices.Equal(pix, want) {
		t.Errorf("swap gave %v, want %v", pix, want)
	}
}
