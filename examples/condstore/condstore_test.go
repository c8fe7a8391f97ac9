package condstore

import (
	"slices"
	"testing"
)

func testCopyAbove[T int64 | float32 | uint8](t *testing.T, copyAbove func(dst, x []T, limit T)) {
	t.Helper()
	dst := []T{7, 7, 7, 7}
	copyAbove(dst, []T{1, 5, 3, 9}, 3)
	if want := []T{7, 5, 7, 9}; !slices.Equal(dst, want) {
		t.Errorf("got %v, want %v", dst, want)
	}
}

func TestCopyAboveLeavesOthers(t *testing.T) {
	testCopyAbove(t, copyAbove)
	testCopyAbove(t, copyAboveInt64)
	testCopyAbove(t, copyAboveBytes)
}

func TestClip(t *testing.T) {
	x := []float32{-3, -1, 0, 1, 3}
	clip(x, 2)
	if want := []float32{-2, -1, 0, 1, 2}; !slices.Equal(x, want) {
		t.Errorf("clip gave %v, want %v", x, want)
	}
}
