package planar

import (
	"slices"
	"testing"
)

func TestPlanes(t *testing.T) {
	src := []uint8{1, 2, 3, 4, 5, 6}
	r, g, b := make([]uint8, 2), make([]uint8, 2), make([]uint8, 2)
	split(r, g, b, src)
	if !slices.Equal(r, []uint8{1, 4}) || !slices.Equal(g, []uint8{2, 5}) || !slices.Equal(b, []uint8{3, 6}) {
		t.Errorf("split gave %v, %v and %v", r, g, b)
	}
	dst := make([]uint8, 8)
	join(dst, r, g, b)
	if !slices.Equal(dst[:6], src) {
		t.Errorf("join gave %v, want %v", dst, src)
	}
	toRGBA(dst, src)
	if want := []uint8{1, 2, 3, 255, 4, 5, 6, 255}; !slices.Equal(dst, want) {
		t.Errorf("toRGBA gave %v, want %v", dst, want)
	}
}
