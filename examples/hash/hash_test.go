package hash

import (
	"slices"
	"testing"
)

func TestHash(t *testing.T) {
	keys := []uint32{0, 1, 2}
	hash32(keys, 0)
	if want := []uint32{0, 0x514e28b7, 0x30f4c306}; !slices.Equal(keys, want) {
		t.Errorf("hash32 gave %#x, want %#x", keys, want)
	}
	wide := []uint64{0, 1}
	hash64(wide, 0)
	if want := []uint64{0, 0xb456bcfc34c2cb2c}; !slices.Equal(wide, want) {
		t.Errorf("hash64 gave %#x, want %#x", wide, want)
	}
}
