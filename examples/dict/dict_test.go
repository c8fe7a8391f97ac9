package dict

import (
	"slices"
	"testing"
)

func TestDecode(t *testing.T) {
	dst := make([]float32, 4)
	decode(dst, []uint8{2, 0, 1, 2}, []float32{1.5, 2.5, 3.5})
	if want := []float32{3.5, 1.5, 2.5, 3.5}; !slices.Equal(dst, want) {
		t.Errorf("decode gave %v, want %v", dst, want)
	}
	decode16(dst, []uint8{15, 0, 0x31, 1}, &[16]float32{0: 7, 1: 8, 15: 9})
	if want := []float32{9, 7, 8, 8}; !slices.Equal(dst, want) {
		t.Errorf("decode16 gave %v, want %v", dst, want)
	}
}

func TestRecode(t *testing.T) {
	var table [256]uint8
	for i := range table {
		table[i] = uint8(255 - i)
	}
	dst := make([]uint8, 3)
	recode(dst, []uint8{0, 200, 255}, &table)
	if want := []uint8{255, 55, 0}; !slices.Equal(dst, want) {
		t.Errorf("recode gave %v, want %v", dst, want)
	}
}
