package premultiply

import (
	"slices"
	"testing"
)

func TestPremultiply(t *testing.T) {
	ps := []Pixel{{1, 0.5, 0.25, 0.5}, {1, 1, 1, 0}, {0.5, 1, 2, 1}}
	want := []Pixel{{0.5, 0.25, 0.125, 0.5}, {}, {0.5, 1, 2, 1}}
	dst := make([]Pixel, 3)
	copyPremultiplied(dst, ps)
	if !slices.Equal(dst, want) {
		t.Errorf("copyPremultiplied gave %v, want %v", dst, want)
	}
	premultiply(ps)
	if !slices.Equal(ps, want) {
		t.Errorf("premultiply gave %v, want %v", ps, want)
	}
}
