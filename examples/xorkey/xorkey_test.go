package xorkey

import (
	"slices"
	"testing"
)

func TestMask(t *testing.T) {
	key, want := [4]byte{1, 2, 4, 8}, []byte{1, 2, 4, 8, 1, 2}
	data := make([]byte, 6)
	mask(data, key)
	if !slices.Equal(data, want) {
		t.Errorf("mask gave %v, want %v", data, want)
	}
	parts := make([]byte, 6)
	maskFrom(parts[:3], key, 0)
	maskFrom(parts[3:], key, 3)
	if !slices.Equal(parts, want) {
		t.Errorf("maskFrom gave %v, want %v", parts, want)
	}
}

func TestMaskInto(t *testing.T) {
	src, dst := make([]byte, 18), make([]byte, 18)
	src[17] = 7
	maskInto(dst, src, &[16]byte{0: 1, 1: 2, 15: 3})
	if want := []byte{0: 1, 1: 2, 15: 3, 16: 1, 17: 5}; !slices.Equal(dst, want) {
		t.Errorf("maskInto gave %v, want %v", dst, want)
	}
}
