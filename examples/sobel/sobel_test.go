package sobel

import (
	"slices"
	"testing"
)

func TestEdges(t *testing.T) {
	src := []uint8{
		0, 0, 0, 9, 9,
		0, 0, 0, 9, 9,
		0, 0, 0, 9, 9,
		0, 0, 0, 0, 255,
	}
	dst := make([]uint8, len(src))
	edges(dst, src, 5)
	if got, want := dst[5:15], []uint8{0, 0, 36, 36, 0, 0, 0, 36, 255, 0}; !slices.Equal(got, want) {
		t.Errorf("edges gave %v, want %v", got, want)
	}
	if rim := slices.Concat(dst[:5], dst[15:]); slices.Max(rim) != 0 {
		t.Errorf("the rim became %v", rim)
	}
}
