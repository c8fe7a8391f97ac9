package stereo

import (
	"slices"
	"testing"
)

func TestChannels(t *testing.T) {
	l, r := []int16{1, 2, 3}, []int16{-1, -2, 32767}
	frames := make([]int16, 6)
	interleave(frames, l, r)
	if want := []int16{1, -1, 2, -2, 3, 32767}; !slices.Equal(frames, want) {
		t.Errorf("interleave gave %v, want %v", frames, want)
	}
	l2, r2 := make([]int16, 3), make([]int16, 3)
	deinterleave(l2, r2, frames)
	if !slices.Equal(l, l2) || !slices.Equal(r, r2) {
		t.Errorf("deinterleave gave %v and %v", l2, r2)
	}
	mix(l2, frames)
	if want := []int16{0, 0, 16385}; !slices.Equal(l2, want) {
		t.Errorf("mix gave %v, want %v", l2, want)
	}
}
