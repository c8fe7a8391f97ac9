package boxblur

import (
	"slices"
	"testing"
)

func TestBlur3x3(t *testing.T) {
	src := []uint8{
		0, 0, 0, 0,
		0, 90, 0, 0,
		0, 0, 0, 255,
	}
	dst := slices.Clone(src)
	blur3x3(dst, src, 4)
	want := slices.Clone(src)
	want[5], want[6] = 10, 38
	if !slices.Equal(dst, want) {
		t.Errorf("blur3x3 gave %v, want %v", dst, want)
	}
}
