package threshold

import (
	"slices"
	"testing"
)

func TestThreshold(t *testing.T) {
	img := []uint8{0, 99, 100, 255}
	dst := make([]uint8, len(img))
	binarize(dst, img, 100)
	if want := []uint8{0, 0, 255, 255}; !slices.Equal(dst, want) {
		t.Errorf("binarize gave %v, want %v", dst, want)
	}
	cut(img, 100)
	if want := []uint8{0, 0, 100, 255}; !slices.Equal(img, want) {
		t.Errorf("cut gave %v, want %v", img, want)
	}
}
